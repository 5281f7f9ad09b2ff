"""Postings: their order (PKM-4-POST), and whether posted standings match the log before them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from matchledger.events import EntryRetracted, PairingsPosted, PostedRow, Stage, StandingsPosted
from matchledger_projections.divisions.tables import standings_apart
from matchledger_projections.fractions import as_text
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.standings.standings import Row


class Misposting(NamedTuple):
    """A posting whose rows differ from those that the earlier log gives, and the first row that differs."""

    position: int
    what: str


def mispostings(record: Record) -> Iterator[Misposting]:
    """Yield every posting that does not match the entries before it, in order."""
    for position, posting in record.every(StandingsPosted):
        what = _difference(record.as_of(position - 1), posting)
        if what is not None:
            yield Misposting(position, what)


def posted_rows(record: Record, round_: int) -> list[PostedRow]:
    """Return the lines that are posted after a round. Divisions that play apart follow one another."""
    return [posted_row(row) for table in standings_apart(record, round_) for row in table.rows]


def posted_row(row: Row) -> PostedRow:
    """Return a line of posted standings."""
    return PostedRow(
        rank=row.rank,
        player=row.player,
        points=row.points,
        status=row.status,
        tied=row.tied,
        tiebreaks={name: as_text(value) for name, value in row.tiebreaks.items()},
    )


def _difference(record: Record, posting: StandingsPosted) -> str | None:
    of_round = f"the posted standings after round {posting.round}"
    last = max((round_.number for round_ in record.rounds()), default=0)
    if posting.round > last:  # replaying so many rounds might never end
        return f"{of_round} are about a round that the log does not have (rounds 1 to {last})"
    replayed = posted_rows(record, posting.round)
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


def rule(record: Record) -> str | None:
    """Return the rule that demands the order of postings, or None if the rulebook has no such rule."""
    law = record.rulebook
    return None if law.readings.posting_order == "free" else law.reading_rule("posting_order")


def is_demanded(record: Record) -> bool:
    """Return whether matchledger refuses a step out of order, or only warns."""
    return record.rulebook.readings.posting_order == "demanded"


def standings_missing(record: Record, number: int) -> int | None:
    """Return the round whose standings should have been posted before round `number` or before a cut, but were not.

    Return None if nothing is missing. The rounds of an imported file were posted elsewhere.
    """
    before = record.round(number - 1)
    if before is None or not record.was_live(before.position) or rule(record) is None:
        return None
    posted = [(position, posting) for position, posting in record.postings if posting.round == number - 1]
    return None if posted and not _has_changed(record, *posted[-1]) else number - 1


def _has_changed(record: Record, position: int, posting: StandingsPosted) -> bool:
    """Return whether players of posted standings have other points or tiebreakers now. Late players may have
    joined.
    """
    posted = [round_ for round_ in record.rounds() if round_.number <= posting.round]
    came_since = any(report.position > position for round_ in posted for _, report in round_.reported())
    if not came_since and all(at < position for at, _ in record.every(EntryRetracted)):
        return False
    was, now = (
        {row.player: (row.points, row.tiebreaks) for row in rows}
        for rows in (posting.rows, posted_rows(record, posting.round))
    )
    return any(now.get(player) != values for player, values in was.items())


def pairings_missing(record: Record, number: int, stage: Stage = "swiss") -> bool:
    """Return whether the current pairings of a round should be posted before it starts, but are not."""
    round_ = record.round(number, stage)
    if round_ is None or not record.was_live(round_.position) or rule(record) is None:
        return False
    posted = [
        posting
        for position, posting in record.pairings_posted
        if position > round_.position and (posting.round, posting.stage) == (number, stage)
    ]
    return not posted or not _is_as_posted(round_, posted[-1])


def _is_as_posted(round_: Round, posting: PairingsPosted) -> bool:
    tables = {seating.table: seating.players for seating in posting.tables}
    return tables == dict(round_.tables) and set(posting.byes) == {bye.player for bye in round_.byes}
