"""The tables of an event: tournaments, players, standings, pairings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated
from uuid import UUID

from msgspec import Struct

from matchledger.events import Games, Stage
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.divisions.tables import DivisionTable, division_table, division_tables, ranked_apart
from matchledger_projections.document import LEFT_OUT, UNSAID, PlayerName, copied
from matchledger_projections.message import NotThere, UsageProblem, joined, sentence
from matchledger_projections.record.desk_calls import Unsettled, unsettled
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Status
from matchledger_projections.record.round import Round
from matchledger_projections.record.surnames import list_order
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import Row, Standings
from matchledger_projections.standings.standings import standings as rank
from matchledger_projections.views.sight import Asked, Sight, answers, stage_in_play, title

UnderRulebook = Annotated[
    Rulebook | None, Asked("Rank under another rulebook that comes along: hypothetical.", longest=40)
]
OfStage = Annotated[
    Stage | None,
    Asked("Swiss rounds, or the elimination. Without it and a round: the stage in play."),
]
OfDivision = Annotated[str | None, Asked("Of one division.", longest=60)]


class TournamentLine(Struct, frozen=True):
    """A tournament of a ledger."""

    id: UUID
    name: str
    rulebook: str
    position: int
    players: int
    round: int
    closed: bool


def tournament_line(record: Record, tournament: UUID) -> TournamentLine:
    """Return a tournament, with the number of its players and its progress."""
    latest = record.latest_round()
    return TournamentLine(
        tournament,
        title(record),
        record.rulebook.id,
        record.position,
        len(record.active_players()),
        0 if latest is None else latest.number,
        record.closing is not None,
    )


class PlayerLine(Struct, frozen=True):
    """A player of a tournament. `lacks_list` is true for a player who owes the event a deck list."""

    number: int
    name: PlayerName
    division: str | None
    status: Status
    lacks_list: bool


@answers("players", timeless=True)
def players(sight: Sight) -> list[PlayerLine]:
    """The active players and the players who left, in order of surnames."""
    from matchledger_projections.decks.registered import lacking_list  # noqa: PLC0415 - only the list of players needs it

    record = sight.record
    without = set(lacking_list(record, (player.number for player in record.active_players())))
    return [
        PlayerLine(
            player.number, player.number, player.division, record.status(player.number), player.number in without
        )
        for player in sorted(record.entered(), key=lambda player: list_order(player.person))
    ]


# -- standings


class DivisionRound(Struct, frozen=True):
    """The standings of a division, and the round of these standings."""

    division: str | None
    round: int
    found: Annotated[DivisionTable, UNSAID]


class StandingsPage(Struct, frozen=True, kw_only=True):
    """The standings after a round, as `matchledger standings --json` prints them.

    `unit` is what the points count: 5 half points are 2½ points. `outstanding` lists the tables of the round
    without a result. `unsettled` lists all tables that can still change the standings: without a result, or with a
    contested result. `divisions` appears if places count within divisions: because divisions play separately, or
    because the request names a division.
    """

    divisions: Annotated[tuple[DivisionRound, ...], LEFT_OUT] = ()
    tournament: str
    rulebook: str
    hypothetical: bool
    round: int
    clock: Clock
    position: int
    outstanding: tuple[int, ...]
    unsettled: Unsettled
    unit: str
    standings: tuple[Row, ...]
    law: Annotated[Rulebook, UNSAID]
    table: Annotated[Standings, UNSAID]

    @property
    def sections(self) -> Iterator[tuple[str | None, int, Standings, tuple[Row, ...]]]:
        """Yield each table of the standings: its division (None for everybody), round, standings, and lines."""
        if not self.divisions:
            yield None, self.round, self.table, self.standings
        for part in self.divisions:
            yield part.division, part.round, part.found.table, part.found.rows


@answers("standings")
def standings(
    sight: Sight,
    *,
    rulebook: UnderRulebook = None,
    division: Annotated[
        str | None, Asked("One division, or `all`: the places are counted in each.", longest=60)
    ] = None,
) -> StandingsPage:
    """The standings after the last finished round, or at any moment."""
    law = rulebook or sight.whole.rulebook
    table = rank(sight.whole, sight.round, law)
    parts = _divisions(sight, law, division)
    round_ = sight.whole.round(table.round)
    return StandingsPage(
        divisions=tuple(DivisionRound(part.division, part.round, part) for part in parts),
        tournament=sight.title,
        rulebook=law.id,
        hypothetical=rulebook is not None,
        round=table.round,
        clock=sight.clock,
        position=sight.position,
        outstanding=() if round_ is None else tuple(round_.outstanding),
        unsettled=unsettled(sight.whole, table.round),
        unit=law.unit,
        standings=tuple(row for part in parts for row in part.rows) if parts else tuple(table.rows),
        law=law,
        table=table,
    )


def _divisions(sight: Sight, law: Rulebook, wanted: str | None) -> list[DivisionTable]:
    """Return the requested division, or all divisions if they play separately."""
    if wanted is None and not ranked_apart(sight.whole):
        return []
    known = division_tables(sight.whole, sight.round, law)
    if wanted in (None, "all"):
        return known
    found = [table for table in known if table.division == (wanted or "").casefold()]
    if not found:
        named = joined(table.division for table in known if table.division) or sentence("none")
        raise UsageProblem(
            sentence("there is no division %(division)r: there are %(known)s", division=wanted, known=named)
        )
    return found


def standings_of(
    record: Record, player: int, round_: int | None = None, rulebook: Rulebook | None = None
) -> Standings:
    """Return the standings with a player's place: the common standings, or the standings of a division that plays
    separately.
    """
    if not ranked_apart(record) or player not in record.players:
        return rank(record, round_, rulebook)
    return division_table(record, division_of(record, player), round_, rulebook).table


# -- pairings


class MatchResult(Struct, frozen=True):
    """The result of a table."""

    kind: str
    winner: PlayerName | None
    scores: tuple[int, int] | None
    blood_points: int | None
    entry: int
    games: Games | None


def result_of(report: Report | None) -> MatchResult | None:
    """Return a match report in the form of a result, or None without a report."""
    if report is None:
        return None
    return copied(MatchResult, report, entry=report.position)


class PairingLine(Struct, frozen=True):
    """A table of a round."""

    table: int
    players: tuple[PlayerName, PlayerName]
    result: MatchResult | None
    report: Annotated[Report | None, UNSAID]


class PairingsPage(Struct, frozen=True):
    """The tables of a round, as `matchledger pairings --json` prints them."""

    tournament: str
    stage: Stage
    round: int
    clock: Clock
    position: int
    seed: str | None
    pairings: tuple[PairingLine, ...]
    byes: tuple[PlayerName, ...]


def pairing_lines(round_: Round) -> tuple[PairingLine, ...]:
    """Return the tables of a round, with their results."""
    return tuple(
        PairingLine(table, players, result_of(report), report) for table, players, report in round_.results()
    )


@answers("pairings")
def pairings(sight: Sight, *, stage: OfStage = None) -> PairingsPage:
    """The tables of the last round, or of a requested round, with their results."""
    stage = stage or stage_in_play(sight.whole, sight.round)
    found = sight.whole.latest_round(stage) if sight.round is None else sight.whole.round(sight.round, stage)
    if found is None:
        raise NotThere(sentence("no such round is paired at that moment"))
    return pairings_of(sight, found)


def pairings_of(sight: Sight, round_: Round) -> PairingsPage:
    """Return the tables of a round."""
    return PairingsPage(
        sight.title,
        round_.stage,
        round_.number,
        sight.clock,
        sight.position,
        round_.seed,
        pairing_lines(round_),
        tuple(bye.player for bye in round_.byes),
    )
