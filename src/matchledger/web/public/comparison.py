"""Head to head: the two players of a match next to each other, their meetings, and their common opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matchledger.events import Stage
from matchledger.web.public.hall import Hall
from matchledger.web.public.places import LETTERS, Tally, tally
from matchledger_projections.record.reports import Report
from matchledger_projections.standings.crosstable import Line
from matchledger_projections.standings.standings import Row

STAGES: tuple[Stage, ...] = ("swiss", "elimination")
Pair = tuple[int, int]


class Meeting(NamedTuple):
    """A match between the two compared players, with its result so far, or None while the result is contested.
    `names` are the names of `players`.
    """

    stage: Stage
    round: int
    table: int
    players: Pair
    names: tuple[str, str]
    report: Report | None
    is_contested: bool


class Common(NamedTuple):
    """An opponent whom both compared players have met, with the letter (W, L, D) of each one's result."""

    opponent: int
    letters: tuple[str, str]


class Comparison(NamedTuple):
    """The comparison of two players after the last finished Swiss round. A row is None if the player is not in
    the standings. `courses` has the letters of each one's results, round by round.
    """

    rows: tuple[Row | None, Row | None]
    tallies: tuple[Tally, Tally]
    courses: tuple[list[str], list[str]]
    meetings: list[Meeting]
    common: list[Common]


def comparison(hall: Hall, players: Pair) -> Comparison:
    """Return the comparison of two players that the public may see."""
    first, second = players
    lines = [_lines(hall, player) for player in players]
    met = [{line.opponent: LETTERS[line.outcome] for line in own if line.opponent is not None} for own in lines]
    shared = [other for other in met[0] if other in met[1]]
    return Comparison(
        (hall.rows.get(first), hall.rows.get(second)),
        (tally(hall.standings.table, first), tally(hall.standings.table, second)),
        ([LETTERS[line.outcome] for line in lines[0]], [LETTERS[line.outcome] for line in lines[1]]),
        _meetings(hall, players),
        [Common(other, (met[0][other], met[1][other])) for other in shared],
    )


def _lines(hall: Hall, player: int) -> Sequence[Line]:
    table = hall.standings.table
    return table.lines(player) if player < table.size else ()


def _meetings(hall: Hall, players: Pair) -> list[Meeting]:
    return [
        Meeting(stage, round_.number, table, pair, (hall.name(pair[0]), hall.name(pair[1])), report, is_contested)
        for stage in STAGES
        for round_ in hall.whole.rounds(stage)
        for table, pair, report, is_contested in hall.results(round_)
        if set(pair) == set(players)
    ]
