"""Tangled groups: score groups that cannot be paired by reading their players in order. An exact matching pairs
tangled groups.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from matchledger_projections.pairing.floats import Floats
from matchledger_projections.pairing.matching import Optimum, Unmatchable
from matchledger_projections.pairing.piles import Reading, Slate, guests_first, read_pile
from matchledger_projections.record.opponents import ReplacedOpponents


class Tangle(Struct, frozen=True, dict=True):
    """Some consecutive groups of a field, which one exact matching pairs.

    `guests` came down into the first group. `byes` are the players who may take the bye, by rank. `byes` is empty
    if these groups have no bye. `below` is the level for players who leave the last group downwards, or None if
    no group follows. With `rematches`, players may meet again, at the highest cost.
    """

    groups: Sequence[Sequence[int]]
    levels: Sequence[int]
    met: Mapping[int, Collection[int]]
    guests: Sequence[int]
    byes: Mapping[int, int]
    below: int | None = None
    divisions: Mapping[int, str] | None = None
    twice: bool = False
    rematches: bool = False

    def players(self) -> list[int]:
        """Return the players in the order of their vertices. A bye has the vertex after the last player."""
        return [*self.guests, *chain.from_iterable(self.groups)]

    def crosses(self, one: int, other: int) -> bool:
        """Return whether two players are in different divisions."""
        return self.divisions is not None and self.divisions[one] != self.divisions[other]

    def optimum(self) -> Optimum:
        """Return all best pairings of these groups. Raises `Unmatchable` if the groups cannot be paired."""
        players = self.players()
        sizes = [len(group) for group in self.groups]
        sizes[0] += len(self.guests)
        floats = Floats(
            self.levels,
            sizes,
            self.levels[-1] + 1 if self.below is None else self.below,
            divided=self.divisions is not None,
            twice=self.twice,
            ranks=max(self.byes.values(), default=0),
        )
        places = [0] * len(self.guests)
        for place, group in enumerate(self.groups):
            places += [place] * len(group)
        costs = dict(self._costs(players, places, floats))
        leaving = [floats.unmatched()] * len(players)
        if self.below is not None:
            leaving = [floats.leaving(place) for place in places]
            if not self.twice:
                leaving[: len(self.guests)] = [floats.unmatched()] * len(self.guests)
        if self.byes:
            for vertex, player in enumerate(players):
                if player in self.byes and vertex >= len(self.guests):
                    costs[vertex, len(players)] = floats.bye(self.byes[player])
            leaving.append(floats.unmatched())
        return Optimum(costs, leaving, floats.bounds)

    def _costs(
        self, players: Sequence[int], places: Sequence[int], floats: Floats
    ) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the cost of each possible pair by its vertices. Costs are cached, because many pairs have the
        same few costs.
        """
        known: dict[tuple[int, int, bool, bool], int] = {}
        guests = len(self.guests)
        first = guests + len(self.groups[0])
        for one, player in enumerate(players):
            past = self.met.get(player, ())
            # Guests, who were paired down into this group, can only meet the group's own players, and not each
            # other.
            others = (
                range(guests, first)
                if one < guests and not self.twice
                else range(max(one + 1, guests), len(players))
            )
            for other in others:
                opponent = players[other]
                rematch = opponent in past
                if rematch and not self.rematches:
                    continue
                across = self.crosses(player, opponent)
                kind = (places[one], places[other], across, rematch)
                cost = known.get(kind)
                if cost is None:
                    cost = known[kind] = floats.pair(places[one], places[other], across=across, rematch=rematch)
                yield (one, other), cost


def read_groups(slate: Slate) -> list[Reading] | None:
    """Read all groups, or return None if no pairing is found. Widen the exact part around a tangled group until the
    groups outside cannot improve it.
    """
    read: list[Reading] = []
    while (group := read[-1].stop if read else 0) < len(slate.groups):
        guests = read[-1].down if read else ()
        reading = read_pile(slate, group, guests)
        start, stop = group, group + 1
        while reading is None:
            reading = _untangle(slate, start, stop, guests)
            if reading is not None:
                break
            if start == 0 and stop == len(slate.groups):
                return None
            start, stop, guests = _widened(slate, start, stop, read, guests)
        read.append(reading)
    return read


def _widened(
    slate: Slate, start: int, stop: int, read: list[Reading], guests: Sequence[int]
) -> tuple[int, int, Sequence[int]]:
    """Add at least one group to the tangle, until it has twice as many players.

    Add groups above the tangle, which are already read, and if there are none, groups below.
    """
    room = 2 * sum(map(len, slate.groups[start:stop]))
    if not read:
        stop += 1
        while stop < len(slate.groups) and sum(map(len, slate.groups[start : stop + 1])) <= room:
            stop += 1
        return start, stop, guests
    while read:
        above = read.pop()
        start, guests = above.start, above.guests
        if read and sum(map(len, slate.groups[read[-1].start : stop])) > room:
            break
    return start, stop, guests


def _untangle(slate: Slate, start: int, stop: int, guests: Sequence[int]) -> Reading | None:
    """Match some groups exactly.

    Return None if the best pairing of these groups depends on other groups.

    The pairing is independent of the other groups if it stays the best with any other guests.
    """
    below = slate.below if stop == len(slate.groups) else slate.levels[stop]
    byes = {}
    if slate.bye_group is not None and start <= slate.bye_group < stop:
        byes = {player: 0 for player in slate.groups[slate.bye_group] if player in slate.eligible}
    tangle = Tangle(
        slate.groups[start:stop],
        slate.levels[start:stop],
        slate.met,
        guests,
        byes,
        below=below,
        twice=slate.twice,
    )
    try:
        optimum = tangle.optimum()
    except Unmatchable:
        return None
    if guests and optimum.total != _with_strangers(tangle).optimum().total:
        return None
    if below is not None and _lengths_open(optimum, slate):
        return None
    return read_tangle(tangle, optimum, slate, start)


def _with_strangers(tangle: Tangle) -> Tangle:
    return Tangle(
        tangle.groups,
        tangle.levels,
        ReplacedOpponents(dict.fromkeys(tangle.guests, ()), tangle.met),
        tangle.guests,
        tangle.byes,
        below=tangle.below,
        twice=tangle.twice,
    )


def _lengths_open(optimum: Optimum, slate: Slate) -> bool:
    """Return whether the pair-downs of a group might split their length in another way (1 and 3, or 2 and 2)."""
    if slate.twice:
        return False
    counts = optimum.value()[3:]
    return any(downs > 1 and extra > 1 for downs, extra in zip(counts[::2], counts[1::2], strict=True))


def read_tangle(tangle: Tangle, optimum: Optimum, slate: Slate, start: int = 0) -> Reading:
    """Read the groups pile by pile, as `piles` says. The matching tells whether a pairing that has a certain pair
    can be completed.
    """
    players = tangle.players()
    vertices = {player: vertex for vertex, player in enumerate(players)}
    guests: list[int] = list(tangle.guests)
    bye = None
    pairs: list[list[tuple[int, int]]] = []
    left: list[list[int]] = []
    for place, group in enumerate(tangle.groups):
        if tangle.byes and bye is None:
            bye = _bye(group, tangle.byes, vertices, optimum)
        pile = slate.pile(start + place, guests, [player for player in group if player != bye])
        coupled, down = read_coupled(pile, vertices, optimum)
        pairs.append(guests_first(coupled, guests) if slate.twice else coupled)
        left.append(down)
        guests = down
    stop = start + len(tangle.groups)
    return Reading(start, stop, tangle.guests, tangle.levels, pairs, left, bye, exact=True)


def _bye(
    group: Sequence[int], byes: Mapping[int, int], vertices: Mapping[int, int], optimum: Optimum
) -> int | None:
    """Give the bye to the last player of its group with whom an optimal pairing can be completed. Return the
    player, or None.
    """
    bye = len(vertices)
    takers = {vertices[player]: player for player in reversed(group) if player in byes}
    if not optimum.meets_first(bye, takers):
        optimum.choose_first([bye, *takers], 1)
    taker = optimum.mate(bye)
    if taker is None or taker not in takers:
        return None
    optimum.fix(taker, bye)
    return takers[taker]


def read_coupled(
    pile: Sequence[int], vertices: Mapping[int, int], optimum: Optimum
) -> tuple[list[tuple[int, int]], list[int]]:
    """Read one pile from the optimum: its pairs, and the players who go down."""
    pairs = []
    down = []
    free = {vertices[player]: player for player in pile}
    chosen: Collection[int] = ()
    while free:
        vertex, *others = free
        if vertex not in chosen and not optimum.meets_first(vertex, others):
            order = [vertex, *others]
            chosen = frozenset(order[: optimum.choose_first(order, len(order))])
        player = free.pop(vertex)
        mate = optimum.mate(vertex)
        if mate is None or mate not in free:
            down.append(player)
            continue
        optimum.fix(vertex, mate)
        pairs.append((player, free.pop(mate)))
    return pairs, down
