"""Deck checks: a list, the card data and the occasion go in, a finding for each rule comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from matchledger.events import DeckList
from matchledger_projections.decks import ashes, l5r, legacy, sleeves, street_warriors
from matchledger_projections.decks.cards import CardPool
from matchledger_projections.decks.deck import Deck, look_up, same_cards
from matchledger_projections.decks.findings import Evidence, Finding
from matchledger_projections.decks.occasion import Occasion
from matchledger_projections.decks.sleeves import Sleeves

Check = Callable[[Deck, Occasion, CardPool | None], list[Finding]]


class DeckFormat(NamedTuple):
    """A kind of deck: how it is checked, and the rules about handing lists in and keeping to them."""

    check: Check
    # The rule that has a list handed in before the start.
    handing_in: str
    # The rule that says a deck stays the same all tournament.
    fixed: str
    # Whether a leader may bring a list up to date, and the rule that says so.
    may_be_amended: bool
    amending: str


_L5R = DeckFormat(
    lambda deck, occasion, _: l5r.check(deck, occasion),
    "L5R-II.2b-LIST",
    "L5R-II.2a-FIXED",
    True,
    "L5R-II.2b-LISTFIX",
)
_ASHES = DeckFormat(
    lambda deck, occasion, _: ashes.check(deck, occasion), "ASH-LIST", "ASH-LIST", False, "ASH-LIST"
)
_LEGACY = DeckFormat(legacy.check, "POLICY", "POLICY", True, "POLICY")
_STREET_WARRIORS = DeckFormat(
    lambda deck, occasion, _: street_warriors.check(deck, occasion), "POLICY", "POLICY", True, "POLICY"
)

FORMATS: dict[str, DeckFormat] = {
    "l5r-2018": _L5R,
    "legacy": _LEGACY,
    "legacy-bigdeck": _LEGACY,
    "legacy-draft": _LEGACY,
    "ashes-2022": _ASHES,
    "street-warriors-2004": _STREET_WARRIORS,
}


def check_deck(deck: DeckList, pool: CardPool | None, occasion: Occasion) -> list[Finding]:
    """Holds a list against every rule of its format. A format without rules is a KeyError."""
    return FORMATS[occasion.format].check(look_up(deck, pool), occasion, pool)


def check_unchanged(registered: DeckList, in_use: DeckList, pool: CardPool | None, occasion: Occasion) -> Finding:
    """Whether what a player plays with now is the list as registered (L5R-II.2a-FIXED, ASH-LIST)."""
    evidence = Evidence(FORMATS[occasion.format].fixed)
    listed, used = look_up(registered, pool), look_up(in_use, pool)
    if not same_cards(listed, used):
        taken, added = _names(listed, used), _names(used, listed)
        evidence.fault(f"the deck is not the registered one: without {taken}, with {added}")
    return evidence.verdict("the deck is the registered one")


def _names(one: Deck, other: Deck) -> str:
    """What one list holds more of than another, by title."""
    counts = {(line.part, line.title): line.count for line in other.lines}
    more = [
        f"{line.count - counts.get((line.part, line.title), 0)} {line.title}"
        for line in one.lines
        if line.count > counts.get((line.part, line.title), 0)
    ]
    return ", ".join(more) or "nothing"


def check_first_five(
    first_five: DeckList, registered: DeckList, pool: CardPool | None, occasion: Occasion
) -> list[Finding]:
    """ASH-FF and ASH-CHAINED, for the First Five of one game."""
    return ashes.check_first_five(look_up(first_five, pool), look_up(registered, pool), occasion)


def check_sleeves(seen: Sleeves, occasion: Occasion) -> Finding:
    """L5R-II.2c-SLEEVE or ASH-SLEEVE, whichever the event is played under."""
    return sleeves.check_ashes(seen) if FORMATS[occasion.format] is _ASHES else sleeves.check_l5r(seen, occasion)
