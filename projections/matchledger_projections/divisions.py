"""Age Modified: one field of several divisions, paired inside them as far as that goes (PKM-3.1.2-MOD).

Division outranks record, so as few pairs as possible cross divisions: none out of an even division, one out
of each odd one, if their histories allow. Then the even divisions are fields of their own, and only the odd
ones are matched together.
"""

from collections import Counter
from collections.abc import Collection
from itertools import chain

from matchledger_projections.field import Field
from matchledger_projections.matching import Unmatchable
from matchledger_projections.piles import Reading, Slate
from matchledger_projections.tangles import Tangle, read_groups, read_tangle


def read_divisions(field: Field) -> list[Reading] | None:
    """Read an even field division by division; None when more pairs must cross than there are odd divisions
    for.
    """
    assert field.divisions is not None  # noqa: S101 -- the caller asks only for a field that has them
    players = chain.from_iterable(field.groups)
    sizes = Counter(field.divisions[player] for player in players)
    readings: list[Reading] = []
    for division, size in sizes.items():
        if size % 2 == 0:
            read = read_groups(_slate(field, {division}))
            if read is None:
                return None
            readings += read
    odd = {division for division, size in sizes.items() if size % 2}
    if odd:
        reading = _read_odd(field, odd)
        if reading is None:
            return None
        readings.append(reading)
    return readings


def _slate(field: Field, divisions: Collection[str]) -> Slate:
    """The players of some divisions, in groups that keep their place in the whole field."""
    all_divisions = field.divisions or {}
    parts = [[player for player in group if all_divisions[player] in divisions] for group in field.groups]
    return Slate(
        [part for part in parts if part],
        [level for level, part in enumerate(parts) if part],
        field.met,
        twice=field.any_may_go_down_twice,
        seed=field.seed,
    )


def _read_odd(field: Field, odd: Collection[str]) -> Reading | None:
    slate = _slate(field, odd)
    tangle = Tangle(slate.groups, slate.levels, slate.met, (), {}, divisions=field.divisions, twice=slate.twice)
    try:
        optimum = tangle.optimum()
    except Unmatchable:
        return None
    reading = read_tangle(tangle, optimum, slate)
    crossing = sum(tangle.crosses(one, other) for one, other in chain.from_iterable(reading.pairs))
    return reading if crossing == len(odd) // 2 else None
