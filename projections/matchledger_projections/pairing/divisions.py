"""Age Modified: one field of several divisions, paired inside them if possible (PKM-3.1.2-MOD; PKM-3.3.2 before a
cut).

A division outranks a record, so the number of pairs across divisions is as small as possible. If earlier opponents
allow it, no player leaves an even division, and one player leaves each odd division. Even divisions are then fields
of their own. Each of two odd divisions gives up a player of its topmost odd group: without this player, the group
is even and nobody in it is paired down. The numbers of players above and below that group are even as well. If
earlier opponents need more crossings, the odd divisions are matched together.
"""

from collections import Counter
from collections.abc import Collection
from itertools import chain

from matchledger_projections.pairing.crowds import read_crowded
from matchledger_projections.pairing.field import Field
from matchledger_projections.pairing.matching import Unmatchable
from matchledger_projections.pairing.piles import Reading, Slate, read_pile, zipped
from matchledger_projections.pairing.tangles import read_groups
from matchledger_projections.record.opponents import neighbours_met


def read_divisions(field: Field) -> list[Reading] | None:
    """Read an even field division by division.

    Return None if an even division cannot be paired by itself, or if the odd divisions need more than one
    crossing pair for every two of them.
    """
    assert field.divisions is not None  # noqa: S101 -- the caller asks only for a field that has them
    players = chain.from_iterable(field.groups)
    sizes = Counter(map(field.divisions.__getitem__, players))
    readings: list[Reading] = []
    for division, size in sizes.items():
        if size % 2 == 0:
            read = read_groups(_slate(field, {division}))
            if read is None:
                return None
            readings += read
    odd = [division for division, size in sizes.items() if size % 2]
    if odd:
        read = _read_two(field, *odd) if len(odd) == 2 else None  # noqa: PLR2004 -- more than two are matched
        read = read or _read_together(field, odd)
        if read is None:
            return None
        readings += read
    return readings


def _slate(field: Field, divisions: Collection[str], part: slice = slice(None), below: int | None = None) -> Slate:
    """The score groups of some divisions, or a `part` of these groups. Each group keeps its level in the whole
    field.
    """
    all_divisions = field.divisions or {}
    groups = [[player for player in group if all_divisions[player] in divisions] for group in field.groups]
    levels = [level for level, group in enumerate(groups) if group][part]
    return Slate(
        [groups[level] for level in levels],
        levels,
        field.met,
        twice=field.any_may_go_down_twice,
        seed=field.seed,
        below=below,
    )


def _read_together(field: Field, odd: Collection[str]) -> list[Reading] | None:
    divisions = field.divisions or {}
    try:
        reading = read_crowded(_slate(field, odd), divisions)
    except Unmatchable:
        return None
    crossing = sum(divisions[one] != divisions[other] for one, other in chain.from_iterable(reading.pairs))
    return [reading] if crossing == len(odd) // 2 else None


# -- two odd divisions


def _read_two(field: Field, one: str, other: str) -> list[Reading] | None:
    """Read two odd divisions by their order alone, with one crossing pair.

    Return None if the divisions are too tangled to be paired by their order alone.
    """
    if field.any_may_go_down_twice:
        return None
    upper, lower = sorted((_slate(field, {one}), _slate(field, {other})), key=_level_of_first_odd)
    from_place, to_place = _first_odd(upper), _first_odd(lower)
    level = lower.levels[to_place]
    if upper.levels[from_place] == level:
        above = _all_read(_part(upper, stop=from_place), _part(lower, stop=to_place))
        crossing = _crossed_inside(field, level, {*upper.groups[from_place], *lower.groups[to_place]})
    else:
        # The player left over in the upper odd group joins the lower group as a guest.
        above = _all_read(_part(upper, stop=from_place + 1, below=level), _part(lower, stop=to_place))
        guests = [player for reading in above or () for player in reading.down]
        crossing = read_pile(_part(lower, start=to_place, stop=to_place + 1), 0, guests) if guests else None
    below = _all_read(_part(upper, start=from_place + 1), _part(lower, start=to_place + 1))
    if above is None or crossing is None or below is None:
        return None
    readings = [*above, crossing, *below]
    return readings if all(map(_is_least, readings)) else None


def _level_of_first_odd(slate: Slate) -> int:
    return slate.levels[_first_odd(slate)]


def _first_odd(slate: Slate) -> int:
    return next(place for place, group in enumerate(slate.groups) if len(group) % 2)


def _part(slate: Slate, *, start: int = 0, stop: int | None = None, below: int | None = None) -> Slate:
    return Slate(slate.groups[start:stop], slate.levels[start:stop], slate.met, seed=slate.seed, below=below)


def _all_read(*slates: Slate) -> list[Reading] | None:
    readings = [read_groups(slate) for slate in slates]
    return None if None in readings else list(chain.from_iterable(read or () for read in readings))


def _crossed_inside(field: Field, level: int, members: Collection[int]) -> Reading | None:
    """Read a group in which both divisions are odd. Return None if the group cannot be paired in this way.

    The first pair of different divisions crosses, and then each division is alone.
    """
    divisions = field.divisions or {}
    pile = [player for player in field.groups[level] if player in members]
    stands = {player: place for place, player in enumerate(pile)}
    pairs: list[tuple[int, int]] = []
    while not pairs or divisions[pairs[-1][0]] == divisions[pairs[-1][1]]:
        player = pile.pop(0)
        past = field.met.get(player, ())
        opponent = next((other for other in pile if other not in past), None)
        if opponent is None:
            return None
        pile.remove(opponent)
        pairs.append((player, opponent))
    for division in {divisions[player] for player in pile}:
        members = [player for player in pile if divisions[player] == division]
        order = zipped(members, field.met, (), neighbours_met(field.met, members))
        if order is None:
            return None
        pairs += zip(order[::2], order[1::2], strict=True)
    pairs.sort(key=lambda pair: stands[pair[0]])
    return Reading(level, level + 1, (), [level], [pairs], [[]], None, exact=False)


def _is_least(reading: Reading) -> bool:
    """Return whether only the odd player of each odd group was paired down, and only to the next group."""
    guests = reading.guests
    for left in reading.left:
        if len(left) > 1 or set(left) & set(guests):
            return False
        guests = left
    return True
