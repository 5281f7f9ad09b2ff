"""The crosstable on a page: every round of every player, with the line of each opponent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from matchledger.web.public.hall import Hall
from matchledger.web.public.places import LETTERS, Edge, cut_line
from matchledger_projections.divisions.tables import DivisionTable
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.clinch import decided_by_points
from matchledger_projections.views.prospects import Fate

MOST = 1000  # the most players for whom the page says who is certain of the cut


class Crossed(NamedTuple):
    """A player's line: a letter and the opponent's line for each round, "" for a round without a record.

    `number` counts the lines of the section: players who share a place have lines of their own.
    """

    number: int
    row: Row
    cells: tuple[str, ...]
    fate: Fate | None


class CrossedSection(NamedTuple):
    """Players who are ranked together. `cut` is None where no line divides the places.

    `is_racing` is true if a player of the section is certain of the cut, or can no longer reach it.
    """

    division: str
    rounds: range
    lines: list[Crossed]
    cut: Edge | None
    is_racing: bool


def crossed(hall: Hall) -> list[CrossedSection]:
    """Return the crosstable after the last finished Swiss round, with a section for each division that plays
    separately.
    """
    fates: Mapping[int, Fate] = {}
    if not hall.brackets and not hall.is_over and len(hall.rows) <= MOST:
        fates = decided_by_points(hall.whole)
    numbers = {row.player: number for one in hall.ranked for number, row in enumerate(one.rows, 1)}
    return [_section(hall, one, numbers, fates) for one in hall.ranked if one.rows]


def _section(
    hall: Hall, one: DivisionTable, numbers: Mapping[int, int], fates: Mapping[int, Fate]
) -> CrossedSection:
    inside = {row.player for row in one.rows}

    def cell(letter: str, opponent: int | None) -> str:
        if opponent is None or opponent not in numbers:
            return letter
        return f"{letter}{numbers[opponent]}{'' if opponent in inside else hall.letter(opponent)}"

    def cells(player: int) -> tuple[str, ...]:
        found = {line.round: cell(LETTERS[line.outcome], line.opponent) for line in one.table.table.lines(player)}
        return tuple(found.get(round_, "") for round_ in rounds)

    rounds = range(1, one.round + 1)
    lines = [Crossed(numbers[row.player], row, cells(row.player), fates.get(row.player)) for row in one.rows]
    is_racing = any(line.fate in ("certain", "impossible") for line in lines)
    return CrossedSection(one.division, rounds, lines, cut_line(hall.whole, one), is_racing)
