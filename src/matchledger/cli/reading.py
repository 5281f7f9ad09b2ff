"""Commands that show the contents of the log."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Annotated

import typer

from matchledger.cli.files import give, other_rulebook
from matchledger.cli.options import JsonOption, RulebookOption, stage_of
from matchledger.cli.session import Moment, Output, Session, UsageProblem, find_player, reading, show, window_of
from matchledger.cli.tables import csv_table, fitted, standings_table, table
from matchledger.commands.refusal import counted
from matchledger.events import Entry
from matchledger.service.window import Window, look
from matchledger.text.columns import (
    HISTORY,
    LOG,
    Cell,
    Column,
    because,
    entry_columns,
    players_columns,
    roster_columns,
    standings_columns,
)
from matchledger.text.labels import shown_tiebreaks
from matchledger_projections.document import PRIVATE
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import is_membership
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.views.history import HistoryPage, Touch, entry_history, match_history, player_history
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
    output.show(window, page, _standings(window.record, page), _standings_csv(window.record, page))


def _standings_csv(record: Record, page: StandingsPage) -> Iterator[str]:
    shown = {name: None for _, _, found, _ in page.sections for name in shown_tiebreaks(page.law, found)}
    sections = [(division, rows) for division, _, found, rows in page.sections]
    return csv_table(standings_columns(record, page.law, shown), sections)


def _standings(record: Record, page: StandingsPage) -> Iterator[str]:
    yield f"{page.tournament}, {page.rulebook}"
    yield f"Standings after round {page.round}, {page.clock.replace('-', ' ')}, entry {page.position}"
    if page.hypothetical:
        yield f"HYPOTHETICAL: the tournament was played under {record.rulebook.id}."
    if page.outstanding:
        tables = "table" if len(page.outstanding) == 1 else "tables"
        yield f"PROVISIONAL: no result from {tables} {', '.join(map(str, page.outstanding))}."
    for number, (division, round_, found, rows) in enumerate(page.sections):
        if division is not None:
            after = "" if round_ == page.round else f", after round {round_}"
            yield f"{chr(10) if number else ''}{division or 'no division'}{after}"
        yield from standings_table(record, found, page.law, rows)
    if any(row.tied for row in page.standings):
        yield "= tied so far." if page.outstanding or not page.round else "= tied; `tie` draws the order."


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


@reading
def log(
    session: Session,
    moment: Moment,
    as_json: Annotated[bool, typer.Option("--json", help="One entry per line, as JSON.")] = False,
    tail: Annotated[
        int | None, typer.Option("--tail", min=1, help="Show only this many of the last entries.")
    ] = None,
) -> None:
    """Show the log: every entry, who made it, when, and whether it still counts."""
    entries = session.ledger.entries(session.tournament, through=moment.position)
    if moment.through is not None:
        entries = iter(about_rounds(entries, moment.through))
    if tail is not None:
        entries = iter(deque(entries, maxlen=tail))
    if as_json:
        for entry in entries:
            typer.echo(entry.model_dump_json(exclude={"fact": PRIVATE}))
        return
    from matchledger_projections.narration import tell  # noqa: PLC0415 - standings and players need no sentences

    record = moment.record
    fate: Column[Entry] = Column("", lambda entry: "no longer counts" if record.is_dead(entry.position) else "")

    def what(entry: Entry) -> str:
        return because(tell(record, entry.fact), entry.reason)

    for line in fitted(table([*entry_columns(LOG, what, lambda entry: entry), fate], entries)):
        typer.echo(line)


@reading
def history(
    session: Session,
    moment: Moment,
    player: Annotated[str | None, typer.Argument(help="Name, beginning of a name, or #number.")] = None,
    table: Annotated[
        tuple[int, int] | None,
        typer.Option("--table", help="A match: its round and its table.", metavar="ROUND TABLE"),
    ] = None,
    entry: Annotated[int | None, typer.Option("--entry", min=1, help="An entry: its position in the log.")] = None,
    elimination: Annotated[
        bool, typer.Option("--elimination", help="The match is in the elimination stage.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show every entry about a player, a match or an entry, and whether it still counts."""
    record = moment.record
    if [player, table, entry].count(None) != 2:  # noqa: PLR2004 - exactly one of the three is given
        raise UsageProblem("name one thing: a PLAYER, --table ROUND TABLE, or --entry POSITION")
    window = window_of(session, moment)
    if player is not None:
        found = look(window, player_history, player=find_player(record, player).number)
    elif table is not None:
        stage = stage_of(elimination=elimination)
        found = look(window, match_history, stage=stage, round_number=table[0], table=table[1])
    else:
        found = look(window, entry_history, entry=entry or 0)
    show(window, found, fitted(_history_lines(record, found)), as_json=as_json)


def _history_lines(record: Record, found: HistoryPage) -> Iterator[str]:
    yield f"{found.about}, entries up to {found.position}"
    fate: Column[Touch] = Column("", lambda touch: _fate(record, touch))
    yield from table([*entry_columns(HISTORY, _what, attrgetter("entry")), fate], found.entries)


def _what(touch: Touch) -> str:
    return because(touch.what, touch.entry.reason)


def _fate(record: Record, touch: Touch) -> str:
    """Say what happened to an entry later. The text is empty if the entry counts and never changed."""
    parts = ["" if touch.counts else "no longer counts"]
    for word, positions in (("superseded", touch.superseded_by), ("retracted", touch.retracted_by)):
        for position in positions:
            undone = ", which was taken back" if record.is_dead(position) else ""
            parts.append(f"{word} by entry {position}{undone}")
    return "; ".join(part for part in parts if part)
