"""Wishes: the order of preference among matchings of equal cost, added to the weights of one more matching."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wishes:
    """The bonus for each choice, always below one unit of cost: see `Optimum.choose_first`."""

    ranks: Mapping[int, int]
    heights: Mapping[int, int]
    scale: int

    def added_to(self, edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """The weights with the wishes: each pair's gain over the last choice, which is to stay alone."""
        gains = []
        for one, other, weight in edges:
            chooser, chosen = (one, other) if self._before(one, other) else (other, one)
            height = self.heights.get(chooser)
            if height is None:
                gains.append((one, other, weight))
                continue
            last = len(self.ranks)
            gain = height * (last - self.ranks.get(chosen, last)) + self.heights.get(chosen, 0) * last
            gains.append((one, other, weight + gain))
        return gains

    def _before(self, one: int, other: int) -> bool:
        last = len(self.ranks)
        return self.ranks.get(one, last) < self.ranks.get(other, last)
