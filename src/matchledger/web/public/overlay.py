"""The stream overlay: one table of the current round, as a strip for a video."""

from __future__ import annotations

from typing import Literal, NamedTuple

from matchledger.web.public.hall import Hall
from matchledger.web.public.pages import Face
from matchledger.web.public.places import Tally, tally
from matchledger.web.public.seating import Table, common_division, tables
from matchledger_projections.stages.bracket import seeds_in

State = Literal["won", "lost", "disqualified", ""]


class Side(NamedTuple):
    """A player of the shown table. `state` is "" without a result, and while the result is contested. A player of
    the elimination stage has a `seed`, and a player of a Swiss round has a `tally` once a round has ended.
    """

    player: int
    state: State
    score: int | None
    seed: int | None
    tally: Tally | None
    is_champion: bool


class Shown(NamedTuple):
    """The shown table. `division` is "" if the players are of different divisions."""

    table: Table
    division: str
    sides: tuple[Side, ...]


def overlay_page(face: Face, hall: Hall, table: int | None) -> str:
    """Show one table of the current round, by default the first, for a stream. After the end of the event, a table
    that the last round did not have shows the final.
    """
    found = [] if hall.now is None else tables(hall, hall.now)
    wanted = [one for one in found if table in (None, one.number)] or (found if hall.is_over else [])
    chosen = next(iter(wanted), None)
    return face.show("overlay.html", hall, shown=None if chosen is None else _shown(hall, chosen))


def _shown(hall: Hall, table: Table) -> Shown:
    division = common_division(hall, *table.players)
    is_swiss = hall.now is not None and hall.now.stage == "swiss"
    return Shown(table, division, tuple(_side(hall, table, at, is_swiss=is_swiss) for at in (0, 1)))


def _side(hall: Hall, table: Table, at: int, *, is_swiss: bool) -> Side:
    report, player, other = table.report, table.players[at], table.players[1 - at]
    winner = None if report is None else report.winner
    is_champion = player in dict(hall.champions).values() and (winner == player or other in hall.disqualified)
    state: State = ""
    if player in hall.disqualified:
        state = "disqualified"
    elif winner is not None:
        state = "won" if winner == player or is_champion else "lost"
    score = None if report is None or report.score is None else report.score[at]
    record = tally(hall.provisional.table, player) if is_swiss and hall.provisional.round else None
    return Side(player, state, score, None if is_swiss else _seed(hall, player), record, is_champion)


def _seed(hall: Hall, player: int) -> int | None:
    """Return a player's seed in the bracket, or None without a drawn bracket."""
    for drawn in hall.brackets:
        if player in (seeds := seeds_in(hall.whole, drawn.division)):
            return seeds.index(player) + 1
    return None
