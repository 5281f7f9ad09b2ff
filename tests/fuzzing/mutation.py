"""Mutation: a person who knows the format forges a log. Every line is JSON, but the contents are false."""

from __future__ import annotations

import json
from random import Random
from typing import Any

_NUMBERS = (0, 1, 2, 3, 5, 99, -1, 10**6, 2**63, 10**30)
_TEXTS = (
    "",
    "swiss",
    "elimination",
    "win",
    "draw",
    "judgment",
    "score",
    "active",
    "x" * 300,
    "\u202e",
    "\x1b",
    "1/0",
)
_MOST = 4  # the most mutations of one input


def mutated(log: bytes, random: Random) -> bytes:
    """Return a log in which lines are dropped, doubled, moved or changed."""
    entries = [json.loads(line) for line in log.split(b"\n")]
    for _ in range(random.randint(1, _MOST)):
        _MUTATIONS[random.randrange(len(_MUTATIONS))](entries, random)
    for position, entry in enumerate(entries, 1):
        entry["position"] = position
    return b"\n".join(json.dumps(entry, separators=(",", ":")).encode() for entry in entries)


def _drop(entries: list[Any], random: Random) -> None:
    if len(entries) > 1:
        del entries[random.randrange(1, len(entries))]


def _double(entries: list[Any], random: Random) -> None:
    entries.insert(random.randint(1, len(entries)), json.loads(json.dumps(random.choice(entries))))


def _move(entries: list[Any], random: Random) -> None:
    entries.insert(random.randint(1, len(entries)), entries.pop(random.randrange(len(entries))))


def _say_something_else(entries: list[Any], random: Random) -> None:
    """Replace one random value in a fact by another value of the same type."""
    fact = random.choice(entries)["fact"]
    places = [place for place in _leaves(fact) if place[1] != "kind"]
    if not places:
        return
    holder, key = random.choice(places)
    holder[key] = _other(holder[key], random)


def _other(value: Any, random: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return random.choice((*_NUMBERS, value + 1, value - 1, None))
        case str():
            return random.choice((*_TEXTS, None))
        case list():
            return random.choice(([], value * 2, value[::-1], value[:1], None))
        case _:
            return random.choice((*_NUMBERS, *_TEXTS))


def _leaves(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a value: its container and its key there."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    inner = [place for _, part in pairs if isinstance(part, dict | list) for place in _leaves(part)]
    return [(value, key) for key, _ in pairs] + inner


_MUTATIONS = (_drop, _double, _move, _say_something_else, _say_something_else, _say_something_else)
