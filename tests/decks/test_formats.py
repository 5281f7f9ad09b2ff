"""The questions about a rulebook offer the deck formats of its game alone."""

from __future__ import annotations

import pytest

from matchledger.web.choices import choices_of
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("pokemon-2026", {"none", "counts"}),
        ("ashes-2022", {"none", "ashes-2022"}),
        ("l5r-2018", {"none", "l5r-2018", "legacy", "legacy-bigdeck", "legacy-draft"}),
    ],
)
def test_a_page_offers_the_deck_formats_of_the_game_alone(name: str, offered: set[str]) -> None:
    [asked] = [one for one in choices_of(parse_rulebook(rulebook_text(name))) if one.reading == "deck_format"]
    assert set(asked.values) == offered
