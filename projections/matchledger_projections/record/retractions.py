"""Retractions: which entries of a log still count. An entry of any kind can be retracted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from matchledger.events import Fact

Noted = TypeVar("Noted", bound=Fact)
_NOBODY = 0  # the position of a hypothetical retraction, which is not recorded


class Retractions:
    """The retracted entries, and the entries that retracted them. A retraction can itself be retracted."""

    def __init__(self) -> None:
        self._retractors: dict[int, list[int]] = {}
        self._roots: dict[int, int] = {}

    @property
    def has_retractions(self) -> bool:
        """Return whether the log has any retraction."""
        return bool(self._retractors)

    def is_dead(self, position: int) -> bool:
        """Return whether an entry no longer counts, because a counting entry retracted it."""
        if position not in self._retractors:
            return False
        return any(not self.is_dead(retractor) for retractor in self._retractors[position])

    @contextmanager
    def without(self, position: int) -> Iterator[None]:
        """Give the record without an entry, during a `with` block."""
        retractors = self._retractors.setdefault(position, [])
        retractors.append(_NOBODY)
        try:
            yield
        finally:
            retractors.remove(_NOBODY)
            if not retractors:
                del self._retractors[position]

    def root_of(self, position: int) -> int:
        """Return the entry at the end of a chain of retractions. For an entry that retracts nothing, return the
        entry itself.
        """
        return self._roots.get(position, position)

    def takes_back(self, position: int) -> bool:
        """Return whether an entry takes its root back: it retracts the root, or an entry that restores the root."""
        if position not in self._roots:
            return False
        return not self.takes_back(
            next(target for target, retractors in self._retractors.items() if position in retractors)
        )

    @property
    def retractions(self) -> list[int]:
        """Return the position of every retraction, whether it counts or not."""
        return list(self._roots)

    def alive(self, noted: Iterable[tuple[int, Noted]]) -> Iterator[Noted]:
        """Return the facts among (position, fact) that still count."""
        return (fact for position, fact in noted if not self.is_dead(position))

    def take_from(self, whole: Retractions, position: int) -> None:
        """Copy the retractions of another record up to a position into this empty object."""
        self._roots = {own: root for own, root in whole._roots.items() if own <= position}
        for target, retractors in whole._retractors.items():
            if known := [retractor for retractor in retractors if retractor <= position]:
                self._retractors[target] = known

    def take_back(self, position: int, target: int) -> None:
        """Note that the entry at `position` retracts the one at `target`."""
        self._retractors.setdefault(target, []).append(position)
        self._roots[position] = self.root_of(target)
