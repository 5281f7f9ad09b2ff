"""Commands that show the tables of a tournament: `standings` and `players`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated

import typer

from matchledger.cli.files import give, other_rulebook
from matchledger.cli.options import RulebookOption
from matchledger.cli.session import Moment, Output, Session, reading, window_of
from matchledger.cli.tables import standings_table, table
from matchledger.commands.refusal import counted
from matchledger.service.window import Window, look
from matchledger.text.columns import (
    Cell,
    Column,
    csv_table,
    players_columns,
    roster_columns,
    standings_csv,
)
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import is_membership
from matchledger_projections.views.tables import PlayerLine, StandingsPage
from matchledger_projections.views.tables import players as players_of
from matchledger_projections.views.tables import standings as standings_page


@reading
def standings(
    session: Session,
    moment: Moment,
    output: Output,
    rulebook: RulebookOption = None,
    division: Annotated[
        str | None,
        typer.Option("--division", help="Rank this division alone; all ranks each division in turn."),
    ] = None,
) -> None:
    """Show the standings after the last finished round, or at any moment."""
    window = window_of(session, moment)
    page = look(window, standings_page, rulebook=other_rulebook(rulebook), division=division)
    output.show(window, page, _standings(window.record, page), standings_csv(window.record, page))


def _standings(record: Record, page: StandingsPage) -> Iterator[str]:
    yield f"{page.tournament}, {page.rulebook}"
    yield f"Standings after round {page.round}, {page.clock.replace('-', ' ')}, entry {page.position}"
    if page.hypothetical:
        yield f"HYPOTHETICAL: the tournament was played under {record.rulebook.id}."
    yield from _provisional(page)
    for number, (division, round_, found, rows) in enumerate(page.sections):
        if division is not None:
            after = "" if round_ == page.round else f", after round {round_}"
            yield f"{chr(10) if number else ''}{division or 'no division'}{after}"
        yield from standings_table(record, found, page.law, rows)
    if any(row.tied for row in page.standings):
        yield "= tied so far." if page.outstanding or not page.round else "= tied; `tie` draws the order."


def _provisional(page: StandingsPage) -> Iterator[str]:
    """Yield a line for each round with tables that can still change the standings."""
    for what, found in (
        ("no result from", page.unsettled.missing),
        ("contested result of", page.unsettled.contested),
    ):
        for round_, tables in groupby(found, key=lambda at: at.round):
            numbers = [str(at.table) for at in tables]
            of = "" if round_ == page.round else f" of round {round_}"
            yield f"PROVISIONAL: {what} {'table' if len(numbers) == 1 else 'tables'} {', '.join(numbers)}{of}."


@reading
def players(
    session: Session,
    moment: Moment,
    output: Output,
) -> None:
    """List the players, with their numbers and status."""
    window = window_of(session, moment)
    found = look(window, players_of)
    more = roster_columns(window.record)
    if output.as_json:
        rows = zip(window.document(found), found, strict=True)
        shown = [row | {name: cell(line) for name, cell in _unlike(row, more)} for row, line in rows]
        give([json.dumps(shown, ensure_ascii=False)], output.out)
        return
    columns = [*players_columns(window.record, found), *more]
    plain = [column for column in columns if not is_membership(column.heading)]
    output.show(window, found, _players(window, found, plain), csv_table(columns, [(None, found)]))


def _unlike(
    row: Mapping[str, object], columns: Sequence[Column[PlayerLine]]
) -> Iterator[tuple[str, Cell[PlayerLine]]]:
    """Return the roster's extra columns, without those whose heading is a key of the row already."""
    return ((column.heading, column.cell) for column in columns if column.heading not in row)


def _players(window: Window, found: Sequence[PlayerLine], columns: Sequence[Column[PlayerLine]]) -> Iterator[str]:
    active = sum(line.status == "active" for line in found)
    yield f"{window.title}: {counted(active, 'player')} in, {len(found) - active} out, entry {window.position}"
    if found:
        yield from table(columns, found)
    yield from waiting_line(window)


def waiting_line(window: Window) -> Iterator[str]:
    """Yield a line that counts the people on the waiting list now, or nothing."""
    from matchledger.service.waiting_list import list_counted  # noqa: PLC0415 - few answers need it

    if window.position == window.ledger.record(window.tournament).position:
        yield from list_counted(window.ledger, window.tournament)
