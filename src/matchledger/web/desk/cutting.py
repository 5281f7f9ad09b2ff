"""A preview of the cut: the players inside, the first player outside with the reason, and the first games."""

from __future__ import annotations

from msgspec import Struct

from matchledger.web.public.places import Tally, cut_of_division, ranked, tally
from matchledger_projections.divisions.tables import DivisionTable, division_table
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import seeded_games
from matchledger_projections.standings.standings import StepName
from matchledger_projections.views.cutline import cut_line


class CutAhead(Struct, frozen=True):
    """A preview of a cut.

    `level` are the players who are tied for the last places in the cut. `decided` is the tiebreaker that separated
    the last player inside from the first player outside.

    `games` are the games of the first round by seed, with "" for a bye. While players are tied, the list of games
    is empty.
    """

    division: str
    size: int
    inside: list[tuple[str, Tally, int]]
    level: list[str]
    first_out: tuple[str, Tally, int] | None
    decided: StepName | None
    games: list[tuple[str, str]]


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

    def said(player: int) -> tuple[str, Tally, int]:
        table = one.table.table
        return record.players[player].name, tally(table, player), table.points[player]

    games = [] if line.level else [_game(record, game) for game in seeded_games(line.inside)]
    edge = None if first is None or not line.inside else one.table.decided_by(line.inside[-1], first.player)
    return CutAhead(
        one.division,
        size,
        [said(player) for player in line.inside],
        [record.players[player].name for player in line.level],
        None if first is None else said(first.player),
        None if line.level else edge,
        games if len(line.inside) > 1 else [],
    )


def _game(record: Record, players: tuple[int, ...]) -> tuple[str, str]:
    names = [record.players[player].name for player in players]
    return names[0], names[1] if len(names) > 1 else ""
