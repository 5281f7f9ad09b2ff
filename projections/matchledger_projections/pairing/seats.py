"""Seats: the table of each game.

Games take tables from 1 on, or from the first table of their division. A player with a fixed table plays there. In
the elimination stage a game's number is its table, so a fixed table swaps two games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from matchledger.events import Seating, Two
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


def seated(record: Record, games: Sequence[Two]) -> tuple[Seating, ...]:
    """The games of a round, from the top, at their tables."""
    taken = _fixed(record, games, ())
    for two in games:
        if two not in taken.values():
            taken[next(table for table in count(_first(record, two)) if table not in taken)] = two
    return tuple(Seating(table=table, players=two) for table, two in sorted(taken.items()))


def seated_at(record: Record, games: Sequence[Two], tables: Sequence[int]) -> tuple[Seating, ...]:
    """Reseated games at the free tables: fixed tables first, the others in order."""
    taken = _fixed(record, games, tables)
    free = iter([table for table in tables if table not in taken])
    at = {two: table for table, two in taken.items()}
    return tuple(Seating(table=at.get(two) or next(free), players=two) for two in games)


def moved(record: Record, round_: Round) -> dict[int, int]:
    """The elimination games that are played at another table, each with that table.

    Each game keeps its number. If two games want the same table, the first one gets it.
    """
    if round_.stage != "elimination":
        return {}
    at = {table: table for table in round_.tables}
    for fixed, two in _fixed(record, list(round_.tables.values()), ()).items():
        game = next(table for table, players in round_.tables.items() if players == two)
        holder = next((other for other, taken in at.items() if taken == fixed), game)
        at[holder], at[game] = at[game], fixed
    return {game: table for game, table in at.items() if game != table}


def moves(record: Record, round_: Round) -> list[Sentence]:
    """The same in words, one sentence for each table."""
    return [
        sentence("table %(game)s is played at table %(table)s", game=game, table=table)
        for game, table in moved(record, round_).items()
    ]


def _fixed(record: Record, games: Sequence[Two], tables: Iterable[int]) -> dict[int, Two]:
    """The games of players with a fixed table. If two players have the same one, the first game gets it."""
    fixed = record.fixed_tables
    free = set(tables)
    taken: dict[int, Two] = {}
    for two in games if fixed else ():
        wanted = (fixed[player] for player in two if player in fixed)
        table = next((table for table in wanted if table not in taken and (not free or table in free)), None)
        if table is not None:
            taken[table] = two
    return taken


def _first(record: Record, two: Two) -> int:
    """The first table of the division that both players belong to."""
    first = record.first_tables
    divisions = {division_of(record, player) for player in two} if first else set()
    return first.get(divisions.pop(), 1) if len(divisions) == 1 else 1
