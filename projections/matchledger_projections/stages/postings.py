"""Postings: whether posted standings match the log before them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from matchledger.events import PostedRow, StandingsPosted
from matchledger_projections.divisions.tables import standings_apart
from matchledger_projections.fractions import as_text
from matchledger_projections.record.record import Record
from matchledger_projections.standings.standings import Row


class Misposting(NamedTuple):
    """A posting with other rows than the log before it gives, and the first line that differs."""

    position: int
    what: str


def mispostings(record: Record) -> Iterator[Misposting]:
    """Every posting that does not match the entries before it, in order."""
    for position, posting in record.every(StandingsPosted):
        what = _difference(record.as_of(position - 1), posting)
        if what is not None:
            yield Misposting(position, what)


def posted_rows(record: Record, round_: int) -> list[PostedRow]:
    """The lines that are posted after a round. Divisions that play apart follow one another."""
    return [posted_row(row) for table in standings_apart(record, round_) for row in table.rows]


def posted_row(row: Row) -> PostedRow:
    """A line of posted standings."""
    return PostedRow(
        rank=row.rank,
        player=row.player,
        points=row.points,
        status=row.status,
        tied=row.tied,
        tiebreaks={name: as_text(value) for name, value in row.tiebreaks.items()},
    )


def _difference(record: Record, posting: StandingsPosted) -> str | None:
    replayed = posted_rows(record, posting.round)
    of_round = f"the posted standings after round {posting.round}"
    for line, (posted, right) in enumerate(zip(posting.rows, replayed, strict=False), 1):
        if posted != right:
            return f"{of_round} say {_said(record, posted)} in line {line}, the log says {_said(record, right)}"
    if len(posting.rows) != len(replayed):
        return f"{of_round} have {len(posting.rows)} lines, the log gives {len(replayed)}"
    return None


def _said(record: Record, row: PostedRow) -> str:
    player = record.players[row.player].name if row.player in record.players else f"player {row.player}"
    numbers = [f"{row.points} points", *(f"{name} {value}" for name, value in row.tiebreaks.items())]
    parts = ["-" if row.rank is None else str(row.rank), player, *numbers]
    return " ".join(parts[:2]) + f" ({', '.join([row.status, *parts[2:]])})"
