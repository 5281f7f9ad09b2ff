"""Decks for Ashes: the sizes of the deck and the dice pool, and the First Five (ASH-DECK, ASH-FF, ASH-CHAINED)."""

from __future__ import annotations

from collections import Counter

from matchledger_projections.decks.cards import folded
from matchledger_projections.decks.deck import Deck
from matchledger_projections.decks.findings import Evidence, Finding, some
from matchledger_projections.decks.law import ashes
from matchledger_projections.rulebook.sections import Occasion

PARTS = ("phoenixborn", "deck", "conjuration", "dice")


def check(deck: Deck, _: Occasion) -> list[Finding]:
    """Check the numbers of ASH-DECK. The copy limits and the exclusives are in another document."""
    law = ashes()
    evidence = Evidence("ASH-DECK")
    for part, number, what in (
        ("deck", law.cards, "cards in the deck"),
        ("dice", law.dice, "dice"),
        ("phoenixborn", law.phoenixborn, "Phoenixborn"),
    ):
        if (found := deck.count(part)) != number:
            evidence.fault(f"{found} {what}, {number} are needed")
    if others := [line.name for line in deck.lines if line.part not in PARTS]:
        evidence.fault(f"no part of a deck of this game takes {some(others)}")
    return [evidence.verdict(f"{law.cards} cards, {law.dice} dice and a Phoenixborn")]


def check_first_five(first_five: Deck, deck: Deck, occasion: Occasion) -> list[Finding]:
    """Check the First Five: five different cards of the deck, and no Chained card (ASH-FF, ASH-CHAINED)."""
    law = ashes()
    spelled = {folded(line.title): line.title for line in reversed(first_five.lines)}
    chosen: Counter[str] = Counter()
    for line in first_five.lines:
        chosen[spelled[folded(line.title)]] += line.count
    own = {folded(line.title) for line in deck.part("deck")}
    evidence = Evidence("ASH-FF")
    if (found := chosen.total()) != law.first_five:
        evidence.fault(f"{found} cards, a First Five has {law.first_five}")
    if twice := [title for title, count in chosen.items() if count > 1]:
        evidence.fault(f"duplicates of {some(twice)}")
    if strangers := [title for title in chosen if folded(title) not in own]:
        evidence.fault(f"not in the deck: {some(strangers)}")
    chained = Evidence("ASH-CHAINED")
    names = set(map(folded, law.chained))
    on_list = [title for title in chosen if folded(title) in names]
    if on_list and occasion.chained_list:
        chained.fault(f"on the Chained List: {some(on_list)}")
    fine = "no card of the Chained List" if occasion.chained_list else "the Chained List is not in use"
    return [evidence.verdict("five different cards of the deck"), chained.verdict(fine)]
