"""The pairing as posted, built from the readings of the groups."""

from collections.abc import Sequence
from itertools import chain

from matchledger_projections.pairing.field import Field, PairDown, Pairing
from matchledger_projections.pairing.piles import Reading


def posted(field: Field, readings: Sequence[Reading], bye: int | None = None) -> Pairing:
    """The tables from the top down, and the data for an explanation.

    Groups have the numbers of the field.

    `bye` is the player who was taken out before the pairing. If he was alone in his group, the readings do not know
    that group.
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
    """Tables by the groups of their players, the upper one first, and the players who were paired down."""

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
        """Divisions are read one after the other, so the tables are sorted back into the order of the groups."""
        stands = {player: place for place, player in enumerate(chain.from_iterable(field.groups))}
        for pairs in self.tables.values():
            pairs.sort(key=lambda pair: stands[pair[0]])
        self.pair_downs.sort(key=lambda down: stands[down.player])

    def _seat_guest(self, guest: int, opponent: int, group: int) -> None:
        origin, company = self._origins[guest], self._company[guest]
        alone = set(company) == {1} and (self._twice or len(company) == 1)
        self.tables.setdefault((origin, group), []).append((guest, opponent))
        self.pair_downs.append(PairDown(guest, opponent, origin, group, "odd" if alone else "tangled"))
