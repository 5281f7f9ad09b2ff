"""Crowds: large sets of similar players, replaced by a few stand-ins in an exact matching.

All members of a crowd are in the same score group and division. A field of hundreds of players is too large for
one exact matching. Each crowd therefore sends a few stand-ins into the matching. A stand-in has met nobody, and
two stand-ins of the same crowd may be paired. Three facts make a matching with stand-ins exact:

* The cost of a pair depends only on the groups and divisions of its players. Two members of a crowd can therefore
  swap places, unless one of them has met the other's opponent. Inside a crowd a pair costs nothing.
* *A crowd can play whatever its stand-ins play.* Assume that each player outside has met at most a members, and
  each member at most m others. If the stand-ins have k opponents outside, choose members for these opponents one by
  one: k + a members are enough. The other members can be paired among themselves if their number is even and at
  least 2m + 2, because each can then meet at least half of them (Dirac). A crowd therefore needs at least as many
  members as it has stand-ins, and max(a, 2m + 2) more.
* *More stand-ins would change nothing* if the optimum pairs two stand-ins of each crowd with each other. Compare
  the optimum with a better matching, or with a matching that has a certain pair. The two matchings differ in cycles
  whose pairs alternate between them. If a cycle reaches two stand-ins of one crowd through pairs of the same
  matching, swap the two stand-ins in one matching: the cycle splits into two. A cycle that cannot be split
  therefore visits each crowd at most twice. Exchanging pairs along the cycle needs at most two more stand-ins
  than the optimum has. One cycle in which the matchings differ is enough to improve the optimum (or to get the
  pair at the same cost).

The field is read pile by pile, as described in `piles`. While a crowd is large, a member meets the next member
not met before, and the stand-ins stay the same. The matching only decides about candidates outside the member's
crowd. A crowd ends when it becomes too small for its stand-ins.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, combinations, islice

from msgspec import Struct, field

from matchledger_projections.pairing.floats import Floats
from matchledger_projections.pairing.matching import Optimum, Unmatchable
from matchledger_projections.pairing.piles import Reading, Slate, guests_first
from matchledger_projections.pairing.tangles import read_coupled

Kind = tuple[int, str]
"""The position of a group among those to be read, and a division."""

Mate = Callable[[int], int | None]
"""The opponent of a vertex in a matching."""

SPARE = 2
"""The stand-ins of a crowd that the optimum must pair with each other. More stand-ins then change nothing."""

SOON = 12
"""End the crowds of a group together when they are within this many players of the limit: each end makes a new
graph.
"""


class _Crowd(Struct):
    """The members without an opponent, the members kept in reserve besides the stand-ins, and the stand-ins."""

    members: int
    reserve: int
    size: int
    stand_ins: list[int] = field(default_factory=list)

    def is_large(self, *, without: int = 0) -> bool:
        return self.members - without >= self.size + self.reserve


def read_crowded(slate: Slate, divisions: Mapping[int, str]) -> Reading:
    """Pair an even field of divisions by one exact matching. Raises `Unmatchable` if the field has no matching."""
    return _Hall(slate, divisions).read()


class _Hall:
    """The players without an opponent, their crowds, and the optimum over the remaining players."""

    def __init__(self, slate: Slate, divisions: Mapping[int, str]) -> None:
        self._slate = slate
        self._kinds: dict[int, Kind] = {
            player: (place, divisions[player]) for place, group in enumerate(slate.groups) for player in group
        }
        self._crowds = self._found_crowds()
        self._never: set[tuple[Kind, Kind | int]] = set()
        self._vertices: dict[int, int] = {}
        self._optimum = self._first_optimum()

    def read(self) -> Reading:
        slate = self._slate
        pairs: list[list[tuple[int, int]]] = []
        left: list[list[int]] = []
        guests: list[int] = []
        for place, group in enumerate(slate.groups):
            coupled, down = self._read_pile(place, slate.pile(place, guests, group))
            pairs.append(guests_first(coupled, guests) if slate.twice else coupled)
            left.append(down)
            guests = down
        return Reading(0, len(slate.groups), (), slate.levels, pairs, left, None, exact=True)

    # -- crowds and their stand-ins

    def _found_crowds(self) -> dict[Kind, _Crowd]:
        inside: Counter[Kind] = Counter()
        outside: Counter[Kind] = Counter()
        for player, own in self._kinds.items():
            known = (self._kinds[other] for other in self._slate.met.get(player, ()) if other in self._kinds)
            for kind, count in Counter(known).items():
                most = inside if kind == own else outside
                most[kind] = max(most[kind], count)
        crowds = {}
        for kind, members in Counter(self._kinds.values()).items():
            crowd = _Crowd(members, max(outside[kind], 2 * inside[kind] + 2), SPARE + members % 2)
            if crowd.is_large():
                crowds[kind] = crowd
        return crowds

    def _first_optimum(self) -> Optimum:
        while True:
            names = self._names()
            levels = self._slate.levels
            places = Counter(kind[0] for kind, _ in names)
            floats = Floats(
                levels,
                [places[place] for place in range(len(levels))],
                levels[-1] + 1,
                divided=True,
                twice=self._slate.twice,
            )
            self._floats = floats
            try:
                optimum = Optimum(self._costs(names), [floats.unmatched()] * len(names), floats.bounds)
            except Unmatchable as unmatchable:
                if not self._send_more(unmatchable.matching.__getitem__):
                    raise
            else:
                if not self._send_more(optimum.mate):
                    return optimum

    def _send_more(self, mate: Mate) -> bool:
        """Give more stand-ins to crowds that have too few pairs of stand-ins. Return False if every crowd has
        enough.
        """
        short = [kind for kind, crowd in self._crowds.items() if _at_home(crowd, mate) < SPARE]
        for kind in short:
            self._crowds[kind].size += SPARE
            if not self._crowds[kind].is_large():
                del self._crowds[kind]
        return bool(short)

    def _names(self) -> list[tuple[Kind, int | None]]:
        """The vertices, newly numbered: players by kind and number, and stand-ins without a number."""
        players = [player for player, kind in self._kinds.items() if kind not in self._crowds]
        self._vertices = {player: vertex for vertex, player in enumerate(players)}
        names: list[tuple[Kind, int | None]] = [(self._kinds[player], player) for player in players]
        for kind, crowd in self._crowds.items():
            crowd.stand_ins = list(range(len(names), len(names) + crowd.size))
            names += [(kind, None)] * crowd.size
        return names

    def _costs(self, names: Sequence[tuple[Kind, int | None]]) -> dict[tuple[int, int], int]:
        met = self._slate.met
        kinds: dict[tuple[Kind, Kind], int] = {}
        costs = {}
        for (one, (kind, player)), (other, (its, opponent)) in combinations(enumerate(names), 2):
            if player is not None and opponent is not None and opponent in met.get(player, ()):
                continue
            cost = kinds.get((kind, its))
            if cost is None:
                (upper, division), (lower, another) = sorted((kind, its))
                cost = kinds[kind, its] = self._floats.pair(upper, lower, across=division != another)
            costs[one, other] = cost
        return costs

    def _renew(self) -> None:
        """Rebuild the matching for the remaining players, with the present crowds."""
        while True:
            names = self._names()
            self._optimum.move_to(self._costs(names), [self._floats.unmatched()] * len(names))
            if not self._send_more(self._optimum.mate):
                return

    def _disband(self, place: int) -> None:
        """End all crowds of a group that are about to become too small.

        The crowds end together, because each end makes a new graph.
        """
        for kind, crowd in list(self._crowds.items()):
            if kind[0] == place and not crowd.is_large(without=2 + SOON):
                del self._crowds[kind]
        self._renew()

    # -- reading

    def _read_pile(self, place: int, pile: Sequence[int]) -> tuple[list[tuple[int, int]], list[int]]:
        pairs: list[tuple[int, int]] = []
        down: list[int] = []
        free = dict.fromkeys(pile)
        while free:
            if not any(kind[0] == place for kind in self._crowds):
                others, gone = read_coupled(list(free), self._vertices, self._optimum)
                for player in chain.from_iterable(others):
                    del self._kinds[player]
                return pairs + others, down + gone
            player = next(iter(free))
            opponent = self._opponent(player, free)
            if opponent is None:
                down.append(player)
            else:
                pairs.append((player, opponent))
                del free[opponent], self._kinds[player], self._kinds[opponent]
            del free[player]
        return pairs, down

    def _opponent(self, player: int, pile: Iterable[int]) -> int | None:
        """Return the first later player in the pile with whom an optimal pairing can be completed, and fix this
        pair.

        Return None if the player goes down.
        """
        while True:
            candidates, companion = self._candidates(player, pile)
            crowd = self._crowds.get(self._kinds[player])
            if crowd is not None and not crowd.is_large(without=2):
                self._disband(self._kinds[player][0])
            elif candidates and self._send_more(self._optimum.mate):
                self._renew()
            else:
                break
        chosen = self._chosen(player, candidates, companion) if candidates else None
        if chosen is None and crowd is not None:
            crowd.members -= 2
            self._never.update((self._kinds[player], self._name(other)) for other in candidates)
            return companion
        return chosen

    def _candidates(self, player: int, pile: Iterable[int]) -> tuple[list[int], int | None]:
        """The candidates for the matching, one from each crowd, followed by the first candidate from the
        player's own crowd.

        The matching does not decide about that last candidate.
        """
        own = self._kinds[player]
        past = self._slate.met.get(player, ())
        candidates: list[int] = []
        asked: set[Kind | int] = set()
        for other in islice(pile, 1, None):
            if other in past:
                continue
            name = self._name(other)
            if name == own:
                return candidates, other
            if name not in asked and (own, name) not in self._never:
                asked.add(name)
                candidates.append(other)
        return candidates, None

    def _name(self, player: int) -> Kind | int:
        """A player's number, or the crowd whose stand-in replaces the player."""
        kind = self._kinds[player]
        return kind if kind in self._crowds else player

    def _chosen(self, player: int, candidates: Sequence[int], companion: int | None) -> int | None:
        """Return the first candidate who can be the player's opponent, and fix this pair. Return None if no
        candidate can, or if the player's own crowd is better.
        """
        optimum = self._optimum
        vertex = self._vertex(player)
        vertices = {self._vertex(other): other for other in candidates}
        order = [*vertices]
        if companion is not None:
            order.append(self._crowds[self._kinds[player]].stand_ins[1])
        if not optimum.meets_first(vertex, order):
            optimum.choose_first([vertex, *order], 1)
        mate = optimum.mate(vertex)
        if mate is None or mate not in vertices:
            return None
        optimum.fix(vertex, mate)
        for taken in (player, vertices[mate]):
            if crowd := self._crowds.get(self._kinds[taken]):
                del crowd.stand_ins[0]
                crowd.size -= 1
                crowd.members -= 1
        return vertices[mate]

    def _vertex(self, player: int) -> int:
        crowd = self._crowds.get(self._kinds[player])
        return self._vertices[player] if crowd is None else crowd.stand_ins[0]


def _at_home(crowd: _Crowd, mate: Mate) -> int:
    """Return the number of a crowd's stand-ins who are paired with a stand-in of the same crowd."""
    return sum(mate(vertex) in crowd.stand_ins for vertex in crowd.stand_ins)
