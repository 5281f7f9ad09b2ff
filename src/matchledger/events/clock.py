"""The round's clock: extra time, stops, announcements, and first players.

`at` is the moment of the action, if somebody noted the time. Without `at`, the moment of recording counts.
"""

import operator
from typing import Literal

from pydantic import AwareDatetime, Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two


class TimeExtended(Fact):
    """A table was given more time. Several extensions of a table add up.

    `deviations` are the rules of the marks that the table had already passed.
    """

    action = "extend-time"
    public = True
    kind: Literal["time-extended"] = "time-extended"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    minutes: PositiveInt
    reason: str | None = None
    deviations: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)


class ClockPaused(Fact):
    """The clock of a round was stopped for everybody."""

    action = "run-clock"
    public = True
    kind: Literal["clock-paused"] = "clock-paused"
    stage: Stage = "swiss"
    round: PositiveInt
    at: AwareDatetime | None = None


class ClockResumed(Fact):
    """The clock of a round went on."""

    action = "run-clock"
    public = True
    kind: Literal["clock-resumed"] = "clock-resumed"
    stage: Stage = "swiss"
    round: PositiveInt
    at: AwareDatetime | None = None


class MarkCalled(Fact):
    """A mark of the round was announced, to everybody or at one table.

    `turn` is the player at that table whose turn it was at the mark (ASH-SD).
    """

    action = "run-clock"
    public = True
    kind: Literal["mark-called"] = "mark-called"
    stage: Stage = "swiss"
    round: PositiveInt
    mark: str = Field(min_length=1)
    table: PositiveInt | None = None
    turn: PlayerNumber | None = None


class FirstPlayerSet(Fact):
    """The first player of a game was recorded, with the player who won the draw and decided
    (L5R-III.2-FIRSTPLAYER).
    """

    action = "note-first-player"
    public = True
    kind: Literal["first-player-set"] = "first-player-set"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    first_player: PlayerNumber
    decider: PlayerNumber | None = None


ClockFact = TimeExtended | ClockPaused | ClockResumed | MarkCalled | FirstPlayerSet
