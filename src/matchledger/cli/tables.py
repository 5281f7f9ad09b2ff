"""Tables in plain text: what a terminal, a pipe and a sheet of paper show alike, to the byte."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.games import games_text, turned
from matchledger_projections.text_line import plain

_WIDE = "WF"  # East Asian letters that take two columns


def columns(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> Iterator[str]:
    """Rows under headings, padded to one width per column; the columns in `right` are flush right."""
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
    """How many columns a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in _WIDE else 1
        for letter in text
    )


def _pad(text: str, space: int, *, right: bool) -> str:
    padding = " " * (space - width(text))
    return padding + text if right else text + padding


def pairings_table(record: Record, round_: Round, *, by_name: bool = False) -> Iterator[str]:
    """The tables of a round in order, or one line per player in order of name."""
    if by_name:
        yield from _by_name(record, round_)
        return
    rows = [
        [str(table), _name(record, players[0]), _name(record, players[1]), result_text(record, players, report)]
        for table, players, report in round_.results()
    ]
    yield from columns(["Table", "Player", "Opponent", "Result"], rows, right=[0])
    yield from (f"Bye: {_name(record, bye.player)}" for bye in round_.byes)


def _by_name(record: Record, round_: Round) -> Iterator[str]:
    lines = [
        (_name(record, player), str(table), _name(record, opponent))
        for table, (first, second) in round_.tables.items()
        for player, opponent in ((first, second), (second, first))
    ]
    lines += [(_name(record, bye.player), "-", "bye") for bye in round_.byes]
    yield from columns(
        ["Player", "Table", "Opponent"], sorted(lines, key=lambda line: line[0].casefold()), right=[1]
    )


def result_text(record: Record, players: tuple[int, int], report: Report | None) -> str:
    """What came in from a table, in words."""
    if report is None:
        return ""
    slip = report.slip
    kind = "" if slip.kind in ("win", "draw", "score") else f" ({slip.kind})"
    blood = "" if slip.blood_points is None else f" [{slip.blood_points}]"
    if slip.scores is not None:
        return f"{slip.scores[0]}-{slip.scores[1]}{kind}"
    seen = slip.games if slip.games is None or slip.winner != players[1] else turned(slip.games)
    games = "" if seen is None else f" {games_text(seen)}"
    if slip.winner is None:
        return f"{'draw' if slip.kind == 'draw' else slip.kind}{games}{blood}"
    return f"{'>' if slip.winner == players[0] else '<'} {_name(record, slip.winner)}{games}{kind}{blood}"


def _name(record: Record, player: int) -> str:
    return record.players[player].name


def slip_form(record: Record, round_: Round, table: int) -> Iterator[str]:
    """A blank slip for one table, to be filled in and signed by its players."""
    first, second = (_name(record, player) for player in round_.tables[table])
    name_width = max(width(first), width(second), 24)
    title = record.opening.name if record.opening is not None else ""
    yield f"{title}   Round {round_.number}   Table {table}"
    yield ""
    for name in (first, second):
        padding = " " * (name_width - width(name))
        yield f"  [ ] {name}{padding}  points ______  signed ______________"
    kinds = ", ".join(kind for kind in record.rulebook.results if kind != "win")
    yield f"  other result: ______________ ({kinds})"
