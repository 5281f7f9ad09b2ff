"""The cut line: the players who would qualify if the cut were made from given standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple

from matchledger_projections.divisions.tables import division_table, members
from matchledger_projections.document import UNSAID, PlayerName
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.cut import flights_in
from matchledger_projections.standings.standings import Standings, standings


class CutLine(NamedTuple):
    """The players inside, best first.

    `level` has the players who are tied for the last `places_left` places.

    `division` is the division of the cut. `division` is None for a common cut.
    """

    size: int
    inside: tuple[PlayerName, ...]
    level: tuple[PlayerName, ...]
    places_left: int
    division: Annotated[str | None, UNSAID] = None


def cut_line(record: Record, table: Standings, size: int, division: str | None = None) -> CutLine:
    """Return the cut line for `size` active players, in the common standings or the standings of a division.

    Each flight of a division sends on the same number of players (PKM-3.3.3.2-FINALS).
    """
    own = None if division is None else members(record, division)
    groups = [
        [player for player in group if record.status(player) == "active" and (own is None or player in own)]
        for group in table.groups
    ]
    flights = flights_in(record, division)
    if not flights or size % len(flights):
        return CutLine(size, *_edge(groups, size), division)
    edges = [
        _edge([[player for player in group if player in flight] for group in groups], size // len(flights))
        for flight in flights
    ]
    inside = {player for edge in edges for player in edge[0]}
    level = {player for edge in edges for player in edge[1]}
    order = [player for group in groups for player in group]
    return CutLine(
        size,
        tuple(player for player in order if player in inside),
        tuple(player for player in order if player in level),
        sum(left for _, _, left in edges),
        division,
    )


def _edge(groups: Iterable[Sequence[int]], size: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return the players who are certainly inside, the players who are tied at the edge, and the places left for
    the tied players.
    """
    inside: list[int] = []
    for group in groups:
        if len(inside) + len(group) > size:
            left = size - len(inside)
            return tuple(inside), tuple(group) if left else (), left
        inside += group
    return tuple(inside), (), 0


def cut_lines(
    record: Record, sizes: Mapping[str | None, int], round_: int | None = None, rulebook: Rulebook | None = None
) -> list[CutLine]:
    """Return the lines of several cuts after a round. `sizes` are by division."""
    return [
        cut_line(record, _table(record, division, round_, rulebook), size, division)
        for division, size in sizes.items()
    ]


def _table(record: Record, division: str | None, round_: int | None, rulebook: Rulebook | None) -> Standings:
    if division is None:
        return standings(record, round_, rulebook)
    return division_table(record, division, round_, rulebook).table
