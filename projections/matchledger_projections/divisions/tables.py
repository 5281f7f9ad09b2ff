"""Division tables: the standings of each division.

Divisions that play apart are ranked separately, each after its own last round (PKM-3.1.1-POD). Divisions that share
one Swiss get their places from the common table (PKM-3.1.2-MOD).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from matchledger_projections.divisions.grouping import division_mode, division_of, divisions_of
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import Row, Standings, standings


class DivisionTable(Struct, frozen=True):
    """The places of one division after `round`. `table` has the standings behind the places.

    `division` "" means no division.
    """

    division: str
    round: int
    table: Standings
    rows: tuple[Row, ...]


def ranked_apart(record: Record) -> tuple[str, ...]:
    """Return the divisions that are ranked separately, or an empty tuple if everybody shares one table."""
    return divisions_of(record) if division_mode(record) == "separated" else ()


def members(record: Record, division: str) -> frozenset[int]:
    """The players of a division."""
    return frozenset(player.number for player in record.entered() if division_of(record, player.number) == division)


def standings_apart(record: Record, round_: int | None = None, rulebook: Rulebook | None = None) -> list[Standings]:
    """Return the standings of all players who are ranked together: one table, or one for each division that plays
    apart.
    """
    apart = ranked_apart(record)
    if not apart:
        return [standings(record, round_, rulebook)]
    return [_of_division(record, division, round_, rulebook) for division in apart]


def rows_apart(record: Record, round_: int | None = None, rulebook: Rulebook | None = None) -> list[Row]:
    """Return the lines of all players. If divisions play apart, the place in a line counts within the division."""
    return [row for table in standings_apart(record, round_, rulebook) for row in table.rows]


def division_table(
    record: Record, division: str, round_: int | None = None, rulebook: Rulebook | None = None
) -> DivisionTable:
    """The standings of one division."""
    if ranked_apart(record):
        table = _of_division(record, division, round_, rulebook)
    else:
        table = standings(record, round_, rulebook)
    return DivisionTable(division, table.round, table, tuple(_rows(table, members(record, division))))


def division_tables(
    record: Record, round_: int | None = None, rulebook: Rulebook | None = None
) -> list[DivisionTable]:
    """Return the standings of every division. Without divisions, return one table without a name."""
    return [division_table(record, division, round_, rulebook) for division in divisions_of(record)]


def _of_division(record: Record, division: str, round_: int | None, rulebook: Rulebook | None) -> Standings:
    inside = members(record, division)
    through = record.finished_rounds if round_ is None else round_
    last = max((played.number for played in record.rounds() if played.players & inside), default=through)
    latest = through >= record.finished_rounds
    return standings(record, min(through, last), rulebook, players=inside, latest=latest)


def _rows(table: Standings, inside: frozenset[int]) -> Iterator[Row]:
    """Yield the lines of some players, with places counted among them."""
    rows = {row.player: row for row in table.rows}
    rank = 1
    for group in table.groups:
        level = [player for player in group if player in inside]
        for player in level:
            yield replace(rows[player], rank=rank, tied=len(level) > 1)
        rank += len(level)
    yield from (rows[player] for player in table.unranked if player in inside)
