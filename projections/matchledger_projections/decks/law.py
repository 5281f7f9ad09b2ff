"""Deck law: the numbers and lists of the deck rules from the data files, by rule id."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field

from matchledger_projections.decks.cards import Folded, Reference, folded, read_reference


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


_Known = TypeVar("_Known", bound=_Part)


class Size(_Part):
    """The smallest and the largest size of a deck, in cards."""

    least: int
    most: int


class FiveRings(_Part):
    """The sizes and limits of an L5R deck (L5R-II.2a, II.2c and II.3)."""

    dynasty: Size
    conflict: Size
    conflict_characters: int
    copies: int
    strongholds: int
    roles: int
    provinces: int
    clan_roles: tuple[str, ...]
    home_region: str
    sleeved_tiers: tuple[str, ...]
    days_after_release: dict[str, int]


class Ashes(_Part):
    """The sizes and limits of an Ashes deck (ASH-DECK, ASH-FF), and the Chained List."""

    cards: int
    dice: int
    phoenixborn: int
    first_five: int
    chained: tuple[str, ...]


class TitleAndType(_Part):
    title: str
    type: Folded


class Separation(_Part):
    """How to distinguish separate cards of one title: by product, or by a keyword that only one of the cards has.

    `titles` has further titles, each with the number of the separate card that it means.
    """

    products: tuple[frozenset[Folded], ...] = ()
    keyword: Folded = ""
    titles: dict[Folded, int] = {}


class Clan(_Part):
    """A clan: the keyword of its Personalities, whether a player can play the clan, and the stronghold that the
    alignment needs.
    """

    keyword: frozenset[Folded]
    playable: bool = True
    only_with: str = Field(default="", alias="while")

    @property
    def stronghold(self) -> Reference | None:
        return read_reference(self.only_with) if self.only_with else None


class Start(_Part):
    """The Holdings that begin in play in one variant."""

    holdings: tuple[str, ...]
    instead: Folded = ""


class Legacy(_Part):
    """The limits and the lists of cards of the Legacy format."""

    copies: int
    copies_unique: int
    pregame_cards: int
    banned: tuple[TitleAndType, ...]
    draft_only: tuple[TitleAndType, ...]
    same: tuple[tuple[str, ...], ...]
    separate: dict[str, Separation]
    clans: dict[str, Clan]
    start: dict[str, Start]

    @property
    def groups(self) -> list[list[Reference]]:
        """Return the named groups of cards that count as the same (LEG-SAME)."""
        return [[read_reference(name) for name in group] for group in self.same]

    def separated_title(self, title: str) -> str:
        """Return the folded title that separate cards share. Any other title is returned unchanged."""
        found = (name for name, how in self.separate.items() if folded(title) in how.titles)
        return folded(next(found, title))

    def version_of_title(self, title: str) -> int:
        """Return the number of the separate card that a title without a product means, or 0 for any other title."""
        return next((how.titles[folded(title)] for how in self.separate.values() if folded(title) in how.titles), 0)

    def versions(self, title: str) -> int:
        """Return how many separate cards share a title."""
        how = self.separation(title)
        return 1 if how is None else len(how.products) or 2

    def separation(self, title: str) -> Separation | None:
        """Return how to distinguish the cards of a title. Return None if the title has only one card."""
        return next((how for name, how in self.separate.items() if folded(name) == folded(title)), None)


@lru_cache(maxsize=1)
def five_rings() -> FiveRings:
    return _read("l5r-2018", FiveRings)


@lru_cache(maxsize=1)
def ashes() -> Ashes:
    return _read("ashes-2022", Ashes)


@lru_cache(maxsize=1)
def legacy() -> Legacy:
    return _read("legacy", Legacy)


def _read(name: str, law: type[_Known]) -> _Known:
    file = resources.files("matchledger_projections") / "decks" / "data" / f"{name}.toml"
    return law.model_validate(tomllib.loads(file.read_text("utf-8")))
