"""Retractions: which entries of a log still count, when any of them may have been taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from matchledger.events import Fact

Noted = TypeVar("Noted", bound=Fact)
_NOBODY = 0  # stands for the position of a retraction that is supposed and not recorded


class Retractions:
    """What was taken back, and what took it back; a retraction can itself be retracted."""

    def __init__(self) -> None:
        self._retractors: dict[int, list[int]] = {}
        self._roots: dict[int, int] = {}

    @property
    def has_retractions(self) -> bool:
        """Whether anything was ever taken back."""
        return bool(self._retractors)

    def is_dead(self, position: int) -> bool:
        """Whether an entry no longer counts: one that still counts retracted it."""
        if position not in self._retractors:
            return False
        return any(not self.is_dead(retractor) for retractor in self._retractors[position])

    @contextmanager
    def without(self, position: int) -> Iterator[None]:
        """The record as if an entry did not count, for as long as somebody looks at it so."""
        retractors = self._retractors.setdefault(position, [])
        retractors.append(_NOBODY)
        try:
            yield
        finally:
            retractors.remove(_NOBODY)
            if not retractors:
                del self._retractors[position]

    def root_of(self, position: int) -> int:
        """The entry that a chain of retractions is about in the end; an entry that retracts nothing is its own."""
        return self._roots.get(position, position)

    @property
    def retractions(self) -> list[int]:
        """The position of every entry that took another back, whether it counts or not."""
        return list(self._roots)

    def alive(self, noted: Iterable[tuple[int, Noted]]) -> Iterator[Noted]:
        """The facts among (position, fact) that still count."""
        return (fact for position, fact in noted if not self.is_dead(position))

    def take_from(self, whole: Retractions, position: int) -> None:
        """Fills an empty one with what another says up to a position."""
        self._roots = {own: root for own, root in whole._roots.items() if own <= position}
        for target, retractors in whole._retractors.items():
            if known := [retractor for retractor in retractors if retractor <= position]:
                self._retractors[target] = known

    def take_back(self, position: int, target: int) -> None:
        """Notes that the entry at `position` retracts the one at `target`."""
        self._retractors.setdefault(target, []).append(position)
        self._roots[position] = self.root_of(target)
