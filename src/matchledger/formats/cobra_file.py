"""The JSON of a Cobra or NRTM export as a validated model. A value of a wrong type is refused with its path."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, FailFast, Field

from matchledger.formats.json_values import (
    Flag,
    Id,
    KnownId,
    Part,
    Placed,
    Signed,
    Text,
    Whole,
    WrittenNumber,
    checked,
    flag,
    items,
)
from matchledger.formats.text import FormatError


class Side(Part):
    """One side of a match. `winner` is set only in elimination matches."""

    id: Id = None
    combined_score: Signed = None
    runner_score: Signed = None
    corp_score: Signed = None
    winner: Annotated[bool | None, BeforeValidator(lambda value: None if value is None else flag(value))] = None

    @property
    def contradiction(self) -> str | None:
        """Return the problem if the two games do not add up to the points. Games with a sum of 0 were not written
        down, and contradict nothing.
        """
        games = (self.runner_score or 0) + (self.corp_score or 0)
        if self.combined_score is None or games in (0, self.combined_score):
            return None
        return f"combinedScore is {self.combined_score}, and the two games add up to {games}"

    @property
    def score(self) -> int | None:
        """Return the points as written, or None."""
        if self.combined_score is not None:
            return self.combined_score
        if "combined_score" in self.model_fields_set and not (self.runner_score or self.corp_score):
            return None
        if self.runner_score is None and self.corp_score is None:
            return None
        return (self.runner_score or 0) + (self.corp_score or 0)


class Match(Part):
    """A table of a round."""

    table: Placed = None
    player1: Side | None = None
    player2: Side | None = None
    elimination_game: Flag = False
    intentional_draw: Flag = False
    two_for_one: Flag = False

    @property
    def is_elimination(self) -> bool:
        """Return whether the match belongs to the cut: the file says so, or the match has a winner but no
        points.
        """
        sides = [side for side in (self.player1, self.player2) if side is not None]
        named = any(side.winner is not None for side in sides)
        return self.elimination_game or (named and all(side.score is None for side in sides))


class Player(Part):
    """A player with the numbers from the program. A missing number is None."""

    id: KnownId
    name: Text = ""
    rank: Placed = None
    match_points: WrittenNumber = None
    strength_of_schedule: WrittenNumber = None
    extended_strength_of_schedule: WrittenNumber = None
    forfeit: Flag = False
    super_bye: Flag = False

    @property
    def numbers(self) -> dict[str, str]:
        found = {
            "points": self.match_points,
            "strength_of_schedule": self.strength_of_schedule,
            "extended_strength_of_schedule": self.extended_strength_of_schedule,
        }
        return {name: text for name, text in found.items() if text is not None}


class EliminationPlayer(Part):
    """A player of the cut. A line without an id is an undecided place."""

    id: Id = None
    seed: Placed = None
    rank: Placed = None


class Export(Part):
    """The top level of an export: its players and the planned rounds."""

    name: Text = ""
    cut_to_top: Whole = None
    preliminary_rounds: Whole = None
    players: Annotated[list[Player], FailFast(), BeforeValidator(items)]
    elimination_players: Annotated[list[EliminationPlayer], FailFast(), BeforeValidator(items)] = Field(default=[])


# One problem is enough to refuse a file, so pydantic stops at the first instead of collecting millions.
Round = Annotated[list[Match], FailFast(), BeforeValidator(items)]


class CobraFile(Export):
    """A whole export."""

    rounds: Annotated[list[Round], FailFast(), BeforeValidator(items)]


AnyExport = TypeVar("AnyExport", bound=Export)


def parse_export(model: type[AnyExport], found: Any) -> AnyExport:
    """Return the validated content of an export. Raises FormatError with a path such as rounds[2][4].table."""
    if not isinstance(found, dict):
        raise FormatError("the JSON is not the export of a tournament: it is no object with players and rounds")
    file = checked(model, found)
    if not file.players:
        raise FormatError("players: nobody is named")
    return file
