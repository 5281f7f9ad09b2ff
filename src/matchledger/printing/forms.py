"""Forms: slips on shared sheets, score cards, and the emergency set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from matchledger.printing.lists import pairings
from matchledger.printing.setting import Setting, qr_code
from matchledger.text.columns import points_of
from matchledger_projections.document import Document
from matchledger_projections.rulebook.games import games_text
from matchledger_projections.rulebook.scoring import points_text, unit_name, unit_of

UP = 4  # the number of slips on a sheet
Item = TypeVar("Item")


def cut_stack(slips: Sequence[Item], up: int = UP) -> list[list[Item | None]]:
    """Return the sheets to print, each with `up` slips from top to bottom.

    None means an empty place on a sheet.

    Cut the stack once, and put the piles on top of each other from left to right. The slips then lie in their
    original order.
    """
    sheets = -(-len(slips) // up)
    filled: list[Item | None] = [*slips, *[None] * (sheets * up - len(slips))]
    return [filled[sheet::sheets] for sheet in range(sheets)]


def form_said(form: Document, setting: Setting) -> Document:
    """Return the data of a slip with its words in the reader's language."""
    results = [
        {"kind": setting.say(one["kind"]), "worth": [points_text(count, form["unit"]) for count in one["worth"]]}
        for one in form["results"]
    ]
    return {**form, "unit": setting.say(unit_name(form["unit"])), "results": results}


def slips(document: Document, setting: Setting, *, up: int = UP) -> Document:
    """Return the data of a round's slips."""
    say = setting.say
    name = say(document["name"])
    about = say("QR code of the slip of table %(table)s")
    ready = [
        {
            "table": slip["table"],
            "round": name,
            "players": slip["players"],
            "code": qr_code(slip["code"]),
            "about": about % slip,
        }
        for slip in document["slips"]
    ]
    return setting.data(
        document,
        say("%(round)s: slips") % {"round": name},
        up=up,
        form=form_said(document["form"], setting),
        sheets=cut_stack(ready, up),
    )


def round_sheets(document: Document, setting: Setting, *, up: int = UP) -> Document:
    """Return the data of all sheets of a round: its lists, then its slips."""
    lists = [pairings(listed, setting) for listed in document["lists"]]
    pile = document["slips"] and slips(document["slips"], setting, up=up)
    form = pile["form"] if pile else None
    name = setting.say(document["lists"][0]["name"])
    return setting.data(document, name, lists=lists, slips=pile, form=form)


def cards(document: Document, setting: Setting) -> Document:
    """Return the data of score cards."""
    say = setting.say
    unit = say(unit_name(document["unit"]))
    return setting.data(
        document,
        say("Score cards"),
        heads=[
            say("Round"),
            say("Opponent"),
            say("Table"),
            say("Result"),
            unit,
            say("total"),
            say("written by"),
        ],
        cards=[_card(card, document, setting) for card in document["cards"]],
    )


def _card(card: Document, document: Document, setting: Setting) -> Document:
    say = setting.say
    lines = [
        *(
            _line(str(line["round"]), line, document["bye_name"], document["unit"], setting)
            for line in card["swiss"]
        ),
        *(_line(f"E{line['round']}", line, "bye", document["unit"], setting) for line in card["elimination"]),
    ]
    division = f", {card['division']}" if card["division"] else ""
    status = "" if card["status"] == "active" else f", {say(card['status'])}"
    unit = say(unit_of(card["total"], document["unit"]))
    written = points_text(card["total"], document["unit"])
    total = say("Total: %(total)s %(unit)s") % {"total": written, "unit": unit}
    apart = f" {say('E: elimination stage, counted separately.')}" if card["elimination"] else ""
    return {
        "title": f"#{card['number']} {card['player']}{division}{status}",
        "lines": lines,
        "foot": f"{total}.{apart}",
    }


def _line(round_: str, line: Document, bye_name: str, unit: str, setting: Setting) -> list[str]:
    say = setting.say
    outcome = say(bye_name if line["outcome"] == "bye" else line["outcome"])
    kind = line["kind"]
    said = outcome if kind in (None, "win", "loss", "draw", "bye", line["outcome"]) else f"{outcome} ({say(kind)})"
    if line["games"] is not None:
        said += f" {games_text(line['games'])}"
    writer = line["writer"]
    return [
        round_,
        line["opponent"] or "",
        "" if line["table"] is None else str(line["table"]),
        said,
        points_of(line["points"], unit),
        points_of(line["total"], unit),
        "" if writer is None else f"{writer['name']} ({say(writer['role'])})",
    ]


_LIST_ROWS = 27  # the number of lines on a blank list, as in the template
_CARDS = 2  # the number of score cards on a page
_CARD_ROUNDS = 9


def blank(document: Document, setting: Setting, *, up: int = UP) -> Document:
    """Return the data of the emergency set: slips and score cards for one round, and its lists."""
    say = setting.say
    tables = document["tables"]
    empty = {"table": None, "round": None, "players": [None, None], "code": None, "about": ""}
    return setting.data(
        document,
        say("Emergency set"),
        steps=list(_steps(document, setting)),
        worth=[[kind, *points, *[""] * (2 - len(points))] for kind, points in _worth(document, setting)],
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
            say(unit_name(document["form"]["unit"])),
            say("total"),
            say("written by"),
        ],
    )


def _worth(document: Document, setting: Setting) -> Iterator[tuple[str, list[str]]]:
    unit = document["form"]["unit"]
    for kind, points in document["worth"].items():
        yield setting.say(kind), [points_text(count, unit) for count in points]
    yield setting.say("bye"), [points_text(document["bye"]["points"], unit)]


def _steps(document: Document, setting: Setting) -> Iterator[Document]:
    """Yield the steps for going on without a computer, in order. A step may have a command to type afterwards."""
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
            say(
                "Then enter the slips of this round by table, with a or b for the winner, all at once or one by "
                "one:"
            ),
            "matchledger report 1 a 2 b",
        ),
        (say("Then enter each player who left after that round:"), "matchledger drop 'Ann Lee'"),
        (say("Compare the totals with the score cards before the next round is paired:"), "matchledger standings"),
    ):
        yield {"text": text, "command": command}
