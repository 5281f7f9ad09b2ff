"""The JSON of a Pokédata division as a checked model: one object per player, with that player's own rounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, FailFast, Field, RootModel

from matchledger.formats.json_values import Part, Placed, Text, Whole, WrittenNumber, checked, items
from matchledger.formats.problem import FormatError

UNPLACED = 9999


def _round_number(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and 1 <= int(value[:4]) == int(value):
        return int(value)
    raise ValueError(f"a round number belongs here, not {str(value)[:20]!r}")


def _dropped_after(value: Any) -> int | None:
    """The round after which a player left. -1, or nothing, for a player who stayed."""
    if value in (None, -1):
        return None
    if isinstance(value, int) and 0 <= value < UNPLACED:
        return value
    raise ValueError("a round number or -1 belongs here")


class PlayedRound(Part):
    """One round from one player's side: the opponent (or BYE, or LATE), and the result, if there is one."""

    name: Text
    result: Literal["W", "L", "T"] | None = None
    table: Placed = None


class Wins(Part):
    wins: Whole = 0
    losses: Whole = 0
    ties: Whole = 0


class Percentages(Part):
    """Win percentages of the player, the opponents, and their opponents, as parts of one."""

    self: WrittenNumber = None
    opp: WrittenNumber = None
    oppopp: WrittenNumber = None


class PokedataPlayer(Part):
    name: Text
    placing: Whole = None
    record: Wins = Wins()
    resistances: Percentages = Percentages()
    drop: Annotated[int | None, BeforeValidator(_dropped_after)] = None
    rounds: dict[Annotated[int, BeforeValidator(_round_number)], PlayedRound] = Field(default={})


class PokedataFile(RootModel[Annotated[list[PokedataPlayer], FailFast(), BeforeValidator(items)]]):
    """A whole division."""


def parse_pokedata(found: Any) -> list[PokedataPlayer]:
    """The checked content of a division. Raises FormatError with a path such as [3].rounds.2.result."""
    if not isinstance(found, list) or not all(isinstance(player, dict) and "rounds" in player for player in found):
        raise FormatError("the JSON is not a Pokédata division: it is no list of players with their rounds")
    if not found:
        raise FormatError("the JSON is an empty list: it names no player")
    return checked(PokedataFile, found).root
