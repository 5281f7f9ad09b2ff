"""Rulings: what leaders decided at the tables, and which rulings a marshal has reviewed (L5R-I.3-JUDGE)."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import RulingGiven
from matchledger_projections.record.record import Record


class Ruling(NamedTuple):
    """A ruling, recorded at `position`. `reviewed_by` is the entry of the ruling that replaced it."""

    position: int
    fact: RulingGiven
    reviewed_by: int | None


def rulings(record: Record) -> list[Ruling]:
    """Every ruling that was not retracted, reviewed ones included, in order."""
    counting = [(position, fact) for position, fact in record.every(RulingGiven) if not record.is_dead(position)]
    reviews = {fact.reviews: position for position, fact in reversed(counting) if fact.reviews is not None}
    return [Ruling(position, fact, reviews.get(position)) for position, fact in counting]


def ruling_at(record: Record, position: int) -> Ruling | None:
    """The ruling of an entry. None if the entry is not a ruling, or was retracted."""
    return next((ruling for ruling in rulings(record) if ruling.position == position), None)
