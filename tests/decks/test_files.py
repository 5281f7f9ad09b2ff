"""Files with decks and cards: how they are read, and the one line about a wrong file."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matchledger.events import DeckList, ListedCard
from matchledger.formats.card_data import COLUMNS, read_card_data, unused_columns
from matchledger.formats.decklist import read_decklist
from matchledger.formats.text import FormatError
from matchledger_projections.decks.cards import Card, Level, Reference
from matchledger_projections.decks.deck import PARTS, amended, canonical_text, difference, digest

TEXT = """\
# a comment
[Stronghold]
1 Mountain Keep
Provinces:
1x Meditations on the Tao   # behind a card
[dynasty]
3 Togashi Initiate
2 X  Togashi   Yokuni
1 Togashi Initiate
"""
CSV = """\
Part,Count,Card
dynasty,4,Togashi Initiate
dynasty,2,Togashi Yokuni
province,1,Meditations on the Tao
stronghold,1,Mountain Keep
"""
CANONICAL = (
    "dynasty\t4\tTogashi Initiate\ndynasty\t2\tTogashi Yokuni\n"
    "province\t1\tMeditations on the Tao\nstronghold\t1\tMountain Keep\n"
)


@pytest.mark.parametrize("text", [TEXT, CSV, f"\ufeff{TEXT}", TEXT.replace("\n", "\r\n")])
def test_a_list_is_the_same_in_every_notation(text: str) -> None:
    deck = read_decklist(text.encode())
    assert canonical_text(deck) == CANONICAL
    # The SHA-256 hash of the four lines above, made with sha256sum.
    assert digest(deck) == "1526359e185aeeea063642d6e956d8792e705dc7448bc5c9430e1762395701a9"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the list names no card"),
        ("[dynasty]\n", "the list names no card"),
        (
            "3 Name\n[fate]",
            "line 1: a card comes before the first part: begin with a line such as [dynasty]",
        ),
        ("[dynsty]\n3 Name", "line 1: a deck has no part 'dynsty'; did you mean 'dynasty'?"),
        ("[]\n3 Name", f"line 1: a deck has no part ''; there are {', '.join(PARTS)}"),
        ("[dynasty]\nName", "line 2: 'Name' is neither a part such as [dynasty] nor a card such as 3 Name"),
        ("[dynasty]\n3 Name\n0 Other", "line 3: '0' is not a number of cards from 1 to 999"),
        ("[dynasty]\n1000 Name", "line 2: '1000' is not a number of cards from 1 to 999"),
        ("[dynasty]\n999 Name\n1 Name", "a card is listed more than 999 times"),
        ("[dynasty]\n" + "1 Name\n" * 1001, "the list has more than 1000 lines; is it really one deck?"),
        ("[dynasty]\n1 Na\x07me", r"line 2: the name 'Na\x07me' has a character that cannot be printed; remove it"),
        ("part,card\ndynasty,Name", "line 1: the column count is missing: there are part, count, card"),
        ("part,count,card\ndynasty,3", "line 2: this line has another number of cells than the first one"),
        (
            "part,count,card\ndynasty,3,Name,more",
            "line 2: this line has another number of cells than the first one",
        ),
        ("part,count,card\ndynasty,three,Name", "line 2: 'three' is not a number of cards from 1 to 999"),
        ('part,count,card\ndynasty,3,"Name', "line 2: this is not CSV: unexpected end of data"),
        ("[dynasty]\n\x001 Name", "line 2: byte 11 of the file is NUL, so it is not a text file"),
    ],
)
def test_refusals_of_unreadable_lists_name_the_mistake_and_the_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_decklist(text.encode())
    assert str(caught.value) == message


def problem_with(read: Callable[[bytes], object], data: bytes) -> str:
    """Return why a file is refused, or "" if it can be read."""
    try:
        read(data)
    except FormatError as problem:
        return str(problem)
    return ""


@given(st.binary(max_size=200) | st.text(alphabet='[]{}":,;-#()1 xX\n\tdynasty', max_size=60).map(str.encode))
def test_every_file_is_read_or_refused_in_one_line(data: bytes) -> None:
    for read in (read_decklist, read_card_data):
        assert problem_with(read, data).isprintable()


Cards = st.lists(
    st.builds(
        ListedCard,
        part=st.sampled_from(PARTS[:3]),
        name=st.sampled_from(["A", "B", "C"]),
        count=st.integers(min_value=1, max_value=3),
    ),
    min_size=1,
)


@given(Cards, Cards)
def test_an_amendment_gives_the_new_list_from_the_old_one(old: list[ListedCard], new: list[ListedCard]) -> None:
    before, after = DeckList(cards=tuple(old)), DeckList(cards=tuple(new))
    change = difference(before, after)
    assert digest(amended(before, change)) == digest(after)
    assert (not change.removed and not change.added) == (digest(before) == digest(after))


# -- card data


FULL = {
    "title": "Bayushi  Test",
    "product": "Anvil of Despair; Time of the Void",
    "released": "2018-10-18",
    "legal from": "2018-11-02",
    "deck": "Dynasty",
    "type": "Personality",
    "clan": "Scorpion Clan",
    "keywords": "Scorpion Clan;Samurai",
    "unique": "yes",
    "influence": "2",
    "influence maximum": "10",
    "influence bonus": "-1",
    "ring": "Fire",
    "extra ring": "-",
    "experience": "Experienced 3KYD",
    "alternate titles": "Other Name",
    "soul of": "Bayushi Kwanchai; Daidoji Rekai Experienced 2",
    "counts as": "-",
    "pregame cards": "1",
    "faction": "Red",
}


def test_every_column_is_read_from_csv_and_json_alike() -> None:
    csv = f"{','.join(FULL)}\n{','.join(FULL.values())}\n"
    as_json = json.dumps(
        {
            "cards": [
                FULL
                | {
                    "product": ["Anvil of Despair", "Time of the Void"],
                    "keywords": ["Scorpion Clan", "Samurai"],
                    "unique": True,
                    "influence": 2,
                    "counts as": [],
                }
            ]
        }
    )
    assert tuple(name.replace(" ", "_") for name in FULL) == COLUMNS == tuple(Card.model_fields)
    for text in (csv, as_json):
        data = read_card_data(text.encode())
        assert data.unused == ()
        (card,) = data.pool.cards
        assert card.title == "Bayushi Test"
        assert card.product == ("Anvil of Despair", "Time of the Void")
        assert (card.released, card.legal_from) == (date(2018, 10, 18), date(2018, 11, 2))
        assert (card.deck, card.type, card.clan) == ("dynasty", "personality", frozenset({"scorpion clan"}))
        assert card.keywords == frozenset({"scorpion clan", "samurai"})
        assert (card.unique, card.influence, card.influence_maximum, card.influence_bonus) == (True, 2, 10, -1)
        assert (card.ring, card.extra_ring, card.experience) == ("fire", "", Level(3, "kyd"))
        assert card.alternate_titles == ("other name",)
        assert card.soul_of == (
            Reference("bayushi kwanchai", Level(0, "")),
            Reference("daidoji rekai", Level(2, "")),
        )
        assert (card.counts_as, card.pregame_cards, card.faction) == ((), 1, "red")


def test_a_missing_value_is_not_the_value_none() -> None:
    (empty, none) = read_card_data(b"title,keywords,experience\nA,,\nB,-,-\n").pool.cards
    assert (empty.keywords, empty.experience) == (None, None)
    assert (none.keywords, none.experience) == (frozenset(), Level(0, ""))


@pytest.mark.parametrize("column", ["influence", "influence maximum", "influence bonus", "pregame cards"])
def test_a_dash_in_a_column_of_numbers_means_none(column: str) -> None:
    """In a deck file, `-` means none."""
    [none] = read_card_data(f"title,{column}\nA,-\n".encode()).pool.cards
    assert getattr(none, column.replace(" ", "_")) == 0


def test_unread_columns_are_listed() -> None:
    data = read_card_data(b"title,influense,artist\nA,2,B\n")
    assert data.unused == ("influense", "artist")
    assert unused_columns(data.unused) == "'influense'; did you mean 'influence'?, 'artist'"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name\nA\n", "line 1: there is no column 'title': the first line names the columns"),
        ("title,title\nA,B\n", "line 1: a column appears twice"),
        ("title\n", "the card data have no card"),
        ("title,type\n,event\n", "line 2: the title is missing"),
        (
            "title,type\nA,b,c\n",
            "line 2: more cells than columns: put a cell with a comma in quotes, and ';' between several values",
        ),
        ("title,influence\nA,two\n", "line 2: influence: a whole number belongs here"),
        ("title,influence\nA,99999\n", "line 2: influence: a whole number belongs here"),
        ("title,unique\nA,perhaps\n", "line 2: unique: yes or no belongs here"),
        ("title,released\nA,18.10.2018\n", "line 2: released: a date such as 2018-10-18 belongs here"),
        ("title,released\nA,2018-02-30\n", "line 2: released: there is no such day"),
        ("title,ring\nA,wood\n", "line 2: ring: one of air, earth, fire, water, void belongs here"),
        (
            "title,experience\nA,Veteran\n",
            "line 2: experience: 'Veteran' is not a level of experience such as Experienced 2, or '-' for none",
        ),
        ('title\n"A', "line 2: this is not CSV: unexpected end of data"),
        ("[1]", "cards[0]: an object belongs here"),
        ("{}", "the JSON is neither a list of cards nor an object with a list under 'cards'"),
        ('[{"title": 3}]', "cards[0]: title: a text belongs here"),
        ('[{"title": "A", "influence": true}]', "cards[0]: influence: a whole number belongs here"),
        ('[{"title": "A", "keywords": [["B"]]}]', "cards[0]: keywords: a text belongs here"),
        ("[", "line 1: not valid JSON at column 2: Expecting value"),
    ],
)
def test_refusals_of_unreadable_card_data_name_the_mistake_and_the_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_card_data(text.encode())
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "level", "said"),
    [
        ("", (0, ""), ""),
        ("Inexperienced", (-1, ""), "Inexperienced"),
        ("Experienced", (1, ""), "Experienced"),
        ("exp 2", (2, ""), "Experienced 2"),
        ("Experienced KYD", (1, "kyd"), "Experienced KYD"),
        ("Experienced 2CoM", (2, "com"), "Experienced 2 COM"),
    ],
)
def test_a_level_of_experience_is_read_and_written(text: str, level: tuple[int, str], said: str) -> None:
    (card,) = read_card_data(json.dumps([{"title": "A", "experience": text or "-"}]).encode()).pool.cards
    assert card.experience == level
    assert str(card.experience) == said
