"""Publicity: the text of the event's page, and its news."""

from __future__ import annotations

from matchledger.events import EventDescribed, NewsPosted
from matchledger_projections.record.record import Record


def description(record: Record) -> EventDescribed:
    """The latest description of the event, empty if there is none."""
    said = record.counting(EventDescribed)
    return said[-1][1] if said else EventDescribed()


def news(record: Record) -> list[tuple[int, NewsPosted]]:
    """The news that count, the latest first, with their positions."""
    return record.counting(NewsPosted)[::-1]


def has_page(record: Record) -> bool:
    """Whether the event's page has any content."""
    return bool(record.counting(EventDescribed) or record.counting(NewsPosted))
