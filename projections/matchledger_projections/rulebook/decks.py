"""Deck rules: the part of a rulebook about the number of cards in a deck, and of copies of one name."""

from __future__ import annotations

from pydantic import Field, NonNegativeInt, PositiveInt

from matchledger_projections.rulebook.section import RulebookPart


class PartSize(RulebookPart):
    """The fewest and the most cards in a part of a deck."""

    least: NonNegativeInt = Field(default=0, description="cards that the part has at least")
    most: NonNegativeInt | None = Field(default=None, description="cards that it has at most; left out: no limit")


class DeckRules(RulebookPart):
    """The counts that a deck must keep. The organizer's card file lists the legal cards."""

    rule: str = Field(description="the rule that says so")
    parts: dict[str, PartSize] = Field(min_length=1, description="the parts that a deck has: deck, sideboard, ...")
    copies: PositiveInt | None = Field(default=None, description="cards of one name in all parts; 1 is singleton")
    unlimited: tuple[str, ...] = Field(default=(), description="names that copies does not limit")
