"""Narration of the event's public page."""

from __future__ import annotations

from matchledger.events import EventDescribed, NewsPosted, PublicityFact
from matchledger_projections.message import joined, sentence
from matchledger_projections.record.record import Record


def tell_publicity(_: Record, fact: PublicityFact) -> str:
    """One line about the event's page."""
    match fact:
        case EventDescribed():
            said = [value for value in (fact.day and str(fact.day), fact.venue) if value]
            shown = joined((" (", joined(said), ")"), "") if said else ""
            return sentence("the page of the event was written%(said)s", said=shown)
        case NewsPosted():
            return sentence("news: %(text)s", text=fact.text)
