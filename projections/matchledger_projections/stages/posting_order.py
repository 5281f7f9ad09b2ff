"""The order of postings: standings before a round is paired, its pairings before it starts (PKM-4-POST)."""

from __future__ import annotations

from matchledger_projections.record.record import Record


def rule(record: Record) -> str | None:
    """The rule that demands the order of postings. None without such a rule."""
    law = record.rulebook
    return None if law.readings.posting_order == "free" else law.reading_rule("posting_order")


def is_demanded(record: Record) -> bool:
    """Whether matchledger refuses a step out of order, or only warns."""
    return record.rulebook.readings.posting_order == "demanded"


def standings_missing(record: Record, number: int) -> int | None:
    """The round whose standings should be posted before a round is paired, but are not. None if all is in order."""
    if number == 1 or rule(record) is None:
        return None
    return None if any(posting.round == number - 1 for _, posting in record.postings) else number - 1


def pairings_missing(record: Record, number: int) -> bool:
    """Whether the current pairings of a Swiss round should be posted before it starts, but are not."""
    round_ = record.round(number)
    if round_ is None or rule(record) is None:
        return False
    return not any(
        position > round_.position and posting.round == number and posting.stage == "swiss"
        for position, posting in record.pairings_posted
    )
