"""Decks by their counts: how large the parts are, how many copies each name has, and which cards are legal."""

from __future__ import annotations

from collections import Counter

from matchledger_projections.decks.cards import CardPool, folded
from matchledger_projections.decks.deck import Deck
from matchledger_projections.decks.findings import Evidence, Finding, some
from matchledger_projections.rulebook.sections import UNWRITTEN, DeckRules, Occasion


def check(deck: Deck, occasion: Occasion, pool: CardPool | None) -> list[Finding]:
    """Check the numbers of cards in a deck. With a card file, also check that the file contains each card."""
    law = occasion.counts
    if law is None:
        return [Finding(UNWRITTEN, None, "cannot be checked: the rulebook has no section [decks]")]
    found = [_sizes(deck, law)]
    if law.copies is not None:
        found.append(_copies(deck, law, law.copies))
    if pool is not None:
        legal = Evidence(UNWRITTEN)
        if strangers := [line.name for line in deck.lines if line.card is None]:
            legal.fault(f"not in the list of legal cards: {some(strangers)}")
        found.append(legal.verdict("every card is in the list of legal cards"))
    return found


def _sizes(deck: Deck, law: DeckRules) -> Finding:
    evidence = Evidence(law.rule)
    for part, size in law.parts.items():
        count = deck.count(part)
        if count < size.least:
            evidence.fault(f"{count} cards in the {part}, at least {size.least} are needed")
        if size.most is not None and count > size.most:
            evidence.fault(f"{count} cards in the {part}, at most {size.most} are allowed")
    if others := [line.name for line in deck.lines if line.part not in law.parts]:
        evidence.fault(f"no part of a deck of this game takes {some(others)}")
    return evidence.verdict(", ".join(f"{deck.count(part)} in the {part}" for part in law.parts))


def _copies(deck: Deck, law: DeckRules, most: int) -> Finding:
    evidence = Evidence(law.rule)
    counts: Counter[str] = Counter()
    for line in deck.lines:
        counts[line.title] += line.count
    free = set(map(folded, law.unlimited))
    for title, count in counts.items():
        if count > most and folded(title) not in free:
            evidence.fault(f"{count} {title}, at most {most} are allowed")
    return evidence.verdict(f"at most {most} of one name")
