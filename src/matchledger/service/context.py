"""Connect a command to the ledger that holds its tournament."""

from __future__ import annotations

from uuid import UUID

from matchledger.commands.context import Context
from matchledger.commands.draft import Clerk
from matchledger.events import Entry
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence


def context_of(ledger: Ledger, tournament: UUID, clerk: Clerk | None = None) -> Context:
    """Return what a command may ask of a tournament besides its record."""

    def entry(position: int) -> Entry:
        size = ledger.head(tournament).size
        if position > size:
            raise UsageProblem(
                sentence("there is no entry %(entry)s: the log has %(count)s", entry=position, count=size)
            )
        return ledger.entry(tournament, position)

    return Context(
        secret=lambda: ledger.secret(tournament),
        entry=entry,
        replay=lambda position: ledger.record_as_of(tournament, position),
        clerk=clerk or Clerk(),
    )
