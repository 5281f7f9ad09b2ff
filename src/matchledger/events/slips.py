"""Slips: what was said of a match, and what was put right or taken back."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field, NonNegativeInt, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two

When = NonNegativeInt | AwareDatetime
# Games of a match in table order: won by the first player, won by the second, drawn.
Games = tuple[NonNegativeInt, NonNegativeInt, NonNegativeInt]


def _is_none(value: object) -> bool:
    return value is None


def _is_false(value: object) -> bool:
    return value is False


class TimeTiebreak(Fact):
    """What decided an elimination game that time ended, in table order (SWR-SE-TIME); only what was looked at.

    `flips` are the numbers of the cards that both discarded at the same time, None for a player without one;
    `rock_paper_scissors` is the winner's side, 0 or 1.
    """

    matches: tuple[NonNegativeInt, NonNegativeInt]
    power: tuple[int, int] | None = None
    faction: tuple[NonNegativeInt, NonNegativeInt] | None = None
    discard: tuple[NonNegativeInt, NonNegativeInt] | None = None
    flips: tuple[tuple[int | None, int | None], ...] = ()
    rock_paper_scissors: Literal[0, 1] | None = None


class EmperorsJudgment(Fact):
    """What a game is judged by that nobody had won, in table order (L5R-IV.3b-EJ).

    `broken` are the provinces that each player broke of the opponent's. `favor` is the side that holds the Imperial
    Favor, `decider` the side that determined the first player; 0, 1, or None.
    """

    broken: tuple[NonNegativeInt, NonNegativeInt]
    honor: tuple[NonNegativeInt, NonNegativeInt]
    favor: Literal[0, 1] | None = None
    decider: Literal[0, 1] | None = None


class Slip(Fact):
    """What one slip says: the kind of result, in the rulebook's words, and what is written beside it.

    When the game `ended` and when the slip was `received` are seconds on the round's clock, or moments; what they
    make of the result is derived.
    """

    kind: str
    winner: PlayerNumber | None = None
    scores: tuple[int, int] | None = Field(default=None, description="points as written, in table order")
    blood_points: NonNegativeInt | None = Field(default=None, description="the loser's blood points")
    tiebreak: TimeTiebreak | None = None
    ended: When | None = None
    received: When | None = None
    judgment: EmperorsJudgment | None = None
    games: Games | None = Field(default=None, exclude_if=_is_none, description="games in table order, drawn last")


class ResultReported(Fact):
    """A slip came in; `confirms` is the opponent's claim where both players said so with their phones."""

    action = "report"
    kind: Literal["result-reported"] = "result-reported"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip
    confirms: PositiveInt | None = Field(default=None, exclude_if=_is_none)


class MatchConceded(Fact):
    """A player conceded the match; only the player who concedes can."""

    action = "concede"
    kind: Literal["match-conceded"] = "match-conceded"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    by: PlayerNumber
    blood_points: NonNegativeInt | None = None
    ended: When | None = None
    received: When | None = None
    games: Games | None = Field(default=None, exclude_if=_is_none, description="games in table order, drawn last")


class NoShowRecorded(Fact):
    """One or both players of a table did not appear; `deviations` are rules that somebody departed from with it."""

    action = "no-show"
    kind: Literal["no-show-recorded"] = "no-show-recorded"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    absent: tuple[PlayerNumber, ...] = Field(min_length=1, max_length=2)
    deviations: tuple[str, ...] = ()


class ResultCorrected(Fact):
    """What an earlier entry says of a match was wrong; this is right."""

    action = "correct"
    kind: Literal["result-corrected"] = "result-corrected"
    supersedes: PositiveInt = Field(description="position of the entry that this one replaces")
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip


class SlipRefused(Fact):
    """A slip came in that says otherwise than what was recorded of its match, and was refused.

    It changes no result and no table: it keeps what the second station said, whoever turns out to be right.
    `contradicts` is the position of the entry that counted when the slip came.
    """

    action = "report"
    paired_on = False
    kind: Literal["slip-refused"] = "slip-refused"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip
    contradicts: PositiveInt
    why: Literal["has-a-result"] = "has-a-result"


class EntryRetracted(Fact):
    """An entry was made by mistake. It stays in the log and no longer counts; so can this one be taken back.

    `undo` marks what `undo` or `redo` took back, rather than somebody who named the entry.
    """

    kind: Literal["entry-retracted"] = "entry-retracted"
    retracts: PositiveInt = Field(description="position of the entry that no longer counts")
    undo: bool = Field(default=False, exclude_if=_is_false)


SlipFact = ResultReported | MatchConceded | NoShowRecorded | ResultCorrected | SlipRefused | EntryRetracted
