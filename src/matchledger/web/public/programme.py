"""The programme of the day: the lines of the organizer's schedule, with the times that they begin with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import NamedTuple

from matchledger_projections.record.record import Record

_ROUND = re.compile(r"(?:round|runde)\s+(\d+)\b.*", re.IGNORECASE)
_TIMED = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)(?:\s+Uhr)?[:,]?\s+(\S.*)")


class Item(NamedTuple):
    """A line of the schedule. `time` is the time as text, or "" for a line without a time. `at` is the moment in
    the machine's own time zone, or None if the event has no date. A line is `past` if it is above the line of a
    round that has begun, or is this line.
    """

    time: str
    text: str
    at: datetime | None
    past: bool = False


def programme(schedule: str | None, day: date | None) -> list[Item]:
    """Return the lines of a schedule. A time that is earlier than the time above it belongs to another day, so this
    line and the later lines have no moment.
    """
    found, latest = [], time.min
    for line in filter(None, map(str.strip, (schedule or "").splitlines())):
        if (timed := _TIMED.fullmatch(line)) is None:
            found.append(Item("", line, None))
            continue
        begins = time(int(timed[1]), int(timed[2]))
        day = None if begins < latest else day
        latest = begins
        at = None if day is None else datetime.combine(day, begins).astimezone()
        found.append(Item(f"{begins:%H:%M}", timed[3], at))
    return found


def begun(record: Record) -> int:
    """Return the number of Swiss rounds that have begun: with a clock that was started, or with a result."""
    rounds = record.rounds("swiss")
    if not rounds or record.rounds("elimination"):
        return len(rounds)
    return len(rounds) if rounds[-1].has_started else len(rounds) - 1


def followed(lines: Sequence[Item], begun: int, *, is_over: bool) -> list[Item]:
    """Mark the lines that are past when `begun` Swiss rounds have begun, or after the end of the event. The log
    decides, because an event runs ahead of its schedule or behind it.
    """
    rounds = {at: int(named[1]) for at, line in enumerate(lines) if (named := _ROUND.fullmatch(line.text))}
    last = len(lines) - 1 if is_over else max((at for at, number in rounds.items() if number <= begun), default=-1)
    return [line._replace(past=at <= last) for at, line in enumerate(lines)]
