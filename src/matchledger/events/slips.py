"""Slips: reports of matches, corrections and retractions."""

from typing import Literal

from pydantic import AwareDatetime, Field, NonNegativeInt, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two

When = NonNegativeInt | AwareDatetime
# Games of a match in table order: wins of the first player, wins of the second, draws.
Games = tuple[NonNegativeInt, NonNegativeInt, NonNegativeInt]


def _is_none(value: object) -> bool:
    return value is None


def _is_false(value: object) -> bool:
    return value is False


class TimeTiebreak(Fact):
    """The counts that decided an elimination game at time, in table order (SWR-SE-TIME). Unneeded counts are None.

    `flips` are the numbers of the cards that both players discarded together. The number is None for a player
    without a card. `rock_paper_scissors` is the winner's side, 0 or 1.
    """

    matches: tuple[NonNegativeInt, NonNegativeInt]
    power: tuple[int, int] | None = None
    faction: tuple[NonNegativeInt, NonNegativeInt] | None = None
    discard: tuple[NonNegativeInt, NonNegativeInt] | None = None
    flips: tuple[tuple[int | None, int | None], ...] = ()
    rock_paper_scissors: Literal[0, 1] | None = None


class EmperorsJudgment(Fact):
    """The values that judge a game without a winner, in table order (L5R-IV.3b-EJ).

    `broken` says how many of the opponent's provinces each player broke. `favor` is the side with the Imperial
    Favor, and `decider` the side that chose the first player: 0, 1, or None.
    """

    broken: tuple[NonNegativeInt, NonNegativeInt]
    honor: tuple[NonNegativeInt, NonNegativeInt]
    favor: Literal[0, 1] | None = None
    decider: Literal[0, 1] | None = None


class Slip(Fact):
    """The content of one slip: the kind of result in the rulebook's words, and other data.

    `ended` is the end of the game, and `received` is the slip's arrival, each in seconds on the round's clock or
    as a moment. The rules derive the result from the times on the slip.
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
    """A slip was reported. `confirms` is the opponent's claim, if both players reported by phone."""

    action = "report"
    public = True
    kind: Literal["result-reported"] = "result-reported"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip
    confirms: PositiveInt | None = Field(default=None, exclude_if=_is_none)


class MatchConceded(Fact):
    """A player conceded the match. Only the player who concedes can decide this."""

    action = "concede"
    public = True
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
    """One or both players of a table did not appear.

    `ended` is the time when the absence was certain, if it was noted. `deviations` are the rules that the no-show
    departs from.
    """

    action = "no-show"
    public = True
    kind: Literal["no-show-recorded"] = "no-show-recorded"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    absent: tuple[PlayerNumber, ...] = Field(min_length=1, max_length=2)
    ended: When | None = Field(default=None, exclude_if=_is_none)
    deviations: tuple[str, ...] = ()


class ResultCorrected(Fact):
    """An earlier entry about a match was wrong. The correcting entry has the right result."""

    action = "correct"
    public = True
    kind: Literal["result-corrected"] = "result-corrected"
    supersedes: PositiveInt = Field(description="position of the entry that this one replaces")
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip


class SlipRefused(Fact):
    """A slip was refused because it contradicts the recorded result.

    The refused slip changes no result and no table. The entry stores the refused slip, which may be the right slip.
    `contradicts` is the position of the contradicted entry: the result, or after a merge the pairing that seats
    other players at the table.
    """

    action = "report"
    paired_on = False
    routine = True
    kind: Literal["slip-refused"] = "slip-refused"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip
    contradicts: PositiveInt
    why: Literal["has-a-result"] = "has-a-result"


class EntryRetracted(Fact):
    """An entry was retracted as a mistake.

    The entry stays in the log but no longer counts. A retraction can be retracted.

    `undo` marks the retractions of the commands `undo` and `redo`, which choose the entry themselves. If a
    registration ends because it was merged or transferred, `player` has its place now.
    """

    public = True
    kind: Literal["entry-retracted"] = "entry-retracted"
    retracts: PositiveInt = Field(description="position of the entry that no longer counts")
    undo: bool = Field(default=False, exclude_if=_is_false)
    player: PlayerNumber | None = Field(default=None, exclude_if=_is_none)


SlipFact = ResultReported | MatchConceded | NoShowRecorded | ResultCorrected | SlipRefused | EntryRetracted
