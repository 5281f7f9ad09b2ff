"""Decks for Street Warriors: the number of cards of the BOSS's faction (SWR-SE-TIME, third step)."""

from __future__ import annotations

from matchledger_projections.decks.deck import Deck
from matchledger_projections.decks.findings import Evidence, Finding
from matchledger_projections.rulebook.sections import Occasion


def check(deck: Deck, _: Occasion) -> list[Finding]:
    """Check the count of faction cards. The rules for building a deck are in another document."""
    count, finding = faction_cards(deck)
    assert (count is None) == (finding.ok is None)  # noqa: S101 - both are unknown, or neither
    return [finding]


def faction_cards(deck: Deck) -> tuple[int | None, Finding]:
    """Return how many cards of the BOSS's faction a registered deck has. Return None if the card data do not
    tell.
    """
    evidence = Evidence("SWR-SE-TIME")
    boss = deck.only("boss")
    if boss is None:
        evidence.lack("the list does not name one BOSS")
        return None, evidence.verdict("")
    faction = evidence.of(boss, "faction")
    count = sum(line.count for line in deck.part("deck") if evidence.of(line, "faction") == faction)
    finding = evidence.verdict(f"{count} cards of the BOSS's faction, {faction}")
    return (count if finding.ok else None), finding
