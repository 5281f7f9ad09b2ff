"""Lists of counts, most important first, packed into integers. The integers add and compare as the lists do."""

BITS = 32
MASK = (1 << BITS) - 1


class Counts:
    """The number of counts in a list, and how they are packed: `BITS` bits for each, the most important at
    the top.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self._amounts: dict[int, tuple[tuple[int, int], ...]] = {}

    def one(self, count: int) -> int:
        """Return the packed list that has 1 for this count and 0 for all others."""
        return 1 << BITS * (self.length - 1 - count)

    def of(self, packed: int, count: int) -> int:
        return packed >> BITS * (self.length - 1 - count) & MASK

    def unpacked(self, packed: int) -> list[int]:
        return [self.of(packed, count) for count in range(self.length)]

    def amounts(self, packed: int) -> tuple[tuple[int, int], ...]:
        """Return the counts above zero with their values. The method caches its result, because the same few
        lists come again and again.
        """
        known = self._amounts.get(packed)
        if known is None:
            amounts = ((count, self.of(packed, count)) for count in range(self.length))
            known = self._amounts[packed] = tuple((count, amount) for count, amount in amounts if amount)
        return known
