"""The clock of one round: its time at any moment, and when its marks come for each table.

The clock counts whole seconds since play began, without the stops. The clock never asks for the time itself: each
function gets a moment from its caller.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct, field

from matchledger.events import Stage
from matchledger_projections.rulebook.clock import Mark

MINUTE = 60
_SECOND = timedelta(seconds=1)


class Pause(Struct, frozen=True):
    """A stop of the clock. `end` is None while the stop lasts."""

    begin: datetime
    end: datetime | None = None

    def seconds(self, now: datetime) -> int:
        """Return the seconds of this stop up to a moment. A computer clock that was set back adds no seconds."""
        end = now if self.end is None else min(self.end, now)
        return max((end - self.begin) // _SECOND, 0)


class Extension(Struct, frozen=True):
    """Extra time for a table, and the entry that gave it."""

    position: int
    minutes: int
    reason: str | None = None


class Due(Struct, frozen=True):
    """A mark and its time, in seconds on the round's clock."""

    mark: Mark
    at: int


class Call(Struct, frozen=True):
    """An announcement of a mark: when, for which table (None means all), and whose turn it was."""

    position: int
    mark: str
    at: datetime
    table: int | None = None
    turn: int | None = None


class RoundClock(Struct, frozen=True):
    """A round's clock from the log.

    `seconds` is the length of the round, or None without a limit. The marks count from `marks_from`, which
    differs from `seconds` only under POL-L5R-FINAL-CLOCK=literal. `origin` is the start of play, or None before
    the start. `judgment` is the rule by which a slip's values decide a game without a winner. `sudden_death` is
    the rule that ends every game after time. `judgment` and `sudden_death` are None if the rulebook has no such
    rule.
    """

    stage: Stage
    round: int
    rule: str
    seconds: int | None
    marks_from: int | None
    marks: tuple[Mark, ...]
    origin: datetime | None = None
    pauses: tuple[Pause, ...] = ()
    extensions: dict[int, tuple[Extension, ...]] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()
    judgment: str | None = None
    sudden_death: str | None = None

    @property
    def paused_since(self) -> datetime | None:
        """Return the start of the current stop, or None while the clock runs."""
        return next((pause.begin for pause in self.pauses if pause.end is None), None)

    @property
    def running_since(self) -> datetime | None:
        """Return since when the clock has run, or None before the start and during a stop."""
        if self.paused_since is not None or self.origin is None:
            return None
        return max((pause.end for pause in self.pauses if pause.end is not None), default=self.origin)

    def elapsed(self, now: datetime) -> int | None:
        """Return the seconds on the clock at a moment, or None before the start.

        Return 0, and never less, at a station whose computer clock is behind that of the station that started the
        round.
        """
        if self.origin is None:
            return None
        stood = sum(pause.seconds(now) for pause in self.pauses)
        return max((now - self.origin) // _SECOND - stood, 0)

    def on_clock(self, when: int | datetime) -> int | None:
        """Return seconds on the clock, from seconds or from a moment. Return None for a moment before the start."""
        return self.elapsed(when) if isinstance(when, datetime) else when

    def more(self, table: int | None) -> int:
        """Return the extra seconds of a table, or 0 for the whole room (`table` is None)."""
        if table is None:
            return 0
        return sum(extension.minutes for extension in self.extensions.get(table, ())) * MINUTE

    def length(self, table: int | None = None) -> int | None:
        """Return how many seconds a table plays, or None without a limit."""
        return None if self.seconds is None else self.seconds + self.more(table)

    def remaining(self, now: datetime, table: int | None = None) -> int | None:
        """Return the seconds until time is called. The number is negative after time was called. Return None
        before the start and without a limit.
        """
        elapsed, length = self.elapsed(now), self.length(table)
        return None if elapsed is None or length is None else length - elapsed

    def due(self, table: int | None = None) -> tuple[Due, ...]:
        """Return every mark with its time, in order. A round without a limit has no marks."""
        if self.marks_from is None:
            return ()
        begin = self.marks_from + self.more(table)
        return tuple(Due(mark, begin + mark.minutes * MINUTE) for mark in self.marks)

    def next_due(self, now: datetime, table: int | None = None) -> Due | None:
        """Return the next mark after a moment, or None before the start and after the last mark."""
        elapsed = self.elapsed(now)
        return None if elapsed is None else next((due for due in self.due(table) if due.at > elapsed), None)

    def moment(self, at: int) -> datetime | None:
        """Return the moment when the clock will show a number of seconds if it is not stopped, or None during a
        stop.
        """
        if self.origin is None or self.paused_since is not None:
            return None
        moment = self.origin + timedelta(seconds=at)
        for pause in sorted(self.pauses, key=lambda each: each.begin):
            if pause.end is not None and pause.begin <= moment:
                moment += pause.seconds(pause.end) * _SECOND
        return moment


def clock_face(seconds: int) -> str:
    """Return seconds as a round's clock shows them: 64:05, or -3:10 after the end."""
    minutes, rest = divmod(abs(seconds), MINUTE)
    return f"{'-' if seconds < 0 else ''}{minutes}:{rest:02d}"
