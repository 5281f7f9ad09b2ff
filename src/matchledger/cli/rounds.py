"""Commands that pair rounds, seat players differently and order ties."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from matchledger.cli.clock_text import title
from matchledger.cli.options import JsonOption
from matchledger.cli.pairing import say_preview
from matchledger.cli.recording import Printer, tell_entries
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.tables import pairings_table
from matchledger.cli.terminal import agreed
from matchledger.commands.command import Moved, Two, players_named
from matchledger.commands.refusal import counted
from matchledger.commands.rounds import AmendPairing, PairByHand, PairRound
from matchledger.commands.seats import SwapTables
from matchledger.commands.ties import DrawTies, OrderTie, ties_after
from matchledger.events import TieResolved
from matchledger.ledger import Conflict
from matchledger.service.execute import Done
from matchledger.service.next_round import prepare_round
from matchledger_projections.record.record import Record


@writing
def pair(
    session: Session,
    by_hand: Annotated[
        list[str] | None,
        typer.Option("--table", help="Pair by hand: 'Ann Lee/Bo Chen', once per table, or 'Ann Lee' for a bye."),
    ] = None,
    allow_rematch: Annotated[
        bool, typer.Option("--allow-rematch", help="Allow rematches, but as few as possible.")
    ] = False,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Show the round and everything that speaks against it; record nothing."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Pair the next round."""
    if as_json and not preview:
        raise UsageProblem("--json shows a preview: give --preview with it")
    deviating = session.reason is not None
    made: PairRound | PairByHand = PairRound(allow_rematch=allow_rematch, deviating=deviating)
    if by_hand:
        games, byes = _seatings(session, by_hand)
        made = PairByHand(games=games, byes=byes, allow_rematch=allow_rematch, deviating=deviating)
    if preview:
        prepared = prepare_round(
            session.ledger,
            session.tournament,
            by_hand=made.seatings(session.record) if isinstance(made, PairByHand) else None,
            allow_rematch=allow_rematch,
            deviating=deviating,
        )
        say_preview(prepared, as_json=as_json)
        return
    session.execute(made)
    _say_round(session.record)


def _seatings(session: Session, tables: list[str]) -> tuple[tuple[Two, ...], tuple[int, ...]]:
    """Return the named games and byes: Ann Lee/Bo Chen for a table, Ann Lee for a bye."""
    named = [[session.player(name.strip()) for name in text.split("/")] for text in tables]
    for text, players in zip(tables, named, strict=True):
        if len(players) > 2:  # noqa: PLR2004 - a table has two players
            raise UsageProblem(f"{text!r} names {len(players)} players: a table has two, a bye one")
    return (
        tuple((players[0], players[1]) for players in named if len(players) > 1),
        tuple(players[0] for players in named if len(players) == 1),
    )


def _say_round(record: Record) -> None:
    latest = record.current_round
    if latest is not None:
        typer.echo(f"{title(latest)}: {counted(len(latest.tables), 'table')} (entry {record.position})")
        for line in pairings_table(record, latest):
            typer.echo(line)


@writing
def amend(
    session: Session,
    tables: Annotated[list[str], typer.Argument(help="'Ann Lee/Bo Chen' for a table, 'Ann Lee' for a bye.")],
    allow_rematch: Annotated[bool, typer.Option("--allow-rematch", help="Allow this rematch.")] = False,
) -> None:
    """Seat some players of the posted round differently."""
    games, byes = _seatings(session, tables)
    deviating = session.reason is not None
    session.execute(AmendPairing(games=games, byes=byes, allow_rematch=allow_rematch, deviating=deviating))
    _say_round(session.record)


@writing
def tie(
    session: Session,
    players: Annotated[
        list[str] | None, typer.Argument(help="The players in order, best first; leave them out to draw every tie.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Draw without asking first.")] = False,
) -> None:
    """Record the order of a tie, or draw the order of every tie."""
    order = players_named(session.record, players or ())
    level = [] if order else ties_after(session.record, session.record.finished_rounds)
    seen = None
    if level and not yes and sys.stdin.isatty():
        seen = session.record.position
        for _, group in level:
            typer.echo(f"Will draw the order of: {', '.join(session.record.players[one].name for one in group)}")
        if not agreed("Draw now?"):
            return
    try:
        entries = session.execute(OrderTie(players=order) if order else DrawTies(), seen=seen).entries
    except Moved:
        raise Conflict("another station has recorded something since: nothing was drawn, look again") from None
    for fact in (entry.fact for entry in entries):
        if isinstance(fact, TieResolved):
            typer.echo(", ".join(session.record.players[number].name for number in fact.players))


def _swapped(session: Session, command: SwapTables, done: Done) -> None:
    tell_entries(session, command, done)
    typer.echo(f"Print again: pairings, and slips {command.first} {command.second}.")


PRINTERS: dict[str, Printer] = {"swap-tables": _swapped}
