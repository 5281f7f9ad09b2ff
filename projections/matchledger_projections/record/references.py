"""References: which numbers in a fact mean players, rounds and entries, and the same fact with other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from matchledger.events import AnyFact, Fact, PlayerArrivedLate, PlayerRegistered

PLAYERS = {
    "absent",
    "by",
    "byes",
    "byes_added",
    "byes_removed",
    "decider",
    "declined",
    "first_player",
    "flights",
    "games",
    "player",
    "players",
    "seeds",
    "turn",
    "winner",
}
ROUNDS = {"round", "after_round", "losses"}
ENTRIES = {
    "assignment",
    "call",
    "confirms",
    "contradicts",
    "correction",
    "disputes",
    "previous",
    "request",
    "retracts",
    "reviews",
    "supersedes",
}
_GAMES_WON = "games won"  # in a slip, `games` counts games. In a bracket, `games` lists players


def numbers(value: Any, name: str = "") -> Iterator[tuple[str, int]]:
    """Yield each whole number in a fact, with the name of its field."""
    match value:
        case bool():
            return
        case int():
            yield name, value
        case dict():
            for key, part in value.items():
                yield from numbers(part, _meant(name, str(key)))
        case list() | tuple():
            for part in value:
                yield from numbers(part, name)


def players_in(fact: AnyFact) -> set[int]:
    """Return the numbers of the players that a fact names."""
    return {number for name, number in numbers(fact.model_dump()) if name in PLAYERS}


def referring(fact: AnyFact, *, player: Callable[[int], int], entry: Callable[[int], int]) -> AnyFact:
    """Return the same fact with new numbers for its players and for the entries that it names."""

    def changed(value: Any, name: str = "") -> Any:
        match value:
            case bool():
                return value
            case int():
                return player(value) if name in PLAYERS else entry(value) if name in ENTRIES else value
            case dict():
                return {key: changed(part, _meant(name, str(key))) for key, part in value.items()}
            case list() | tuple():
                return [changed(part, name) for part in value]
            case _:
                return value

    if isinstance(fact, PlayerRegistered | PlayerArrivedLate):
        return fact.model_copy(update={"number": player(fact.number)})
    kind: type[Fact] = type(fact)
    made: AnyFact = kind.model_validate(changed(fact.model_dump()))  # type: ignore[assignment] # the same kind
    return made


def _meant(within: str, name: str) -> str:
    return _GAMES_WON if (within, name) == ("slip", "games") else name
