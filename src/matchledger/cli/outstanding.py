"""Lines about the tables of a round without a result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from matchledger.cli.clock_text import title
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round

_LISTED = 12  # the most tables without a result that one line names


def earlier_lines(record: Record, latest: Round) -> Iterator[str]:
    """Yield one line for each round before the given round that has a table without a result."""
    rounds = (*record.rounds(), *record.rounds("elimination"))
    before = takewhile(lambda round_: round_.position != latest.position, rounds)
    yield from (outstanding_line(round_) for round_ in before if round_.outstanding)


def outstanding_line(latest: Round) -> str:
    """Return one line that lists the round's tables without a result."""
    waiting, tables = latest.outstanding, len(latest.tables)
    name = title(latest)
    if not waiting:
        return f"{name}: {'its table' if tables == 1 else f'all {tables} tables'} reported."
    listed = ", ".join(map(str, waiting[:_LISTED])) + (", ..." if len(waiting) > _LISTED else "")
    return f"{name}: {tables - len(waiting)}/{tables} reported, outstanding: {listed}"
