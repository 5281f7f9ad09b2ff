"""Entries of the log in the desk's lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from matchledger.commands.retraction import who_may_retract
from matchledger.events import Entry, Role
from matchledger.ledger import Ledger
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record


class EntryLine(NamedTuple):
    """An entry in words. `taken_back_by` are the roles that may take it back now."""

    entry: Entry
    said: str
    counts: bool
    taken_back_by: tuple[Role, ...]


def entry_lines(ledger: Ledger, tournament: UUID, record: Record, positions: Iterable[int]) -> list[EntryLine]:
    """The entries at some positions, in that order."""
    return [
        EntryLine(
            entry,
            tell(record, entry.fact),
            not record.is_dead(entry.position),
            who_may_retract(record, entry.position, entry.fact),
        )
        for entry in (ledger.entry(tournament, position) for position in positions)
    ]
