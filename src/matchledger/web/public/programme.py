"""The programme of the day: the lines of the organizer's schedule, with the times that they begin with."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import NamedTuple

_TIMED = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)(?:\s+Uhr)?[:,]?\s+(\S.*)")


class Item(NamedTuple):
    """A line of the schedule. `time` is the time as text, or "" for a line without a time. `at` is the moment in
    the machine's own time zone, or None if the event has no date.
    """

    time: str
    text: str
    at: datetime | None


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
