"""The parts of a deck list, as pages show them."""

from __future__ import annotations

from msgspec import Struct

from matchledger.events import DeckList, ListedCard


class Part(Struct, frozen=True):
    """A part of a deck list: its name, its number of cards, and its cards in the order of the list."""

    name: str
    size: int
    cards: list[ListedCard]


def parts_of_deck(deck: DeckList) -> list[Part]:
    """Return the parts of a list in order."""
    parts: dict[str, list[ListedCard]] = {}
    for card in deck.cards:
        parts.setdefault(card.part, []).append(card)
    return [Part(name, sum(card.count for card in cards), cards) for name, cards in parts.items()]
