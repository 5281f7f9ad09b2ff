"""Decks for L5R 2018: the vectors of II.2a, II.2b and II.3, and missing card data."""

from __future__ import annotations

from datetime import date

import pytest
from tests.decks.conftest import Check

from matchledger.formats.card_data import read_card_data
from matchledger.formats.decklist import read_decklist
from matchledger_projections.decks.cards import Card
from matchledger_projections.decks.checking import check_sleeves, check_unchanged
from matchledger_projections.decks.l5r import legal_from
from matchledger_projections.decks.sleeves import Sleeves
from matchledger_projections.rulebook.sections import Occasion, Tier

L5R = "l5r-2018"
RINGS = ("air", "earth", "fire", "water", "void")

CARDS = "\n".join(
    [
        "title,deck,type,clan,keywords,influence,influence maximum,influence bonus,ring,extra ring,released",
        "Mountain Keep,stronghold,stronghold,dragon,,,10,,,,2018-01-01",
        *(f"Province of {ring},province,province,neutral,,,,,{ring},,2018-01-01" for ring in RINGS),
        "Second Fire,province,province,dragon,,,,,fire,,2018-01-01",
        "Lion Water,province,province,lion,,,,,water,,2018-01-01",
        *(f"Monk {n},dynasty,character,dragon,,,,,,,2018-01-01" for n in range(1, 16)),
        "Lion Scout,dynasty,character,lion,,,,,,,2018-01-01",
        *(f"Trick {n},conflict,event,neutral,,0,,,,,2018-01-01" for n in range(1, 17)),
        *(f"Guest {n},conflict,character,dragon,,1,,,,,2018-01-01" for n in range(1, 5)),
        "Crane Duel,conflict,event,crane,,2,,,,,2018-01-01",
        "Crane Poem,conflict,event,crane,,5,,,,,2018-01-01",
        "Crane Fan,conflict,attachment,crane,,1,,,,,2018-01-01",
        "Lion Banner,conflict,attachment,lion,,1,,,,,2018-01-01",
        "Sake,conflict,event,neutral,,0,,,,,2018-01-01",
        "Sake,dynasty,holding,neutral,,0,,,,,2018-01-01",
        "Keeper of Air,role,role,lion,keeper;air,,,0,,-,2018-01-01",
        "Seeker of Fire,role,role,dragon,seeker;fire,,,0,,fire,2018-01-01",
        "Support of the Phoenix,role,role,phoenix,support,,,8,,-,2018-01-01",
    ]
)


FIVE = tuple(f"Province of {ring}" for ring in RINGS)


def deck(
    dynasty: int = 40,
    conflict: int = 40,
    *,
    more_dynasty: str = "",
    more_conflict: str = "",
    provinces: tuple[str, ...] = FIVE,
    role: str = "",
) -> str:
    """Return a deck list with some cards of the clan, and the cards of the test."""
    return "\n".join(
        [
            "[stronghold]",
            "1 Mountain Keep",
            *(["[role]", f"1 {role}"] if role else []),
            "[provinces]",
            *(f"1 {province}" for province in provinces),
            "[dynasty]",
            *_spread("Monk", dynasty),
            more_dynasty,
            "[conflict]",
            *_spread("Trick", conflict),
            more_conflict,
        ]
    )


def _spread(name: str, cards: int) -> list[str]:
    """Return three copies of each card, up to a number."""
    counts = [min(3, cards - done) for done in range(0, cards, 3)]
    return [f"{count} {name} {number}" for number, count in enumerate(counts, 1)]


FINE = (
    "L5R-II.2b-LIST",
    "L5R-II.2a-SET",
    "L5R-II.2a-CLAN",
    "L5R-II.2a-DYN",
    "L5R-II.2a-CON",
    "L5R-II.2a-INF",
    "L5R-II.2a-CHAR",
    "L5R-II.2a-COPY",
    "L5R-II.2a-PROV",
    "L5R-II.2a-ROLE",
)


@pytest.mark.vector("TV-L5R-DECK-1")
def test_forty_dynasty_and_forty_conflict_cards_keep_every_rule(check: Check) -> None:
    """TV-L5R-DECK-1."""
    found = check(deck(), CARDS, format=L5R, tier="formal", day=date(2018, 10, 20))
    assert {rule: found[rule].ok for rule in (*FINE, "L5R-II.3-LEGAL")} == dict.fromkeys(
        (*FINE, "L5R-II.3-LEGAL"), True
    )
    assert len(found) == len(FINE) + 1


BROKEN = {
    "TV-L5R-DECK-2": (deck(39), "L5R-II.2a-DYN", "the dynasty deck has 39 cards, 40 to 45 are allowed"),
    "TV-L5R-DECK-3, 46": (
        deck(45, more_dynasty="1 Sake"),
        "L5R-II.2a-DYN",
        "the dynasty deck has 46 cards, 40 to 45 are allowed",
    ),
    "TV-L5R-DECK-4, 11": (
        deck(40, 30, more_conflict="3 Guest 1\n3 Guest 2\n3 Guest 3\n2 Guest 4"),
        "L5R-II.2a-CHAR",
        "11 characters in the conflict deck, 10 at most",
    ),
    "TV-L5R-DECK-5": (
        deck(more_dynasty="2 Sake", more_conflict="2 Sake"),
        "L5R-II.2a-COPY",
        "4 copies of Sake in both decks together, 3 at most",
    ),
    "TV-L5R-DECK-8": (
        deck(40, 36, more_conflict="3 Crane Duel\n1 Crane Poem"),
        "L5R-II.2a-INF",
        "influence 11 of 10",
    ),
    "TV-L5R-DECK-9": (
        deck(40, 38, more_conflict="1 Crane Duel\n1 Crane Fan\n1 Lion Banner"),
        "L5R-II.2a-CON",
        "out-of-clan cards from more than one clan: crane, lion",
    ),
    "TV-L5R-DECK-10": (deck(more_dynasty="1 Lion Scout"), "L5R-II.2a-DYN", "out of clan: Lion Scout"),
    "TV-L5R-DECK-11": (
        deck(
            provinces=(
                "Province of air",
                "Province of earth",
                "Province of fire",
                "Second Fire",
                "Province of water",
            )
        ),
        "L5R-II.2a-PROV",
        "2 provinces of fire",
    ),
    "TV-L5R-DECK-12, Keeper": (
        deck(role="Keeper of Air"),
        "L5R-II.2a-ROLE",
        "Keeper of Air is a role of another clan than dragon",
    ),
}


@pytest.mark.parametrize(("text", "rule", "what"), BROKEN.values(), ids=BROKEN)
def test_each_illegal_deck_breaks_exactly_one_rule(check: Check, text: str, rule: str, what: str) -> None:
    found = check(text, CARDS, format=L5R)
    assert found[rule] == (rule, False, what)
    assert [other for other in FINE if found[other].ok is not True] == [rule]


KEPT = {
    "TV-L5R-DECK-3, 45": deck(45),
    "TV-L5R-DECK-4, 10": deck(40, 30, more_conflict="3 Guest 1\n3 Guest 2\n3 Guest 3\n1 Guest 4"),
    "TV-L5R-DECK-6": deck(more_dynasty="1 Sake", more_conflict="2 Sake"),
    "TV-L5R-DECK-7": deck(40, 36, more_conflict="1 Crane Poem\n2 Crane Duel\n1 Crane Fan"),
    "TV-L5R-DECK-11, role": deck(
        provinces=("Province of air", "Province of earth", "Province of fire", "Second Fire", "Province of water"),
        role="Seeker of Fire",
    ),
    "TV-L5R-DECK-12, Support": deck(role="Support of the Phoenix"),
    "a role raises the influence": deck(
        40, 36, more_conflict="3 Crane Poem\n1 Crane Fan", role="Support of the Phoenix"
    ),
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_each_legal_deck_keeps_every_rule(check: Check, text: str) -> None:
    found = check(text, CARDS, format=L5R)
    assert [found[rule] for rule in FINE if found[rule].ok is not True] == []


@pytest.mark.parametrize(("cards", "kept"), [(39, False), (40, True), (45, True), (46, False)])
def test_a_conflict_deck_has_40_to_45_cards(check: Check, cards: int, kept: bool) -> None:
    found = check(deck(conflict=min(cards, 45), more_conflict="1 Sake" if cards > 45 else ""), CARDS, format=L5R)
    assert found["L5R-II.2a-CON"].ok is kept
    assert kept or f"{cards} cards" in found["L5R-II.2a-CON"].what


@pytest.mark.vector("TV-L5R-DECK-13")
def test_a_deck_that_changed_in_round_3_differs_from_the_registered_deck() -> None:
    """TV-L5R-DECK-13."""
    pool = read_card_data(CARDS.encode()).pool
    registered = read_decklist(deck().encode())
    changed = read_decklist(deck(40, 39, more_conflict="1 Crane Fan").encode())
    finding = check_unchanged(registered, changed, pool, Occasion(L5R))
    assert finding == (
        "L5R-II.2a-FIXED",
        False,
        "the deck is not the registered one: without 1 Trick 14, with 1 Crane Fan",
    )
    assert check_unchanged(registered, registered, None, Occasion(L5R)).ok is True


def test_the_same_cards_in_another_spelling_are_the_registered_deck() -> None:
    pool = read_card_data(CARDS.encode()).pool
    registered = read_decklist(deck(role="Seeker of Fire").encode())
    in_use = read_decklist(deck(role="seeker  of fire").encode())
    assert check_unchanged(registered, in_use, pool, Occasion(L5R)).ok is True


@pytest.mark.parametrize(
    ("cost", "kept", "what"), [("-", True, "influence 0 of 10"), ("11", False, "influence 11")]
)
def test_a_card_of_another_clan_without_an_influence_cost_adds_none(
    check: Check, cost: str, kept: bool, what: str
) -> None:
    cards = CARDS.replace(
        "Crane Fan,conflict,attachment,crane,,1,", f"Crane Fan,conflict,attachment,crane,,{cost},"
    )
    found = check(deck(40, 39, more_conflict="1 Crane Fan"), cards, format=L5R)["L5R-II.2a-INF"]
    assert (found.ok, what in found.what) == (kept, True)


def test_four_copies_of_a_card_of_another_clan_break_the_copy_and_the_clan_rule(check: Check) -> None:
    found = check(deck(more_dynasty="4 Lion Scout"), CARDS, format=L5R)
    assert [found[rule].ok for rule in ("L5R-II.2a-DYN", "L5R-II.2a-COPY")] == [False, False]


TOGASHI = """\
title,deck,product
Togashi Initiate,dynasty,Core Set
Togashi Initiate,dynasty,Promotion
Togashi Yokuni,dynasty,Core Set
Togashi Kazue,conflict,Core Set
Twin,dynasty,First
Twin,conflict,Second
"""


@pytest.mark.vector("DV-L5R-LIST")
@pytest.mark.parametrize(
    ("entry", "ok"),
    [("Togashi", False), ("Togashi Initiate", True), ("Togashi Initiate (Promotion)", True), ("Twin", True)],
)
def test_an_entry_names_exactly_one_card_of_its_deck(check: Check, entry: str, ok: bool) -> None:
    """DV-L5R-LIST."""
    found = check(f"[dynasty]\n3 {entry}", TOGASHI, format=L5R)["L5R-II.2b-LIST"]
    assert found.ok is ok
    if not ok:
        assert found.what == (
            "Togashi: the name is not unique, it can be Togashi Initiate (Core Set), "
            "Togashi Initiate (Promotion), Togashi Yokuni (Core Set)"
        )


def test_two_printings_of_a_title_share_one_limit(check: Check) -> None:
    found = check("[dynasty]\n2 Togashi Initiate (Core Set)\n2 Togashi Initiate (Promotion)", TOGASHI, format=L5R)
    assert found["L5R-II.2a-COPY"] == (
        "L5R-II.2a-COPY",
        False,
        "4 copies of Togashi Initiate in both decks together, 3 at most",
    )


def test_a_shortened_entry_says_how_it_was_read(check: Check) -> None:
    found = check("[dynasty]\n3 Yokuni\n1 Togashi Initiate", TOGASHI, format=L5R)["L5R-II.2b-LIST"]
    assert found.what == "every entry names one card; read as written short: Yokuni is Togashi Yokuni"
    assert check("[dynasty]\n3 Yoku", TOGASHI, format=L5R)["L5R-II.2b-LIST"].ok is None, (
        "a part of a word is a guess"
    )


def test_an_unknown_name_is_reported_and_not_guessed(check: Check) -> None:
    found = check("[dynasty]\n3 Tagoshi", TOGASHI, format=L5R)
    assert found["L5R-II.2b-LIST"] == (
        "L5R-II.2b-LIST",
        None,
        "cannot be checked: the card data have no Tagoshi",
    )


@pytest.mark.parametrize(
    ("tier", "day", "is_legal"),
    [
        pytest.param("premier", date(2018, 10, 28), False, id="TV-L5R-LEGAL-1, 10-28"),
        pytest.param("premier", date(2018, 10, 29), True, id="TV-L5R-LEGAL-1, 10-29"),
        pytest.param("formal", date(2018, 10, 18), True, id="TV-L5R-LEGAL-2"),
        pytest.param("relaxed", date(2018, 10, 18), True, id="TV-L5R-LEGAL-2, relaxed"),
        pytest.param("formal", date(2018, 10, 17), False, id="the day before the release"),
    ],
)
def test_a_product_is_legal_some_days_after_its_release(
    check: Check, tier: Tier, day: date, is_legal: bool
) -> None:
    cards = "title,released\nTogashi Initiate,2018-10-18"
    found = check("[dynasty]\n1 Togashi Initiate", cards, format=L5R, tier=tier, day=day)["L5R-II.3-LEGAL"]
    assert found.ok is is_legal


@pytest.mark.vector("TV-L5R-LEGAL-3")
def test_in_europe_a_card_is_legal_from_the_date_in_the_organizers_card_data(check: Check) -> None:
    """TV-L5R-LEGAL-3."""
    europe = Occasion(L5R, tier="premier", region="europe", day=date(2018, 10, 29))
    assert legal_from(Card(title="A", released=date(2018, 10, 18)), europe) is None
    assert legal_from(Card(title="A", legal_from=date(2018, 11, 2)), europe) == date(2018, 11, 2)
    cards = "title,released\nTogashi Initiate,2018-10-18"
    found = check(
        "[dynasty]\n1 Togashi Initiate", cards, format=L5R, tier="premier", region="europe", day=date(2018, 10, 29)
    )
    assert found["L5R-II.3-LEGAL"].what == (
        "cannot be checked: the card data do not give 'legal from' of Togashi Initiate"
    )


def test_the_date_in_the_example_is_a_monday() -> None:
    card = Card(title="A", released=date(2018, 10, 18))
    first = legal_from(card, Occasion(L5R, tier="premier"))
    assert first is not None
    assert f"{first:%A %Y-%m-%d}" == "Monday 2018-10-29"


@pytest.mark.parametrize(
    ("column", "rule"),
    [
        ("influence", "L5R-II.2a-INF"),
        ("influence maximum", "L5R-II.2a-INF"),
        ("influence bonus", "L5R-II.2a-INF"),
        ("clan", "L5R-II.2a-DYN"),
        ("type", "L5R-II.2a-CHAR"),
        ("ring", "L5R-II.2a-PROV"),
        ("keywords", "L5R-II.2a-ROLE"),
        ("deck", "L5R-II.2a-CON"),
    ],
)
def test_a_missing_column_is_reported(check: Check, column: str, rule: str) -> None:
    heads, *rows = (line.split(",") for line in CARDS.splitlines())
    at = heads.index(column)
    cards = "\n".join(",".join(cells[:at] + cells[at + 1 :]) for cells in [heads, *rows])
    found = check(deck(40, 39, more_conflict="1 Crane Fan", role="Seeker of Fire"), cards, format=L5R)[rule]
    assert found.ok is None
    assert found.what.startswith("cannot be checked: the card data do not give")


def test_without_card_data_a_check_only_counts(check: Check) -> None:
    found = check(deck(39), None, format=L5R)
    assert found["L5R-II.2a-DYN"].ok is False
    assert found["L5R-II.2a-CLAN"] == ("L5R-II.2a-CLAN", None, "cannot be checked: there are no card data")


def test_without_data_about_the_role_two_provinces_of_a_ring_stay_open(check: Check) -> None:
    provinces = ("Province of air", "Province of earth", "Province of fire", "Second Fire", "Province of water")
    cards = CARDS.replace("seeker;fire,,,0,,fire,", "seeker;fire,,,0,,,")
    found = check(deck(provinces=provinces, role="Seeker of Fire"), cards, format=L5R)
    assert found["L5R-II.2a-PROV"].what == (
        "cannot be checked: the card data do not give 'extra ring' of Seeker of Fire"
    )


def test_a_province_of_another_clan_is_found(check: Check) -> None:
    provinces = ("Province of air", "Province of earth", "Province of fire", "Lion Water", "Province of void")
    found = check(deck(provinces=provinces), CARDS, format=L5R)
    assert found["L5R-II.2a-PROV"].what == "out of clan: Lion Water"


def test_a_card_in_the_wrong_deck_is_found(check: Check) -> None:
    found = check(deck(more_dynasty="1 Crane Fan"), CARDS, format=L5R)
    assert found["L5R-II.2a-DYN"].what == (
        "Crane Fan is a conflict card and stands among the dynasty cards; out of clan: Crane Fan"
    )


def test_without_a_stronghold_the_other_rules_stay_open(check: Check) -> None:
    found = check("[dynasty]\n3 Monk 1", CARDS, format=L5R)
    assert found["L5R-II.2a-SET"].what == (
        "0 stronghold cards, 1 are needed; 0 province cards, 5 are needed; there is no conflict deck"
    )
    assert found["L5R-II.2a-CLAN"].what == "cannot be checked: the list does not name one stronghold"


@pytest.mark.parametrize(
    ("seen", "tier", "ok"),
    [
        (Sleeves(opaque=True, uniform=True, distinct=True), "premier", True),
        (Sleeves(opaque=True, uniform=True, distinct=False), "formal", False),
        (Sleeves(opaque=False, uniform=True, distinct=True), "formal", False),
        (Sleeves(opaque=False, uniform=True, distinct=False), "relaxed", True),
        (Sleeves(opaque=False, uniform=False, distinct=False), "relaxed", False),
        (Sleeves(opaque=True, uniform=True, distinct=True), None, None),
    ],
)
def test_sleeves_are_needed_above_relaxed_events(seen: Sleeves, tier: Tier | None, ok: bool | None) -> None:
    assert check_sleeves(seen, Occasion(L5R, tier=tier))[:2] == ("L5R-II.2c-SLEEVE", ok)
