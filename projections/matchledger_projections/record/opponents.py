"""Encounters: who has met whom, kept by round, so that the neighbours of a whole line can be asked about at once.

A random order of players is a walk through memory without a plan, and in a large field every step waits for it.
So the line is not walked: its couples are written down once by player number, as each round has its own, and
numbers that lie side by side are compared side by side.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress, count, repeat
from operator import contains

NUMBER = "I"  # how a player's number is packed
WIDTH = array(NUMBER).itemsize
NOBODY = b"\xff"  # of every byte of a number that no player has
SHORT = 8  # a line of less than one player in so many is asked about couple by couple


def nobody_met(size: int) -> array[int]:
    """The opponents of a round before anybody has one, by player number."""
    return array(NUMBER, bytes(WIDTH * size))


class Encounters(Mapping[int, tuple[int, ...]]):
    """Who has met whom: each round's opponents by player number, 0 where there was none."""

    def __init__(self, size: int, rounds: Sequence[array[int]]) -> None:
        self._size = size
        self._rounds = rounds
        self._pasts: dict[int, tuple[int, ...]] = {}

    def __getitem__(self, player: int) -> tuple[int, ...]:
        # A tangle asks about the same few players again and again.
        past = self._pasts.get(player)
        if past is None:
            if not 0 <= player < self._size:
                raise KeyError(player)
            past = self._pasts[player] = tuple([opponents[player] for opponents in self._rounds])
        return past

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._size))

    def __len__(self) -> int:
        return self._size

    def repeated(self, line: Sequence[int]) -> set[int]:
        """The first of each two neighbours who have met; the line is taken two by two."""
        couples = array(NUMBER, NOBODY * (WIDTH * self._size))
        for first, second in zip(line[::2], line[1::2], strict=False):
            couples[first] = second
        wanted = _as_one(couples)
        return {
            player for opponents in self._rounds for player in _zeros(_as_one(opponents) ^ wanted, len(couples))
        }


def _as_one(numbers: array[int]) -> int:
    """A column as a single number, so that all of it is compared by one operation."""
    return int.from_bytes(numbers, sys.byteorder)


def _zeros(column: int, size: int) -> Iterator[int]:
    """Where a column of a size, as a single number, holds 0."""
    packed = column.to_bytes(WIDTH * size, sys.byteorder)
    at = packed.find(bytes(WIDTH))
    while at >= 0:
        place, beside = divmod(at, WIDTH)
        if not beside:
            yield place
        at = packed.find(bytes(WIDTH), at + 1)


class ToldOtherwise(Mapping[int, Collection[int]]):
    """Who has met whom, with a few players of whom something else is told."""

    def __init__(self, few: Mapping[int, Collection[int]], met: Mapping[int, Collection[int]]) -> None:
        self._few = few
        self._met = met

    def __getitem__(self, player: int) -> Collection[int]:
        return self._few[player] if player in self._few else self._met[player]

    def __iter__(self) -> Iterator[int]:
        return iter(self._few.keys() | self._met.keys())

    def __len__(self) -> int:
        return len(self._few.keys() | self._met.keys())


def neighbours_met(met: Mapping[int, Collection[int]], line: Sequence[int]) -> list[int]:
    """Where the first of each two neighbours stands who have met; the line is taken two by two."""
    if isinstance(met, Encounters) and SHORT * len(line) >= len(met):
        repeated = met.repeated(line)
        clashes = map(repeated.__contains__, line[:-1:2]) if repeated else iter(())
    else:
        clashes = map(contains, map(met.get, line[:-1:2], repeat(())), line[1::2])
    return list(compress(count(0, 2), clashes))
