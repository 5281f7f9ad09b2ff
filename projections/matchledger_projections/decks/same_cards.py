"""Same cards: which cards of the Legacy format count as one for copy limits (LEG-SAME, LEG-SEP, LEG-EXP-TITLE).

A title, a level of experience and a type identify a card. A card with alternate titles has several identities. A
card counts as another card if its text says "Soul of" or "counts as", or if a named group contains both. Separate
cards share a few titles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from matchledger_projections.decks.cards import PLAIN, Card, CardPool, Level, Reference, folded
from matchledger_projections.decks.law import Legacy, legacy

PERSONALITY = "personality"


class Key(NamedTuple):
    """The identity of a card. Two cards with the same identity are the same card.

    `separate` distinguishes cards of one title (LEG-SEP).
    """

    title: str
    level: Level
    type: str
    separate: int = 0


class SameCards:
    """The sets of cards that count as the same card, over all card data.

    `versions` tells which separate card a title means when another card names it: "Soul of Isawa Tanaka" names
    two different cards. `readings` returns one object of this class for each possible meaning.
    """

    def __init__(self, pool: CardPool, law: Legacy, versions: Mapping[str, int] | None = None) -> None:
        self._pool = pool
        self._law = law
        self._versions = versions or {}
        self._parents: dict[Key, Key] = {}
        for card in pool.cards:
            keys = list(self.keys(card))
            for key in keys:
                self._join(keys[0], key)
            for reference in _references(card) if keys else ():
                self._join(keys[0], self._key_of(reference, card.type or PERSONALITY))
        for group in law.groups:
            for reference in group:
                self._join(self._key_of(group[0], PERSONALITY), self._key_of(reference, PERSONALITY))

    def class_of(self, card: Card) -> Key | None:
        """Return a key that all cards of a class share, or None if the card data do not identify the card."""
        key = next(self.keys(card), None)
        return None if key is None else self._root(key)

    def keys(self, card: Card) -> Iterator[Key]:
        """Yield the identities of a card, one for each of its titles."""
        separate = separate_card(card, self._law)
        if card.type is None or card.experience is None or separate is None:
            return
        own = self._law.separated_title(card.title)
        yield Key(own, card.experience, card.type, separate)
        for title in self.titles(card):
            if title not in (own, folded(card.title)):
                yield self._key_of(Reference(title, card.experience), card.type)

    def titles(self, card: Card) -> set[str]:
        """Return a card's own and alternate titles, and the titles of versions of equal or lower experience
        (LEG-EXP-TITLE).
        """
        found: set[str] = set()
        waiting = [folded(card.title), *(card.alternate_titles or ())]
        while waiting:
            title = waiting.pop()
            if title in found:
                continue
            found.add(title)
            for version in self._pool.titled(title):
                if _number(version) <= _number(card):
                    waiting += version.alternate_titles or ()
        return found

    def gaps(self, card: Card) -> Iterator[str]:
        """Yield the references from a card, directly or through other cards, whose cards are missing in the card
        data: they could change the class of the card.
        """
        seen: set[Reference] = set()
        waiting = list(_references(card))
        while waiting:
            reference = waiting.pop()
            if reference in seen:
                continue
            seen.add(reference)
            found = [other for other in self._pool.titled(reference.title) if other.reference == reference]
            if not found:
                yield f"{reference}, which {card.full_title} refers to, is not in the card data"
            for other in found:
                if other.soul_of is None:
                    yield f"the card data do not give 'soul of' of {other.full_title}"
                waiting += _references(other)
        for title in self.titles(card):
            for version in self._pool.titled(title):
                if version.alternate_titles is None and version != card and _number(version) <= _number(card):
                    yield f"the card data do not give 'alternate titles' of {version.full_title}"

    def _key_of(self, reference: Reference, type_: str) -> Key:
        title = self._law.separated_title(reference.title)
        known = self._law.version_of_title(reference.title)
        return Key(title, reference.level, type_, known or self._versions.get(title, 0))

    def _root(self, key: Key) -> Key:
        root = key
        while (parent := self._parents.get(root)) is not None:
            root = parent
        while key != root:
            self._parents[key], key = root, self._parents[key]
        return root

    def _join(self, one: Key, other: Key) -> None:
        first, second = self._root(one), self._root(other)
        if first != second:
            self._parents[second] = first


@lru_cache(maxsize=1)
def readings(pool: CardPool) -> tuple[SameCards, ...]:
    """Return which cards of a pool count as the same card.

    If a card names a title that separate cards share, return one reading for each of these cards.

    The function caches its result, because a leader checks many decks against one pool.
    """
    law = legacy()
    named = {title for card in pool.cards for title, _ in _references(card)}
    named |= {title for card in pool.cards for title in card.alternate_titles or ()}
    titles = sorted(folded(title) for title in law.separate if folded(title) in named)
    choices = product(*(range(1, law.versions(title) + 1) for title in titles))
    return tuple(SameCards(pool, law, dict(zip(titles, choice, strict=True))) for choice in choices)


def _number(card: Card) -> int:
    return (card.experience or PLAIN).number


def _references(card: Card) -> Iterator[Reference]:
    yield from card.soul_of or ()
    yield from card.counts_as or ()


def separate_card(card: Card, law: Legacy) -> int | None:
    """Return the number of a card among the separate cards of its title, counted from 1. Return 0 if the title has
    only one card, and None if unknown.
    """
    if known := law.version_of_title(card.title):
        return known
    if (how := law.separation(card.title)) is None:
        return 0
    if how.keyword:
        return None if card.keywords is None else 1 if how.keyword in card.keywords else 2
    printed_in = set(map(folded, card.product or ()))
    return next((number for number, products in enumerate(how.products, 1) if products & printed_in), None)
