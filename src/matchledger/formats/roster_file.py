"""Rosters: the players of an event. A roster is a table whose first line names the columns, or a list with one name
per line.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from matchledger.formats.text import FormatError, lines_of
from matchledger_projections.message import Sentence, is_printable, sentence

KNOWN_COLUMNS = ("name", "born", "division", "contact", "byes")  # the organizer may add other columns
_SEPARATORS = (",", ";", "\t")  # separators between cells, as spreadsheets save or copy them
_MOST_PLAYERS = 100_000
_LONGEST_CELL = 1000
# A line with this pattern is a table row and not a name: "Ann, 1990" has the pattern, "Lee, Ann" does not.
_CELLS = re.compile(r"[;\t]|,\s*\d")


class RosterLine(Struct, frozen=True):
    """A player in a roster: the line number, and the cells that are not empty, by column.

    `problem` is an error in the form of the line. The player's name is checked when the line is registered.
    """

    line: int
    cells: dict[str, str]
    problem: Sentence | None = None


def read_roster(data: bytes) -> Iterator[RosterLine]:
    """Return the players of a roster, in order. Raises FormatError for an error that concerns the whole roster."""
    return _table(lines_of(data))


def read_pasted(text: str) -> Iterator[RosterLine]:
    """Return the players of a pasted roster: a table with column names, or one name per line. Raises
    FormatError.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    begin = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[begin:] and _separator(lines[begin]) is not None:
        return _table(lines[begin:], begin)
    return _names(lines)


def _names(lines: Sequence[str]) -> Iterator[RosterLine]:
    named = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    _need_players(len(named))
    for number, name in named:
        problem = None
        if _CELLS.search(name):
            problem = sentence(
                "this line has more than a name: name the columns in the first line, one of them 'name'"
            )
        yield RosterLine(number, {"name": name}, problem)


def _table(lines: Sequence[str], before: int = 0) -> Iterator[RosterLine]:
    """Yield the players in a table that begins after `before` lines of text."""
    separator = _separator(lines[0]) if lines else None
    rows = csv.DictReader(lines, strict=True, delimiter=separator or _SEPARATORS[0])
    try:
        rows.fieldnames = [_column(name) for name in rows.fieldnames or ()]
        _need_columns(rows.fieldnames, before + 1)
        found = 0
        for found, row in enumerate(rows, 1):
            if found > _MOST_PLAYERS:
                break
            yield _line(row, before + rows.line_num)
    except csv.Error as error:
        raise FormatError(_in_words(error), before + rows.line_num + 1) from None
    _need_players(found)


def _separator(header: str) -> str | None:
    """Return the separator that gives a table a column `name`. Return None if no separator does."""
    for separator in _SEPARATORS:
        try:
            columns = next(csv.reader([header], strict=True, delimiter=separator), [])
        except csv.Error:
            continue
        if "name" in map(_column, columns):
            return separator
    return None


def _column(written: str) -> str:
    """Return the column with this name. Known columns are recognized in capitals or small letters. All other
    columns are the organizer's own.
    """
    name = written.strip()
    return name.casefold() if name.casefold() in KNOWN_COLUMNS else name


def _need_columns(columns: Sequence[str], line: int) -> None:
    if not all(name.isprintable() for name in columns):
        raise FormatError(sentence("the name of a column has a character that cannot be printed; remove it"), line)
    if "name" not in columns:
        raise FormatError(sentence("there is no column 'name': the first line names the columns"))
    if len(set(columns)) < len(columns):
        raise FormatError(sentence("a column appears twice"), line)


def _need_players(count: int) -> None:
    if count == 0:
        raise FormatError(sentence("the roster is empty"))
    if count > _MOST_PLAYERS:
        raise FormatError(
            sentence("there are more than %(most)s players; is it really one event?", most=_MOST_PLAYERS)
        )


def _in_words(error: csv.Error) -> Sentence:
    """Return a sentence about a table whose cells cannot be separated."""
    if "field limit" in str(error):
        return sentence("this is not CSV: a cell has more than %(most)s characters", most=csv.field_size_limit())
    if "end of data" in str(error):
        return sentence("this is not CSV: a quotation mark is opened and never closed")
    return sentence("this is not CSV: put a cell with a quotation mark in quotes, and double the mark inside")


def _line(row: dict[str, str], line: int) -> RosterLine:
    more = row.pop(None, None)  # type: ignore[call-overload] # where DictReader puts what has no column
    # A row with too few cells has None among its values.
    cells = {column: value.strip() for column, value in row.items() if value and value.strip()}
    if more is not None:
        return RosterLine(line, cells, sentence("more cells than columns; put a cell with a comma in quotes"))
    problems = (_problem_with_cell(column, value) for column, value in cells.items())
    return RosterLine(line, cells, next((problem for problem in problems if problem is not None), None))


def _problem_with_cell(column: str, value: str) -> Sentence | None:
    if column == "name":  # every command uses the same words for a problem with a name
        return None
    if len(value) > _LONGEST_CELL:
        return sentence(
            "%(column)r: the cell has %(count)s characters; %(most)s are allowed",
            column=column[:20],
            count=len(value),
            most=_LONGEST_CELL,
        )
    if not is_printable(value):
        return sentence("%(column)r: a character cannot be printed; remove it", column=column[:20])
    return None
