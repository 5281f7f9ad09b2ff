"""Changes: the possible differences between a log and the same log with more entries, one class for each kind."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct

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


class MatchChange(Struct, frozen=True):
    """A match whose result changes. `before` or `after` is None if there was no result."""

    stage: Stage
    round: int
    table: int
    players: tuple[PlayerName, PlayerName]
    before: Result
    after: Result


class PlaceChange(Struct, frozen=True):
    """A player's line in the standings after a round. `before` or `after` is None if the player is not in those
    standings.
    """

    player: PlayerName
    before: Then
    after: Then

    @property
    def is_plain(self) -> bool:
        """Return whether rank or points change. A player wants to see changes of rank or points first."""
        return _rank_and_points(self.before) != _rank_and_points(self.after)


class StatusChange(Struct, frozen=True):
    """A player who leaves or comes back. `before` or `after` is None if the player has not entered."""

    player: PlayerName
    before: Status | None
    after: Status | None


class PersonChange(Struct, frozen=True):
    """A player's name, year of birth, contact, division or roster column that changes. `before` or `after` is None
    for an empty value.
    """

    player: PlayerName
    field: str
    before: str | None
    after: str | None


class PostingChange(Struct, frozen=True):
    """Posted standings that would become wrong: the entry, and the lines that differ."""

    position: Annotated[
        int, Keys({"entry": As(lambda entry, _: entry, int), "posted_at": As(_posted_at, datetime)})
    ]
    round: int
    lines: tuple[PlaceChange, ...]


class CutChange(Struct, frozen=True):
    """The top `size` players after the last round, best first, and the tied players at the edge.

    `division` is the division of the cut. `division` is None for a common cut.
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


class CutAhead(Struct, frozen=True):
    """A planned cut: the seeds, best first, and the first games in table order.

    A game with one player is a bye. `games` is empty if chance draws the bracket.
    """

    division: str | None
    seeds: tuple[PlayerName, ...]
    games: tuple[tuple[PlayerName, ...], ...]


class SeatingChange(Struct, frozen=True):
    """A change of the players at a table of a round, or of the player with the bye (table None)."""

    stage: Stage
    round: int
    table: int | None
    before: tuple[PlayerName, ...]
    after: tuple[PlayerName, ...]


class PairingChange(Struct, frozen=True):
    """A posted round that the corrected results no longer allow, or allow again.

    `started` and `finished` say whether play in the round has begun, and whether the round is over. A round that
    was played is never changed. `reseated` is the smallest possible change of the pairings.
    """

    round: int
    sound: bool
    started: bool
    finished: bool
    reseated: Reseated | None


class ByeChange(Struct, frozen=True):
    """A bye of `player` that would now go to one of `candidates`."""

    round: int
    player: PlayerName
    candidates: tuple[PlayerName, ...]


class BracketChange(Struct, frozen=True):
    """An elimination round that was paired with player `out`, although player `instead` has now won the earlier
    match.
    """

    round: int
    out: PlayerName
    instead: PlayerName


class ChampionChange(Struct, frozen=True):
    """Another champion of a division, or of all. `before` or `after` is None without a champion."""

    division: str | None
    before: PlayerName | None
    after: PlayerName | None


CutMove = Literal["in", "out"]


class PlayerToTell(Struct, frozen=True):
    """A player to tell about a new line on the posted standings, a new seat, or a new place in a cut.

    `walkover` says that the player would win an elimination match, or have a bye, because the opponent leaves.
    """

    player: PlayerName
    line: PlaceChange | None
    reseated: bool
    cut: CutMove | None = None
    walkover: bool = False


def _rank_and_points(row: Row | None) -> tuple[int | None, int | None] | None:
    return None if row is None else (row.rank, row.points)
