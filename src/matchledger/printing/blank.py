"""The emergency set: everything an event needs to continue without a computer."""

from __future__ import annotations

from collections.abc import Iterator

from matchledger.printing.setting import Setting
from matchledger.printing.slips import UP, form_said
from matchledger_projections.document import Document

_LIST_ROWS = 27  # tables on a blank list, as in the template
_CARDS = 2  # on a page
_CARD_ROUNDS = 9


def blank(document: Document, setting: Setting, *, up: int = UP) -> Document:
    """The data of the emergency set: slips and score cards for one round, and its lists."""
    say = setting.say
    tables = document["tables"]
    empty = {"table": None, "round": None, "players": [None, None], "code": None, "about": ""}
    return setting.data(
        document,
        say("Emergency set"),
        steps=list(_steps(document, setting)),
        worth=[[kind, *map(str, points), *[""] * (2 - len(points))] for kind, points in _worth(document, setting)],
        form=form_said(document["form"], setting),
        tables=tables,
        up=up,
        list_pages=max(1, -(-tables // _LIST_ROWS)),
        slip_pages=[[empty] * up] * max(1, -(-tables // up)),
        card_pages=max(1, -(-document["players"] // _CARDS)),
        card_rounds=_CARD_ROUNDS,
        card_heads=[
            say("Round"),
            say("Opponent"),
            say("Table"),
            say("Result"),
            say(document["form"]["unit"]),
            say("total"),
            say("written by"),
        ],
    )


def _worth(document: Document, setting: Setting) -> Iterator[tuple[str, list[int]]]:
    for kind, points in document["worth"].items():
        yield setting.say(kind), points
    yield setting.say("bye"), [document["bye"]["points"]]


def _steps(document: Document, setting: Setting) -> Iterator[Document]:
    """The steps to take, in order. Some steps have a command."""
    say = setting.say
    said = (
        say("Write down the time. Nothing that was confirmed before is lost: it is in the ledger file."),
        say("Keep the last posted standings and pairings. They show each player's points."),
        say("Let the current round end. Collect every slip: table, names, result, signatures."),
        say("Write each result on the score cards of both players, with the new total, and sign for it."),
        say("Sort the cards by total. Pair from the top, and never two players who have met."),
        say("The bye (%(rule)s) goes to a player who has not had one.") % {"rule": document["bye"]["rule"]},
        say("Write the pairings on the blank list, post it, and give each table a slip with its number on it."),
        say("Keep slips and lists of each round together, in order, and throw none away."),
    )
    for text in said:
        yield {"text": text, "command": None}
    for text, command in (
        (
            say("Afterwards enter everything, oldest first. For a round that you paired by hand:"),
            "matchledger pair --table 'Ann Lee/Bo Chen' --table 'Cy Roe' --reason 'paired on paper'",
        ),
        (
            say("Then its slips by table, with a or b for the winner, all at once or one by one:"),
            "matchledger report 1 a 2 b",
        ),
        (say("Then each player who left after that round:"), "matchledger drop 'Ann Lee'"),
        (say("Compare the totals with the score cards before the next round is paired:"), "matchledger standings"),
    ):
        yield {"text": text, "command": command}
