"""Timing: the clock of the round, for a page that is rendered once and shown for an hour.

The server gives the page the moment when time is called, or, while the clock is stopped, the time left. The
browser counts.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from matchledger_projections.record.record import Record
from matchledger_projections.record.round_clock import MINUTE, RoundClock


class Hand(NamedTuple):
    """The end of time for the room or a table: the moment `ends` while the clock runs, otherwise `left` seconds."""

    ends: datetime | None
    left: int | None


class MoreTime(NamedTuple):
    """A table that has extra time and no result."""

    table: int
    minutes: int
    hand: Hand


class Called(NamedTuple):
    """A mark of the round, and the moment when the clock reaches it, or None while the clock is stopped."""

    title: str
    says: str
    comes: datetime | None


class Timing(NamedTuple):
    """The clock of the round in play."""

    state: Literal["waiting", "running", "paused"]
    hand: Hand
    tables: tuple[MoreTime, ...]
    marks: tuple[Called, ...]


def timing(record: Record) -> Timing | None:
    """Return the clock of the current round, or None without a round or a time limit."""
    round_ = record.current_round
    if round_ is None or not round_.outstanding or record.closing is not None:
        return None
    clock = record.clock(round_)
    if clock.seconds is None:
        return None
    more = tuple(
        MoreTime(table, clock.more(table) // MINUTE, _hand(clock, table))
        for table in round_.outstanding
        if table in clock.extensions
    )
    state: Literal["waiting", "running", "paused"] = "running"
    if clock.origin is None:
        state = "waiting"
    elif clock.paused_since is not None:
        state = "paused"
    marks = tuple(Called(due.mark.title, due.mark.says, clock.moment(due.at)) for due in clock.due())
    return Timing(state, _hand(clock, None), more, marks)


def _hand(clock: RoundClock, table: int | None) -> Hand:
    length = clock.length(table) or 0
    if clock.origin is None:
        return Hand(None, length)
    since = clock.paused_since
    return Hand(clock.moment(length), None) if since is None else Hand(None, clock.remaining(since, table))
