"""Head to head: the two players of a match next to each other, their meetings, and their common opponents."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import Stage
from matchledger.web.public.hall import Hall
from matchledger.web.public.places import LETTERS, Tally, tally
from matchledger_projections.record.reports import Report
from matchledger_projections.standings.standings import Row

STAGES: tuple[Stage, ...] = ("swiss", "elimination")
Pair = tuple[int, int]


class Meeting(NamedTuple):
    """A match between the two compared players, with its result so far. `names` are the names of `players`."""

    stage: Stage
    round: int
    table: int
    players: Pair
    names: tuple[str, str]
    report: Report | None


class Common(NamedTuple):
    """An opponent whom both compared players have met, with the letter (W, L, D) of each one's result."""

    opponent: int
    letters: tuple[str, str]


class Comparison(NamedTuple):
    """The comparison of two players after the last finished Swiss round. A row is None if the player is not in
    the standings.
    """

    rows: tuple[Row | None, Row | None]
    tallies: tuple[Tally, Tally]
    meetings: list[Meeting]
    common: list[Common]


def comparison(hall: Hall, players: Pair) -> Comparison:
    """Return the comparison of two players that the public may see."""
    first, second = players
    met = [_opponents(hall, player) for player in players]
    shared = [other for other in met[0] if other in met[1]]
    return Comparison(
        (hall.rows.get(first), hall.rows.get(second)),
        (tally(hall.standings.table, first), tally(hall.standings.table, second)),
        _meetings(hall, players),
        [Common(other, (met[0][other], met[1][other])) for other in shared],
    )


def _opponents(hall: Hall, player: int) -> dict[int, str]:
    table = hall.standings.table
    lines = table.lines(player) if player < table.size else []
    return {line.opponent: LETTERS[line.outcome] for line in lines if line.opponent is not None}


def _meetings(hall: Hall, players: Pair) -> list[Meeting]:
    return [
        Meeting(stage, round_.number, table, pair, (hall.name(pair[0]), hall.name(pair[1])), report)
        for stage in STAGES
        for round_ in hall.whole.rounds(stage)
        for table, pair, report in round_.results()
        if set(pair) == set(players)
    ]
