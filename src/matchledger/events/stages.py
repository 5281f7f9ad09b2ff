"""Structures and elimination: what was announced, who was cut to, how the bracket was drawn."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber


def _is_empty(value: tuple[str, ...]) -> bool:
    return not value


Style = Literal["swiss", "elimination", "swiss-with-cut"]
DrawMethod = Literal["cut-seeds", "random-seeds", "random-places", "random-numbers"]


class StructureAnnounced(Fact):
    """What was announced of the event (L5R-III.1-SETUP): its style, rounds and cut. The latest announcement counts.

    `structure` is the rulebook's table that it follows, or `custom`; `deviations` are the rules that it departs
    from. `rounds` are Swiss rounds, 0 where the event begins with elimination; a cut of 0 is none. Where divisions
    have cuts or rounds of their own, `cut` is the largest of them and `rounds` the most. `format` is how the decks
    come about, None for the rulebook's own way (ASH-FORMAT). With `deck_lists`, each player hands a list in before
    round 1 (L5R-II.2-PLAYERMAT). `house_rules` are optional rules of the game by their ids, such as LEG-OPT-LOBBY.
    """

    action = "announce"
    kind: Literal["structure-announced"] = "structure-announced"
    style: Style
    structure: str
    rounds: NonNegativeInt
    cut: NonNegativeInt = 0
    division_cuts: dict[str, NonNegativeInt] = Field(default={})
    division_rounds: dict[str, PositiveInt] = Field(default={})
    playoff: bool = Field(default=False, description="a match for 3rd and 4th place")
    untimed_final: bool = False
    prizes: NonNegativeInt | None = None
    format: str | None = Field(default=None, min_length=1, max_length=60)
    deviations: tuple[str, ...] = ()
    deck_lists: bool = Field(default=False, description="each player hands a list in before round 1")
    house_rules: tuple[str, ...] = Field(default=(), description="optional rules of the game, by their ids")


class CutMade(Fact):
    """The players who go on to the elimination stage, best seed first, on the standings after `round`.

    `division` is the one that has a bracket of its own; None where there is one for all. `deviations` are the rules
    that the cut departs from.
    """

    action = "cut"
    kind: Literal["cut-made"] = "cut-made"
    round: NonNegativeInt
    seeds: tuple[PlayerNumber, ...] = Field(min_length=2)
    division: str | None = None
    deviations: tuple[str, ...] = ()


class QualifierReplaced(Fact):
    """A qualifier left before the elimination stage began: those below moved up, `by` became the lowest seed.

    `declined` are the players who were asked before and did not want to. `deviations` are the rules that the choice
    departs from: flights share a cut equally (PKM-3.3.3.2-FINALS).
    """

    action = "replace-qualifier"
    kind: Literal["qualifier-replaced"] = "qualifier-replaced"
    player: PlayerNumber
    by: PlayerNumber
    declined: tuple[PlayerNumber, ...] = ()
    deviations: tuple[str, ...] = Field(default=(), exclude_if=_is_empty)


class BracketDrawn(Fact):
    """The games of the first elimination round, in order of game number; one with a single player is a bye.

    In every later round the winner of game 1 meets the winner of the game with the highest number, and so on.
    `seed` is what chance filled the bracket by, `numbers_seed` what it numbered the games by. Of several brackets
    each is for a `division`; its tables follow those of the brackets that were drawn before it.
    """

    action = "pair"
    kind: Literal["bracket-drawn"] = "bracket-drawn"
    method: DrawMethod
    games: tuple[Annotated[tuple[PlayerNumber, ...], Field(min_length=1, max_length=2)], ...] = Field(min_length=1)
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    numbers_seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    division: str | None = None


StageFact = CutMade | StructureAnnounced | QualifierReplaced | BracketDrawn
