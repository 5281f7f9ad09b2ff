"""A preview of the cut: the players inside, the first player outside with the reason, and the first games."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from matchledger.text.labels import HEADINGS, value_text
from matchledger.web.public.places import Tally, cut_of_division, flights_sending, ranked, tally
from matchledger_projections.divisions.tables import DivisionTable, division_table
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import numbers_from_the_top, seeded_games
from matchledger_projections.stages.cut import SMALLEST_CUT
from matchledger_projections.standings.standings import StepName
from matchledger_projections.views.cutline import cut_line


class Seeded(NamedTuple):
    """A player in the preview: the seed or the place, the name, and the result of the Swiss rounds."""

    number: int
    name: str
    tally: Tally
    points: int


class CutAhead(Struct, frozen=True):
    """A preview of a cut.

    `level` are the players who are tied for the last places in the cut. `decided` is the tiebreaker that separated
    the last player inside from the first player outside, and `values` are their values of it: two texts, or nothing
    if the points decided. If each flight sends its own best players, `flight` is the number of the first player's
    flight, and how many players it sends: the last player inside is then of the same flight (PKM-3.3.3.2-FINALS).

    `games` are the games of the first round from top to bottom of the bracket, with None for a bye. While players
    are tied, the list of games is empty.
    """

    division: str
    size: int
    inside: list[Seeded]
    level: list[str]
    first_out: Seeded | None
    flight: tuple[int, int] | None
    decided: StepName | None
    values: tuple[str, ...]
    games: list[tuple[Seeded, Seeded | None]]


def cuts_ahead(record: Record) -> list[CutAhead]:
    """Return the announced cuts that are not made yet, or an empty list before round 1 has ended."""
    if record.cuts or not record.finished_rounds or record.structure is None:
        return []
    divisions = [division for division, size in record.structure.division_cuts.items() if size]
    tables = [division_table(record, division) for division in divisions] or ranked(record)
    found = (_ahead(record, one) for one in tables)
    return [one for one in found if one is not None]


def _ahead(record: Record, one: DivisionTable) -> CutAhead | None:
    size = cut_of_division(record, one.division)
    if not size:
        return None
    line = cut_line(record, one.table, size, one.division or None)
    out = [row for row in one.rows if row.player not in {*line.inside, *line.level} and row.status == "active"]
    first = next((row for row in out if row.rank is not None), None)

    def said(number: int, player: int) -> Seeded:
        table = one.table.table
        return Seeded(number, record.players[player].name, tally(table, player), table.points[player])

    inside = {player: said(seed, player) for seed, player in enumerate(line.inside, 1)}
    games = [] if line.level or len(inside) < SMALLEST_CUT else seeded_games(line.inside)
    games = [games[number - 1] for number in numbers_from_the_top(len(games))] if games else []
    flights = flights_sending(record, one.division, size)
    flight = next((at for at, own in enumerate(flights) if first is not None and first.player in own), None)
    rivals = line.inside if flight is None else [player for player in line.inside if player in flights[flight]]
    edge = None
    if first is not None and rivals and not line.level:
        edge = one.table.decided_by(rivals[-1], first.player)
    return CutAhead(
        one.division,
        size,
        list(inside.values()),
        [record.players[player].name for player in line.level],
        None if first is None else said(first.rank or 0, first.player),
        None if flight is None else (flight + 1, size // len(flights)),
        edge,
        () if first is None or edge is None else _values(record, one, edge, (rivals[-1], first.player)),
        [(inside[game[0]], inside[game[1]] if len(game) > 1 else None) for game in games],
    )


def _values(record: Record, one: DivisionTable, step: StepName, players: tuple[int, int]) -> tuple[str, ...]:
    """Return the values of two players in the tiebreaker that separated them, or () if it has no values."""
    name = next((name for name in HEADINGS if name == step), None)
    values = [row.tiebreaks.get(name) for player in players for row in one.rows if row.player == player and name]
    if name is None or None in values:
        return ()
    return tuple(value_text(name, value, record.rulebook.decimals(name)) for value in values)
