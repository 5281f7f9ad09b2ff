"""Pairings: the opponents of a Swiss round, legal if a legal pairing exists, with the fewest floats.

`Floats` defines the best pairings, and the sentence in `piles` chooses one of them, whichever method finds it.
The order alone pairs most groups (`piles`); an exact matching pairs tangled groups (`tangles`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain

from msgspec.structs import replace

from matchledger_projections.message import sentence
from matchledger_projections.pairing.crowds import read_crowded
from matchledger_projections.pairing.divisions import read_divisions
from matchledger_projections.pairing.field import (
    ByeInLowestGroup,
    ByeTakenFirst,
    Field,
    NoLegalPairing,
    Obstruction,
    PairDown,
    Pairing,
)
from matchledger_projections.pairing.matching import Unmatchable
from matchledger_projections.pairing.obstruction import find_obstruction
from matchledger_projections.pairing.piles import Reading, Slate
from matchledger_projections.pairing.tangles import Tangle, read_groups, read_tangle

__all__ = [
    "ByeInLowestGroup",
    "ByeTakenFirst",
    "Field",
    "NoLegalPairing",
    "Obstruction",
    "PairDown",
    "Pairing",
    "pair",
    "pair_with_fewest_rematches",
]


def pair(field: Field) -> Pairing:
    """Pair a round without a rematch, if that is possible (L5R-IV.2-REMATCH, SWR-SWISS-NOREMATCH,
    PKM-3.1-NOREMATCH, ASH-NOREMATCH). No other pairing of the round is better by the counts of `Floats`. The order
    of the groups chooses among the best pairings, as described in `piles`. Raises `NoLegalPairing`, with the proof,
    if every pairing of the field has a rematch or an illegal bye.
    """
    if _count(field) % 2 == 0:
        return posted(field, _paired(field, {}))
    byes = _byes(field)
    if not byes:
        raise NoLegalPairing(
            sentence("every player has had a bye: to give a second one, override"),
            unpaired=1,
            obstruction=None,
        )
    if _is_taken_first(field):
        return _pair_after_bye(field, byes)
    return posted(field, _paired(field, byes))


def pair_with_fewest_rematches(field: Field) -> Pairing:
    """Pair a round with as few rematches as possible (POL-ALL-REMATCH-FALLBACK).

    Call this function only for an explicit override. If a legal pairing exists, the result is the same as from
    `pair`. The bye follows the same rules: for a second bye, an organizer adds the player to the candidates.
    """
    try:
        return pair(field)
    except NoLegalPairing as illegal:
        if illegal.obstruction is None:
            raise
    byes = _byes(field) if _count(field) % 2 else {}
    return posted(field, _by_matching(field, byes, rematches=True))


def _count(field: Field) -> int:
    players = sum(map(len, field.groups))
    if not all(field.groups):
        raise ValueError("a score group is empty: leave it out")
    return players


def _byes(field: Field) -> Mapping[int, int]:
    """Return the players who may take the bye with their ranks. The player with the lowest rank is preferred.

    With divisions, chance gives the bye to a player of the lowest group of all (PKM-3.1.2-MOD), whatever the pairs
    cost. Otherwise the players of one group are equals, and the bye is chosen together with the pairs.
    """
    if isinstance(field.bye, ByeTakenFirst):
        players = frozenset(chain.from_iterable(field.groups))
        return {player: rank for rank, player in enumerate(field.bye.candidates) if player in players}
    eligible = frozenset(field.bye.eligible)
    from_below = [[player for player in group if player in eligible] for group in reversed(field.groups)]
    if field.divisions is not None:
        last_first = chain.from_iterable(reversed(group) for group in from_below)
        return {player: rank for rank, player in enumerate(last_first)}
    return {player: rank for rank, group in enumerate(from_below) for player in group}


def _paired(field: Field, byes: Mapping[int, int]) -> list[Reading]:
    readings = _by_order(field, byes)
    return _by_matching(field, byes) if readings is None else readings


def _is_taken_first(field: Field) -> bool:
    return isinstance(field.bye, ByeTakenFirst) or field.divisions is not None


def _pair_after_bye(field: Field, byes: Mapping[int, int]) -> Pairing:
    """Give the bye first, then pair the others. The bye goes to the first player in rank without whom the others
    can be paired.
    """
    bye = min(byes, key=byes.__getitem__)
    try:
        return posted(field, _paired(_without(field, bye), {}), bye)
    except NoLegalPairing:
        bye = _first_for_whom_all_can_be_paired(field, byes)
    return posted(field, _paired(_without(field, bye), {}), bye)


def _without(field: Field, bye: int) -> Field:
    groups = [[player for player in group if player != bye] for group in field.groups]
    return replace(field, groups=[group for group in groups if group])


def _first_for_whom_all_can_be_paired(field: Field, byes: Mapping[int, int]) -> int:
    everybody = list(chain.from_iterable(field.groups))
    for part in _by_matching(replace(field, groups=[everybody], divisions=None), byes):
        if part.bye is not None:
            return part.bye
    raise AssertionError("a matching of an odd field gives a bye")


def _by_order(field: Field, byes: Mapping[int, int]) -> list[Reading] | None:
    """Pair by reading the groups from the top, with the bye in its proper place. Return None if the groups cannot
    be read in order.
    """
    if field.divisions is not None:
        return read_divisions(field)
    home = max(
        (place for place, group in enumerate(field.groups) if not byes.keys().isdisjoint(group)), default=None
    )
    levels = range(len(field.groups))
    twice = field.any_may_go_down_twice
    return read_groups(Slate(field.groups, levels, field.met, home, byes.keys(), twice, field.seed))


def _by_matching(field: Field, byes: Mapping[int, int], *, rematches: bool = False) -> list[Reading]:
    """Pair the whole field by one exact matching."""
    slate = Slate(
        field.groups, range(len(field.groups)), field.met, twice=field.any_may_go_down_twice, seed=field.seed
    )
    if field.divisions is not None and not byes and not rematches:
        with suppress(Unmatchable):
            return [read_crowded(slate, field.divisions)]
    tangle = Tangle(
        field.groups,
        range(len(field.groups)),
        field.met,
        (),
        byes,
        divisions=field.divisions,
        twice=field.any_may_go_down_twice,
        rematches=rematches,
    )
    try:
        optimum = tangle.optimum()
    except Unmatchable as unmatchable:
        raise _illegal(tangle, unmatchable) from None
    return [read_tangle(tangle, optimum, slate)]


def _illegal(tangle: Tangle, unmatchable: Unmatchable) -> NoLegalPairing:
    obstruction, unpaired = find_obstruction(tangle, unmatchable.matching)
    return NoLegalPairing(
        sentence(
            "no pairing without a rematch exists: %(count)s or more players stay without an opponent",
            count=unpaired,
        ),
        unpaired=unpaired,
        obstruction=obstruction,
    )


def posted(field: Field, readings: Sequence[Reading], bye: int | None = None) -> Pairing:
    """Return the tables from the top down, and data for an explanation.

    Groups are numbered as in the field.

    `bye` is the player who got the bye before the pairing. If that player was alone in a group, the readings do not
    contain the group.
    """
    numbers = [place for place, group in enumerate(field.groups) if len(group) > 1 or group[0] != bye]
    bye = next((reading.bye for reading in readings if reading.bye is not None), bye)
    wall = _Wall(numbers, twice=field.any_may_go_down_twice)
    for reading in readings:
        wall.add(reading)
    if field.divisions is not None:
        wall.sort(field)
    tables = tuple(chain.from_iterable(wall.tables[place] for place in sorted(wall.tables)))
    matched = {numbers[level] for reading in readings if reading.exact for level in reading.levels}
    return Pairing(
        tables=tables,
        bye=bye,
        bye_group=None if bye is None else next(place for place, group in enumerate(field.groups) if bye in group),
        pair_downs=tuple(sorted(wall.pair_downs, key=lambda down: (down.origin, down.destination))),
        exact=tuple(sorted(matched)),
        rematches=tuple(table for table in tables if table[1] in field.met.get(table[0], ())) if matched else (),
    )


class _Wall:
    """The tables of a round, collected by the groups of their players, and the players who were paired down."""

    def __init__(self, numbers: Sequence[int], *, twice: bool) -> None:
        self._numbers = numbers
        self._twice = twice
        self._origins: dict[int, int] = {}
        self._company: dict[int, list[int]] = {}
        self.tables: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self.pair_downs: list[PairDown] = []

    def add(self, reading: Reading) -> None:
        for level, pairs, left in zip(reading.levels, reading.pairs, reading.left, strict=True):
            group = self._numbers[level]
            natives = next((place for place, pair in enumerate(pairs) if pair[0] not in self._origins), len(pairs))
            for guest, opponent in pairs[:natives]:
                self._seat_guest(guest, opponent, group)
            self.tables.setdefault((group, group), []).extend(pairs[natives:])
            for player in left:
                self._origins.setdefault(player, group)
                self._company.setdefault(player, []).append(len(left))

    def sort(self, field: Field) -> None:
        """Sort the tables in the order of the groups, because divisions are read one after the other."""
        stands = {player: place for place, player in enumerate(chain.from_iterable(field.groups))}
        for pairs in self.tables.values():
            pairs.sort(key=lambda pair: stands[pair[0]])
        self.pair_downs.sort(key=lambda down: stands[down.player])

    def _seat_guest(self, guest: int, opponent: int, group: int) -> None:
        origin, company = self._origins[guest], self._company[guest]
        alone = set(company) == {1} and (self._twice or len(company) == 1)
        self.tables.setdefault((origin, group), []).append((guest, opponent))
        self.pair_downs.append(PairDown(guest, opponent, origin, group, "odd" if alone else "tangled"))
