"""The types of the log: its entries, what touched something, what was done by hand, whether it holds."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from matchledger.documents.typed.base import OfTournament, TheFact, Typed, UnderRulebook
from matchledger.events import Role
from matchledger_projections.pairing.rederivation import Revelation, Verdict
from matchledger_projections.views.integrity import Intervention


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
    fact: TheFact


class TouchLine(Typed):
    """An entry that touched something; `counts` says whether it still does."""

    position: int
    recorded_at: datetime
    actor: str
    role: Role
    station: str
    reason: str | None
    kind: str
    what: str
    superseded_by: list[int]
    retracted_by: list[int]
    counts: bool


class HistoryPage(OfTournament):
    """Every entry about a player, a match or an entry, as `matchledger history --json` prints them."""

    about: str
    entries: list[TouchLine]


class InterventionLine(EntryLine):
    """An entry by which somebody intervened; `counts` is false where it was taken back since."""

    kind: Intervention
    counts: bool


class IntegrityPage(UnderRulebook):
    """What was done by hand, as `matchledger integrity --json` prints it."""

    items: list[InterventionLine]


class FindingLine(Typed):
    """What is wrong with a log, and where."""

    position: int | None
    what: str


class DrawLine(Typed):
    """A draw that was made again, and what came of it."""

    draw: str
    flights: str | None
    division: str | None
    round: int
    entry: int
    players: list[str]
    verdict: Verdict
    differences: list[str]
    counts: bool
    amended_by: list[int]


class DrawsPage(Typed):
    """Every draw of a log held against itself."""

    secret: Revelation
    holds: bool
    draws: list[DrawLine]


class VerificationPage(Typed):
    """The log held against its hashes and signatures, as `matchledger verify --json` prints it.

    `pairings` is there where the draws were made again, which takes a log without findings.
    """

    size: int
    root: str
    keys: list[str]
    findings: list[FindingLine]
    pairings: DrawsPage | None = None


class Recorded(Typed):
    """What a command has led to. It is on disk. `repeated`: the same id was carried out before, and nothing now."""

    position: int
    repeated: bool
    entries: list[EntryLine]
    said: list[str]
    warnings: list[str]
