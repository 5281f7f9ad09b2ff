"""Deck checks: a list and card data as the text of a player and an organizer."""

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
    """The findings by rule. If several findings have one rule, the worst counts: broken, then open, then kept."""
    worst = sorted(findings, key=lambda finding: {True: 0, None: 1, False: 2}[finding.ok])
    return {finding.rule: finding for finding in worst}


@pytest.fixture(scope="session")
def check() -> Check:
    """Check a list against card data, on an occasion: the finding under each rule."""

    def checked(deck: str, cards: str | None, **occasion: Any) -> dict[str, Finding]:
        pool = None if cards is None else read_card_data(cards.encode()).pool
        return by_rule(check_deck(read_decklist(deck.encode()), pool, Occasion(**occasion)))

    return checked
