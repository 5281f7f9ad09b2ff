"""Soundness: whether a round as it is seated is one that the rulebook could have given the records behind it.

A pairing is *sound* when it is one of those that the rulebook leaves to chance: nobody meets twice, the bye falls
to a player of the class that it should, and no other pairing has fewer floats (`Floats`). Where divisions share a
pool, pairs across them count before the floats (PKM-3.1.2-MOD).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from matchledger_projections.pairing.field import ByeInLowestGroup, ByeTakenFirst, Field, NoLegalPairing
from matchledger_projections.pairing.floats import Floats
from matchledger_projections.pairing.lineup import Lineup
from matchledger_projections.pairing.pairings import pair

Two = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits where: pairs in order of their tables, and who has the bye."""

    pairs: tuple[Two, ...]
    bye: int | None = None

    @property
    def players(self) -> frozenset[int]:
        return frozenset(chain.from_iterable(self.pairs)) | ({self.bye} if self.bye is not None else frozenset())

    def moved_from(self, before: Seats) -> frozenset[int]:
        """The players who have another opponent than before, or get the bye."""
        kept = set(map(frozenset, before.pairs))
        moved = {player for two in self.pairs if frozenset(two) not in kept for player in two}
        if self.bye is not None and self.bye != before.bye:
            moved.add(self.bye)
        return frozenset(moved)


def is_sound(lineup: Lineup, seats: Seats) -> bool:
    """Whether a pairing is one that the rulebook could have given the players of the line-up."""
    if seats.players != lineup.players or any(two[1] in lineup.met[two[0]] for two in seats.pairs):
        return False
    best = best_seats(lineup, seats.bye)
    if best is None:
        return False
    prices = Prices(lineup, standing_groups(lineup, seats.bye))
    return prices.total(seats) == prices.total(best)


def standing_groups(lineup: Lineup, bye: int | None) -> tuple[tuple[int, ...], ...]:
    """The score groups that players can float between.

    Where the bye is taken out before anybody is paired (L5R-IV.2a-BYE, ASH-BYE), a group that held nobody else is
    none: from the group above it to the one below it is one step.
    """
    return tuple(group for group in lineup.groups if not (lineup.bye_first and group == (bye,)))


def best_seats(lineup: Lineup, bye: int | None) -> Seats | None:
    """One of the best pairings that the rulebook can give, with the bye left where it is if it is taken out first.

    None when the bye cannot stay there, or when no pairing is legal.
    """
    if len(lineup.players) % 2 == 0 or not lineup.bye_first:
        return _paired(lineup, [player for equals in lineup.byes for player in equals])
    for equals in lineup.byes:
        if bye in equals:
            return _paired(lineup, [player for player in equals if player == bye])
        if any(_paired(lineup, [player]) for player in equals):
            return None
    return None


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
    """What pairs and byes cost, by `Floats`, among some groups of a line-up."""

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
        """How large each count of a price can get, the gravest first."""
        return self._floats.bounds

    @property
    def unmatched(self) -> int:
        return self._floats.unmatched()

    def of(self, one: int, other: int) -> int:
        upper, lower = sorted((self.place[one], self.place[other]))
        return self._floats.pair(upper, lower, across=self.division(one) != self.division(other))

    def division(self, player: int) -> str:
        """The division of a player; the same for all where divisions play no part."""
        return "" if self._divisions is None else self._divisions[player]

    def of_bye(self, player: int) -> int | None:
        """None for a player who may not have it."""
        rank = self._class.get(player)
        return None if rank is None else self._floats.bye(rank)

    def total(self, seats: Seats) -> int | None:
        """The price of a whole pairing; None when somebody has the bye who may not."""
        bye = 0 if seats.bye is None else self.of_bye(seats.bye)
        return None if bye is None else bye + sum(self.of(*two) for two in seats.pairs)
