"""The types of what would follow: the consequences of a command, and the choices about a round."""

from __future__ import annotations

from datetime import datetime

from matchledger.documents.typed.base import TheFact, Typed
from matchledger.documents.typed.tables import MatchResult
from matchledger.events import RepairChoice, Stage
from matchledger_projections.record.roster import Status


class ResultChange(Typed):
    """A match whose result would be another; null where there is none."""

    stage: Stage
    round: int
    table: int
    players: list[str]
    before: MatchResult | None
    after: MatchResult | None


class StatusChange(Typed):
    """A player who would leave or come back."""

    player: str
    before: Status | None
    after: Status | None


class RowThen(Typed):
    """A player's line in the standings; `tiebreaks` are exact, "p/q"."""

    rank: int | None
    points: int
    status: Status
    tied: bool
    tiebreaks: dict[str, str]


class PlaceChange(Typed):
    """A line of the standings that would be another; null where the player is not in them."""

    player: str
    before: RowThen | None
    after: RowThen | None


class CutChange(Typed):
    """A cut that would be another: who is in for certain, and who is level for the last places."""

    division: str | None
    size: int
    made: bool
    before: list[str]
    after: list[str]
    level_before: list[str]
    level_after: list[str]


class PostingChange(Typed):
    """Posted standings that would no longer be right, and the lines that differ."""

    entry: int
    posted_at: datetime
    round: int
    lines: list[PlaceChange]


class SeatingChange(Typed):
    """A table at which others would sit."""

    stage: Stage
    round: int
    table: int | None
    before: list[str]
    after: list[str]


class SeatedPlayers(Typed):
    """Who sits at a table."""

    table: int
    players: list[str]


class Reseating(Typed):
    """The tables that would change; `proven` says that no fewer players can be moved."""

    removed: list[SeatedPlayers]
    added: list[SeatedPlayers]
    byes_removed: list[str]
    byes_added: list[str]
    moved: list[str]
    at_least: int
    proven: bool


class PairingChange(Typed):
    """A round that was paired from what would no longer be so."""

    round: int
    sound: bool
    started: bool
    finished: bool
    reseated: Reseating | None


class ByeChange(Typed):
    """A bye that others should have had."""

    round: int
    player: str
    candidates: list[str]


class BracketChange(Typed):
    """Who would be out of the bracket, and who in instead."""

    round: int
    out: str
    instead: str


class ToTell(Typed):
    """Who should be told, of which line, and whether the seat is another."""

    player: str
    line: PlaceChange | None
    reseated: bool


class ConsequencesPage(Typed):
    """What would follow from a command, as `--preview --json` prints it; `cut` is the first of `cuts`."""

    facts: list[TheFact]
    reaches_further: bool
    round: int
    finished_rounds: tuple[int, int]
    active_players: tuple[int, int]
    matches: list[ResultChange]
    statuses: list[StatusChange]
    places: list[PlaceChange]
    cut: CutChange | None
    cuts: list[CutChange]
    postings: list[PostingChange]
    seatings: list[SeatingChange]
    pairings: list[PairingChange]
    byes: list[ByeChange]
    bracket: list[BracketChange]
    to_tell: list[ToTell]


class RepairOptionLine(Typed):
    """A choice about a round: whether it is allowed, the rule that says so, and who would be seated anew."""

    choice: RepairChoice
    allowed: bool
    recommended: bool
    because: str
    rule: str | None
    tables: int
    players: int
    reseated: Reseating | None


class RepairPage(Typed):
    """The choices about a round that rests on a wrong slip, as `matchledger repair --json` prints them.

    `clock_run` is in whole seconds, null where nobody said that play began.
    """

    round: int
    corrections: list[int]
    sound: bool
    started: bool
    reported: int
    clock_run: int | None
    minutes: int | None
    options: list[RepairOptionLine]


class Foretold(Typed):
    """What a command would lead to; nothing is recorded. `seen` is the log that this holds for."""

    seen: int
    consequences: ConsequencesPage
