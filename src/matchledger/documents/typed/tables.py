"""The types of the tables of an event: tournaments, players, standings, pairings."""

from __future__ import annotations

from uuid import UUID

from pydantic import Field

from matchledger.documents.typed.base import OfTournament, PlayerNamed, Typed, UnderRulebook
from matchledger.events import Stage
from matchledger_projections.record.roster import Status
from matchledger_projections.record.two_clocks import Clock


class TournamentLine(Typed):
    """A tournament of a ledger."""

    id: UUID
    name: str
    rulebook: str
    position: int
    players: int
    round: int
    closed: bool


class PlayerLine(Typed):
    """A player of a tournament."""

    number: int
    name: str
    division: str | None
    status: Status


class StandingsRow(PlayerNamed):
    """A player's line; `tiebreaks` are exact, "p/q"."""

    rank: int | None
    division: str | None
    points: int
    status: Status
    tied: bool
    tiebreaks: dict[str, str]


class DivisionRound(Typed):
    """After which round the standings of a division stand."""

    division: str | None
    round: int


class StandingsPage(UnderRulebook):
    """The standings after a round, as `matchledger standings --json` prints them.

    `divisions` is there where the places are counted in each.
    """

    hypothetical: bool
    round: int
    clock: Clock
    outstanding: list[int]
    standings: list[StandingsRow]
    divisions: list[DivisionRound] = Field(default=[])


class MatchResult(Typed):
    """What came in from a table."""

    kind: str
    winner: str | None
    scores: tuple[int, int] | None
    blood_points: int | None
    entry: int
    games: tuple[int, int, int] | None = None


class PairingLine(Typed):
    """A table of a round."""

    table: int
    players: tuple[str, str]
    result: MatchResult | None


class PairingsPage(OfTournament):
    """The tables of a round, as `matchledger pairings --json` prints them."""

    stage: Stage
    round: int
    clock: Clock
    seed: str | None
    pairings: list[PairingLine]
    byes: list[str]
