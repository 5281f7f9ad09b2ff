"""Changes: what can differ between a log and the same log with more entries, one class for each kind of thing."""

from __future__ import annotations

from dataclasses import dataclass

from matchledger.events import Stage
from matchledger_projections.pairing.repair import Reseated
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Status
from matchledger_projections.standings.standings import Row

Two = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match whose result changes; None where there is no result."""

    stage: Stage
    round: int
    table: int
    players: Two
    before: Report | None
    after: Report | None


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """A player's line in the standings after a round; None where the player is not in them."""

    player: int
    before: Row | None
    after: Row | None

    @property
    def is_plain(self) -> bool:
        """Whether rank or points change: what a player sees first, and is told of."""
        return _rank_and_points(self.before) != _rank_and_points(self.after)


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A player who leaves or comes back; None where the player has not entered."""

    player: int
    before: Status | None
    after: Status | None


@dataclass(frozen=True, slots=True)
class PostingChange:
    """Posted standings that would no longer be right: the entry, and the lines that differ."""

    position: int
    round: int
    lines: tuple[PlaceChange, ...]


@dataclass(frozen=True, slots=True)
class CutChange:
    """Who is in the top `size` after the last round, best first, and who is level at its edge.

    `division` is the one whose cut it is, None where there is one cut for all.
    """

    size: int
    made: bool
    before: tuple[int, ...]
    after: tuple[int, ...]
    level_before: frozenset[int]
    level_after: frozenset[int]
    division: str | None = None

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
    before: tuple[int, ...]
    after: tuple[int, ...]


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
    player: int
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BracketChange:
    """An elimination round that was paired with `out`, and `instead` won the match that led there."""

    round: int
    out: int
    instead: int


@dataclass(frozen=True, slots=True)
class Told:
    """Somebody to be told: whose line on the newest posted standings changes, or who would sit elsewhere."""

    player: int
    line: PlaceChange | None
    reseated: bool


def _rank_and_points(row: Row | None) -> tuple[int | None, int | None] | None:
    return None if row is None else (row.rank, row.points)
