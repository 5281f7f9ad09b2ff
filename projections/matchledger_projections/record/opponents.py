"""Encounters: earlier opponents, stored by round, so that all neighbours of a line can be compared at once.

A random order of players makes the computer jump around in memory, and in a large field each jump waits.
Therefore the search for neighbours who have met does not go from player to player. Each round has a column of
opponents by player number. The search writes the pairs of the line into a column of opponents, and compares that
column with each round's column.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress, count, repeat
from operator import contains

NUMBER = "I"  # the array type code of a player's number
WIDTH = array(NUMBER).itemsize
NOBODY = b"\xff"  # the bytes of an empty place, because no player has this number
SHORT = 8  # a line with fewer than one in this many of all players is checked pair by pair


def nobody_met(size: int) -> array[int]:
    """Return an empty column of opponents, by player number."""
    return array(NUMBER, bytes(WIDTH * size))


class Encounters(Mapping[int, tuple[int, ...]]):
    """Earlier opponents: one column for each round, by player number. 0 means no opponent."""

    def __init__(self, size: int, rounds: Sequence[array[int]]) -> None:
        self._size = size
        self._rounds = rounds
        self._pasts: dict[int, tuple[int, ...]] = {}

    def __getitem__(self, player: int) -> tuple[int, ...]:
        # The search for a pairing asks about the same few players again and again.
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
        """Return the positions of pairs who have met, in a line read two by two."""
        couples = array(NUMBER, NOBODY * (WIDTH * self._size))
        for first, second in zip(line[::2], line[1::2], strict=False):
            couples[first] = second
        wanted = _as_one(couples)
        return {
            player for opponents in self._rounds for player in _zeros(_as_one(opponents) ^ wanted, len(couples))
        }


def _as_one(numbers: array[int]) -> int:
    """Return a column as one number, so that one operation compares the whole column."""
    return int.from_bytes(numbers, sys.byteorder)


def _zeros(column: int, size: int) -> Iterator[int]:
    """Yield the zeros in a column that is packed into one number."""
    packed = column.to_bytes(WIDTH * size, sys.byteorder)
    at = packed.find(bytes(WIDTH))
    while at >= 0:
        place, beside = divmod(at, WIDTH)
        if not beside:
            yield place
        at = packed.find(bytes(WIDTH), at + 1)


class ReplacedOpponents(Mapping[int, Collection[int]]):
    """Earlier opponents, with other opponents for a few players."""

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
    """Return the positions of neighbours who have met, in a line read two by two."""
    if isinstance(met, Encounters) and SHORT * len(line) >= len(met):
        repeated = met.repeated(line)
        clashes = map(repeated.__contains__, line[:-1:2]) if repeated else iter(())
    else:
        clashes = map(contains, map(met.get, line[:-1:2], repeat(())), line[1::2])
    return list(compress(count(0, 2), clashes))
