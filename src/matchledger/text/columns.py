"""The columns of the tables: headings and cells, on the terminal, in CSV and on paper."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from matchledger.events import Entry
from matchledger.text.labels import HEADINGS, shown_tiebreaks, value_text
from matchledger_projections.document import Document
from matchledger_projections.fractions import as_number
from matchledger_projections.message import plain, sentence, word
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import is_membership, is_surname
from matchledger_projections.rulebook.games import games_text, turned
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.rulebook.scoring import points_text, unit_name
from matchledger_projections.views.tables import PairingLine, PlayerLine, StandingsPage

if TYPE_CHECKING:
    from matchledger_projections.views.stages import PlacesPage


def result_text(record: Record, players: tuple[int, int], report: Report | None) -> str:
    """Return the result of a table in words."""
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


Line = TypeVar("Line")
NO_CHAMPION = sentence("No champion: nobody can win.")
NONE = "-"  # printed where a number is missing
LOG = ("", "recorded", "by", "what")
HISTORY = ("Entry", "Recorded", "By", "What")
SMALL = 9.5  # points
Cell = Callable[[Line], str]


class Column(Struct, Generic[Line], frozen=True):
    """A heading and the words below it.

    `name` is a heading for CSV and paper, if the terminal shows no heading. Numbers are right-aligned. On paper,
    `wide` columns take the remaining space, `strong` columns are bold, `size` is the letters' size in points, and
    the cells of `boxes` are boxes to tick.
    """

    heading: str
    cell: Cell[Line]
    name: str = ""
    right: bool = False
    wide: bool = False
    strong: bool = False
    size: float = 12
    boxes: bool = False


def place_text(rank: object, *, tied: bool = False) -> str:
    """Return a place in words: "3", "3=" for tied players, "-" for a player without a place."""
    return NONE if rank is None else f"{rank}{'=' if tied else ''}"


def span_text(first: int | None, last: int | None, *, decided: bool) -> str:
    """Return a final place in words: "3", or "3-4" for shared places. "?" means an undecided place."""
    if first is None:
        return NONE
    shared = f"{first}-{last}" if first != last else str(first)
    return shared if decided else f"{shared}?"


def name_in(record: Record) -> Cell[Any]:
    """Return a function that returns the name of a line's player."""
    return lambda line: record.players[line.player].name


def standings_columns(record: Record, law: Rulebook, tiebreaks: Iterable[TiebreakName]) -> list[Column[Any]]:
    """Return the columns of a ranking, with some of the tiebreakers."""
    return ranking_columns(law.unit, {name: law.decimals(name) for name in tiebreaks}, name_in(record))


def ranking_columns(
    unit: str,
    tiebreaks: Mapping[TiebreakName, int | None],
    player: Cell[Any],
    division: Cell[Any] | None = None,
) -> list[Column[Any]]:
    """Return place, player, division, points, tiebreakers and status.

    `tiebreaks` are the tiebreakers to show, with the decimals of their rounding. `player` and `division` return the
    words of a line.
    """
    return [
        _place(lambda row: place_text(row.rank, tied=row.tied)),
        Column(sentence("Player"), player, wide=True, strong=True),
        *_division(division),
        Column(unit_name(unit), lambda row: points_text(row.points, unit), right=True, strong=True),
        *(_tiebreak(name, decimals) for name, decimals in tiebreaks.items()),
        _status(lambda row: row.status),
    ]


def _place(cell: Cell[Any]) -> Column[Any]:
    return Column("", cell, sentence("Place"), right=True, strong=True)


def points_of(count: int | None, unit: str) -> str:
    """Return a number of points as text. For a player without points, the text is empty."""
    return "" if count is None else points_text(count, unit)


def _division(cell: Cell[Any] | None) -> list[Column[Any]]:
    return [] if cell is None else [Column(sentence("Division"), cell)]


def _status(status: Cell[Any]) -> Column[Any]:
    def cell(line: Any) -> str:
        return "" if status(line) == "active" else word(status(line))

    return Column("", cell, sentence("Status"), size=SMALL)


def _tiebreak(name: TiebreakName, decimals: int | None) -> Column[Any]:
    def cell(row: Any) -> str:
        value = row.tiebreaks.get(name)
        return value_text(name, None if value is None else Fraction(value), decimals)

    return Column(HEADINGS[name], cell, right=True, size=SMALL)


def listed_name(name: str, *, disqualified: bool) -> str:
    """Return a name. The name of a disqualified player is marked (L5R-IV.2-DQ)."""
    return sentence("%(player)s (disqualified)", player=name) if disqualified else name


def pairings_columns(record: Record, name: Callable[[int], str]) -> list[Column[PairingLine]]:
    """Return table, the names of the two players, and the result."""
    return [
        Column("Table", lambda line: str(line.table), right=True),
        Column("Player", lambda line: name(line.players[0]), wide=True),
        Column("Opponent", lambda line: name(line.players[1]), wide=True),
        Column("Result", lambda line: result_text(record, line.players, line.report)),
    ]


def players_columns(record: Record, found: Sequence[PlayerLine]) -> list[Column[PlayerLine]]:
    """Return number, name, status and division, and if there are any: missing deck lists, fixed tables and awarded
    byes.
    """
    fixed, byes = record.fixed_tables, record.byes_awarded
    with_division = any(line.division for line in found)
    deck_list: Column[PlayerLine] = Column("Deck list", lambda line: "missing" if line.lacks_list else "")
    return [
        Column("", lambda line: f"#{line.number}", "Number", right=True),
        Column("Player", lambda line: record.players[line.name].name, wide=True),
        _status(lambda line: line.status),
        Column("Division" if with_division else "", lambda line: line.division or "", "Division"),
        *([deck_list] if any(line.lacks_list for line in found) else []),
        *([_given("Fixed table", fixed)] if fixed else []),
        *([_given("Awarded byes", {player: fact.rounds for player, fact in byes.items()})] if byes else []),
    ]


def _given(heading: str, values: Mapping[int, int]) -> Column[PlayerLine]:
    return Column(heading, lambda line: str(values.get(line.number, "")), right=True)


def roster_columns(record: Record) -> list[Column[PlayerLine]]:
    """Return the other columns of the roster, membership numbers first. The roster's columns are personal data, for
    the staff only. The surname column is left out, because the player's name includes the surname.
    """
    given = (column for player in record.entered() for column in (*player.person.details, *player.attributes))
    columns = [column for column in dict.fromkeys(given) if not is_surname(column)]
    return [_detail(record, column) for column in sorted(columns, key=lambda column: not is_membership(column))]


def _detail(record: Record, column: str) -> Column[PlayerLine]:
    def cell(line: PlayerLine) -> str:
        player = record.players[line.number]
        return player.person.details.get(column) or player.attributes.get(column, "")

    return Column(column, cell)


def places_columns(player: Cell[Any], division: Cell[Any] | None = None) -> list[Column[Any]]:
    """Return final place, player, division, reason and rule. `player` and `division` return the words of a line."""
    return [
        _place(lambda line: span_text(line.first, line.last, decided=line.decided)),
        Column(sentence("Player"), player, strong=True),
        *_division(division),
        Column("", lambda line: line.why, sentence("Why"), wide=True, size=SMALL),
        Column(sentence("Rule"), lambda line: line.rule, size=SMALL),
    ]


def named_places(record: Record, page: PlacesPage) -> list[Column[Any]]:
    """Return the columns of the final places, and a last column that names the champions."""
    named: Column[Any] = Column("", lambda line: "champion" if line.player in page.champions else "", "Champion")
    return [*places_columns(name_in(record)), named]


def provisional_column(said: str) -> list[Column[Any]]:
    """Return the last column of a table as CSV: which results are missing or contested, or [] if none are."""
    return [Column("", lambda _: said, "Provisional")] if said else []


def overview_columns(unit: str) -> list[Column[Document]]:
    """Return final place, player, points, division and status from the document of an overview."""
    return [
        _place(lambda line: span_text(line["first"], line["last"], decided=line["decided"])),
        Column(sentence("Player"), lambda line: line["player"], wide=True),
        Column(unit_name(unit), lambda line: points_of(line["points"], unit), right=True),
        Column("", lambda line: line["division"] or "", sentence("Division")),
        _status(lambda line: line["status"]),
    ]


def entry_columns(headings: Sequence[str], what: Cell[Line], entry: Callable[[Line], Entry]) -> list[Column[Line]]:
    """Return columns with an entry's position, time and recorder, then the columns `what`. `entry` returns the
    entry of a line.
    """
    position, recorded, by, about = headings
    return [
        Column(position, lambda line: str(entry(line).position), right=True),
        Column(recorded, lambda line: recorded_text(entry(line))),
        Column(by, lambda line: clerk_text(entry(line))),
        Column(about, what, wide=True),
    ]


def recorded_text(entry: Entry) -> str:
    """Return when an entry was recorded, in the machine's own time zone."""
    return moment_text(entry.recorded_at)


def moment_text(moment: datetime) -> str:
    """Return a moment in the machine's own time zone."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M:%S")


def clerk_text(entry: Entry) -> str:
    """Return who recorded an entry."""
    return plain(f"{entry.actor} ({entry.role}, {entry.station})")


def who_and_when(entry: Entry) -> str:
    """Return who recorded an entry, and when."""
    return f"{clerk_text(entry)} {recorded_text(entry)}"


def because(what: str, reason: str | None) -> str:
    """Return a text, followed by the reason if there is one."""
    return f"{what}; {plain(reason)}" if reason else what


def csv_table(
    specified: Sequence[Column[Line]],
    sections: Iterable[tuple[str | None, Iterable[Line]]],
) -> Iterator[str]:
    """Return a table as CSV.

    If the sections have names, a first column contains the names.
    """
    parts = [(name, list(lines)) for name, lines in sections]
    named = any(name is not None for name, _ in parts)
    rows = [[*(["Division"] if named else []), *(column.heading or column.name for column in specified)]]
    for name, lines in parts:
        first = [name or ""] if named else []
        rows += [[*first, *(column.cell(line) for column in specified)] for line in lines]
    yield from csv_rows(rows)


def standings_csv(record: Record, page: StandingsPage) -> Iterator[str]:
    """Return the standings as CSV, with the names of a record that its reader may see."""
    shown = {name: None for _, _, found, _ in page.sections for name in shown_tiebreaks(page.law, found)}
    sections = [(division, rows) for division, _, found, rows in page.sections]
    columns = [*standings_columns(record, page.law, shown), *provisional_column(page.unsettled.said)]
    return csv_table(columns, sections)


def csv_rows(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Rows as lines of CSV. If a spreadsheet would take a cell for a formula, an apostrophe protects the cell."""
    from matchledger.formats.csv_tables import safe_cell  # noqa: PLC0415 - only CSV output needs it

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [safe_cell(plain(as_number(cell))) for cell in row] for row in rows
    )
    yield from text.getvalue().splitlines()
