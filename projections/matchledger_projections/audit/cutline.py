"""The cut line: who would go on if the cut were made on some standings."""

from __future__ import annotations

from typing import NamedTuple

from matchledger_projections.record import Record
from matchledger_projections.standings import Standings


class CutLine(NamedTuple):
    """The players inside, best first; `level` are those who share the last `places_left` places."""

    size: int
    inside: tuple[int, ...]
    level: tuple[int, ...]
    places_left: int


def cut_line(record: Record, table: Standings, size: int) -> CutLine:
    """Where a cut of `size` active players would fall."""
    inside: list[int] = []
    for group in table.groups:
        active = [player for player in group if record.status(player) == "active"]
        if len(inside) + len(active) > size:
            left = size - len(inside)
            return CutLine(size, tuple(inside), tuple(active) if left else (), left)
        inside += active
    return CutLine(size, tuple(inside), (), 0)
