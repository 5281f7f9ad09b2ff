"""Rosters: the players of an event in a CSV file, whose first line names the columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from matchledger.formats.text import lines_of
from matchledger.formats.transcript import FormatError

_KNOWN = ("name", "born", "division", "contact")
_MOST_PLAYERS = 100_000
_LONGEST_CELL = 1000


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A player as a roster has one: the cells that are not empty, by column, and where they stand."""

    line: int
    cells: dict[str, str]


def read_roster(data: bytes) -> Iterator[RosterLine]:
    """The players of a roster, in its order. Raises FormatError, one line with its place."""
    rows = csv.DictReader(lines_of(data), strict=True)
    try:
        rows.fieldnames = [_column(name) for name in rows.fieldnames or ()]
        if not all(name.isprintable() for name in rows.fieldnames):
            raise FormatError("the name of a column has a character that cannot be printed; remove it", 1)
        if "name" not in rows.fieldnames:
            raise FormatError("there is no column 'name': the first line names the columns")
        if len(set(rows.fieldnames)) < len(rows.fieldnames):
            raise FormatError("a column stands there twice", 1)
        found = 0
        for found, row in enumerate(rows, 1):
            if found > _MOST_PLAYERS:
                raise FormatError(f"there are more than {_MOST_PLAYERS} players; is it really one event?")
            yield _line(row, rows.line_num)
    except csv.Error as error:
        raise FormatError(f"this is not CSV: {error}", rows.line_num + 1) from None
    if found == 0:
        raise FormatError("the roster names nobody")


def _column(written: str) -> str:
    """The columns that are known by name are so in whatever case; the others are the organizer's own."""
    name = written.strip()
    return name.casefold() if name.casefold() in _KNOWN else name


def _line(row: dict[str, str], line: int) -> RosterLine:
    if None in row:
        raise FormatError("more cells than columns; put a cell with a comma in quotes", line)
    # A line with too few cells has None among its values.
    cells = {column: value.strip() for column, value in row.items() if value and value.strip()}
    for column, value in cells.items():
        if (problem := _problem_with_cell(column, value)) is not None:
            raise FormatError(f"{column[:20]!r}: {problem}", line)
    return RosterLine(line, cells)


def _problem_with_cell(column: str, value: str) -> str | None:
    if column == "name":  # what is wrong with a name is said as it is everywhere
        return None
    if len(value) > _LONGEST_CELL:
        return f"the cell has {len(value)} characters; {_LONGEST_CELL} are allowed"
    return None if value.isprintable() else "a character cannot be printed; remove it"
