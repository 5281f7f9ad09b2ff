"""Commands that show who plays where: `pairings` and `slip`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

import typer
from msgspec.structs import replace

from matchledger.cli.clock_text import title
from matchledger.cli.options import EliminationOption, stage_asked
from matchledger.cli.outstanding import earlier_lines, outstanding_line
from matchledger.cli.session import Moment, Output, Session, UsageProblem, reading, window_of
from matchledger.cli.tables import pairings_table, players_at_tables, slip_form
from matchledger.cli.ways import said_here
from matchledger.text.columns import csv_rows, csv_table, pairings_columns
from matchledger_projections.record.record import Record
from matchledger_projections.views.tables import PairingsPage, pairings_of


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
