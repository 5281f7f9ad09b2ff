"""Foresight: what a command would record and change, drafted on the log as it stands, and never recorded."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from matchledger.documents.document import Document
from matchledger.documents.foresight import consequences_document
from matchledger.events import AnyFact
from matchledger.ledger import Clerk, Decision, Draft, Ledger
from matchledger_projections.record.record import Record
from matchledger_projections.views.consequences import Consequences, consequences


class Foreseen(NamedTuple):
    """What a decision would record, the record that it would lead to, and what would differ."""

    facts: tuple[AnyFact, ...]
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
    """Carries a decision out on a draft of the log. Raises Refusal as the decision does; records nothing.

    A `command` that was recorded before would record nothing again.
    """
    before = ledger.record(tournament)
    draft = Draft(tournament, ledger.record_as_of(tournament, before.position), clerk)
    if command is None or command not in before.commands:
        draft.decide(decision, reason=reason)
    facts = tuple(entry.fact for entry in draft.entries)
    return Foreseen(facts, draft.record, consequences(before, draft.record, cut=cut))


def posted_at(ledger: Ledger, tournament: UUID, found: Consequences) -> dict[int, datetime]:
    """When each posting that would no longer be right was recorded."""
    return {posting.position: ledger.entry(tournament, posting.position).recorded_at for posting in found.postings}


def foreseen_document(ledger: Ledger, tournament: UUID, foreseen: Foreseen) -> Document:
    """What would follow, as a document."""
    found = foreseen.consequences
    return consequences_document(
        foreseen.record, found, facts=foreseen.facts, posted_at=posted_at(ledger, tournament, found)
    )
