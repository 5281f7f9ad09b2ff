"""Scoring rules: what a rulebook says about the points for results, byes and no-shows."""

from fractions import Fraction
from typing import Literal, Self

from pydantic import Field, model_validator

from matchledger_projections.fractions import as_halves
from matchledger_projections.message import Sentence, sentence, word
from matchledger_projections.rulebook.sections import RulebookPart

HALF_POINTS = "half points"  # the unit of a rulebook in which every number of points is twice the written one
_ONE = {"points": sentence("point"), "wins": sentence("win")}
ByeChoice = Literal["lowest-ranked", "weakest-record", "lowest-group"]


def per_point(unit: str) -> int:
    """Return what a rulebook with this unit counts for one point: 2 for half points, otherwise 1."""
    return 2 if unit == HALF_POINTS else 1


def points_text(count: int, unit: str) -> str:
    """Return a number of points as people write it. A rulebook that counts half points has 5 for 2½."""
    return as_halves(Fraction(count, per_point(unit)))


def unit_name(unit: str) -> Sentence:
    """Return the name of the points that `points_text` writes, for a heading."""
    return word("points" if unit == HALF_POINTS else unit)


def unit_of(count: int, unit: str) -> Sentence:
    """Return the unit of a number of points: ½ point, 1 point, 2 points. An abbreviation has the same form for
    every number.
    """
    name = unit_name(unit)
    return _ONE.get(name, name) if 0 < count <= per_point(unit) else name


class ResultKind(RulebookPart):
    """The points for a kind of result: for winner and loser, for each player without a winner, or as written on
    the slip.
    """

    rule: str = Field(description="the id of the rule")
    winner: int | None = Field(default=None, description="points of the winner")
    loser: int | None = Field(default=None, description="points of the loser")
    each: int | None = Field(default=None, description="points of each player if no one wins")
    as_written: bool = Field(default=False, description="whether the points are those written on the slip")

    @model_validator(mode="after")
    def _is_one_of_three(self) -> Self:
        decided = self.winner is not None and self.loser is not None
        halves = (self.winner is None) != (self.loser is None)
        if halves or (decided + (self.each is not None) + self.as_written) != 1:
            msg = "a result names winner and loser, or each, or as_written = true"
            raise ValueError(msg)
        return self


class ByeRule(RulebookPart):
    """The points for a bye, and who gets the bye."""

    rule: str = Field(description="the id of the rule")
    name: str = Field(default="bye", description="the document's name for a bye")
    points: int = Field(description="points for a bye")
    choice: ByeChoice = Field(description="who gets the bye")
    awarded: int = Field(
        default=1, ge=0, description="for how many first rounds a bye may be awarded before the event"
    )


class NoShowRule(RulebookPart):
    """Whether an absent player is dropped at once."""

    rule: str = Field(description="the id of the rule")
    drops: bool = Field(description="whether the absent player is dropped")


class WinPercentage(RulebookPart):
    """The lower and upper bound of one opponent's win percentage. A drawn match counts as a fraction of a win."""

    rule: str = Field(description="the id of the rule")
    floor: Fraction = Field(description="the lowest percentage that counts, as p/q")
    cap_if_dropped: Fraction = Field(description="the highest percentage of a player who left, as p/q")
    draw: Fraction = Field(description="the value of a drawn match, as a part of a win")
    # "tournament" divides the points of a player who stayed by all rounds so far. "player" divides by the rounds on
    # the player's record.
    rounds: Literal["tournament", "player"] = Field(
        description="the rounds to divide by: all of the tournament, or the player's own"
    )


class BloodPoints(RulebookPart):
    """The blood points of a match winner, and of a player with a bye."""

    rule: str = Field(description="the id of the rule")
    winner: int = Field(description="blood points of the winner")
    bye: int = Field(description="blood points of a bye")


class PercentageRule(RulebookPart):
    """The lower and upper bound of an opponent's share of the possible points, for the means over opponents."""

    rule: str = Field(description="the id of the rule")
    floor: Fraction = Field(ge=0, le=1, description="the lowest percentage that counts, as p/q")
