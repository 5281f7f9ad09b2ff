"""The clock of a round as text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from matchledger.cli.tables import columns
from matchledger.events import Stage
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE, RoundClock, clock_face
from matchledger_projections.record.sudden_death import SuddenDeath
from matchledger_projections.views.clocks import after_time, extended_tables


def clock_lines(record: Record, round_: Round, now: datetime) -> Iterator[str]:
    """Yield the lines of the clock at a moment: the time left, the marks, and the tables with more time."""
    clock = record.clock(round_)
    yield f"{title(round_)}, {state(clock, now)}"
    yield from mark_lines(clock, now)
    yield from table_lines(record, round_, clock, now)
    yield from sudden_death_lines(record, round_, clock, now)
    waiting, tables = len(round_.outstanding), len(round_.tables)
    yield f"{tables - waiting} of {tables} tables reported."


def title(round_: Round) -> str:
    return round_title(round_.stage, round_.number)


def round_title(stage: Stage, number: int) -> str:
    return f"{'Elimination round' if stage == 'elimination' else 'Round'} {number}"


def state(clock: RoundClock, now: datetime) -> str:
    """The state of the clock in one phrase."""
    elapsed, remaining = clock.elapsed(now), clock.remaining(now)
    if elapsed is None:
        length = "no time limit" if clock.seconds is None else f"{clock_face(clock.seconds)} to play"
        return f"not started ({length}, {clock.rule})"
    said = f"{clock_face(elapsed)} played"
    if remaining is None:
        said += ", no time limit"
    elif remaining > 0:
        said += f", {clock_face(remaining)} left"
    else:
        said += f", time was {clock_face(-remaining)} ago"
    return f"{said}, stopped" if clock.paused_since is not None else said


def mark_lines(clock: RoundClock, now: datetime) -> Iterator[str]:
    """The marks of a round with their times."""
    elapsed = clock.elapsed(now)
    rows = []
    for due in clock.due():
        moment = clock.moment(due.at)
        reached = elapsed is not None and elapsed >= due.at
        rows.append(
            [
                clock_face(due.at),
                "" if moment is None else moment.astimezone().strftime("%H:%M:%S"),
                due.mark.title,
                "reached" if reached else "" if elapsed is None else f"in {clock_face(due.at - elapsed)}",
                due.mark.rule,
            ]
        )
    if rows:
        yield from columns(["", "at", "mark", "", ""], rows, right=[0])


def table_lines(record: Record, round_: Round, clock: RoundClock, now: datetime) -> Iterator[str]:
    """Yield lines about the tables that have extra time and no result."""
    rows = []
    for table in extended_tables(round_, clock):
        first, second = (record.players[player].name for player in round_.tables[table])
        following = clock.next_due(now, table)
        due = following or (clock.due(table) or (None,))[-1]
        rows.append(
            [
                str(table),
                f"{first} - {second}",
                f"+{clock.more(table) // MINUTE}",
                "" if due is None else f"{due.mark.title} at {clock_face(due.at)}",
                "; ".join(extension.reason for extension in clock.extensions[table] if extension.reason),
            ]
        )
    if rows:
        yield from columns(["Table", "Players", "Min", "", ""], rows, right=[0, 2])


def sudden_death_lines(record: Record, round_: Round, clock: RoundClock, now: datetime) -> Iterator[str]:
    """Yield a line for each table that still plays: the turn from which its players discard cards (ASH-SD)."""
    for found in after_time(round_, clock, now):
        yield sudden_death_line(record, found, clock.sudden_death)


def sudden_death_line(record: Record, found: SuddenDeath, rule: str | None) -> str:
    if found.begins is None:
        return f"Table {found.table}: Sudden Death begins with the First Player's next turn ({rule})"
    name = record.players[found.begins].name
    free = "" if found.free is None else f"the next turn of {record.players[found.free].name} is free, then "
    return f"Table {found.table}: {free}Sudden Death begins with the turn of {name} ({rule})"
