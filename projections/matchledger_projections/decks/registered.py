"""Registered lists: what a player's deck list is, as handed in and amended since."""

from __future__ import annotations

from dataclasses import dataclass

from matchledger.events import DeckAmended, DeckList, DeckSubmitted
from matchledger_projections.decks.deck import amended
from matchledger_projections.record import Record


@dataclass(frozen=True, slots=True)
class Registered:
    """A player's list as it stands, the entry it was handed in by, and what was amended since."""

    position: int
    deck: DeckList
    sha256: str
    amendments: tuple[tuple[int, DeckAmended], ...] = ()


def registered(record: Record, player: int) -> Registered | None:
    """The list of a player; None if none was handed in, or it was taken back."""
    current: Registered | None = None
    for position, fact in record.decks.get(player, ()):
        if record.is_dead(position):
            continue
        if isinstance(fact, DeckSubmitted):
            current = Registered(position, fact.deck, fact.sha256)
        elif current is not None:
            current = Registered(
                current.position,
                amended(current.deck, fact.difference),
                fact.sha256,
                (*current.amendments, (position, fact)),
            )
    return current
