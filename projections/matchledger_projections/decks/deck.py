"""Decks: the parts of a submitted list, its canonical text for hashing, and its lines as cards."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from matchledger.events import DeckDifference, DeckList, ListedCard
from matchledger_projections.decks.cards import Card, CardPool, folded

# The parts that a deck list of any game can have. The rules of each game use some of these parts.
PARTS = (
    "stronghold",
    "role",
    "province",
    "dynasty",
    "conflict",
    "fate",
    "pregame",
    "start",
    "boss",
    "phoenixborn",
    "deck",
    "conjuration",
    "dice",
    "first-five",
    "sideboard",
    "extra",
    "leader",
    "base",
    "hero",
)
NO_CARD_DATA = "there are no card data"
Counted = Counter[tuple[str, str]]


def counted(cards: Iterable[ListedCard]) -> Counted:
    """Return how many copies of each name each part has, however the lines are written."""
    counts: Counted = Counter()
    for card in cards:
        counts[card.part, " ".join(card.name.split())] += card.count
    return counts


def listed(counts: Counted) -> tuple[ListedCard, ...]:
    """Return counts as the lines of a list, in order of part and name."""
    return tuple(
        ListedCard(part=part, name=name, count=count) for (part, name), count in sorted(counts.items()) if count > 0
    )


def canonical_text(deck: DeckList) -> str:
    """Return the list as one text: a line `part<TAB>count<TAB>name` for each card, in order of part and name."""
    return "".join(f"{card.part}\t{card.count}\t{card.name}\n" for card in listed(counted(deck.cards)))


def digest(deck: DeckList) -> str:
    """Return the SHA-256 of the canonical text. Public views show nothing about a list except its digest."""
    return hashlib.sha256(canonical_text(deck).encode()).hexdigest()


def difference(old: DeckList, new: DeckList) -> DeckDifference:
    """Return the cards to remove from a list, and to add to it, so that it becomes another list."""
    before, after = counted(old.cards), counted(new.cards)
    return DeckDifference(removed=listed(before - after), added=listed(after - before))


def amended(deck: DeckList, change: DeckDifference) -> DeckList:
    """Return a list after an amendment."""
    return DeckList(cards=listed(counted(deck.cards) - counted(change.removed) + counted(change.added)))


class Line(Struct, frozen=True):
    """A line of a list with the printings of its card, or with the reason why no card was found."""

    part: str
    name: str
    count: int
    printings: tuple[Card, ...] = ()
    problem: str = ""
    is_ambiguous: bool = False

    @property
    def card(self) -> Card | None:
        return self.printings[0] if self.printings else None

    @property
    def title(self) -> str:
        """Return the card's title, or the text of the line if no card was found."""
        return self.name if self.card is None else self.card.title

    @property
    def is_abbreviated(self) -> bool:
        """Return whether the line has only some words of the card's title."""
        return self.card is not None and folded(self.card.title) not in folded(self.name)


class Deck(Struct, frozen=True):
    """A list with its lines looked up in the card data."""

    lines: tuple[Line, ...]

    def part(self, *parts: str) -> Iterator[Line]:
        """Return the lines of some parts, in the order of the list."""
        return (line for line in self.lines if line.part in parts)

    def count(self, *parts: str) -> int:
        """Return how many cards some parts have."""
        return sum(line.count for line in self.part(*parts))

    def only(self, part: str) -> Line | None:
        """Return the card of a part with a single card, or None for any other part."""
        found = list(self.part(part))
        return found[0] if len(found) == 1 and found[0].count == 1 else None


def look_up(deck: DeckList, pool: CardPool | None) -> Deck:
    """Look up each line of a list. Without card data, the card of every line is unknown."""
    return Deck(tuple(_line(part, name, count, pool) for (part, name), count in counted(deck.cards).items()))


def _line(part: str, name: str, count: int, pool: CardPool | None) -> Line:
    if pool is None:
        return Line(part, name, count, problem=NO_CARD_DATA)
    match = pool.match(name, part)
    return Line(part, name, count, match.printings, match.problem, match.is_ambiguous)


def same_cards(old: Deck, new: Deck) -> bool:
    """Return whether two lists have the same cards in the same parts, under any of their names."""
    return _contents(old) == _contents(new)


def _contents(deck: Deck) -> Counter[tuple[str, object]]:
    contents: Counter[tuple[str, object]] = Counter()
    for line in deck.lines:
        contents[line.part, folded(line.name) if line.card is None else line.card.identity] += line.count
    return contents
