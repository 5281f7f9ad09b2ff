"""The clock of a round for display: its marks, the tables with more time, and play after time.

Times on the clock are whole seconds since play began.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

from msgspec import Struct

from matchledger.events import Stage
from matchledger_projections.document import SPREAD, PlayerName
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE, Due, RoundClock
from matchledger_projections.record.sudden_death import SuddenDeath, sudden_deaths
from matchledger_projections.views.sight import Sight


class DueMark(Struct, frozen=True):
    """The time of a mark, in seconds on the clock. The moment is null if the moment of the mark is unknown."""

    name: str
    at: int
    moment: datetime | None
    reached: bool


class MarkLine(Struct, frozen=True):
    """A mark of the round, with the words to announce and the time at which they were announced."""

    due: Annotated[DueMark, SPREAD]
    title: str
    says: str
    rule: str
    called_at: tuple[datetime, ...]


class ExtendedTable(Struct, frozen=True):
    """A table that still plays with extra time. `reasons` are the reasons that the staff gave."""

    table: int
    players: tuple[PlayerName, ...]
    minutes: int
    reasons: tuple[str, ...]
    remaining: int | None
    marks: tuple[DueMark, ...]


class SuddenDeathTable(Struct, frozen=True):
    """A table that plays on after time: the player of the first turn that costs cards, and the player with the free
    turn.
    """

    table: int
    begins: PlayerName | None
    free: PlayerName | None
    rule: str


class ClockPage(Struct, frozen=True):
    """The clock of a round at a moment, as `matchledger clock --json` prints it.

    `tables` lists the tables with extra time and without a result.
    """

    tournament: str
    rulebook: str
    stage: Stage
    round: int
    position: int
    rule: str | None
    now: datetime
    started_at: datetime | None
    paused_since: datetime | None
    seconds: int | None
    elapsed: int | None
    remaining: int | None
    marks: tuple[MarkLine, ...]
    next: str | None
    tables: tuple[ExtendedTable, ...]
    sudden_death: tuple[SuddenDeathTable, ...]
    outstanding: tuple[int, ...]


def clock_page(sight: Sight, round_: Round, now: datetime) -> ClockPage:
    """Return a round's clock at a moment. Only a table's players and the staff see the reason for extra time."""
    record = sight.record
    clock = record.clock(round_)
    following = clock.next_due(now)
    return ClockPage(
        sight.title,
        record.rulebook.id,
        round_.stage,
        round_.number,
        record.position,
        clock.rule,
        now,
        clock.origin,
        clock.paused_since,
        clock.seconds,
        clock.elapsed(now),
        clock.remaining(now),
        tuple(_marks(clock, now)),
        None if following is None else following.mark.name,
        tuple(_tables(round_, clock, now, with_reasons=not sight.is_public)),
        tuple(
            SuddenDeathTable(found.table, found.begins, found.free, clock.sudden_death or "")
            for found in after_time(round_, clock, now)
        ),
        tuple(round_.outstanding),
    )


def _marks(clock: RoundClock, now: datetime) -> Iterator[MarkLine]:
    for due in clock.due():
        mark = due.mark
        called = tuple(call.at for call in clock.calls if call.mark == mark.name and call.table is None)
        yield MarkLine(_due(clock, due, now), mark.title, mark.says, mark.rule, called)


def _due(clock: RoundClock, due: Due, now: datetime) -> DueMark:
    elapsed = clock.elapsed(now)
    return DueMark(due.mark.name, due.at, clock.moment(due.at), elapsed is not None and elapsed >= due.at)


def _tables(round_: Round, clock: RoundClock, now: datetime, *, with_reasons: bool) -> Iterator[ExtendedTable]:
    for table in extended_tables(round_, clock):
        reasons = (extension.reason for extension in clock.extensions[table] if extension.reason)
        yield ExtendedTable(
            table,
            round_.tables[table],
            clock.more(table) // MINUTE,
            tuple(reasons) if with_reasons else (),
            clock.remaining(now, table),
            tuple(_due(clock, due, now) for due in clock.due(table)),
        )


def after_time(round_: Round, clock: RoundClock, now: datetime) -> Iterator[SuddenDeath]:
    """Yield the tables that play on in Sudden Death at a moment, because their own time is over (ASH-SD)."""
    if clock.sudden_death is not None:
        for found in sudden_deaths(round_, clock):
            left = clock.remaining(now, found.table)
            if left is not None and left <= 0:
                yield found


def extended_tables(round_: Round, clock: RoundClock) -> list[int]:
    """Return the tables with extra time and without a result, in order."""
    return [table for table in round_.outstanding if table in clock.extensions]
