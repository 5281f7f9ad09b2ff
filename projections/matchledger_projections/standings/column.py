"""Columns: one exact number for each player.

A column holds integers over one common denominator. Ten thousand players are then compared without a fraction
object for each. `Column.value` gives the fraction.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from msgspec import Struct
from msgspec.structs import replace


class Column(Struct, frozen=True):
    """One number for each player, as `numerators[player] / denominator`.

    A higher number is better unless `lower_is_better` is set.

    `behind` holds the players who rank after all others in this column, whatever their number.
    """

    numerators: Sequence[int]
    denominator: int = 1
    lower_is_better: bool = False
    behind: frozenset[int] = frozenset()

    def value(self, player: int) -> Fraction:
        return Fraction(self.numerators[player], self.denominator)

    def values(self) -> list[Fraction]:
        """Return the value of each player. Players with the same number share one fraction, because a fraction
        takes long to make.
        """
        made = {numerator: Fraction(numerator, self.denominator) for numerator in set(self.numerators)}
        return [made[numerator] for numerator in self.numerators]

    def keys(self) -> Sequence[int]:
        """Return sort keys, which ascend from the best player."""
        if not self.lower_is_better and not self.behind:
            return [-numerator for numerator in self.numerators]
        sign = 1 if self.lower_is_better else -1
        worst = max((sign * numerator for numerator in self.numerators), default=0) + 1
        return [
            worst if player in self.behind else sign * numerator for player, numerator in enumerate(self.numerators)
        ]

    def rounded(self, decimals: int, *, half_up: bool = False) -> Column:
        """Return the column with every number rounded to some decimals. Halves go up or to the even neighbour."""
        unit, whole = 10**decimals, self.denominator
        numerators = []
        for numerator in self.numerators:
            quotient, rest = divmod(numerator * unit, whole)
            numerators.append(quotient + (2 * rest > whole or (2 * rest == whole and (half_up or quotient % 2))))
        return replace(self, numerators=numerators, denominator=unit)


def shares(parts: Sequence[tuple[int, int]], floor: Fraction) -> Column:
    """Return a column of fractions, each a part of a whole. A player whose whole is zero gets the floor."""
    unit = lcm(floor.denominator, *{whole for _, whole in parts if whole})
    least = int(floor * unit)
    return Column([max(least, part * (unit // whole)) if whole else least for part, whole in parts], unit)
