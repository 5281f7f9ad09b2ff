"""The documents' types: what the API promises of them, and what its description is made from."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from matchledger.events import Role, Stage
from matchledger_projections.roster import Status
from matchledger_projections.timeline import Clock


class Typed(BaseModel):
    """A document whose keys are all known."""

    model_config = ConfigDict(extra="forbid")


class TournamentLine(Typed):
    """A tournament of a ledger."""

    id: UUID
    name: str
    rulebook: str
    position: int
    players: int
    round: int
    closed: bool


class StandingsRow(Typed):
    """A player's line; `tiebreaks` are exact, "p/q"."""

    rank: int | None
    player: str
    number: int
    division: str | None
    points: int
    status: Status
    tied: bool
    tiebreaks: dict[str, str]


class StandingsPage(Typed):
    """The standings after a round, as `matchledger standings --json` prints them."""

    tournament: str
    rulebook: str
    hypothetical: bool
    round: int
    clock: Clock
    position: int
    outstanding: list[int]
    standings: list[StandingsRow]


class MatchResult(Typed):
    """What came in from a table."""

    kind: str
    winner: str | None
    scores: tuple[int, int] | None
    blood_points: int | None
    entry: int


class PairingLine(Typed):
    """A table of a round."""

    table: int
    players: tuple[str, str]
    result: MatchResult | None


class PairingsPage(Typed):
    """The tables of a round, as `matchledger pairings --json` prints them."""

    tournament: str
    stage: Stage
    round: int
    clock: Clock
    position: int
    seed: str | None
    pairings: list[PairingLine]
    byes: list[str]


class EntryLine(Typed):
    """An entry of the log, as `matchledger log --json` prints it; the fact's own fields depend on its kind."""

    tournament: UUID
    position: int
    recorded_at: datetime
    actor: str
    role: Role
    station: str
    command: str
    reason: str | None
    token: str | None
    fact: dict[str, Any]


class PlayerLine(Typed):
    """A player of a tournament."""

    number: int
    name: str
    division: str | None
    status: Status


class OtherEntry(Typed):
    """The entry of the station that was first."""

    entry: int
    actor: str
    station: str
    recorded_at: datetime
    said: str


class Problem(Typed):
    """What is wrong with a request, as RFC 9457 lays it down, with the rule that refuses it.

    `other` is the entry of the station that was first, `refused` the position of the entry that keeps a slip which
    says otherwise.
    """

    type: str
    title: Literal[
        "not-let-in",
        "token-refused",
        "not-found",
        "not-understood",
        "refused-by-the-rules",
        "moved",
        "table-taken",
        "conflict",
        "ledger",
        "http",
    ]
    status: int
    detail: str
    rule: str | None = None
    other: OtherEntry | None = None
    refused: int | None = None
