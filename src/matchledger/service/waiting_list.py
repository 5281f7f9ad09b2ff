"""The number of people who wait for a place in a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from matchledger.ledger import Ledger
from matchledger_projections.message import Sentence, numbered
from matchledger_projections.record.phones import undone


def number_waiting(ledger: Ledger, tournament: UUID) -> int:
    """Return the number of people on the waiting list that is kept beside the ledger."""
    from matchledger.ledger.beside import SideFile  # noqa: PLC0415 - few events have a waiting list

    record = ledger.record(tournament)
    return 0 if record.closing is not None else SideFile(ledger.ring).count(tournament, undone(record))


def list_counted(ledger: Ledger, tournament: UUID) -> Iterator[Sentence]:
    """Yield one line that counts the people on the waiting list, or nothing for an empty list."""
    if count := number_waiting(ledger, tournament):
        yield numbered(
            "%(count)s person is on the waiting list: accept or decline the person at the desk in the browser",
            "%(count)s people are on the waiting list: accept or decline them at the desk in the browser",
            count,
        )
