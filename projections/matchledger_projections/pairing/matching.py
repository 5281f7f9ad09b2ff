"""Exact matching: the best of all ways to pair players. A cost is a list of counts, the most important first.

A cost is a packed list (`counts`). rustworkx takes weights of at most 127 bits, too few for the counts of a long
event. The optimum is therefore found a few counts at a time; multipliers keep the earlier counts at their best.
If a multiplier is too small, an earlier count gets worse, and the search raises the multiplier. Every answer is
checked.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from matchledger_projections.pairing.counts import Counts


class Wishes(Struct, frozen=True):
    """The bonus for each choice, always below one unit of cost: see `Optimum.choose_first`."""

    ranks: Mapping[int, int]
    heights: Mapping[int, int]
    scale: int

    def added_to(self, edges: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """Return the weights with the wishes added: what each pair gains over the last choice, which is to stay
        alone.
        """
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


UNMATCHED = 0
"""The most important count: players without an opponent who need one."""

WEIGHT_BITS = 120  # the bits of a weight. rustworkx computes with 128 bits, and uses a few of them itself
MULTIPLIER_BITS = 48


class Unmatchable(Exception):
    """A player who needs an opponent has no possible opponent."""

    def __init__(self, matching: Sequence[int | None]) -> None:
        super().__init__("not everybody can have an opponent")
        self.matching = matching


class UnprovableError(ArithmeticError):
    """The counts are too large for the weights of rustworkx.

    Nobody has ever seen this error, but an error is better than a wrong pairing.
    """


class Optimum:
    """The cheapest matchings of a graph, narrowed down pair by pair.

    `costs` has the allowed pairs, the lower vertex first, and `leaving` the cost of leaving a vertex alone.
    `bounds` has the largest possible value of each count over a whole matching, the most important first.
    """

    def __init__(self, costs: Mapping[tuple[int, int], int], leaving: Sequence[int], bounds: Sequence[int]) -> None:
        self._costs = dict(costs)
        self._leaving = list(leaving)
        self._bounds = bounds
        self._counts = Counts(len(bounds))
        self._free = [True] * len(leaving)
        self._multipliers = [0] * len(bounds)
        self._known = 0
        self._mate: list[int | None] = [None] * len(leaving)
        self._distinct = {*self._costs.values(), *self._leaving}
        self._settle()
        self.total = self._price(self._mate)
        """The cost of every matching that is still possible."""

    def value(self) -> list[int]:
        """The counts of the optimum, the most important first."""
        return self._counts.unpacked(self.total)

    def mate(self, vertex: int) -> int | None:
        """Return the partner of a vertex in the current optimal matching, or None."""
        return self._mate[vertex]

    def meets_first(self, vertex: int, others: Iterable[int]) -> bool:
        """Try to give a vertex its first possible partner from a list, without a full search.

        Return True also if no partner in the list is possible, and False if only `choose_first` can decide.
        """
        for other in others:
            pair = (vertex, other) if vertex < other else (other, vertex)
            cost = self._costs.get(pair)
            if cost is not None and self._is_affordable(cost):
                return self._mate[vertex] == other or self._exchange(pair, cost)
        return True

    def choose_first(self, order: Sequence[int], choosers: int) -> int:
        """Make the current matching the first one in this order: each vertex has its first possible later
        partner.

        The `choosers` choose in turn, as many as fit into one matching; the result is how many chose. A chooser
        who was taken by an earlier chooser does not choose. The last choice of a chooser is to have no partner
        from the order.
        """
        room = WEIGHT_BITS - self._heaviest(self._multipliers).bit_length() - 4
        each = len(order).bit_length()
        choosers = max(min(choosers, room // each), 1)
        ranks = {vertex: rank for rank, vertex in enumerate(order)}
        heights = {vertex: 1 << (each * (choosers - 1 - rank)) for rank, vertex in enumerate(order[:choosers])}
        wishes = Wishes(ranks, heights, 1 << (each * choosers))
        self._mate = self._at_total(wishes)
        return choosers

    def move_to(self, costs: Mapping[tuple[int, int], int], leaving: Sequence[int]) -> None:
        """Continue with another graph; its optimum must have the same cost as the remaining matchings."""
        dear = {cost for cost in {*costs.values()} if not self._is_affordable(cost)}
        self._costs = {pair: cost for pair, cost in costs.items() if cost not in dear}
        self._leaving = list(leaving)
        self._free = [True] * len(leaving)
        self._distinct = {*self._costs.values(), *leaving}
        self._mate = self._at_total()

    def _at_total(self, wishes: Wishes | None = None) -> list[int | None]:
        """Return a matching with the required cost, and raise multipliers until such a matching is found."""
        while True:
            mate = self._cheapest(self._multipliers, wishes)
            if not self._raise_multiplier(self._price(mate), self.total):
                return mate

    def fix(self, one: int, other: int) -> None:
        """Fix an allowed pair: from now on, every matching has it."""
        pair = (one, other) if one < other else (other, one)
        self.total -= self._costs[pair]
        self._free[one] = self._free[other] = False

    def _exchange(self, pair: tuple[int, int], cost: int) -> bool:
        """Return whether a pair is possible at equal cost, with other partners for the present partners of its
        players.

        The partners who are left may be paired, stay alone, or share the players of a third pair.
        """
        one, other = pair
        left, right = self._mate[one], self._mate[other]
        spare = self._with(one, left) + self._with(other, right) - cost
        rest = [vertex for vertex in (left, right) if vertex is not None]
        if left is not None and right is not None and self._between(left, right) == spare:
            self._marry(left, right)
        elif sum(self._leaving[vertex] for vertex in rest) == spare:
            for vertex in rest:
                self._mate[vertex] = None
        elif left is None or right is None or not self._share_out(pair, left, right, spare):
            return False
        self._marry(one, other)
        return True

    def _share_out(self, pair: tuple[int, int], left: int, right: int, spare: int) -> bool:
        """Give two players the players of a third pair as partners, at that pair's cost and the spare cost."""
        taken = {*pair, left, right}
        for third, fourth in enumerate(self._mate):
            if fourth is None or third in taken or not self._free[third]:
                continue
            one, other = self._between(left, third), self._between(right, fourth)
            if one is None or other is None or one + other != spare + self._with(third, fourth):
                continue
            self._marry(left, third)
            self._marry(right, fourth)
            return True
        return False

    def _marry(self, one: int, other: int) -> None:
        self._mate[one], self._mate[other] = other, one

    def _between(self, one: int, other: int) -> int | None:
        return self._costs.get((one, other) if one < other else (other, one))

    def _with(self, vertex: int, mate: int | None) -> int:
        if mate is None:
            return self._leaving[vertex]
        return self._costs[(vertex, mate) if vertex < mate else (mate, vertex)]

    def _is_affordable(self, cost: int) -> bool:
        """Return whether the cost of a pair fits into the remaining cost. No cost is negative, so no possible
        matching contains a pair that costs more than the rest.
        """
        return all(amount <= self._counts.of(self.total, count) for count, amount in self._counts.amounts(cost))

    def _settle(self) -> None:
        """Find the optimum, a block of counts at a time, the most important first."""
        while self._known < self._counts.length:
            stop, scale = self._block()
            mate = self._cheapest_in_block(stop, scale)
            if mate is None:
                continue
            price = self._price(mate)
            if self._known == UNMATCHED and self._counts.of(price, UNMATCHED):
                raise Unmatchable(mate)
            self._mate, self._known = mate, stop
            self._drop_what_costs_too_much(price)
            self._renew_multipliers(price)

    def _block(self) -> tuple[int, list[int]]:
        """Return how many of the next counts still fit into a weight, and the weights.

        The weight of a count is above the sum of the weights of all later counts.
        """
        bits = WEIGHT_BITS - self._heaviest(self._multipliers).bit_length()
        stop, product = self._known, 1
        while stop < self._counts.length:
            product *= self._bounds[stop] + 1
            if stop > self._known and product.bit_length() > bits - 8:
                product //= self._bounds[stop] + 1
                break
            stop += 1
            if stop == UNMATCHED + 1:
                break  # weigh this count alone, because it decides whether everybody can be matched
        scale = []
        for count in range(self._known, stop):
            product //= self._bounds[count] + 1
            scale.append(product)
        return stop, scale

    def _cheapest_in_block(self, stop: int, scale: Sequence[int]) -> list[int | None] | None:
        """Return the cheapest matching by the next counts, or None after raising a multiplier."""
        known = self._price(self._mate) if self._known else 0
        above = 1
        for count, weight in zip(range(self._known, stop), scale, strict=True):
            above += weight * self._bounds[count]
        multipliers = [above * held for held in self._multipliers[: self._known]]
        multipliers += scale
        multipliers += [0] * (self._counts.length - stop)
        mate = self._cheapest(multipliers)
        return None if self._raise_multiplier(self._price(mate), known) else mate

    def _raise_multiplier(self, price: int, target: int) -> bool:
        """Raise the multiplier of the first count that is worse than its known optimum. Return False if no
        count is worse.
        """
        got = [self._counts.of(price, count) for count in range(self._known)]
        best = [self._counts.of(target, count) for count in range(self._known)]
        worse = next((count for count in range(self._known) if got[count] != best[count]), None)
        if worse is None:
            return False
        if got[worse] < best[worse]:
            raise UnprovableError("a matching is cheaper than the optimum")
        saved = sum(
            self._multipliers[count] * (best[count] - got[count]) for count in range(worse + 1, self._known)
        )
        enough = max(saved // (got[worse] - best[worse]), self._multipliers[worse]) + 1
        self._multipliers[worse] = enough
        return True

    def _drop_what_costs_too_much(self, price: int) -> None:
        """Drop the pairs that cost more than the whole optimum. No cost is negative, so no optimal matching can
        contain such a pair.
        """
        best = [self._counts.of(price, count) for count in range(self._known)]
        dear = {
            cost
            for cost in self._distinct
            if any(count < self._known and amount > best[count] for count, amount in self._counts.amounts(cost))
        }
        if not dear:
            return
        self._costs = {pair: cost for pair, cost in self._costs.items() if cost not in dear}
        must = self._counts.one(UNMATCHED)
        self._leaving = [must if cost in dear else cost for cost in self._leaving]
        self._distinct = {*self._costs.values(), *self._leaving}

    def _renew_multipliers(self, price: int) -> None:
        """Set the multipliers of the known counts: zero if no remaining pair can raise the count, otherwise
        slowly decreasing.
        """
        live = {count for cost in self._distinct for count, _ in self._counts.amounts(cost)}
        active = [count for count in range(self._known) if count in live and self._counts.of(price, count)]
        if UNMATCHED in live:
            active = [UNMATCHED, *active]
        step = min(1.0, MULTIPLIER_BITS / (len(active) + 1))
        for place, count in enumerate(reversed(active)):
            self._multipliers[count] = max(self._multipliers[count], int(2 ** (step * place)))
        for count in range(self._known):
            if count not in active:
                self._multipliers[count] = 0

    def _cheapest(self, multipliers: Sequence[int], wishes: Wishes | None = None) -> list[int | None]:
        """The matching of the free vertices with the least weight and, among equals, with the most wishes."""
        import rustworkx  # noqa: PLC0415 -- most rounds never need it, and it is slow to import

        scale = wishes.scale if wishes else 1
        if (self._heaviest(multipliers) * scale).bit_length() > WEIGHT_BITS:
            raise UnprovableError("the counts of this field do not fit into the weights of rustworkx")
        weights = {cost: scale * self._weigh(cost, multipliers) for cost in self._distinct}
        free = self._free
        alone = [weights[cost] for cost in self._leaving]
        edges = [
            (one, other, alone[one] + alone[other] - weights[cost])
            for (one, other), cost in self._costs.items()
            if free[one] and free[other]
        ]
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(range(len(free)))
        graph.add_edges_from(wishes.added_to(edges) if wishes else edges)
        mate: list[int | None] = [None] * len(free)
        for one, other in rustworkx.max_weight_matching(graph, weight_fn=int):
            mate[one], mate[other] = other, one
        return mate

    def _price(self, mate: Sequence[int | None]) -> int:
        price = 0
        for vertex, other in enumerate(mate):
            if not self._free[vertex]:
                continue
            if other is None:
                price += self._leaving[vertex]
            elif vertex < other:
                price += self._costs[vertex, other]
        return price

    def _weigh(self, cost: int, multipliers: Sequence[int]) -> int:
        return sum(multipliers[count] * amount for count, amount in self._counts.amounts(cost))

    def _heaviest(self, multipliers: Sequence[int]) -> int:
        return 2 * max((self._weigh(cost, multipliers) for cost in self._distinct), default=0)
