"""The crosstable on a page: every round of every player, with the opponent's place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from matchledger.web.public.hall import Hall
from matchledger.web.public.places import LETTERS
from matchledger_projections.divisions.tables import DivisionTable
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.clinch import decided_by_points
from matchledger_projections.views.prospects import Fate

MOST = 1000  # the most players for whom the page says who is certain of the cut


class Crossed(NamedTuple):
    """A player's line: for each round a letter and the opponent's place, or "" for a round that is not on the
    player's record.
    """

    row: Row
    name: str
    cells: tuple[str, ...]
    fate: Fate | None


class CrossedSection(NamedTuple):
    """Players who are ranked together. `is_racing` says that any of them is certain of the cut or out of it."""

    division: str
    rounds: range
    lines: list[Crossed]
    is_racing: bool


def crossed(hall: Hall) -> list[CrossedSection]:
    """Return the crosstable after the last finished Swiss round, with a section for each division that plays
    apart.
    """
    fates: Mapping[int, Fate] = {}
    if not hall.brackets and not hall.is_over and len(hall.rows) <= MOST:
        fates = decided_by_points(hall.whole, hall.log)
    return [_section(hall, one, fates) for one in hall.ranked if one.rows]


def _section(hall: Hall, one: DivisionTable, fates: Mapping[int, Fate]) -> CrossedSection:
    inside = {row.player for row in one.rows}

    def cell(letter: str, opponent: int | None) -> str:
        if opponent is None or (row := hall.rows.get(opponent)) is None:
            return letter
        return f"{letter}{row.rank or ''}{'' if opponent in inside else hall.letter(opponent)}"

    def cells(player: int) -> tuple[str, ...]:
        found = {line.round: cell(LETTERS[line.outcome], line.opponent) for line in one.table.table.lines(player)}
        return tuple(found.get(round_, "") for round_ in rounds)

    rounds = range(1, one.round + 1)
    lines = [Crossed(row, hall.name(row.player), cells(row.player), fates.get(row.player)) for row in one.rows]
    return CrossedSection(
        one.division, rounds, lines, any(line.fate in ("certain", "impossible") for line in lines)
    )
