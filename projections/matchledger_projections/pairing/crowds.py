"""Crowds: players of one group and division, so many that an exact matching may take any few of them for all.

A field that must be matched as a whole is too large for that when it has hundreds of players: so a crowd sends a
few stand-ins, who have met nobody, and may stay among themselves. Three things make this exact:

* What a pair costs follows from the groups and divisions of its players alone, so members of a crowd may change
  places wherever they have not met the other's opponent. Inside a crowd a pair costs nothing.
* *The crowd can do whatever its stand-ins do.* Let nobody outside have met more than a of its members, and nobody
  inside more than m. When the stand-ins have k opponents outside, members are named for them one after the other:
  there is one for each, as k + a members are there. The others can be paired among themselves (Dirac: each may
  meet at least half of them) as they are even in number and at least 2m + 2. So a crowd has at least as many
  members as it has stand-ins, and max(a, 2m + 2) more.
* *More stand-ins would change nothing* while two of each crowd are not needed: as long as the optimum at hand
  leaves two of them to each other. For where it differs from a better one (or from another one with a certain
  pair), the two matchings make up circles, of pairs of the one and the other by turns. Say a circle is walked, and
  comes to two stand-ins of a crowd by pairs of the same matching: let them change places in one matching, and it
  falls into two circles. So a circle that cannot be split comes to each crowd twice at most, and to exchange
  along it takes at most two stand-ins more than the matching at hand has. One such circle is enough to better it
  (or holds the pair, and keeps the cost).

So the field is read pile by pile as `piles` says. While a crowd is large, a player of it meets the next that he
has not met: that leaves the stand-ins as they are. Only a candidate of another crowd or outside of all crowds is
a question for the matching. A crowd that gets too small for its stand-ins is a crowd no more.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice

from matchledger_projections.pairing.floats import Floats
from matchledger_projections.pairing.matching import Optimum, Unmatchable
from matchledger_projections.pairing.piles import Reading, Slate, guests_first
from matchledger_projections.pairing.tangles import read_coupled

Kind = tuple[int, str]
"""The place of a group among those to be read, and a division."""

Mate = Callable[[int], int | None]
"""Whom a vertex has as its opponent in a matching."""

SPARE = 2
"""Stand-ins that an optimum must leave to each other, for more of them to change nothing."""

SOON = 12
"""Crowds of a group end together when so few more players keep them large: each end makes a new graph."""


@dataclass(slots=True)
class _Crowd:
    """How many members have no opponent yet; how many there must be beside the stand-ins; and these."""

    members: int
    reserve: int
    size: int
    stand_ins: list[int] = field(default_factory=list)

    def is_large(self, *, without: int = 0) -> bool:
        return self.members - without >= self.size + self.reserve


def read_crowded(slate: Slate, divisions: Mapping[int, str]) -> Reading:
    """Read an even field of divisions by one exact matching; `Unmatchable` when there is none."""
    return _Hall(slate, divisions).read()


class _Hall:
    """The players who have no opponent yet, the crowds among them, and the optimum over who is left of them."""

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
        """Give more stand-ins to crowds that have too few of them at home; False when all have enough."""
        short = [kind for kind, crowd in self._crowds.items() if _at_home(crowd, mate) < SPARE]
        for kind in short:
            self._crowds[kind].size += SPARE
            if not self._crowds[kind].is_large():
                del self._crowds[kind]
        return bool(short)

    def _names(self) -> list[tuple[Kind, int | None]]:
        """The vertices: players by kind and number, and stand-ins, who have none. They are numbered anew."""
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
        """Ask about the players who are left, with the crowds as they are now."""
        while True:
            names = self._names()
            self._optimum.move_to(self._costs(names), [self._floats.unmatched()] * len(names))
            if not self._send_more(self._optimum.mate):
                return

    def _disband(self, place: int) -> None:
        """End the crowds of a group that are about to get too small: all at once, for each end is a new graph."""
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
        """The first after a player in the pile with whom an optimal pairing can be completed, taken out of
        question with him; None if he goes down.
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
        """Who is a question for the matching, one of each crowd, and after them the first of the player's own
        crowd, who is none.
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
        """What tells a player from others: his number, or his crowd."""
        kind = self._kinds[player]
        return kind if kind in self._crowds else player

    def _chosen(self, player: int, candidates: Sequence[int], companion: int | None) -> int | None:
        """The first of the candidates that a player can have, with both taken out of question; None if he can
        have none, or rather stays in his crowd.
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
    """How many stand-ins of a crowd have each other as opponents."""
    return sum(mate(vertex) in crowd.stand_ins for vertex in crowd.stand_ins)
