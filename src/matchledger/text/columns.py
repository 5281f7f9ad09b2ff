"""The columns of the tables: the cells of a line in terminal, web, PDF and CSV, with their headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from matchledger.events import Entry
from matchledger.text.labels import HEADINGS, value_text
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import is_membership
from matchledger_projections.rulebook.games import games_text, turned
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.standings import Row
from matchledger_projections.text_line import plain
from matchledger_projections.views.stages import PlaceLine
from matchledger_projections.views.tables import PairingLine, PlayerLine

Line = TypeVar("Line")
Line_contra = TypeVar("Line_contra", contravariant=True)
NONE = "-"  # shown for a missing number


class Cell(Protocol[Line_contra]):
    """The words of a cell."""

    def __call__(self, line: Line_contra, /) -> str: ...


@dataclass(frozen=True, slots=True)
class Column(Generic[Line]):
    """A heading and the words below it.

    Numbers are right-aligned. `wide` columns take the remaining space. A narrow screen hides `extra` columns.
    """

    heading: str
    cell: Cell[Line]
    right: bool = False
    wide: bool = False
    extra: bool = False

    def told(self, line: Line) -> str:
        return self.cell(line)


def place_text(rank: object, *, tied: bool = False) -> str:
    """A place: "3", "3=" for tied players, "-" for a player without one."""
    return NONE if rank is None else f"{rank}{'=' if tied else ''}"


def span_text(first: int | None, last: int | None, *, decided: bool) -> str:
    """A final place: "3", or "3-4" for shared places, with a "?" until it is decided."""
    if first is None:
        return NONE
    shared = f"{first}-{last}" if first != last else str(first)
    return shared if decided else f"{shared}?"


def status_text(status: str) -> str:
    """A status. Empty for an active player."""
    return "" if status == "active" else status


def standings_columns(
    record: Record, law: Rulebook, tiebreaks: Sequence[TiebreakName], *, with_division: bool = False
) -> list[Column[Row]]:
    """Place, player, points, tiebreakers, status."""
    return [
        Column("", lambda row: place_text(row.rank, tied=row.tied), right=True),
        Column("Player", lambda row: record.players[row.player].name, wide=True),
        *(
            [Column[Row]("Division", lambda row: record.players[row.player].division or "")]
            if with_division
            else []
        ),
        Column(law.unit, lambda row: str(row.points), right=True),
        *(_tiebreak(name, law.decimals(name)) for name in tiebreaks),
        Column("", lambda row: status_text(row.status)),
    ]


def _tiebreak(name: TiebreakName, decimals: int | None) -> Column[Row]:
    def cell(row: Row) -> str:
        return value_text(name, row.tiebreaks.get(name), decimals)

    return Column(HEADINGS[name], cell, right=True, extra=True)


def pairings_columns(record: Record) -> list[Column[PairingLine]]:
    """Table, the two players, and the result."""
    return [
        Column("Table", lambda line: str(line.table), right=True),
        Column("Player", lambda line: record.players[line.players[0]].name, wide=True),
        Column("Opponent", lambda line: record.players[line.players[1]].name, wide=True),
        Column("Result", lambda line: result_text(record, line.players, line.report)),
    ]


def result_text(record: Record, players: tuple[int, int], report: Report | None) -> str:
    """The result of a table, in words."""
    if report is None:
        return ""
    kind = "" if report.kind in ("win", "draw", "score") else f" ({report.kind})"
    blood = "" if report.blood_points is None else f" [{report.blood_points}]"
    if report.scores is not None:
        return f"{report.scores[0]}-{report.scores[1]}{kind}"
    seen = report.games if report.games is None or report.winner != players[1] else turned(report.games)
    games = "" if seen is None else f" {games_text(seen)}"
    if report.winner is None:
        return f"{'draw' if report.kind == 'draw' else report.kind}{games}{blood}"
    name = record.players[report.winner].name
    return f"{'>' if report.winner == players[0] else '<'} {name}{games}{kind}{blood}"


def players_columns(record: Record, found: Sequence[PlayerLine]) -> list[Column[PlayerLine]]:
    """Number, name, status, division; the deck list too, if one is missing."""
    with_division = any(line.division for line in found)
    deck_list: Column[PlayerLine] = Column("Deck list", lambda line: "missing" if line.lacks_list else "")
    return [
        Column("", lambda line: f"#{line.number}", right=True),
        Column("Player", lambda line: record.players[line.name].name, wide=True),
        Column("", lambda line: status_text(line.status)),
        Column("Division" if with_division else "", lambda line: line.division or ""),
        *([deck_list] if any(line.lacks_list for line in found) else []),
    ]


def membership_columns(record: Record) -> list[Column[PlayerLine]]:
    """The columns of the roster with membership numbers. Personal: only for the staff, who can read the names."""
    columns = dict.fromkeys(column for player in record.entered() for column in player.person.details)
    return [_detail(record, column) for column in columns if is_membership(column)]


def _detail(record: Record, column: str) -> Column[PlayerLine]:
    return Column(column, lambda line: record.players[line.number].person.details.get(column, ""))


def places_columns(record: Record) -> list[Column[PlaceLine]]:
    """Final place, player, reason, and rule."""
    return [
        Column("", lambda line: span_text(line.first, line.last, decided=line.decided), right=True),
        Column("Player", lambda line: record.players[line.player].name, wide=True),
        Column("", lambda line: line.why),
        Column("Rule", lambda line: line.rule, extra=True),
    ]


def entry_columns(record: Record, headings: Sequence[str], *more: Column[Any]) -> list[Column[Entry]]:
    """Position, time, recorder, text and reason of an entry."""
    position, recorded, by, what = headings
    return [
        Column(position, lambda entry: str(entry.position), right=True),
        Column(recorded, recorded_text),
        Column(by, clerk_text),
        Column(what, lambda entry: because(tell(record, entry.fact), entry.reason), wide=True),
        *more,
    ]


def recorded_text(entry: Entry) -> str:
    """When an entry was recorded, in the machine's own time zone."""
    return moment_text(entry.recorded_at)


def moment_text(moment: datetime) -> str:
    """A moment, in the machine's own time zone."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def clerk_text(entry: Entry) -> str:
    """Who recorded an entry."""
    return plain(f"{entry.actor} ({entry.role}, {entry.station})")


def who_and_when(entry: Entry) -> str:
    """Who recorded an entry, and when."""
    return f"{clerk_text(entry)} {recorded_text(entry)}"


def because(what: str, reason: str | None) -> str:
    """A text with its reason."""
    return f"{what}; {plain(reason)}" if reason else what
