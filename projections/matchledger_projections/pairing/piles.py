"""Piles: the score groups in reading order, from the top. A pile is a group with the players who came down into
it.

One sentence fixes the choice among all optimal pairings, so that any other program can derive it again:
*pile by pile from the top, in the order of the pile, each player who is still free meets the first free player
after him with whom an optimal pairing of the whole field can still be completed; a player without such an opponent
goes down.* Without earlier opponents, the first in a pile meets the second, the third meets the fourth, and so on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from hashlib import shake_256
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from matchledger_projections.record.opponents import ReplacedOpponents, neighbours_met

TAIL = 48  # one search pairs this many players at the end of a group
PATIENCE = 2_000  # the number of pairs to try before the exact matching


class _Foreseen(NamedTuple):
    """What to expect of a pile: the players who come down into it, and the positions of neighbours who have
    already met.
    """

    guests: list[int]
    clashes: list[int]


class Slate(Struct, frozen=True, dict=True):
    """The groups to read, as in `Field`. The bye is already assigned to one group, or to none.

    `levels` number the groups from the top. A division by itself may skip some numbers. `below` is the level for
    players who leave the last group downwards. If `below` is None, no group follows, so everybody must be paired.
    """

    groups: Sequence[Sequence[int]]
    levels: Sequence[int]
    met: Mapping[int, Collection[int]]
    bye_group: int | None = None
    eligible: Collection[int] = ()
    twice: bool = False
    seed: bytes = b""
    below: int | None = None

    @cached_property
    def bye(self) -> int | None:
        """Return the player who gets the bye: the last eligible player of the group that has the bye. Return None
        without a bye.
        """
        if self.bye_group is None:
            return None
        return next(player for player in reversed(self.groups[self.bye_group]) if player in self.eligible)

    def natives(self, group: int) -> Sequence[int]:
        """Return the players of a group who are to be paired."""
        natives = self.groups[group]
        return [player for player in natives if player != self.bye] if group == self.bye_group else natives

    def clashes(self, group: int, guests: Sequence[int], pile: Sequence[int]) -> list[int]:
        """Return the positions of neighbours in a pile who cannot meet. Two guests count as players who cannot
        meet.
        """
        foreseen = self._foreseen[group]
        if list(guests) == foreseen.guests and not (guests and self.twice):
            return foreseen.clashes
        clashes = neighbours_met(self.met, pile)
        if len(guests) > 1:
            strangers = frozenset(guests)
            together = (
                place for place in range(0, len(pile) - 1, 2) if strangers.issuperset(pile[place : place + 2])
            )
            clashes = sorted({*clashes, *together})
        return clashes

    @cached_property
    def _foreseen(self) -> list[_Foreseen]:
        """Return what to expect of each pile, if only the last player of an odd pile goes down. All piles then
        form one line, which is checked at once.
        """
        groups = [self.natives(group) for group in range(len(self.groups))]
        line = list(chain.from_iterable(groups))
        clashes = neighbours_met(self.met, line)
        foreseen = []
        stop = 0
        for natives in groups:
            start, stop = stop, stop + len(natives)
            first = start - start % 2
            inside = clashes[bisect_left(clashes, first) : bisect_left(clashes, stop - 1)]
            foreseen.append(_Foreseen(line[first:start], [place - first for place in inside]))
        return foreseen

    def pile(self, group: int, guests: Sequence[int], natives: Sequence[int]) -> list[int]:
        """Return the pile in the order in which it is read.

        Players who came down come first, so that they are paired first.

        With `twice` (POL-SWR-DOUBLE-DOWN = any), a player who came down may be the odd player again. Such a
        player's place in the pile is random, with equal chances. SHAKE-256 derives the place from the seed and
        the orders of all groups.
        """
        if not self.twice:
            return [*guests, *natives]
        pile = list(natives)
        for guest in guests:
            word = shake_256(f"{self._orders}|{group}|{guest}".encode()).digest(8)
            pile.insert(int.from_bytes(word) % (len(pile) + 1), guest)
        return pile

    @cached_property
    def _orders(self) -> str:
        text = "|".join(",".join(map(str, group)) for group in self.groups)
        return f"matchledger/pairdown/1|{self.seed.hex()}|{shake_256(text.encode()).hexdigest(32)}"


class Reading(Struct, frozen=True):
    """The result of reading the groups from `start` to before `stop`: the pairs, the bye, and the players who
    go down.

    `guests` are the players who came down into `start`. Each group has its level, its pairs (those of guests
    first), and the players who went down from it.
    """

    start: int
    stop: int
    guests: Sequence[int]
    levels: Sequence[int]
    pairs: Sequence[Sequence[tuple[int, int]]]
    left: Sequence[Sequence[int]]
    bye: int | None
    exact: bool

    @property
    def down(self) -> Sequence[int]:
        return self.left[-1]


def read_pile(slate: Slate, group: int, guests: Sequence[int]) -> Reading | None:
    """Read one group with the fewest pair-downs for its number of players: every guest is paired, and one player
    goes down if the pile is odd.

    No pairing of the field has fewer pair-downs, so the reading is optimal if the other groups can be read in the
    same way. Return None if the pile is too tangled for this short search.
    """
    pile = slate.pile(group, guests, slate.natives(group))
    odd = len(pile) % 2 == 1
    if odd and group + 1 == len(slate.groups) and slate.below is None:
        return None
    met = slate.met if len(guests) < 2 else _strangers_to_each_other(slate.met, guests)  # noqa: PLR2004 - a pair needs two players
    bound = frozenset() if slate.twice else frozenset(guests)
    order = zipped(pile, met, bound, slate.clashes(group, guests, pile))
    if order is None:
        return None
    pairs = list(zip(order[::2], order[1::2], strict=False))
    if slate.twice:
        pairs = guests_first(pairs, guests)
    return Reading(
        group,
        group + 1,
        guests,
        [slate.levels[group]],
        [pairs],
        [order[-1:] if odd else []],
        slate.bye if group == slate.bye_group else None,
        exact=False,
    )


def guests_first(pairs: Sequence[tuple[int, int]], guests: Collection[int]) -> list[tuple[int, int]]:
    """Return the tables in order: first those of guests, because guests come from a higher group."""
    turned = [(other, one) if other in guests else (one, other) for one, other in pairs]
    return sorted(turned, key=lambda pair: pair[0] not in guests)


def _strangers_to_each_other(
    met: Mapping[int, Collection[int]], guests: Sequence[int]
) -> Mapping[int, Collection[int]]:
    """Return `met` with any two guests counted as having met, because guests came down for lack of a legal
    opponent among themselves.
    """
    return ReplacedOpponents({guest: {*met.get(guest, ()), *guests} for guest in guests}, met)


def zipped(
    pile: list[int], met: Mapping[int, Collection[int]], bound: Collection[int], clashes: Sequence[int]
) -> list[int] | None:
    """Return the first order of the pile in which all neighbours can meet, with the odd player last, or None if
    none is found.

    `bound` players may not be the odd player. `clashes` are the positions of neighbours who cannot meet. The search
    changes the order only from the first clash on.
    """
    order = pile.copy()
    place = 0
    for clash in clashes:
        place = changed = max(place, clash)
        while place <= changed and place + 1 < len(order):
            past = met.get(order[place], ())
            if order[place + 1] in past:
                later = next((later for later in range(place + 2, len(order)) if order[later] not in past), None)
                if later is None:
                    return _with_other_tail(pile, order, place, met, bound)
                order.insert(place + 1, order.pop(later))
                changed = max(changed, later)
            place += 2
    if len(order) % 2 and order[-1] in bound:
        return _with_other_tail(pile, order, len(order) - 1, met, bound)
    return order


def _with_other_tail(
    pile: Sequence[int],
    order: list[int],
    place: int,
    met: Mapping[int, Collection[int]],
    bound: Collection[int],
) -> list[int] | None:
    """Undo as few of the last pairs as possible, and pair their players again. Return None if no other pairs give
    a legal order.
    """
    stands = {player: index for index, player in enumerate(pile)}
    taken_back = 0
    while len(order) - (start := max(place - 2 * taken_back, 0)) <= TAIL:
        try:
            tail = _Tail(met, bound).first(sorted(order[start:], key=stands.__getitem__), odd=len(order) % 2 == 1)
        except TimeoutError:
            return None
        if tail is not None:
            return order[:start] + tail
        if start == 0:
            return None
        taken_back = taken_back * 2 or 1
    return None


class _Tail:
    """A search in reading order through all ways to pair a few players, for the first legal one."""

    def __init__(self, met: Mapping[int, Collection[int]], bound: Collection[int]) -> None:
        self._met = met
        self._bound = bound
        self._tried = 0

    def first(self, rest: list[int], *, odd: bool) -> list[int] | None:
        if not rest:
            return []
        self._tried += 1
        if self._tried > PATIENCE:
            raise TimeoutError
        player, *others = rest
        past = self._met.get(player, ())
        for place, other in enumerate(others):
            if other not in past:
                coupled = self.first(others[:place] + others[place + 1 :], odd=odd)
                if coupled is not None:
                    return [player, other, *coupled]
        if odd and player not in self._bound:
            coupled = self.first(others, odd=False)
            if coupled is not None:
                return [*coupled, player]
        return None
