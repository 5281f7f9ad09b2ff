"""Occasions: everything a deck check needs to know about the event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matchledger_projections.rulebook.sections import DeckRules

Tier = Literal["relaxed", "formal", "premier"]
TIERS: tuple[Tier, ...] = ("relaxed", "formal", "premier")


@dataclass(frozen=True, slots=True)
class Occasion:
    """The format of the decks, and the tier, the region and the day of the event.

    Each is None if not given.

    `minimum` are deck sizes that the document leaves open (LEG-SCOPE). `chained_list` is POL-ASH-CHAINED.
    `counts` are the rulebook's own deck rules.
    """

    format: str
    tier: Tier | None = None
    region: str | None = None
    day: date | None = None
    minimum: Mapping[str, int] = field(default_factory=dict)
    chained_list: bool = True
    counts: DeckRules | None = None
