"""A player's card: seat, opponent, and all results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct

from matchledger.events import Stage
from matchledger.text.labels import shown_tiebreaks
from matchledger.web.public.hall import Hall
from matchledger.web.public.places import Tally, tally
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.message import Sentence
from matchledger_projections.record.desk_calls import Call
from matchledger_projections.record.reports import Report
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.stages.bracket import seeds_of_cut
from matchledger_projections.stages.in_play import lost_round, plays_on
from matchledger_projections.stages.placing import Place, contested_players, out_of
from matchledger_projections.standings.standings import Row

Said = Literal["won", "lost", "drew", "bye", "absent", "open"]


class Played(NamedTuple):
    """One round of a player.

    `report` is the counting result, and `call` is the last call to the desk about this result.

    `points` are the points of the round, or None in the elimination stage, which gives no points.
    """

    stage: Stage
    round: int
    table: int | None
    opponent: int | None
    said: Said
    points: int | None
    report: Report | None
    call: Call | None

    @property
    def score(self) -> tuple[int, ...] | None:
        """Return the games or points on the slip, the player's own first, or None if the slip has no scores."""
        if self.report is None:
            return None
        one, other = self.report.players
        return self.report.score_of(one if other == self.opponent else other)


class Standing(NamedTuple):
    """An opponent's record after the last finished round."""

    tally: Tally
    points: int


class Course(NamedTuple):
    """How a player fares after the cut. `seed` is the seed in the cut to `size` players, or None outside the cut.
    An event that begins with a bracket has no cut, and `size` is 0.

    `is_out` is True if no game of the event is left for the player. `round` is the elimination round in which the
    player lost, or None. `place` is the final place once it is decided.
    """

    seed: int | None
    size: int
    is_out: bool
    round: int | None
    place: Place | None


class Card(Struct, frozen=True):
    """A player, the line in the standings after the last finished round, and the rounds, the newest first.

    `seat` is the seat in the current round, or None if the player is not in the round. `against` is the opponent's
    record so far. `records` has the records of all opponents, with the reported results of the current round.
    `place` is the final place after it is decided, `out` names the elimination round that the player lost, and `of`
    is the number of players with a place. `tiebreaks` are the values that the standings show. `course` says how the
    player fares after the cut, until the event is over. `plays_on` says that the player may have a game to come.
    """

    player: int
    name: str
    division: str
    status: str
    row: Row | None
    tally: Tally
    seat: Played | None
    against: Standing | None
    place: Place | None
    out: Sentence | None
    of: int
    course: Course | None
    plays_on: bool
    champion: bool
    rounds: tuple[Played, ...]
    records: Mapping[int, Tally]
    tiebreaks: list[tuple[TiebreakName, Fraction]]


def card(hall: Hall, player: int) -> Card:
    """Return the card of a player. Raises KeyError for an unknown number."""
    name = hall.name(player)
    played = [*_swiss(hall, player), *_elimination(hall, player)]
    now = hall.now
    seat = next((line for line in played if now and (line.stage, line.round) == (now.stage, now.number)), None)
    table = hall.standings.table
    other = None if seat is None or seat.opponent is None else hall.rows.get(seat.opponent)
    return Card(
        player,
        name,
        division_of(hall.whole, player),
        hall.whole.status(player),
        hall.rows.get(player),
        tally(table, player),
        seat,
        None if other is None or not hall.standings.round else Standing(tally(table, other.player), other.points),
        hall.place.get(player) if hall.is_over or player in dict(hall.champions).values() else None,
        _out(hall, player, played),
        next((len(found) for _, found in hall.places if any(one.player == player for one in found)), 0),
        None if hall.is_over else _course(hall, player),
        plays_on(hall.whole, player, hall.brackets),
        any(champion == player for _, champion in hall.champions),
        tuple(reversed(played)),
        {
            line.opponent: tally(hall.provisional.table, line.opponent)
            for line in played
            if line.opponent is not None and line.opponent in hall.rows and hall.standings.round
        },
        _tiebreaks(hall, player),
    )


def _out(hall: Hall, player: int, played: list[Played]) -> Sentence | None:
    """Name the elimination round that a player lost, or return None. A match for 3rd place puts nobody out."""
    lost = {line.round for line in played if line.stage == "elimination" and line.said == "lost"}
    for one in hall.brackets:
        for number, games in enumerate(one.rounds, 1):
            if number in lost and any(player in game.players for game in games):
                return out_of(len(games))
    return None


def _course(hall: Hall, player: int) -> Course | None:
    """Return how a player fares after the cut, or out of a bracket without a cut. Else return None."""
    own = division_of(hall.whole, player)
    cut = next((made for made in hall.whole.cuts if made.division in (None, own)), None)
    if hall.whole.status(player) == "disqualified":
        return None
    if cut is None:
        lost = None if player in contested_players(hall.whole) else lost_round(hall.brackets, player)
        return None if lost is None else Course(None, 0, True, lost, hall.place.get(player))
    seeds = seeds_of_cut(hall.whole, cut)
    if player not in seeds:
        return Course(None, len(seeds), True, None, hall.place.get(player))
    lost = None if player in contested_players(hall.whole) else lost_round(hall.brackets, player)
    is_out = lost is not None or hall.whole.status(player) != "active"
    return Course(seeds.index(player) + 1, len(seeds), is_out, lost, hall.place.get(player) if is_out else None)


def _tiebreaks(hall: Hall, player: int) -> list[tuple[TiebreakName, Fraction]]:
    """Return the values of a player's tiebreakers in the order of the rulebook."""
    for one in hall.ranked:
        for row in one.rows:
            if row.player == player:
                shown = shown_tiebreaks(hall.rulebook, one.table)
                return [(name, row.tiebreaks[name]) for name in shown if name in row.tiebreaks]
    return []


def _swiss(hall: Hall, player: int) -> Iterator[Played]:
    """Yield the Swiss rounds in which the player was paired or is charged with a loss. Points count as soon as the
    slip is reported.
    """
    table = hall.provisional.table
    lines = {line.round: line for line in table.lines(player)} if player < table.size else {}
    for round_ in hall.whole.rounds():
        line = lines.get(round_.number)
        seated = _seat(hall, round_, player)
        if seated is not None:
            yield seated._replace(points=None if line is None else line.points)
        elif line is not None:
            yield Played("swiss", round_.number, None, None, "absent", line.points, None, None)


def _elimination(hall: Hall, player: int) -> Iterator[Played]:
    for round_ in hall.whole.rounds("elimination"):
        if (seated := _seat(hall, round_, player)) is not None:
            yield seated


def _seat(hall: Hall, round_: Round, player: int) -> Played | None:
    """Return a player's part in a round, or None for a player without a seat."""
    table = round_.table_of(player)
    if table is None:
        has_bye = any(bye.player == player for bye in round_.byes)
        return Played(round_.stage, round_.number, None, None, "bye", None, None, None) if has_bye else None
    players = round_.tables[table]
    opponent = players[1] if players[0] == player else players[0]
    report = round_.report(table, players)
    call = hall.calls.get((round_.stage, round_.number, table, None if report is None else report.position))
    return Played(round_.stage, round_.number, table, opponent, said(report, player), None, report, call)


def said(report: Report | None, player: int) -> Said:
    """Return the result of a match for a player: "won", "lost", "drew" or "open"."""
    return "open" if report is None else report.outcome_for(player)
