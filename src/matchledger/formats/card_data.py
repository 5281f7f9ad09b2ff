"""Card data: the cards of a game, in a CSV or JSON file from the organizer.

`docs/decks.md` describes the columns. An empty cell, a missing column or a null gives no information. A cell with
"-" says that the card does not have the property.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from typing import Any

from msgspec import Struct
from pydantic import ValidationError

from matchledger.formats.json_values import parse_json
from matchledger.formats.text import FormatError, did_you_mean, lines_of, listed, not_csv, problem_with_name
from matchledger_projections.decks.cards import RINGS, Card, CardPool, folded, read_level, read_reference
from matchledger_projections.message import Sentence, joined, sentence

NONE = "-"
_LARGEST = 9999


class CardData(Struct, frozen=True):
    """The cards of a file, and the columns that were not read."""

    pool: CardPool
    unused: tuple[str, ...]


def read_card_data(data: bytes) -> CardData:
    """Return the cards in a CSV or JSON file.

    Raises FormatError, one line with the place, if a column has a value of the wrong kind.
    """
    beginning = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    # A `[` before a letter is the heading of a deck list, which the user gave instead of card data.
    is_json = beginning.startswith((b"{", b"[")) and not re.match(rb"\[[A-Za-z]", beginning)
    rows = _json_rows(data) if is_json else _csv_rows(data)
    unused: dict[str, None] = {}
    cards = []
    for place, row in rows:
        unused |= dict.fromkeys(column for column in row if column not in _COLUMNS)
        cards.append(_card(row, place))
    if not cards:
        raise FormatError(sentence("the card data have no card"))
    return CardData(CardPool(cards, hashlib.sha256(data).hexdigest()), tuple(unused))


def unused_columns(unused: tuple[str, ...]) -> str:
    """Return a line about columns that were not read, each with the most similar known column."""
    return ", ".join(f"{column!r}{did_you_mean(column, list(_COLUMNS))}" for column in unused)


Row = Mapping[str, Any]


def _csv_rows(data: bytes) -> Iterator[tuple[str, Row]]:
    rows = csv.DictReader(lines_of(data), strict=True)
    try:
        rows.fieldnames = [_column(name) for name in rows.fieldnames or ()]
        if "title" not in rows.fieldnames:
            raise FormatError(sentence("there is no column 'title': the first line names the columns"), 1)
        if len(set(rows.fieldnames)) < len(rows.fieldnames):
            raise FormatError(sentence("a column appears twice"), 1)
        for row in rows:
            if None in row:
                raise FormatError(
                    sentence(
                        "more cells than columns: put a cell with a comma in quotes, and ';' between several values"
                    ),
                    rows.line_num,
                )
            yield sentence("line %(line)s", line=rows.line_num), row
    except csv.Error as error:
        raise FormatError(not_csv(error), rows.line_num + 1) from None


def _json_rows(data: bytes) -> Iterator[tuple[str, Row]]:
    value = parse_json(data)
    if isinstance(value, dict):
        value = value.get("cards")
    if not isinstance(value, list):
        raise FormatError(sentence("the JSON is neither a list of cards nor an object with a list under 'cards'"))
    for index, row in enumerate(value):
        if not isinstance(row, dict):
            raise FormatError(_at(f"cards[{index}]", sentence("an object belongs here")))
        yield f"cards[{index}]", {_column(name): cell for name, cell in row.items()}


def _column(name: str) -> str:
    return "_".join(name.replace("-", " ").replace("_", " ").casefold().split())


def _card(row: Row, place: str) -> Card:
    values: dict[str, Any] = {}
    for column, cell in row.items():
        if (read := _COLUMNS.get(column)) is None or cell is None or cell == "":
            continue
        try:
            values[column] = read(cell)
        except ValueError as error:
            raise FormatError(_at(place, column, error.args[0])) from None
    if "title" not in values:
        raise FormatError(_at(place, sentence("the title is missing")))
    try:
        return Card.model_validate(values)
    except ValidationError as error:  # the column's reader accepts the value, but the class for cards does not
        raise FormatError(_at(place, error.errors()[0]["loc"][0], error.errors()[0]["msg"])) from None


def _at(*places_and_problem: object) -> Sentence:
    return joined(places_and_problem, ": ")


# -- the meaning of a cell


def _text(cell: Any) -> str:
    if not isinstance(cell, str):
        raise ValueError(sentence("a text belongs here"))  # noqa: TRY004 - the caller adds the place
    if (problem := problem_with_name(text := " ".join(cell.split()))) is not None:
        raise ValueError(problem)
    return text


def _word(cell: Any) -> str:
    return folded(_text(cell))


def _texts(cell: Any) -> tuple[str, ...]:
    """Return the values in a cell: the items of a list, or the parts of a text between semicolons. "-" and [] mean
    none.
    """
    parts = cell if isinstance(cell, list) else _text(cell).split(";")
    texts = [_text(part) for part in parts if part != ""]
    return () if texts == [NONE] else tuple(texts)


def _number(cell: Any) -> int:
    if cell == NONE:
        return 0
    text = str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]{1,5}", text.strip()) or int(text) > _LARGEST:
        raise ValueError(sentence("a whole number belongs here"))
    return int(text)


def _flag(cell: Any) -> bool:
    if isinstance(cell, bool):
        return cell
    known = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False, NONE: False}
    if (found := known.get(str(cell).strip().casefold())) is None:
        raise ValueError(sentence("yes or no belongs here"))
    return found


def _date(cell: Any) -> date:
    if isinstance(cell, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", cell.strip()):
        with suppress(ValueError):
            return date.fromisoformat(cell.strip())
        raise ValueError(sentence("there is no such day"))
    raise ValueError(sentence("a date such as 2018-10-18 belongs here"))


def _ring(cell: Any) -> str:
    if (ring := _word(cell)) not in RINGS:
        raise ValueError(sentence("one of %(known)s belongs here", known=listed(RINGS)))
    return ring


def _extra_ring(cell: Any) -> str:
    return "" if cell == NONE else _ring(cell)


def _level(cell: Any) -> Any:
    level = read_level("" if cell == NONE else _text(cell))
    if level is None:
        raise ValueError(
            sentence("%(level)r is not a level of experience such as Experienced 2, or '-' for none", level=cell)
        )
    return level


def _references(cell: Any) -> tuple[Any, ...]:
    return tuple(map(read_reference, _texts(cell)))


# The function that reads each column. Each column is named after its field.
_COLUMNS: dict[str, Callable[[Any], Any]] = {
    "title": _text,
    "product": _texts,
    "released": _date,
    "legal_from": _date,
    "deck": _word,
    "type": _word,
    "clan": lambda cell: frozenset(_texts(cell)),
    "keywords": lambda cell: frozenset(_texts(cell)),
    "unique": _flag,
    "influence": _number,
    "influence_maximum": _number,
    "influence_bonus": _number,
    "ring": _ring,
    "extra_ring": _extra_ring,
    "experience": _level,
    "alternate_titles": _texts,
    "soul_of": _references,
    "counts_as": _references,
    "pregame_cards": _number,
    "faction": _word,
}
COLUMNS: tuple[str, ...] = tuple(_COLUMNS)
