"""Publicity: what the event's page says, and its news."""

from __future__ import annotations

from matchledger.events import EventDescribed, NewsPosted
from matchledger_projections.record.record import Record


def description(record: Record) -> EventDescribed:
    """What was said of the event last; an empty description before anything was."""
    said = record.counting(EventDescribed)
    return said[-1][1] if said else EventDescribed()


def news(record: Record) -> list[tuple[int, NewsPosted]]:
    """The news that count, the latest first, with their positions."""
    return record.counting(NewsPosted)[::-1]


def has_page(record: Record) -> bool:
    """Whether there is anything to show on a page about the event."""
    return bool(record.counting(EventDescribed) or record.counting(NewsPosted))
