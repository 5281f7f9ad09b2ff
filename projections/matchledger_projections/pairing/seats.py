"""Seats: which table each game gets.

Games get tables from 1 on, or from the first table of their division. A player with a fixed table plays there. An
elimination game gets the table with its number, unless that table is fixed for another player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count

from matchledger.events import Seating, Two
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


def seated(record: Record, games: Sequence[Two]) -> tuple[Seating, ...]:
    """Return the games of a round at their tables, from the top."""
    taken = _fixed(record, games, ())
    begin = record.first_tables
    if not taken and not begin:
        return _seatings(enumerate(games, 1))
    placed = set(taken.values())
    rows: dict[int, Iterator[int]] = {}  # for each division's first table, the table numbers from there on
    for two in games:
        if two not in placed:
            first = _first(record, begin, two) if begin else 1
            taken[next(table for table in rows.setdefault(first, count(first)) if table not in taken)] = two
    return _seatings(sorted(taken.items()))


def table_after(record: Record, round_: Round, division: str | None) -> int:
    """Return the first free table after the tables of a division in a posted round. If no division has its own
    first table, return the first table after all tables.
    """
    begin = record.first_tables
    first = begin.get((division or "").casefold(), 1)
    end = min((other for other in begin.values() if other > first), default=None)
    own = [table for table in round_.tables if first <= table and (end is None or table < end)]
    return next(table for table in count(max(own, default=first - 1) + 1) if table not in round_.tables)


def _seatings(games: Iterable[tuple[int, Two]]) -> tuple[Seating, ...]:
    """Return games at their tables, made by the validator of the class, because calling the class takes twice as
    long.
    """
    valid = Seating.__pydantic_validator__.validate_python
    return tuple([valid({"table": table, "players": two}) for table, two in games])


def seated_at(record: Record, games: Sequence[Two], tables: Sequence[int]) -> tuple[Seating, ...]:
    """Return reseated games at the free tables: games with a fixed table first, the others in order."""
    taken = _fixed(record, games, tables)
    free = iter([table for table in tables if table not in taken])
    at = {two: table for table, two in taken.items()}
    return tuple(Seating(table=at.get(two) or next(free), players=two) for two in games)


def seated_in_bracket(record: Record, games: Iterable[tuple[str | None, int, Two]]) -> tuple[Seating, ...]:
    """Return the games of an elimination round at their tables, in order of table.

    Each game has the division of its bracket, its number, and its players. Numbers of games count from 1 in a
    division with its own first table, and otherwise over all brackets. A game plays at the table of its number,
    unless that table is fixed for a player.
    """
    at = {two: record.first_tables.get(division or "", 1) + number - 1 for division, number, two in games}
    taken = _fixed(record, list(at), ())
    later = []
    for two, table in at.items():
        if two in taken.values():
            continue
        if table in taken:
            later.append(two)
        else:
            taken[table] = two
    for two in later:
        first = at[two]
        given_up = (table for other, table in at.items() if table not in taken and taken.get(first) == other)
        taken[next(chain(given_up, (table for table in count(first) if table not in taken)))] = two
    return _seatings(sorted(taken.items()))


def _fixed(record: Record, games: Sequence[Two], tables: Iterable[int]) -> dict[int, Two]:
    """Return the games of players with a fixed table. If two players have the same fixed table, the first game gets
    it.
    """
    fixed = record.fixed_tables
    free = set(tables)
    taken: dict[int, Two] = {}
    for two in games if fixed else ():
        wanted = (fixed[player] for player in two if player in fixed)
        table = next((table for table in wanted if table not in taken and (not free or table in free)), None)
        if table is not None:
            taken[table] = two
    return taken


def _first(record: Record, begin: Mapping[str, int], two: Two) -> int:
    """Return the first table of the division to which both players belong. `begin` has the first table of each
    division that does not begin at table 1.
    """
    divisions = {division_of(record, player) for player in two}
    return begin.get(divisions.pop(), 1) if len(divisions) == 1 else 1
