"""Commands about paper: score cards, the tournament overview, and whether the event is rated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption
from matchledger.cli.recording import Printer
from matchledger.cli.session import Moment, Session, find_player, reading, window_of
from matchledger.cli.tables import columns, table
from matchledger.commands.refusal import counted
from matchledger.commands.tournaments import FileOverview
from matchledger.service.execute import Done
from matchledger.service.window import look
from matchledger.text.columns import overview_columns
from matchledger_projections.document import Document
from matchledger_projections.document import document as document_of
from matchledger_projections.rulebook.games import games_text
from matchledger_projections.rulebook.scoring import points_text, unit_name
from matchledger_projections.views.overview import overview as overview_of
from matchledger_projections.views.rating import rating as rating_of
from matchledger_projections.views.rating import rating_page
from matchledger_projections.views.score_card import score_cards_page


@reading
def scorecard(
    session: Session,
    moment: Moment,
    players: Annotated[list[str] | None, typer.Argument(help="Names or #numbers; by default everybody.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show score cards: every round, and who recorded it."""
    numbers = tuple(find_player(moment.record, name).number for name in players or ())
    window = window_of(session, moment)
    document = window.document(look(window, score_cards_page, player=numbers))
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    for place, card in enumerate(document["cards"]):
        typer.echo("" if place else f"{document['tournament']}, {document['rulebook']}, entry {moment.position}")
        for line in _card(document, card):
            typer.echo(line)


def _card(document: Document, card: Document) -> Iterator[str]:
    division = f", {card['division']}" if card["division"] else ""
    gone = "" if card["status"] == "active" else f", {card['status']}"
    yield f"Score card {card['number']}: {card['player']}{division}{gone}"
    heads = ["Round", "Table", "Opponent", "Result", unit_name(document["unit"]), "Total", "Written by"]
    lines = [_card_line(line, str(line["round"]), document["bye_name"], document["unit"]) for line in card["swiss"]]
    lines += [_card_line(line, f"E{line['round']}", "bye", document["unit"]) for line in card["elimination"]]
    yield from columns(heads, lines, right=[0, 1, 4, 5])
    if card["elimination"]:
        yield "E: elimination stage, counted separately."


def _card_line(line: Document, round_: str, bye_name: str, unit: str) -> list[str]:
    written, writer = line["outcome"] != "open", line["writer"]
    outcome = {"bye": bye_name, "absence": "missed", "open": ""}.get(line["outcome"], line["outcome"])
    beside = f" ({line['kind']})" if line["kind"] not in (None, "win", "draw", "score", line["outcome"]) else ""
    games = f" {games_text(line['games'])}" if line["games"] else ""
    return [
        round_,
        "" if line["table"] is None else str(line["table"]),
        line["opponent"] or "",
        f"{outcome}{games}{beside}",
        points_text(line["points"], unit) if written else "",
        points_text(line["total"], unit) if written else "",
        "" if writer is None else f"{writer['name']} ({writer['role']}), entry {line['entry']}",
    ]


@reading
def overview(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """Show the tournament overview: the event on one page."""
    window = window_of(session, moment)
    document = window.document(look(window, overview_of))
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    for line in _overview(document):
        typer.echo(line)


def _overview(document: Document) -> Iterator[str]:
    staff = ", ".join(f"{person['name']} ({person['role']})" for person in document["staff"])
    yield f"Tournament overview: {document['tournament']}"
    elimination = document["elimination_rounds"]
    yield from columns(
        ["Rulebook", f"{document['rulebook_title']}, {document['edition']}"],
        [
            ["Held", _held(document)],
            ["Host", document["host"]],
            ["Recorded by", staff],
            ["Players", f"{document['enrolled']} enrolled, {document['participants']} took part"],
            ["Rounds", f"{document['rounds']}{f', then {elimination} of elimination' if elimination else ''}"],
            ["Score cards", str(document["score_cards"])],
            ["Rating", _rating_line(document["rating"])],
        ],
    )
    yield ""
    yield from table(overview_columns(document["unit"]), document["places"])


def _held(document: Document) -> str:
    days = list(dict.fromkeys(day for day in (document["began"], document["ended"]) if day is not None))
    return " to ".join(days) + ("" if document["closed"] else ", not closed") if days else "no day is recorded"


@reading
def rating(
    session: Session,
    moment: Moment,
    as_json: JsonOption = False,
) -> None:
    """Show whether the event is rated, and the deadline for its papers."""
    window = window_of(session, moment)
    document = window.document(look(window, rating_page))
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    typer.echo(f"{document['tournament']}, {document['rulebook']}, entry {moment.position}")
    typer.echo(_rating_line(document))


_VERDICTS = {
    "no rule": "the rulebook says nothing of ratings",
    "host not approved": "not rated: the host is not approved; nothing is to be sent in",
    "under way": "not decided: the tournament is not closed; {took_part} so far, {needed} are needed",
    "too few": "not rated: {took_part} of {needed}; nothing is to be sent in, prizes are given",
    "to be sent": "to be sent in by {deadline}: the overview with {all_cards}",
    "cards missing": "not rated: sent on {sent} with {cards} of {all_cards}",
    "end unknown": "not decided: sent on {sent}, and the last day of the event is not recorded",
    "late": "not rated: sent on {sent}, after {deadline}",
    "rated": "rated: sent on {sent} with {all_cards}, due by {deadline}",
}


def _rating_line(document: Document) -> str:
    filed = document["filed"] or {"sent": None, "cards": None}
    text = _VERDICTS[document["verdict"]].format(
        took_part=counted(document["participants"], "participant"),
        all_cards=counted(document["participants"], "score card"),
        needed=document["needed"],
        deadline=document["deadline"] or "a day that is not known: close says when the event ended",
        **{key: filed[key] for key in ("sent", "cards")},
    )
    return f"{text} ({document['rule']})" if document["rule"] else text


def _filed(session: Session, _: FileOverview, __: Done) -> None:
    typer.echo(_rating_line(document_of(rating_of(session.record), session.record)))


PRINTERS: dict[str, Printer] = {"file-overview": _filed}
