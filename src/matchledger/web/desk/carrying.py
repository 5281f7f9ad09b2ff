"""Execute commands of the desk or of a program, with a message about a table that already has a slip."""

from __future__ import annotations

from uuid import UUID

from matchledger.commands.refusal import AlreadyReported
from matchledger.events import Entry
from matchledger.ledger import Conflict, Contradiction, Ledger
from matchledger.proof.keys import SigningKey
from matchledger.service.execute import Done, Request, execute
from matchledger_projections.narration import tell


class TableTaken(Conflict):
    """Another station recorded the slip of a table first.

    `other` is the other station's entry, and `said` is the message.

    `refused` is the position of the entry that keeps the contradicting slip.
    """

    def __init__(self, message: str, other: Entry, said: str, refused: int | None = None) -> None:
        super().__init__(message)
        self.other = other
        self.said = said
        self.refused = refused


def carry_out(ledger: Ledger, tournament: UUID, request: Request, *, key: SigningKey | None = None) -> Done:
    """Record the facts of a command. Raises the errors of `execute`, and TableTaken for a table that already has a
    slip.
    """
    try:
        return execute(ledger, tournament, request, key=key)
    except AlreadyReported as problem:
        raise _taken(ledger, tournament, problem, problem.entry) from None
    except Contradiction as problem:
        raise _taken(ledger, tournament, problem, problem.contradicted, problem.entry.position) from None


def _taken(
    ledger: Ledger, tournament: UUID, problem: Exception, first: int, refused: int | None = None
) -> TableTaken:
    other = ledger.entry(tournament, first)
    return TableTaken(problem.args[0], other, tell(ledger.record(tournament), other.fact), refused)
