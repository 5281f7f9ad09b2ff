"""Decks for Ashes, and the one number that Street Warriors needs from a deck."""

from __future__ import annotations

import pytest
from tests.decks.conftest import Check, by_rule

from matchledger.formats.card_data import read_card_data
from matchledger.formats.decklist import read_decklist
from matchledger_projections.decks.checking import check_deck, check_first_five, check_sleeves, check_unchanged
from matchledger_projections.decks.deck import look_up
from matchledger_projections.decks.law import ashes
from matchledger_projections.decks.sleeves import Sleeves
from matchledger_projections.decks.street_warriors import faction_cards
from matchledger_projections.rulebook.sections import Occasion

ASHES = "ashes-2022"
PLAIN = ("Card 1", "Card 2", "Card 3", "Card 4")
CHAINED = (
    "Exhortation",
    "Explosive Growth",
    "Massive Growth",
    "Psychic Vampire",
    "River Skald",
    "Summon Shining Hydra",
    "Three-Eyed Owl",
)


def deck(cards: int = 30, dice: int = 10, more: str = "") -> str:
    plain = "\n".join(f"1 Card {number}" for number in range(1, cards + 1))
    return f"[phoenixborn]\n1 Leader\n[dice]\n{dice} Natural\n[deck]\n{plain}\n{more}"


@pytest.mark.vector("TV-ASH-DECK-1")
@pytest.mark.parametrize(
    ("cards", "dice", "what"),
    [
        pytest.param(29, 10, "29 cards in the deck, 30 are needed", id="TV-ASH-DECK-1, 29 cards"),
        pytest.param(30, 10, None, id="TV-ASH-DECK-1, 30 cards and 10 dice"),
        pytest.param(30, 9, "9 dice, 10 are needed", id="TV-ASH-DECK-1, 9 dice"),
    ],
)
def test_a_deck_needs_thirty_cards_and_ten_dice(check: Check, cards: int, dice: int, what: str | None) -> None:
    found = check(deck(cards, dice), None, format=ASHES)["ASH-DECK"]
    assert found == ("ASH-DECK", what is None, what or "30 cards, 10 dice and a Phoenixborn")


def test_a_deck_needs_a_phoenixborn_and_no_other_part(check: Check) -> None:
    found = check("[deck]\n30 Card\n[dice]\n10 Natural\n[fate]\n1 Card", None, format=ASHES)["ASH-DECK"]
    assert found.what == "0 Phoenixborn, 1 are needed; no part of a deck of this game takes Card"


def first_five(*names: str, chained_list: bool = True, more: str = "") -> dict[str, tuple[bool | None, str]]:
    chosen = read_decklist("\n".join(["[first-five]", *(f"1 {name}" for name in names)]).encode())
    registered = read_decklist(deck(29, more=more or "1 Card 30").encode())
    found = by_rule(check_first_five(chosen, registered, None, Occasion(ASHES, chained_list=chained_list)))
    return {rule: finding[1:] for rule, finding in found.items()}


@pytest.mark.vector("TV-ASH-FF-1")
@pytest.mark.parametrize("name", CHAINED)
def test_a_first_five_has_no_chained_card(name: str) -> None:
    """TV-ASH-FF-1, Chained."""
    found = first_five(*PLAIN, name, more=f"1 {name}")
    assert found["ASH-FF"][0] is True
    assert found["ASH-CHAINED"] == (False, f"on the Chained List: {name}")


def test_the_chained_list_has_seven_cards() -> None:
    assert ashes().chained == CHAINED


@pytest.mark.vector("TV-ASH-FF-1")
def test_a_first_five_has_no_duplicates() -> None:
    """TV-ASH-FF-1, duplicates."""
    found = first_five(*PLAIN, "Card 4")
    assert found["ASH-FF"] == (False, "duplicates of Card 4")
    assert found["ASH-CHAINED"][0] is True


@pytest.mark.parametrize("again", ["CARD 4", "card 4", " Card  4"])
def test_a_card_with_another_spelling_is_the_same_card(again: str) -> None:
    """Before the fix, only names with exactly the same letters were duplicates."""
    ok, what = first_five(*PLAIN, again)["ASH-FF"]
    assert (ok, what.casefold()) == (False, "duplicates of card 4")


def test_a_conjuration_is_not_a_card_of_the_deck() -> None:
    found = first_five(*PLAIN, "Butterfly Monk", more="1 Card 30\n[conjuration]\n3 Butterfly Monk")
    assert found["ASH-FF"] == (False, "not in the deck: Butterfly Monk")


def test_five_different_cards_of_the_deck_make_a_first_five() -> None:
    assert first_five(*PLAIN, "Card 5") == {
        "ASH-FF": (True, "five different cards of the deck"),
        "ASH-CHAINED": (True, "no card of the Chained List"),
    }


def test_a_first_five_needs_five_cards_of_the_deck() -> None:
    assert first_five(*PLAIN, "Stranger", "Card 6")["ASH-FF"][1] == (
        "6 cards, a First Five has 5; not in the deck: Stranger"
    )


def test_the_chained_list_can_be_switched_off() -> None:
    found = first_five(*PLAIN, "River Skald", more="1 River Skald", chained_list=False)
    assert found["ASH-CHAINED"] == (True, "the Chained List is not in use")


def test_a_chained_card_is_legal_in_the_deck(check: Check) -> None:
    assert check(deck(29, more="1 River Skald"), None, format=ASHES)["ASH-DECK"].ok is True


def test_a_changed_deck_is_reported_with_the_rule_against_changes() -> None:
    old, new = (read_decklist(deck(29, more=f"1 {name}").encode()) for name in ("Card 30", "Card 31"))
    assert check_unchanged(old, new, None, Occasion(ASHES))[:2] == ("ASH-LIST", False)


@pytest.mark.parametrize(
    ("seen", "ok"),
    [
        (Sleeves(opaque=False, uniform=True, distinct=False), True),
        (Sleeves(opaque=True, uniform=False, distinct=False), False),
        (Sleeves(opaque=True, uniform=True, distinct=False, worn=True), False),
    ],
)
def test_sleeves_are_optional_if_all_cards_look_the_same(seen: Sleeves, ok: bool) -> None:
    assert check_sleeves(seen, Occasion(ASHES))[:2] == ("ASH-SLEEVE", ok)


WARRIORS = "title,faction\nBig Boss,Red\nRed Card,Red\nBlue Card,Blue\nGrey Card,\nNo Card,-\n"


@pytest.mark.parametrize(
    ("cards", "count"),
    [("20 Red Card\n5 Blue Card", 20), ("22 Red Card\n1 No Card", 22), ("20 Red Card\n1 Grey Card", None)],
)
def test_cards_of_the_boss_faction_are_counted_in_the_registered_deck(cards: str, count: int | None) -> None:
    pool = read_card_data(WARRIORS.encode()).pool
    deck = read_decklist(f"[boss]\n1 Big Boss\n[deck]\n{cards}".encode())
    found, finding = faction_cards(look_up(deck, pool))
    assert found == count
    said = (
        "cannot be checked: the card data do not give 'faction' of Grey Card"
        if count is None
        else f"{count} cards of the BOSS's faction, red"
    )
    assert finding == ("SWR-SE-TIME", None if count is None else True, said)
    assert check_deck(deck, pool, Occasion("street-warriors-2004")) == [finding]


def test_without_a_boss_no_faction_is_counted(check: Check) -> None:
    found = check("[deck]\n1 Red Card", WARRIORS, format="street-warriors-2004")["SWR-SE-TIME"]
    assert found.what == "cannot be checked: the list does not name one BOSS"
