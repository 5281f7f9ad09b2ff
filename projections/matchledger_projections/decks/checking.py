"""Deck checks: a list, the card data and the occasion give a finding for each rule."""

from __future__ import annotations

from collections.abc import Callable

from matchledger.events import DeckList
from matchledger_projections.decks import ashes, counts, l5r, legacy, sleeves, street_warriors
from matchledger_projections.decks.cards import CardPool
from matchledger_projections.decks.deck import Deck, look_up, same_cards
from matchledger_projections.decks.findings import Evidence, Finding
from matchledger_projections.decks.registered import ASHES, FORMATS
from matchledger_projections.decks.sleeves import Sleeves
from matchledger_projections.rulebook.sections import Occasion

Check = Callable[[Deck, Occasion, CardPool | None], list[Finding]]

# The function that checks each of the FORMATS.
CHECKS: dict[str, Check] = {
    "l5r-2018": lambda deck, occasion, _: l5r.check(deck, occasion),
    "legacy": legacy.check,
    "legacy-bigdeck": legacy.check,
    "legacy-draft": legacy.check,
    "ashes-2022": lambda deck, occasion, _: ashes.check(deck, occasion),
    "street-warriors-2004": lambda deck, occasion, _: street_warriors.check(deck, occasion),
    "counts": counts.check,
}


def check_deck(deck: DeckList, pool: CardPool | None, occasion: Occasion) -> list[Finding]:
    """Check a list against every rule of its format. Raises KeyError for a format without rules."""
    return CHECKS[occasion.format](look_up(deck, pool), occasion, pool)


def check_unchanged(registered: DeckList, in_use: DeckList, pool: CardPool | None, occasion: Occasion) -> Finding:
    """Check whether a player still plays the registered list (L5R-II.2a-FIXED, ASH-LIST)."""
    evidence = Evidence(FORMATS[occasion.format].fixed)
    listed, used = look_up(registered, pool), look_up(in_use, pool)
    if not same_cards(listed, used):
        taken, added = _names(listed, used), _names(used, listed)
        evidence.fault(f"the deck is not the registered one: without {taken}, with {added}")
    return evidence.verdict("the deck is the registered one")


def _names(one: Deck, other: Deck) -> str:
    """Return the cards, by title, of which one list has more than another."""
    held = {(line.part, line.title): line.count for line in other.lines}
    more = [
        f"{line.count - held.get((line.part, line.title), 0)} {line.title}"
        for line in one.lines
        if line.count > held.get((line.part, line.title), 0)
    ]
    return ", ".join(more) or "nothing"


def check_first_five(
    first_five: DeckList, registered: DeckList, pool: CardPool | None, occasion: Occasion
) -> list[Finding]:
    """Check the First Five of one game by ASH-FF and ASH-CHAINED."""
    return ashes.check_first_five(look_up(first_five, pool), look_up(registered, pool), occasion)


def check_sleeves(seen: Sleeves, occasion: Occasion) -> Finding:
    """Check sleeves by the rule of the event's game: L5R-II.2c-SLEEVE or ASH-SLEEVE."""
    return sleeves.check_ashes(seen) if FORMATS[occasion.format] is ASHES else sleeves.check_l5r(seen, occasion)
