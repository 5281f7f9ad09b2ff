"""Decks of today's games: the usual text form, the counts in the rulebook, and a list of legal cards."""

from __future__ import annotations

import pytest

from matchledger.formats.card_data import read_card_data
from matchledger.formats.decklist import read_decklist
from matchledger.formats.text import FormatError
from matchledger_projections.decks.cards import CardPool
from matchledger_projections.decks.checking import check_deck
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.rulebook.sections import Occasion

BURN = "Deck\n4 Lightning Bolt (M10) 146\n20 Mountain\n{}\n\nSideboard\n{}"
FILL = "\n".join(f"4 Spell {number}" for number in range(9))
SIDE = "SB: 3 Pyroblast\n12 Mountain"


def _faults(text: str, rulebook: str, pool: CardPool | None = None, *, copies: int | None = None) -> list[str]:
    law = parse_rulebook(rulebook_text(rulebook)).decks
    assert law is not None
    law = law if copies is None else law.model_copy(update={"copies": copies})
    found = check_deck(read_decklist(text.encode()), pool, Occasion("counts", counts=law))
    return [finding.what for finding in found if not finding.ok]


def test_the_common_form_is_read_with_its_sideboard() -> None:
    deck = read_decklist(BURN.format(FILL, SIDE).encode())
    counts = {(card.part, card.name): card.count for card in deck.cards}
    assert counts["deck", "Lightning Bolt"] == 4
    assert counts["sideboard", "Pyroblast"] == 3
    assert counts["sideboard", "Mountain"] == 12


def test_an_export_with_numbers_after_its_headings_is_one_deck() -> None:
    text = "Pokémon: 2\n2 Comfey (LOR) 79\nEnergy: 1\n1 Basic Psychic Energy\nTotal Cards: 3\n"
    assert [(card.part, card.count, card.name) for card in read_decklist(text.encode()).cards] == [
        ("deck", 1, "Basic Psychic Energy"),
        ("deck", 2, "Comfey"),
    ]


@pytest.mark.parametrize(
    ("text", "deck", "sideboard"),
    [
        ("4 Bolt\n20 Mountain\n\n3 Pyroblast\n", {"Bolt": 4, "Mountain": 20}, {"Pyroblast": 3}),
        ("\n\n4 Bolt\n\n", {"Bolt": 4}, {}),
        ("Deck\n4 Bolt\n\n3 Pyroblast\n", {"Bolt": 4}, {"Pyroblast": 3}),
        ("Deck\n4 Bolt\n\n20 Mountain\n\nSideboard\n3 Pyroblast", {"Bolt": 4, "Mountain": 20}, {"Pyroblast": 3}),
        ("4 Bolt\n\n20 Mountain\nSB: 3 Pyroblast", {"Bolt": 4, "Mountain": 20}, {"Pyroblast": 3}),
        ("// Deck\n4 Bolt\n// Sideboard\n3 Pyroblast", {"Bolt": 4}, {"Pyroblast": 3}),
        ("x4 Bolt\n4x Shock\nMountain x20\n2 X-Men", {"Bolt": 4, "Shock": 4, "Mountain": 20, "X-Men": 2}, {}),
        ("1 Bolt (M21) 123\n1 Bolt [STA]\n1 Bolt (SLD) 123 *F*\n1 Bolt *F*", {"Bolt": 4}, {}),
        ("2 Comfey LOR 79\n2 Comfey PR-SV 12", {"Comfey": 4}, {}),
        ("1 Sink Below (red)\n1 Sink Below (blue)", {"Sink Below (red)": 1, "Sink Below (blue)": 1}, {}),
        ("Commander\n1 Atraxa\n\nDeck\n99 Island", {"Atraxa": 1, "Island": 99}, {}),
        (
            "About\nName Burn\n\nCompanion\n1 Lurrus\n\nDeck\n4 Bolt\n\nSideboard\n1 Lurrus\n3 Duress",
            {"Bolt": 4},
            {"Lurrus": 1, "Duress": 3},
        ),
        ("Companion\n1 Lurrus\n\nDeck\n4 Bolt", {"Bolt": 4}, {"Lurrus": 1}),
    ],
)
def test_lists_as_players_paste_them_are_read(text: str, deck: dict[str, int], sideboard: dict[str, int]) -> None:
    read = read_decklist(text.encode()).cards
    assert {card.name: card.count for card in read if card.part == "deck"} == deck
    assert {card.name: card.count for card in read if card.part == "sideboard"} == sideboard


def test_three_lists_without_headings_are_refused_and_not_guessed() -> None:
    with pytest.raises(FormatError, match="line 5: a third list begins here: write Deck and Sideboard before"):
        read_decklist(b"4 Bolt\n\n20 Mountain\n\n3 Pyroblast\n")


@pytest.mark.parametrize(
    ("text", "rulebook", "faults"),
    [
        (BURN.format(FILL, SIDE), "magic-mtr", []),
        (BURN.format("", ""), "magic-mtr", ["24 cards in the deck, at least 60 are needed"]),
        (
            BURN.format(FILL, "16 Pyroblast"),
            "magic-mtr",
            ["16 cards in the sideboard, at most 15 are allowed", "16 Pyroblast, at most 4 are allowed"],
        ),
        (BURN.format(FILL, "1 Lightning Bolt"), "magic-mtr", ["5 Lightning Bolt, at most 4 are allowed"]),
        ("Leader\n1 Luffy\nDeck\n50 Nami", "one-piece", ["50 Nami, at most 4 are allowed"]),
        ("61 Grass Energy", "pokemon-2026", ["61 cards in the deck, at most 60 are allowed"]),
    ],
)
def test_the_rulebook_counts_the_cards_of_a_deck(text: str, rulebook: str, faults: list[str]) -> None:
    assert _faults(text, rulebook) == faults


def test_a_singleton_deck_has_one_card_of_each_name() -> None:
    faults = _faults("1 Sol Ring\n2 Brainstorm\n60 Island", "magic-mtr", copies=1)
    assert faults == ["2 Brainstorm, at most 1 are allowed"]


def test_the_file_of_the_organizer_decides_which_cards_are_legal() -> None:
    pool = read_card_data(b"title\nLightning Bolt\nMountain\n").pool
    assert _faults("4 Lightning Bolt\n56 Mountain", "magic-mtr", pool) == []
    faults = _faults("4 Black Lotus\n56 Mountain", "magic-mtr", pool)
    assert faults == ["not in the list of legal cards: Black Lotus"]


def test_a_line_without_a_card_is_named() -> None:
    with pytest.raises(FormatError, match="line 2: 'Bolt' is neither a card such as 4 Lightning Bolt"):
        read_decklist(b"4 Lightning Bolt\nBolt\n")
