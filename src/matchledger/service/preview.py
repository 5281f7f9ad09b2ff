"""Preview: the effect of a command, drafted on the current log and never recorded."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple
from uuid import UUID

from matchledger.events import AnyFact, TournamentClosed
from matchledger.ledger import Clerk, Decision, Draft, Ledger
from matchledger.service.wording import in_words
from matchledger_projections.document import Document, document
from matchledger_projections.record.record import Record
from matchledger_projections.views.consequences import Consequences, consequences


class Foreseen(NamedTuple):
    """The record after a decision, with the decision's entries and changes."""

    record: Record
    consequences: Consequences


def foresee(
    ledger: Ledger,
    tournament: UUID,
    decision: Decision,
    *,
    clerk: Clerk | None = None,
    reason: str | None = None,
    command: str | None = None,
    cut: int | None = None,
) -> Foreseen:
    """Execute a decision on a draft of the log, and return its effects.

    Raises the Refusal that the decision raises. Records nothing. The secret behind the draws becomes public when a
    closing is recorded, so a foreseen closing shows zeros in its place (A-2).

    If the `command` was recorded before, the effects are empty, because nothing would be recorded again.
    """
    before = ledger.record(tournament)
    draft = Draft(tournament, ledger.record_as_of(tournament, before.position), clerk)
    if command is None or command not in before.commands:
        draft.decide(lambda record: [_without_secret(fact) for fact in decision(record)], reason=reason)
    facts = tuple(entry.fact for entry in draft.entries)
    return Foreseen(draft.record, consequences(before, draft.record, cut=cut, facts=facts))


def _without_secret(fact: AnyFact) -> AnyFact:
    return fact.model_copy(update={"secret": "0" * 64}) if isinstance(fact, TournamentClosed) else fact


def foreseen_document(ledger: Ledger, tournament: UUID, foreseen: Foreseen) -> Document:
    """Return the consequences as a document."""
    made: Document = document(
        foreseen.consequences, foreseen.record, lambda position: ledger.entry(tournament, position)
    )
    return made


def facts_in_words(ledger: Ledger, tournament: UUID, foreseen: Foreseen) -> list[str]:
    """Return the facts that the command would record, in the words of the log.

    A retraction also says who recorded the retracted entry, and at which station.
    """
    before = partial(ledger.record, tournament)
    return [
        in_words(ledger, tournament, foreseen.record, fact, before=before, signed=True)
        for fact in foreseen.consequences.facts
    ]
