"""Structures and elimination: announcements, cuts and drawn brackets."""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber


def _is_empty(value: tuple[str, ...]) -> bool:
    return not value


Style = Literal["swiss", "elimination", "swiss-with-cut"]
DrawMethod = Literal["cut-seeds", "random-seeds", "random-places", "random-numbers"]


class StructureAnnounced(Fact):
    """The structure of the event was announced (L5R-III.1-SETUP): its style, rounds and cut.

    The latest announcement counts.

    `structure` is the rulebook's table that the announcement follows, or `custom`. `deviations` are the rules that
    the announcement departs from. `rounds` is the number of Swiss rounds. `rounds` is 0 if the event begins with
    elimination. A cut of 0 means no cut. If divisions have their own structures, `cut` and `rounds` are the highest
    numbers of any division. `format` is the deck format, or None for the rulebook's (ASH-FORMAT). With
    `deck_lists`, each player submits a list before round 1 (L5R-II.2-PLAYERMAT). `house_rules` are the ids of
    optional rules, such as LEG-OPT-LOBBY.
    """

    action = "announce"
    public = True
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
    """The players who advance to the elimination stage were chosen from the standings after `round`, best seed
    first.

    `division` is the division of a separate bracket, or None for a common bracket. `deviations` are the rules that
    the cut departs from.
    """

    action = "cut"
    public = True
    kind: Literal["cut-made"] = "cut-made"
    round: NonNegativeInt
    seeds: tuple[PlayerNumber, ...] = Field(min_length=2)
    division: str | None = None
    deviations: tuple[str, ...] = ()


class QualifierReplaced(Fact):
    """A qualifier left before the elimination stage began. Lower seeds moved up, and `by` became the lowest seed.

    `declined` are the players who were asked earlier and declined. `deviations` are the rules that the choice
    departs from, because flights share a cut equally (PKM-3.3.3.2-FINALS).
    """

    action = "replace-qualifier"
    public = True
    kind: Literal["qualifier-replaced"] = "qualifier-replaced"
    player: PlayerNumber
    by: PlayerNumber
    declined: tuple[PlayerNumber, ...] = ()
    deviations: tuple[str, ...] = Field(default=(), exclude_if=_is_empty)


class BracketDrawn(Fact):
    """The games of the first elimination round, in order of game number.

    A game with one player is a bye.

    In every later round, the winner of game 1 meets the winner of the game with the highest number, and so on
    towards the middle. `seed` is set if chance filled the bracket. `numbers_seed` is set if chance numbered the
    games. If there are several brackets, each bracket has a `division`, and its table numbers follow those of the
    bracket before.
    """

    action = "pair"
    public = True
    kind: Literal["bracket-drawn"] = "bracket-drawn"
    method: DrawMethod
    games: tuple[Annotated[tuple[PlayerNumber, ...], Field(min_length=1, max_length=2)], ...] = Field(min_length=1)
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    numbers_seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    division: str | None = None


StageFact = CutMade | StructureAnnounced | QualifierReplaced | BracketDrawn
