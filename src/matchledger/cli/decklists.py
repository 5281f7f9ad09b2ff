"""Commands about deck lists: handing them in, amending them, and showing what is on record."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from matchledger.cli.files import read_file
from matchledger.cli.rounds import JsonOption
from matchledger.cli.session import Moment, Session, UsageProblem, find_player, reading, writing
from matchledger.cli.setup import PlayerArgument
from matchledger.cli.tables import columns
from matchledger.events import DeckList
from matchledger.formats.decklist import list_text, read_decklist
from matchledger.formats.transcript import FormatError
from matchledger.tournament import decklists
from matchledger_projections.decks.registered import Registered, registered
from matchledger_projections.record import Record

VERDICTS = {True: "ok", False: "FAILS", None: "open"}
ListArgument = Annotated[Path, typer.Argument(help="The list: text under headings such as [dynasty], or CSV.")]


@writing
def submit(
    session: Session,
    player: PlayerArgument,
    file: ListArgument,
    late: Annotated[bool, typer.Option("--late", help="Even though round 1 has begun.")] = False,
) -> None:
    """Take a player's deck list in."""
    number, deck = session.player(player), read_list(file)
    entries = session.decide(lambda record: decklists.submit(record, player=number, deck=deck, late=late))
    _say_recorded(session.record, number, entries[-1].position)


@writing
def amend(
    session: Session,
    player: PlayerArgument,
    file: ListArgument,
    advantageous: Annotated[
        bool, typer.Option("--advantageous", help="The change is significant and may be to the player's advantage.")
    ] = False,
) -> None:
    """Bring a list up to the deck in use, as its leader; the list before it stays in the log."""
    number, deck, clerk = session.player(player), read_list(file), session.clerk
    entries = session.decide(
        lambda record: decklists.amend(
            record, player=number, deck=deck, leader=clerk.actor, role=clerk.role, advantageous=advantageous
        )
    )
    _say_recorded(session.record, number, entries[-1].position)


def _say_recorded(record: Record, player: int, position: int) -> None:
    current = decklists.need_registered(record, player)
    cards = sum(card.count for card in current.deck.cards)
    typer.echo(f"{record.players[player].name}: a list of {cards} (entry {position}), SHA-256 {current.sha256}")


def read_list(path: Path) -> DeckList:
    """The deck list in a file."""
    try:
        return read_decklist(read_file(path))
    except FormatError as problem:
        raise UsageProblem(f"{path}: {problem}") from None


@reading
def show(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    player: PlayerArgument,
    cards: Annotated[
        bool, typer.Option("--cards", help="The list itself, and what checks found: for staff.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what is on record of a deck: hashes, amendments, checks; with --cards the list."""
    record = moment.record
    found = find_player(record, player)
    current = registered(record, found.number)
    document = _document(record, found.number, current, cards=cards)
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    if current is None:
        typer.echo(f"{found.name} has handed no list in.")
    else:
        _say_list(found.name, current, cards=cards)
    rows = [
        [
            str(line["entry"]),
            VERDICTS[line["ok"]],
            line["rule"],
            f"round {line['round']}" if line["round"] else "",
            line.get("found") or "",
        ]
        for line in document["checks"]
    ]
    for text in columns(["", "", "rule", "", ""], rows, right=[0]) if rows else ():
        typer.echo(text)


def _say_list(name: str, current: Registered, *, cards: bool) -> None:
    typer.echo(f"{name}: list of entry {current.position}, SHA-256 {current.sha256}")
    for position, fact in current.amendments:
        marked = ", marked as advantageous" if fact.advantageous else ""
        typer.echo(f"amended in entry {position} by {fact.leader}{marked}")
        change = fact.difference if cards else None
        for sign, lines in (("-", change.removed), ("+", change.added)) if change else ():
            for card in lines:
                typer.echo(f"  {sign}{card.count} {card.name} ({card.part})")
    if cards and not current.readable:
        typer.echo("The list was erased, or its key is not here.")
    elif cards:
        for line in list_text(current.deck):
            typer.echo(line)


def _document(record: Record, player: int, current: Registered | None, *, cards: bool) -> dict[str, Any]:
    """What `deck show --json` gives out; `cards` and `found` are there only when they are asked for."""
    document: dict[str, Any] = {
        "player": record.players[player].name,
        "number": player,
        "position": record.position,
        "entry": None if current is None else current.position,
        "sha256": None if current is None else current.sha256,
        "amendments": [
            {"entry": position, "leader": fact.leader, "advantageous": fact.advantageous, "sha256": fact.sha256}
            for position, fact in (current.amendments if current else ())
        ],
        "checks": [
            {
                "entry": position,
                "rule": fact.rule,
                "ok": fact.ok,
                "round": fact.round,
                "sha256": fact.sha256,
                "card_data": fact.card_data,
            }
            | ({"found": fact.finding.text if fact.finding else None} if cards else {})
            for position, fact in record.deck_checks(player)
        ],
    }
    if cards and current is not None:
        document["cards"] = [card.model_dump() for card in current.deck.cards]
    return document


COMMANDS: dict[str, Callable[..., None]] = {
    "submit": submit,
    "amend": amend,
    "show": show,
}
