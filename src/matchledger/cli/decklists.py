"""Commands about deck lists: hand in, amend and show lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.files import in_file, read_file
from matchledger.cli.options import JsonOption, PlayerArgument
from matchledger.cli.session import Moment, Session, find_player, reading, window_of, writing
from matchledger.cli.tables import columns
from matchledger.commands.decklists import AmendDeck, SubmitDeck, need_registered
from matchledger.formats.decklist import list_text, read_decklist
from matchledger.formats.text import decode
from matchledger.service.window import look
from matchledger_projections.decks.registered import Registered, registered
from matchledger_projections.record.record import Record
from matchledger_projections.views.desk import deck as deck_page

VERDICTS = {True: "ok", False: "FAILS", None: "open"}
ListArgument = Annotated[Path, typer.Argument(help="The list: text under headings such as [dynasty], or CSV.")]


@writing
def submit(
    session: Session,
    player: PlayerArgument,
    file: ListArgument,
    late: Annotated[
        bool, typer.Option("--late", help="Accept the list after round 1 began; needs a --reason.")
    ] = False,
) -> None:
    """Accept a player's deck list."""
    command = SubmitDeck(player=session.player(player), deck=read_list(file), late=late)
    _say_recorded(session.record, command.player, session.execute(command).entries[-1].position)


@writing
def amend(
    session: Session,
    player: PlayerArgument,
    file: ListArgument,
    advantageous: Annotated[
        bool, typer.Option("--advantageous", help="The change is significant and may be to the player's advantage.")
    ] = False,
) -> None:
    """As a leader, amend a list to match the deck in use; the log keeps the earlier list."""
    command = AmendDeck(player=session.player(player), deck=read_list(file), advantageous=advantageous)
    _say_recorded(session.record, command.player, session.execute(command).entries[-1].position)


def _say_recorded(record: Record, player: int, position: int) -> None:
    current = need_registered(record, player)
    cards = sum(card.count for card in current.deck.cards)
    typer.echo(f"{record.players[player].name}: a list of {cards} (entry {position}), SHA-256 {current.sha256}")


def read_list(path: Path) -> str:
    """The text of a file that holds a deck list."""
    data = read_file(path)
    with in_file(path):
        read_decklist(data)
        return decode(data)


@reading
def show(
    session: Session,
    moment: Moment,
    player: PlayerArgument,
    cards: Annotated[
        bool, typer.Option("--cards", help="The list itself and the findings of its checks, for the staff.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the hashes, amendments and checks of a deck; with --cards, the list too."""
    record = moment.record
    found = find_player(record, player)
    current = registered(record, found.number)
    window = window_of(session, moment)
    page = look(window, deck_page, player=found.number, cards=cards)
    if as_json:
        document = window.document(page)
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    if current is None:
        typer.echo(f"{found.name} has handed in no list.")
    else:
        _say_list(found.name, current, cards=cards)
    rows = [
        [
            str(line.entry),
            VERDICTS[line.ok],
            line.rule,
            f"round {line.round}" if line.round else "",
            line.found or "",
        ]
        for line in page.checks
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


COMMANDS: dict[str, Callable[..., None]] = {
    "submit": submit,
    "amend": amend,
    "show": show,
}
