"""Scoring rules: what a rulebook's file says about the worth of results, byes and no-shows."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, Self

from pydantic import Field, model_validator

from matchledger_projections.rulebook.section import RulebookPart

ByeChoice = Literal["lowest-ranked", "weakest-record", "lowest-group"]


class ResultKind(RulebookPart):
    """What a kind of result is worth: to winner and loser, or to each where nobody wins, or as written."""

    rule: str
    winner: int | None = None
    loser: int | None = None
    each: int | None = None
    as_written: bool = False

    @model_validator(mode="after")
    def _is_one_of_three(self) -> Self:
        decided = self.winner is not None and self.loser is not None
        halves = (self.winner is None) != (self.loser is None)
        if halves or (decided + (self.each is not None) + self.as_written) != 1:
            msg = "a result names winner and loser, or each, or as_written = true"
            raise ValueError(msg)
        return self


class ByeRule(RulebookPart):
    """What a bye scores, and who gets it."""

    rule: str
    name: str = Field(default="bye", description="what the document calls it")
    points: int
    choice: ByeChoice


class NoShowRule(RulebookPart):
    """Whether a player who does not appear is dropped at once."""

    rule: str
    drops: bool


class WinPercentage(RulebookPart):
    """How one opponent's win percentage is bounded, and what a drawn match counts, as a part of a win."""

    rule: str
    floor: Fraction
    cap_if_dropped: Fraction
    draw: Fraction
    # "tournament": a player who stayed divides by all rounds so far; "player": by the rounds on the record.
    rounds: Literal["tournament", "player"]


class BloodPoints(RulebookPart):
    """What the winner of a match, and a player with a bye, score in blood points."""

    rule: str
    winner: int
    bye: int


class PercentageRule(RulebookPart):
    """How points of those that were to be had are bounded, where they enter the opponents' means."""

    rule: str = Field(description="the rule that says so")
    floor: Fraction = Field(ge=0, le=1, description="the least that a percentage counts, as p/q")
