"""Changes: what can differ between a log and the same log with more entries, one class for each kind of thing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, NamedTuple

from matchledger.events import Stage
from matchledger_projections.document import As, Document, Keys, Names, PlayerName, writer
from matchledger_projections.fractions import as_text
from matchledger_projections.pairing.repair import Reseated
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Status
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.tables import MatchResult, result_of

Two = tuple[int, int]


Result = Annotated[
    Report | None,
    As(lambda report, names: writer(MatchResult | None)(result_of(report), names), MatchResult | None),
]


class RowThen(NamedTuple):
    """A player's line in the standings; `tiebreaks` are exact, "p/q"."""

    rank: int | None
    points: int
    status: Status
    tied: bool
    tiebreaks: dict[TiebreakName, str]


def _row(row: Row | None, _: object) -> Document | None:
    if row is None:
        return None
    tiebreaks = {name: as_text(value) for name, value in row.tiebreaks.items()}
    return RowThen(row.rank, row.points, row.status, row.tied, tiebreaks)._asdict()


Then = Annotated[Row | None, As(_row, RowThen | None)]


def _posted_at(position: int, names: Names) -> str | None:
    entry = names.entry(position)
    return None if entry is None else entry.recorded_at.isoformat()


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match whose result changes; None where there is no result."""

    stage: Stage
    round: int
    table: int
    players: tuple[PlayerName, PlayerName]
    before: Result
    after: Result


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A player's line in the standings after a round; None where the player is not in them."""

    player: PlayerName
    before: Then
    after: Then

    @property
    def is_plain(self) -> bool:
        """Whether rank or points change: what a player sees first, and is told of."""
        return _rank_and_points(self.before) != _rank_and_points(self.after)


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A player who leaves or comes back; None where the player has not entered."""

    player: PlayerName
    before: Status | None
    after: Status | None


@dataclass(frozen=True, slots=True)
class PostingChange:
    """Posted standings that would no longer be right: the entry, and the lines that differ."""

    position: Annotated[
        int, Keys({"entry": As(lambda entry, _: entry, int), "posted_at": As(_posted_at, datetime)})
    ]
    round: int
    lines: tuple[PlaceChange, ...]


@dataclass(frozen=True, slots=True)
class CutChange:
    """Who is in the top `size` after the last round, best first, and who is level at its edge.

    `division` is the one whose cut it is, None where there is one cut for all.
    """

    division: str | None
    size: int
    made: bool
    before: tuple[PlayerName, ...]
    after: tuple[PlayerName, ...]
    level_before: frozenset[PlayerName]
    level_after: frozenset[PlayerName]

    @property
    def entering(self) -> tuple[int, ...]:
        return tuple(player for player in self.after if player not in self.before)

    @property
    def leaving(self) -> tuple[int, ...]:
        return tuple(player for player in self.before if player not in self.after)


@dataclass(frozen=True, slots=True)
class SeatingChange:
    """A table of a round, or the bye (table None), whose players the entry itself changes."""

    stage: Stage
    round: int
    table: int | None
    before: tuple[PlayerName, ...]
    after: tuple[PlayerName, ...]


@dataclass(frozen=True, slots=True)
class PairingChange:
    """A posted round that the corrected records would, or would no longer, have been paired so.

    `started` and `finished` say how far it has been played; a round that is played stands. `reseated` is what could
    still be changed with the fewest moves.
    """

    round: int
    sound: bool
    started: bool
    finished: bool
    reseated: Reseated | None


@dataclass(frozen=True, slots=True)
class ByeChange:
    """A bye that was given to `player` and would fall to one of `candidates`."""

    round: int
    player: PlayerName
    candidates: tuple[PlayerName, ...]


@dataclass(frozen=True, slots=True)
class BracketChange:
    """An elimination round that was paired with `out`, and `instead` won the match that led there."""

    round: int
    out: PlayerName
    instead: PlayerName


CutMove = Literal["in", "out"]


@dataclass(frozen=True, slots=True)
class Told:
    """Somebody to be told: whose line on the newest posted standings, seat, or place in a cut is another."""

    player: PlayerName
    line: PlaceChange | None
    reseated: bool
    cut: CutMove | None = None


def _rank_and_points(row: Row | None) -> tuple[int | None, int | None] | None:
    return None if row is None else (row.rank, row.points)
