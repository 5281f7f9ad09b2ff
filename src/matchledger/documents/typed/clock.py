"""The types of the clock and of the charts: a round's clock, a player's course, the field, the pace of slips."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from matchledger.documents.typed.base import OfTournament, PlayerNamed, Typed, UnderRulebook
from matchledger.events import Stage


class DueMark(Typed):
    """When a mark comes: in seconds on the clock, and the moment, null while nobody knows it."""

    name: str
    at: int
    moment: datetime | None
    reached: bool


class MarkLine(DueMark):
    """A mark of the round, with the words that are announced and when they were."""

    title: str
    says: str
    rule: str
    called_at: list[datetime]


class ExtendedTable(Typed):
    """A table that was given more time and still plays; `reasons` are the staff's."""

    table: int
    players: list[str]
    minutes: int
    reasons: list[str]
    remaining: int | None
    marks: list[DueMark]


class SuddenDeathTable(Typed):
    """A table that plays on after time: whose turn comes first, and who has the free one."""

    table: int
    begins: str | None
    free: str | None
    rule: str


class ClockPage(UnderRulebook):
    """The clock of a round at this moment, as `matchledger clock --json` prints it, in whole seconds."""

    stage: Stage
    round: int
    rule: str | None
    now: datetime
    started_at: datetime | None
    paused_since: datetime | None
    seconds: int | None
    elapsed: int | None
    remaining: int | None
    marks: list[MarkLine]
    next: str | None
    tables: list[ExtendedTable]
    sudden_death: list[SuddenDeathTable]
    outstanding: list[int]


class CourseRound(Typed):
    """Where a player stood after a round."""

    round: int
    rank: int | None
    of: int
    points: int
    tied: bool


class CoursePage(UnderRulebook, PlayerNamed):
    """A player's rank after each round, as `matchledger draw rank --json` prints it."""

    rounds: list[CourseRound]


class FieldBar(Typed):
    """How many players had so many points."""

    points: int
    players: int


class FieldRound(Typed):
    """The field after a round."""

    round: int
    players: int
    field: list[FieldBar]


class FieldPage(UnderRulebook):
    """The points of the field after each round, as `matchledger draw field --json` prints them."""

    unit: str
    rounds: list[FieldRound]


class SlipTime(Typed):
    """When a slip came in, in seconds."""

    table: int
    entry: int
    seconds: int


class PacePage(OfTournament):
    """How the slips of a round came in, as `matchledger draw pace --json` prints it."""

    stage: Stage
    round: int
    from_: Literal["paired", "started"] = Field(alias="from")
    began_at: datetime
    minutes: int | None
    tables: int
    slips: list[SlipTime]
