"""Cards: what is known of each card, and which card a line of a deck list means.

The rules do not describe cards, so the organizer supplies the data. None means that the data lack a value. The
values (), "" or 0 mean that the card does not have the property.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def folded(text: str) -> str:
    """Return a name in comparable form: without case and extra spaces. "The" at the front is significant
    (LEG-SEP).
    """
    return " ".join(text.split()).casefold()


Folded = Annotated[str, AfterValidator(folded)]
Ring = Literal["air", "earth", "fire", "water", "void"]
RINGS: tuple[Ring, ...] = ("air", "earth", "fire", "water", "void")
NEUTRAL = "neutral"
NO_CARD = "no card of that name is in the card data"


class Level(NamedTuple):
    """A level of experience: its number (-1 inexperienced, 0 none, 1 Experienced) and its mark, KYD or CoM.

    A mark makes a separate level (LEG-KYD).
    """

    number: int
    mark: str

    def __str__(self) -> str:
        if self.number < 1:
            return "Inexperienced" if self.number else ""
        words = ["Experienced", str(self.number) if self.number > 1 else "", self.mark.upper()]
        return " ".join(word for word in words if word)


PLAIN = Level(0, "")
_LEVEL = re.compile(
    r"(?P<none>non-?exp(?:erienced)?)|(?P<in>inexp(?:erienced)?)"
    r"|exp(?:erienced)?(?:\s*(?P<number>[1-9][0-9]?))?(?:\s*(?P<mark>kyd|com))?",
    re.IGNORECASE,
)
_LEVEL_BEHIND = re.compile(rf"(?P<title>.+?)[\s,]+(?P<level>{_LEVEL.pattern})", re.IGNORECASE)
_IN_PARENTHESES = re.compile(r"(?P<title>.+?)\s*\((?P<inside>[^()]+)\)")


def read_level(text: str) -> Level | None:
    """Read a level of experience: "", "Experienced", "Experienced 3KYD", ... A text that is not a level of
    experience gives None.
    """
    if not text.strip():
        return PLAIN
    found = _LEVEL.fullmatch(text.strip())
    if found is None:
        return None
    if found["none"]:
        return PLAIN
    return Level(-1, "") if found["in"] else Level(int(found["number"] or 1), (found["mark"] or "").casefold())


class Reference(NamedTuple):
    """A card that another card names: a folded title and a level of experience."""

    title: str
    level: Level

    def __str__(self) -> str:
        return f"{self.title} {self.level}".strip()


def read_reference(text: str) -> Reference:
    """Read the name of a card as another card writes it: "Bayushi Kwanchai", "Daidoji Rekai Experienced 2"."""
    title, level = split_level(text)
    return Reference(folded(title), level or PLAIN)


def split_level(text: str) -> tuple[str, Level | None]:
    """Split a name from the level of experience after the name, or return None as the level."""
    found = _LEVEL_BEHIND.fullmatch(" ".join(text.split()))
    return (text, None) if found is None else (found["title"], read_level(found["level"]))


class Card(BaseModel):
    """A printing of a card, as far as the card data describe it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    title: str = Field(min_length=1, max_length=200)
    product: tuple[str, ...] | None = None
    released: date | None = None
    legal_from: date | None = None
    deck: Folded | None = None
    type: Folded | None = None
    clan: frozenset[Folded] | None = None
    keywords: frozenset[Folded] | None = None
    unique: bool | None = None
    influence: int | None = None
    influence_maximum: int | None = None
    influence_bonus: int | None = None
    ring: Ring | None = None
    extra_ring: Ring | Literal[""] | None = None
    experience: Level | None = None
    alternate_titles: tuple[Folded, ...] | None = None
    soul_of: tuple[Reference, ...] | None = None
    counts_as: tuple[Reference, ...] | None = None
    pregame_cards: int | None = None
    faction: Folded | None = None

    @property
    def full_title(self) -> str:
        """Return the title with the level of experience."""
        return f"{self.title} {self.experience or ''}".strip()

    @property
    def printed_in(self) -> str:
        """Return the full title with the product. In a deck list, the product distinguishes cards of one title."""
        return f"{self.full_title} ({', '.join(self.product)})" if self.product else self.full_title

    @property
    def identity(self) -> Card:
        """Return the card without details that differ between printings and do not affect a deck (LEG-MRP)."""
        return self.model_copy(update={"product": None, "released": None, "legal_from": None})

    @property
    def reference(self) -> Reference:
        return Reference(folded(self.title), self.experience or PLAIN)


class Match(NamedTuple):
    """What a line of a list means: all printings of one card, or none with the reason."""

    printings: tuple[Card, ...]
    problem: str = ""
    is_ambiguous: bool = False


class CardPool:
    """All cards in the card data. `version` is the SHA-256 of the file with the card data."""

    def __init__(self, cards: Iterable[Card], version: str | None = None) -> None:
        self.cards = tuple(cards)
        self.version = version
        self._titles: dict[str, list[Card]] = {}
        for card in self.cards:
            self._titles.setdefault(folded(card.title), []).append(card)

    def titled(self, title: str) -> list[Card]:
        """Return the printings of a title, at any level of experience."""
        return self._titles.get(folded(title), [])

    def match(self, name: str, part: str) -> Match:
        """Return the one card that a name means in a part of a deck.

        A name is a full title, perhaps with a level of experience or with a product in parentheses. Part of a title
        is enough if only one card's title has those words (L5R-II.2b-LIST).
        """
        candidates = next(filter(None, (self._wanted(*wanted) for wanted in _readings(name))), [])
        if not candidates:
            words = f" {folded(name)} "
            titles = [title for title in self._titles if words in f" {title} "]
            candidates = [card for title in titles for card in self._titles[title]]
        fitting = [card for card in candidates if card.deck in (None, part)] or candidates
        cards = list(dict.fromkeys(card.identity for card in fitting))
        if len(cards) == 1:
            return Match(tuple(fitting))
        if not cards:
            return Match((), NO_CARD)
        names = list(dict.fromkeys(card.printed_in for card in fitting))
        shown = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")  # noqa: PLR2004 - three are enough
        return Match((), f"the name is not unique, it can be {shown}", is_ambiguous=True)

    def _wanted(self, title: str, level: Level | None, product: str | None) -> list[Card]:
        found = self.titled(title)
        if product is not None:
            found = [card for card in found if folded(product) in map(folded, card.product or ())]
        if level is not None:
            return [card for card in found if card.experience == level]
        # A bare title names the card that has no level of experience.
        return [card for card in found if card.experience == PLAIN] or found


def _readings(name: str) -> Iterator[tuple[str, Level | None, str | None]]:
    """Yield the possible meanings of a name, the most literal first: title, level of experience, product."""
    yield name, None, None
    if (found := _IN_PARENTHESES.fullmatch(name.strip())) is not None:
        if (level := read_level(found["inside"])) is not None:
            yield found["title"], level, None
        yield found["title"], None, found["inside"]
        yield *split_level(found["title"]), found["inside"]
    yield *split_level(name), None
