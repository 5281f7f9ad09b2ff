"""Soundness: whether the rulebook allows the seating of a round by the results before it.

A pairing is *sound* if chance could have made it: no rematch, the bye for a player of the right class, and no
pairing with fewer floats (`Floats`). If divisions share a pool, pairs across them count before the floats
(PKM-3.1.2-MOD).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from msgspec import Struct

from matchledger_projections.pairing.field import ByeInLowestGroup, ByeTakenFirst, Field, NoLegalPairing
from matchledger_projections.pairing.floats import Floats
from matchledger_projections.pairing.lineup import Lineup
from matchledger_projections.pairing.pairings import pair

Two = tuple[int, int]


class Seats(Struct, frozen=True):
    """A seating: pairs in the order of their tables, and the player with the bye."""

    pairs: tuple[Two, ...]
    bye: int | None = None

    @property
    def players(self) -> frozenset[int]:
        return frozenset(chain.from_iterable(self.pairs)) | ({self.bye} if self.bye is not None else frozenset())

    def moved_from(self, before: Seats) -> frozenset[int]:
        """Return the players who have another opponent than before, or a new bye."""
        kept = set(map(frozenset, before.pairs))
        moved = {player for two in self.pairs if frozenset(two) not in kept for player in two}
        if self.bye is not None and self.bye != before.bye:
            moved.add(self.bye)
        return frozenset(moved)


def is_sound(lineup: Lineup, seats: Seats) -> bool:
    """Return whether the rulebook allows a pairing of the players in the line-up."""
    if seats.players != lineup.players or any(two[1] in lineup.met[two[0]] for two in seats.pairs):
        return False
    best = best_seats(lineup, seats.bye)
    if best is None:
        return False
    prices = Prices(lineup, standing_groups(lineup, seats.bye))
    return prices.total(seats) == prices.total(best)


def standing_groups(lineup: Lineup, bye: int | None) -> tuple[tuple[int, ...], ...]:
    """Return the score groups between which players can float.

    A bye given before the pairing (L5R-IV.2a-BYE, ASH-BYE) may empty the group of its player. An empty group does
    not count, so the groups above and below it are neighbours.
    """
    return tuple(group for group in lineup.groups if not (lineup.bye_first and group == (bye,)))


def best_seats(lineup: Lineup, bye: int | None) -> Seats | None:
    """Return one of the best pairings under the rulebook.

    A bye that is given before the pairing stays with its player.

    Return None if that player cannot have the bye, or if no pairing is legal.
    """
    if len(lineup.players) % 2 == 0 or not lineup.bye_first:
        return _paired(lineup, [player for equals in lineup.byes for player in equals])
    for equals in lineup.byes:
        if bye in equals:
            return _paired(lineup, [player for player in equals if player == bye])
        if any(_paired(lineup, [player]) for player in equals):
            return None
    return None


def may_have_bye(lineup: Lineup, player: int) -> bool:
    """Return whether the rulebook can give a player the bye: the player is in the first class, and the others can
    be paired.

    If every pairing has a rematch, any player who may have the bye can have it.
    """
    for equals in lineup.byes:
        if player in equals and _paired(lineup, [player]) is not None:
            return True
        if _paired(lineup, equals) is not None:
            return False
    return any(player in equals for equals in lineup.byes)


def _paired(lineup: Lineup, byes: Sequence[int]) -> Seats | None:
    bye = ByeTakenFirst(candidates=byes) if lineup.bye_first else ByeInLowestGroup(eligible=byes)
    field = Field(
        groups=lineup.groups,
        met=lineup.met,
        bye=bye,
        divisions=lineup.divisions,
        any_may_go_down_twice=lineup.any_may_go_down_twice,
    )
    try:
        pairing = pair(field)
    except NoLegalPairing:
        return None
    return Seats(pairing.tables, pairing.bye)


class Prices:
    """The cost of pairs and byes by `Floats`, among some groups of a line-up."""

    def __init__(self, lineup: Lineup, groups: Sequence[Sequence[int]]) -> None:
        self.place = {player: place for place, group in enumerate(groups) for player in group}
        self._class = {player: rank for rank, equals in enumerate(lineup.byes) for player in equals}
        self._divisions = lineup.divisions
        self._floats = Floats(
            range(len(groups)),
            [len(group) for group in groups],
            len(groups),
            divided=lineup.divisions is not None,
            twice=lineup.any_may_go_down_twice,
            ranks=len(lineup.byes),
        )

    @property
    def bounds(self) -> list[int]:
        """Return the largest possible value of each count of a price, the most important first."""
        return self._floats.bounds

    @property
    def unmatched(self) -> int:
        return self._floats.unmatched()

    def of(self, one: int, other: int) -> int:
        upper, lower = sorted((self.place[one], self.place[other]))
        return self._floats.pair(upper, lower, across=self.division(one) != self.division(other))

    def division(self, player: int) -> str:
        """Return a player's division, or "" if divisions do not matter."""
        return "" if self._divisions is None else self._divisions[player]

    def of_bye(self, player: int) -> int | None:
        """Return the price of a bye, or None if the player may not have it."""
        rank = self._class.get(player)
        return None if rank is None else self._floats.bye(rank)

    def total(self, seats: Seats) -> int | None:
        """Return the price of a whole pairing. Return None if the bye goes to a player who may not have it."""
        bye = 0 if seats.bye is None else self.of_bye(seats.bye)
        return None if bye is None else bye + sum(self.of(*two) for two in seats.pairs)
