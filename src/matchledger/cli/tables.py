"""Tables in plain text, with the same bytes on a terminal, in a pipe and on paper. Tables of sentences fit the
terminal.
"""

from __future__ import annotations

import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from matchledger.text.columns import Column, Line, listed_name, pairings_columns, standings_columns
from matchledger.text.labels import shown_tiebreaks
from matchledger_projections.message import plain
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.surnames import list_order
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import Row, Standings
from matchledger_projections.views.tables import pairing_lines

_WIDE = "WF"  # East Asian letters fill two columns


def columns(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> Iterator[str]:
    """Yield headings and rows as lines, with each column as wide as its widest cell. The columns in `right` are
    aligned to the right.
    """
    table = [list(heads), *([plain(cell) for cell in row] for row in rows)]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    flush_right = set(right)
    for row in table:
        cells = [
            _pad(cell, space, right=index in flush_right)
            for index, (cell, space) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def width(text: str) -> int:
    """Return how many terminal columns a text fills."""
    if text.isascii():  # nearly every cell is ASCII
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in _WIDE else 1
        for letter in text
    )


def _pad(text: str, space: int, *, right: bool) -> str:
    padding = " " * (space - width(text))
    return padding + text if right else text + padding


_GAP = re.compile(r"(?<=\S) {3,}")  # the padding of a column


def fitted(lines: Iterable[str], out: Path | None = None) -> Iterator[str]:
    """Wrap each line that is wider than the terminal. A pipe or the file `out` gets whole lines."""
    room = shutil.get_terminal_size().columns if out is None and sys.stdout.isatty() else 0
    for line in lines:
        yield from _broken(line, room) if 0 < room < width(line) else (line,)


def _broken(line: str, room: int) -> Iterator[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    words = re.findall(r"\s*\S+", _GAP.sub("  ", line))
    part = words[0]
    for word in words[1:]:
        if width(part + word) <= room:
            part += word
        else:
            yield part
            part = indent + word.lstrip()
    yield part


def table(specified: Sequence[Column[Line]], lines: Iterable[Line]) -> Iterator[str]:
    """The lines of a table with columns."""
    rows = ([column.cell(line) for column in specified] for line in lines)
    right = [number for number, column in enumerate(specified) if column.right]
    yield from columns([column.heading for column in specified], rows, right)


def standings_table(
    record: Record, found: Standings, law: Rulebook, lines: Iterable[Row] | None = None
) -> Iterator[str]:
    """Yield the standings as text, or some `lines` of them."""
    shown = standings_columns(record, law, shown_tiebreaks(law, found))
    yield from table(shown, found.rows if lines is None else lines)


def pairings_table(
    record: Record, round_: Round, *, by_name: bool = False, outstanding: bool = False
) -> Iterator[str]:
    """Yield a round's tables as text in order, or one line per player by name. With `outstanding`, yield only the
    tables without a result.
    """
    if by_name:
        rows = players_at_tables(record, round_, outstanding=outstanding)
        yield from columns(["Player", "Table", "Opponent"], rows, right=[1])
        return
    lines = [line for line in pairing_lines(round_) if not outstanding or line.result is None]
    yield from table(pairings_columns(record, partial(_name, record)), lines)
    if not outstanding:
        yield from (f"Bye: {_name(record, bye.player)}" for bye in round_.byes)


def players_at_tables(record: Record, round_: Round, *, outstanding: bool) -> list[tuple[str, str, str]]:
    """Return each player's name, table and opponent, in order of the names. With `outstanding`, return only the
    players of tables without a result.
    """
    lines = [
        (player, str(table), _name(record, opponent))
        for table, (first, second) in round_.tables.items()
        if not outstanding or table in round_.outstanding
        for player, opponent in ((first, second), (second, first))
    ]
    lines += [] if outstanding else [(bye.player, "-", "bye") for bye in round_.byes]
    lines.sort(key=lambda line: list_order(record.players[line[0]].person))
    return [(_name(record, player), table, opponent) for player, table, opponent in lines]


def _name(record: Record, player: int) -> str:
    return listed_name(record.players[player].name, disqualified=record.status(player) == "disqualified")


def slip_form(record: Record, round_: Round, table: int) -> Iterator[str]:
    """A blank slip for one table, to be filled in and signed by its players."""
    first, second = (record.players[player].name for player in round_.tables[table])
    name_width = max(width(first), width(second), 24)
    yield f"{record.name}   Round {round_.number}   Table {table}"
    yield ""
    for side, name in (("a", first), ("b", second)):
        padding = " " * (name_width - width(name))
        yield f"  {side} [ ] {name}{padding}  points ______  signed ______________"
    kinds = ", ".join(kind for kind in record.rulebook.results if kind != "win")
    yield f"  other result: ______________ ({kinds})"
