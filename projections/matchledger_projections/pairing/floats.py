"""The cost of a pairing: rematches, cross-division pairs and pair-downs, the worst first (see `Floats`)."""

from collections.abc import Sequence

from matchledger_projections.pairing.counts import Counts


class Floats:
    """The counts by which two pairings are compared. The first count that differs decides.

    1. players without an opponent: zero, if possible;
    2. rematches, if they are allowed (POL-ALL-REMATCH-FALLBACK); otherwise no pair has met before;
    3. the rank of the bye: its distance from the lowest group (or from the head of the list);
    4. with divisions, the pairs across divisions (PKM-3.1.2-MOD: a division outranks a record);
    5. for each group from the top: the number of players who are paired down, then the sum of the groups that they
       skip on the way (L5R-IV.2a-PAIRDOWN, SWR-SWISS-PAIRDOWN, PKM-3.1-R2, ASH-PAIR). With divisions, only pairs
       inside a division count here;
    6. with divisions, the same counts for the pairs across divisions.

    With `twice` (POL-SWR-DOUBLE-DOWN = any), number 5 is instead the number of pairs across each boundary between
    two groups, from the top. A player who goes down two groups then weighs as much as two players who go down one
    group each.

    A group is given by its `level`, its number from the top. `sizes` are the groups' numbers of players, which
    limit how large each count can be. `below` is the level of the group for players who leave the lowest of these
    groups downward.
    """

    def __init__(
        self,
        levels: Sequence[int],
        sizes: Sequence[int],
        below: int,
        *,
        divided: bool,
        twice: bool,
        ranks: int = 0,
    ) -> None:
        self._levels = levels
        self._below = below
        self._twice = twice
        everybody = sum(sizes) + 2
        across = [everybody] if divided else []
        self.bounds = [everybody, everybody, ranks, *across]
        self._inside = len(self.bounds)
        if twice:
            self.bounds += [everybody] * len(levels)
        else:
            for _ in range(2 if divided else 1):
                for level, size in zip(levels, sizes, strict=True):
                    self.bounds += [size, size * max(below - level, 1)]
        self._across = self._inside + 2 * len(levels)
        self._counts = Counts(len(self.bounds))

    def unmatched(self) -> int:
        return self._counts.one(0)

    def bye(self, rank: int) -> int:
        return rank * self._counts.one(2)

    def pair(self, upper: int, lower: int, *, across: bool = False, rematch: bool = False) -> int:
        """The cost of a pair of players from two groups, given by their places, the upper one first."""
        cost = self._counts.one(1) if rematch else 0
        if across:
            cost += self._counts.one(3)
        return cost + self._down(upper, lower, self._levels[lower], across=across)

    def leaving(self, group: int) -> int:
        """Return the cost when a player of a group leaves the groups downward."""
        return self._down(group, len(self._levels), self._below, across=False)

    def _down(self, upper: int, lower: int, level: int, *, across: bool) -> int:
        if upper == lower:
            return 0
        if self._twice:
            return sum(self._counts.one(self._inside + boundary) for boundary in range(upper, lower))
        first = (self._across if across else self._inside) + 2 * upper
        return self._counts.one(first) + (level - self._levels[upper] - 1) * self._counts.one(first + 1)
