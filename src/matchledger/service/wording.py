"""Wording: a command's entries in words, for the command line, the desk and the API."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from matchledger.events import AnyFact, EntryRetracted
from matchledger.ledger import Ledger
from matchledger_projections.message import sentence
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record


def in_words(
    ledger: Ledger,
    tournament: UUID,
    record: Record,
    fact: AnyFact,
    *,
    before: Callable[[], Record],
    signed: bool = False,
) -> str:
    """Return a fact of `record` in words. A retraction names the entry that counts again or no longer counts.

    `before` returns the record before the command. An entry that no longer counts is described from the earlier
    record, in which its bracket still exists. `signed` adds who recorded the entry, and at which station.
    """
    if not isinstance(fact, EntryRetracted):
        return tell(record, fact)
    entry = ledger.entry(tournament, record.root_of(fact.retracts))
    again = record.takes_back(fact.retracts)
    said = tell(record if again else before(), entry.fact)
    if signed:
        said = sentence(
            "%(words)s (recorded by %(actor)s at station %(station)s)",
            words=said,
            actor=entry.actor,
            station=entry.station,
        )
    if again:
        return sentence("entry %(entry)s counts again: %(said)s", entry=entry.position, said=said)
    return sentence("entry %(entry)s no longer counts: %(said)s", entry=entry.position, said=said)
