"""Commands that pair rounds and show the pairings."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from typing import Annotated

import typer
from msgspec.structs import replace

from matchledger.cli.clock_text import title
from matchledger.cli.options import EliminationOption, JsonOption, stage_asked
from matchledger.cli.pairing import say_preview
from matchledger.cli.recording import Printer, tell_entries
from matchledger.cli.results import earlier_lines, outstanding_line
from matchledger.cli.session import Moment, Output, Session, UsageProblem, reading, window_of, writing
from matchledger.cli.tables import csv_rows, csv_table, pairings_table, players_at_tables, slip_form
from matchledger.cli.terminal import agreed
from matchledger.cli.ways import said_here
from matchledger.commands.command import Two, players_named
from matchledger.commands.refusal import counted
from matchledger.commands.rounds import AmendPairing, PairByHand, PairRound
from matchledger.commands.seats import SwapTables
from matchledger.commands.ties import DrawTies, OrderTie, ties_after
from matchledger.events import TieResolved
from matchledger.ledger import Conflict
from matchledger.service.execute import Done, Moved
from matchledger.service.next_round import prepare_round
from matchledger.text.columns import pairings_columns
from matchledger_projections.record.record import Record
from matchledger_projections.views.tables import PairingsPage, pairings_of


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


@reading
def pairings(
    session: Session,
    moment: Moment,
    output: Output,
    elimination: EliminationOption = False,
    by_name: Annotated[bool, typer.Option("--by-name", help="One line per player.")] = False,
    outstanding: Annotated[bool, typer.Option("--outstanding", help="Show only tables without a result.")] = False,
) -> None:
    """Show who plays where."""
    if by_name and output.as_json:
        raise UsageProblem("the JSON document lists tables: leave --by-name out")
    window = window_of(session, moment)
    round_ = window.need_round(stage_asked(moment, elimination=elimination))
    page = pairings_of(window, round_)
    if outstanding:
        page = replace(page, pairings=tuple(line for line in page.pairings if line.result is None), byes=())
    if outstanding and not page.pairings:
        lines = chain(earlier_lines(moment.record, round_), [outstanding_line(round_)])
    else:
        table = pairings_table(moment.record, round_, by_name=by_name, outstanding=outstanding)
        lines = chain(
            [f"{title(round_)}, {moment.clock.replace('-', ' ')}, entry {moment.position}"],
            table,
            _strayed(moment.record) if round_.stage == "elimination" else (),
            earlier_lines(moment.record, round_) if outstanding else (),
        )
    people = [("Player", "Table", "Opponent"), *players_at_tables(moment.record, round_, outstanding=outstanding)]
    output.show(window, page, lines, csv_rows(people) if by_name else _pairings_csv(moment.record, page))


def _strayed(record: Record) -> Iterator[str]:
    from matchledger_projections.stages.departures import strayed  # noqa: PLC0415 - only an elimination needs it

    yield from (f"note: {said_here(one)}" for one in strayed(record))


def _pairings_csv(record: Record, page: PairingsPage) -> Iterator[str]:
    def name(player: int) -> str:
        return record.players[player].name

    yield from csv_table(pairings_columns(record, name), [(None, page.pairings)])
    yield from csv_rows(["", name(bye), "bye", ""] for bye in page.byes)


@reading
def slip(
    session: Session,
    moment: Moment,
    tables: Annotated[list[int] | None, typer.Argument(help="Table numbers; by default all tables.")] = None,
) -> None:
    """Print blank slips for the tables of a round."""
    round_ = window_of(session, moment).need_round(stage_asked(moment))
    for table in tables or list(round_.tables):
        if table not in round_.tables:
            raise UsageProblem(f"round {round_.number} has no table {table}")
        for line in slip_form(moment.record, round_, table):
            typer.echo(line)
        typer.echo("-" * 78)


def _swapped(session: Session, command: SwapTables, done: Done) -> None:
    tell_entries(session, command, done)
    typer.echo(f"Print again: pairings, and slips {command.first} {command.second}.")


PRINTERS: dict[str, Printer] = {"swap-tables": _swapped}
