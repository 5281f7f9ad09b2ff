"""Deck checks: a player's list and an organizer's card data, as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import matchledger.commands.deck_checks  # noqa: F401 - its models are built before any test freezes the clock
from matchledger.formats.card_data import read_card_data
from matchledger.formats.decklist import read_decklist
from matchledger_projections.decks.checking import check_deck
from matchledger_projections.decks.findings import Finding
from matchledger_projections.rulebook.sections import Occasion

Check = Callable[..., dict[str, Finding]]


def by_rule(findings: list[Finding]) -> dict[str, Finding]:
    """Return the findings by rule. If a rule has several findings, the worst one counts: broken, then open, then
    kept.
    """
    worst = sorted(findings, key=lambda finding: {True: 0, None: 1, False: 2}[finding.ok])
    return {finding.rule: finding for finding in worst}


@pytest.fixture(scope="session")
def check() -> Check:
    """Check a list against card data on an occasion, and return the finding for each rule."""

    def checked(deck: str, cards: str | None, **occasion: Any) -> dict[str, Finding]:
        pool = None if cards is None else read_card_data(cards.encode()).pool
        return by_rule(check_deck(read_decklist(deck.encode()), pool, Occasion(**occasion)))

    return checked
