"""Decks for the L5R Legacy format: the vectors of LEG-*, and how the rules were read."""

from __future__ import annotations

import pytest
from tests.decks.conftest import Check

from matchledger.formats.card_data import read_card_data
from matchledger_projections.decks.cards import CardPool
from matchledger_projections.decks.law import legacy
from matchledger_projections.decks.legacy import alignment
from matchledger_projections.decks.same_cards import SameCards

LEGACY, BIG, DRAFT = "legacy", "legacy-bigdeck", "legacy-draft"
HEADS = "title,type,clan,keywords,unique,experience,product,soul of,counts as,alternate titles,pregame cards"


def card(
    title: str,
    type_: str = "personality",
    *,
    clan: str = "",
    keywords: str = "-",
    unique: str = "no",
    experience: str = "-",
    product: str = "",
    soul_of: str = "-",
    counts_as: str = "-",
    alternate: str = "-",
    pregame: str = "",
) -> str:
    cells = (title, type_, clan, keywords, unique, experience, product, soul_of, counts_as, alternate, pregame)
    return ",".join(f'"{cell}"' for cell in cells)


def data(*cards: str) -> str:
    return "\n".join([HEADS, card("Kyuden Test", "stronghold", clan="crane", keywords="", pregame="1"), *cards])


def dynasty(*lines: str) -> str:
    return "\n".join(["[stronghold]", "1 Kyuden Test", "[dynasty]", *lines])


@pytest.mark.parametrize("format_", [LEGACY, BIG, DRAFT])
@pytest.mark.parametrize(
    ("title", "type_", "part"),
    [
        pytest.param("Breach of Etiquette", "strategy", "fate", id="TV-LEG-1"),
        pytest.param("The High House of Light", "stronghold", "stronghold", id="TV-LEG-2"),
        ("Minor Oni Servant", "follower", "fate"),
        ("Rise from the Ashes", "spell", "fate"),
        ("Shrine of the Spirits", "stronghold", "stronghold"),
        ("Take the Initiative", "strategy", "fate"),
        ("The Master of Five", "event", "dynasty"),
        ("Yodin Sensei", "sensei", "pregame"),
    ],
)
def test_a_banned_card_is_banned_in_every_variant(
    check: Check, title: str, type_: str, part: str, format_: str
) -> None:
    found = check(f"[{part}]\n1 {title}", data(card(title, type_)), format=format_)
    assert found["LEG-BAN"] == ("LEG-BAN", False, f"{title} is banned")


def test_a_card_with_a_banned_title_and_another_type_is_another_card(check: Check) -> None:
    found = check("[fate]\n1 Rise from the Ashes", data(card("Rise from the Ashes", "strategy")), format=LEGACY)
    assert found["LEG-BAN"].ok is True


@pytest.mark.vector("TV-LEG-3")
@pytest.mark.parametrize(
    "title",
    ["Nanashi Mura", "The Shrine of Lady Sun", "The Governor's Estate", "Gates of the Second City"],
)
def test_four_strongholds_are_legal_only_in_booster_draft(check: Check, title: str) -> None:
    """TV-LEG-3."""
    cards = data(card(title, "stronghold", clan="lion"))
    constructed, draft = (check(f"[stronghold]\n1 {title}", cards, format=format_) for format_ in (LEGACY, DRAFT))
    assert constructed["LEG-BAN-DRAFT"] == ("LEG-BAN-DRAFT", False, f"{title} is banned")
    assert draft["LEG-BAN-DRAFT"].ok is True


GROUP = data(
    card("Doji Seo"),
    card("Doji Seishiro"),
    card("Bayushi Hisato"),
    card("Bayushi Marumo"),
    card("Bayushi Sunetra"),
    card("Bayushi Sunetra", experience="Experienced"),
    card("Bayushi Tangen", soul_of="Bayushi Kwanchai"),
    card("Bayushi Kwanchai", soul_of="Bayushi Irezu"),
    card("Bayushi Kwanchai", experience="Experienced"),
    card("Bayushi Irezu"),
    card("Daidoji Nagiko", unique="yes"),
    card("Daidoji Rekai", unique="yes"),
    card("Daidoji Rekai", unique="yes", experience="Experienced 2"),
)
SUNETRAS = ("1 Bayushi Marumo", "1 Bayushi Sunetra", "1 Bayushi Sunetra Experienced")
TOGETHER = {
    "TV-LEG-4": (("2 Doji Seo", "2 Doji Seishiro"), "4 of Doji Seishiro and Doji Seo (3 at most)"),
    "TV-LEG-5": (("2 Doji Seo", "1 Doji Seishiro"), None),
    "TV-LEG-6": (("1 Bayushi Hisato", *SUNETRAS), None),
    "TV-LEG-7": (
        ("2 Bayushi Hisato", *SUNETRAS),
        "4 of Bayushi Hisato and Bayushi Marumo and Bayushi Sunetra (3 at most)",
    ),
    "TV-LEG-8": (
        ("2 Bayushi Tangen", "1 Bayushi Kwanchai", "1 Bayushi Irezu"),
        "4 of Bayushi Irezu and Bayushi Kwanchai and Bayushi Tangen (3 at most)",
    ),
    "DV-LEG-SOUL": (("1 Bayushi Tangen", "1 Bayushi Kwanchai (non-Exp)", "1 Bayushi Irezu"), None),
    "DV-LEG-SOUL, over a card that is not in the deck": (
        ("3 Bayushi Tangen", "1 Bayushi Irezu"),
        "4 of Bayushi Irezu and Bayushi Tangen (3 at most)",
    ),
    "DV-LEG-SOUL, the experienced one stands outside": (
        ("2 Bayushi Tangen", "1 Bayushi Irezu", "3 Bayushi Kwanchai Experienced"),
        None,
    ),
    "TV-LEG-9": (
        ("1 Daidoji Nagiko", "1 Daidoji Rekai Experienced 2"),
        "2 of Daidoji Nagiko and Daidoji Rekai Experienced 2 (unique, 1 at most)",
    ),
    "TV-LEG-9, another level": (("1 Daidoji Nagiko", "1 Daidoji Rekai"), None),
}


@pytest.mark.parametrize(("lines", "what"), TOGETHER.values(), ids=TOGETHER)
def test_cards_that_count_as_the_same_card_share_a_limit(
    check: Check, lines: tuple[str, ...], what: str | None
) -> None:
    found = check(dynasty(*lines), GROUP, format=LEGACY)
    assert found["LEG-SAME"] == ("LEG-SAME", what is None, what or "no cards that count as one too often")
    assert found["LEG-LIMIT"].ok is True


def test_a_unique_card_shares_a_limit_with_a_card_that_is_not_unique(check: Check) -> None:
    """LEG-SAME: if one of the cards is unique, one copy is the limit for both."""
    cards = data(card("Doji Seo", unique="yes"), card("Doji Seishiro"))
    found = check(dynasty("1 Doji Seo", "1 Doji Seishiro"), cards, format=LEGACY)["LEG-SAME"]
    assert found.what == "2 of Doji Seishiro and Doji Seo (unique, 1 at most)"


def test_a_soul_has_one_level_of_experience(check: Check) -> None:
    """LEG-SAME: the soul of the experienced version is not the soul of the plain version."""
    cards = data(
        card("Ikoma Tsai", soul_of="Ikoma Otemi Experienced"),
        card("Ikoma Otemi"),
        card("Ikoma Otemi", experience="Experienced"),
    )
    for other, ok in (("Ikoma Otemi", True), ("Ikoma Otemi Experienced", False)):
        assert check(dynasty("2 Ikoma Tsai", f"2 {other}"), cards, format=LEGACY)["LEG-SAME"].ok is ok, other


def test_both_decks_share_the_limit_of_a_card(check: Check) -> None:
    """LEG-LIMIT: three copies in one deck and one in the other are four."""
    listed = f"{dynasty('3 Doji Test')}\n[fate]\n1 Doji Test"
    assert check(listed, data(card("Doji Test")), format=LEGACY)["LEG-LIMIT"].what == "4 of Doji Test (3 at most)"


def test_a_card_without_card_data_is_named_if_there_are_too_many_copies(check: Check) -> None:
    """LEG-LIMIT: before the fix, the line about a card without card data did not name the card."""
    assert check(dynasty("4 Doji Unknown"), None, format=LEGACY)["LEG-LIMIT"].what.startswith("4 of Doji Unknown")


def test_a_card_counts_as_another_card_if_its_text_says_so(check: Check) -> None:
    cards = data(card("Bayushi Hisa", counts_as="Yasuki Hachi"), card("Yasuki Hachi"))
    found = check(dynasty("2 Bayushi Hisa", "2 Yasuki Hachi"), cards, format=LEGACY)
    assert found["LEG-SAME"].ok is False


@pytest.mark.parametrize(
    ("unique", "copies", "ok"), [("no", 3, True), ("no", 4, False), ("yes", 1, True), ("yes", 2, False)]
)
def test_a_card_without_equals_is_limited_as_unique_or_not_unique(
    check: Check, unique: str, copies: int, ok: bool
) -> None:
    found = check(dynasty(f"{copies} Doji Test"), data(card("Doji Test", unique=unique)), format=LEGACY)
    assert found["LEG-LIMIT"].ok is ok


def test_all_fifteen_groups_of_the_same_card_share_a_limit(check: Check) -> None:
    groups = legacy().groups
    assert [len(group) for group in groups] == [2] * 9 + [3] + [2] * 5
    for group in groups:
        cards = data(*(card(title.title, experience=str(title.level) or "-") for title in group))
        found = check(dynasty(*(f"2 {title}" for title in group)), cards, format=LEGACY)
        assert found["LEG-SAME"].ok is False, group


def test_a_group_names_a_family_and_a_level_exactly(check: Check) -> None:
    cards = data(*map(card, ("Utaku Tama", "Otaku Tetsuko", "Utaku Tetsuko", "Bayushi Hisoka", "Bayushi Goshiu")))
    for listed, ok in (
        (("2 Utaku Tama", "2 Otaku Tetsuko"), False),
        (("2 Utaku Tama", "2 Utaku Tetsuko"), True),
        (("2 Bayushi Hisoka", "2 Bayushi Goshiu"), True),
    ):
        assert check(dynasty(*listed), cards, format=LEGACY)["LEG-SAME"].ok is ok, listed


def test_cards_that_a_card_refers_to_must_be_in_the_card_data(check: Check) -> None:
    found = check(
        dynasty("3 Bayushi Tangen"), data(card("Bayushi Tangen", soul_of="Bayushi Kwanchai")), format=LEGACY
    )
    assert found["LEG-SAME"].what == (
        "cannot be checked: bayushi kwanchai, which Bayushi Tangen refers to, is not in the card data"
    )


@pytest.mark.parametrize("column", ["unique", "experience", "type", "soul of", "alternate titles"])
def test_a_missing_column_is_reported(check: Check, column: str) -> None:
    cards = f"{','.join(head for head in HEADS.split(',') if head != column)}\n" + "\n".join(
        ",".join(cell for head, cell in zip(HEADS.split(","), line.split(","), strict=True) if head != column)
        for line in GROUP.splitlines()[1:]
    )
    found = check(dynasty("1 Doji Seo"), cards, format=LEGACY)
    rule = "LEG-LIMIT" if column == "unique" else "LEG-SAME"
    assert found[rule] == (rule, None, f"cannot be checked: the card data do not give '{column}' of Doji Seo")


# -- separate cards and titles


SEPARATE = {
    "A Moment of Truth": ("Anvil of Despair", "Time of the Void"),
    "Corrupted Dojo": ("Fire and Shadow", "Winds of Change"),
    "Hida Kisada": ("Obsidian Edition", "Emperor Edition"),
    "Isawa Tanaka": ("Path of Hope", "Imperial Gift 2"),
    "Mirumoto Hojatsu": ("Dawn of the Empire", "The Dead of Winter"),
    "Utaku Keyo": ("Dark Allies", "Lotus Edition"),
}


@pytest.mark.vector("TV-LEG-10")
@pytest.mark.parametrize(("title", "products"), SEPARATE.items(), ids=SEPARATE)
def test_separate_cards_with_one_title_share_no_limit(check: Check, title: str, products: tuple[str, str]) -> None:
    """TV-LEG-10."""
    cards = data(*(card(title, "strategy", product=product) for product in products))
    both = check(dynasty(*(f"3 {title} ({product})" for product in products)), cards, format=LEGACY)
    assert (both["LEG-LIMIT"].ok, both["LEG-SAME"].ok, both["LEG-SEP"].ok) == (True, True, True)
    unclear = check(dynasty(f"3 {title}"), cards, format=LEGACY)
    assert unclear["LEG-SEP"].what == (
        f"cannot be checked: there are separate cards called {title}: write the product in parentheses"
    )


def test_printings_of_one_card_share_a_limit(check: Check) -> None:
    cards = data(card("Doji Test", product="First"), card("Doji Test", product="Second"))
    found = check(dynasty("2 Doji Test (First)", "2 Doji Test (Second)"), cards, format=LEGACY)
    assert found["LEG-LIMIT"].what == "4 of Doji Test (3 at most)"


YAKAMO = data(
    card("Hida Yakamo", keywords="Oni", unique="yes", experience="Experienced"),
    card("Hida Yakamo", unique="yes", experience="Experienced 3"),
    card("Hida Yakamo", unique="yes", experience="Experienced 3KYD"),
    card("Hida Yakamo", unique="yes", experience="Experienced 3CoM"),
)


@pytest.mark.vector("TV-LEG-11")
def test_the_marks_kyd_and_com_make_separate_levels_of_experience(check: Check) -> None:
    """TV-LEG-11."""
    lines = [f"1 Hida Yakamo {level}" for level in ("Exp 3", "Exp 3KYD", "Experienced 3CoM")]
    found = check(dynasty(*lines), YAKAMO, format=LEGACY)
    assert (found["LEG-LIMIT"].ok, found["LEG-SAME"].ok) == (True, True)
    twice = check(dynasty("2 Hida Yakamo Exp 3KYD"), YAKAMO, format=LEGACY)
    assert twice["LEG-LIMIT"].what == "2 of Hida Yakamo Experienced 3 KYD (unique, 1 at most)"


def test_the_oni_keyword_distinguishes_two_personalities_named_yakamo(check: Check) -> None:
    cards = data(
        card("Hida Yakamo", keywords="Oni", unique="yes", experience="Experienced", product="One"),
        card("Hida Yakamo", unique="yes", experience="Experienced", product="Two"),
    )
    found = check(dynasty("1 Hida Yakamo (One)", "1 Hida Yakamo (Two)"), cards, format=LEGACY)
    assert (found["LEG-LIMIT"].ok, found["LEG-SAME"].ok) == (True, True)


TANAKA = data(
    card("Isawa Tanaka", product="Path of Hope"),
    card("Isawa Tanaka", product="Imperial Gift 2"),
    card("Young Tanaka", soul_of="Isawa Tanaka"),
    card("Old Tanaka", soul_of="Young Tanaka"),
    card("Hida Yakamo", keywords="Oni", product="One"),
    card("Hida Yakamo", product="Two"),
    card("Young Yakamo", soul_of="Hida Yakamo"),
)
SHARED = {
    "one version and its soul": (
        ["3 Isawa Tanaka (Path of Hope)", "1 Young Tanaka"],
        "4 of Isawa Tanaka and Young",
    ),
    "the other version": (["2 Isawa Tanaka (Imperial Gift 2)", "2 Young Tanaka"], "4 of Isawa Tanaka and Young"),
    "by way of the soul": (["2 Isawa Tanaka (Path of Hope)", "2 Old Tanaka"], "4 of Isawa Tanaka and Old Tanaka"),
    "each version apart": (
        ["1 Isawa Tanaka (Path of Hope)", "1 Isawa Tanaka (Imperial Gift 2)", "2 Young Tanaka"],
        None,
    ),
    "both versions alone": (["3 Isawa Tanaka (Path of Hope)", "3 Isawa Tanaka (Imperial Gift 2)"], None),
    "told apart by a keyword": (["2 Hida Yakamo (One)", "2 Young Yakamo"], "4 of Hida Yakamo and Young Yakamo"),
    "the keyword missing": (["2 Hida Yakamo (Two)", "2 Young Yakamo"], "4 of Hida Yakamo and Young Yakamo"),
}


@pytest.mark.finding("L-W3")
@pytest.mark.parametrize(("lines", "what"), SHARED.values(), ids=SHARED)
def test_the_soul_of_a_separated_title_counts_with_every_version(
    check: Check, lines: list[str], what: str | None
) -> None:
    found = check(dynasty(*lines), TANAKA, format=LEGACY)["LEG-SAME"]
    assert found.ok is (what is None)
    assert what is None or found.what.startswith(what)


KISADA = data(
    card("Hida Kisada", product="Obsidian Edition", unique="yes"),
    card("Hida Kisada", experience="Inexperienced", product="Scorpion Clan Coup 3", unique="yes"),
    card("Hida Kisada", experience="Experienced", product="Enemy of My Enemy", unique="yes"),
    card("Hida Kisada", product="Emperor Edition", unique="yes"),
    card("Hida Kisada", experience="Experienced", product="Ivory Edition", unique="yes"),
    card("Hida Kisada, the Little Bear", experience="Experienced", product="Ivory Edition", unique="yes"),
    card("Utaku Keyo", product="Dark Allies", unique="yes"),
    card("Utaku Keyo", product="Lotus Edition", unique="yes"),
    card("Utaku Keyo", experience="Experienced", product="Test of Enlightenment", unique="yes"),
    card("Utaku Keyo", experience="Experienced", product="Elsewhere", unique="yes"),
)


@pytest.mark.finding("L-W6")
@pytest.mark.parametrize(
    ("lines", "ok"),
    [
        (["1 Hida Kisada (Obsidian Edition)", "1 Hida Kisada (Emperor Edition)"], True),
        (["1 Hida Kisada Experienced (Enemy of My Enemy)", "1 Hida Kisada Experienced (Ivory Edition)"], True),
        (["1 Hida Kisada Experienced (Enemy of My Enemy)", "1 Hida Kisada, the Little Bear"], True),
        (["1 Hida Kisada Experienced (Ivory Edition)", "1 Hida Kisada, the Little Bear"], False),
        (["1 Hida Kisada (Scorpion Clan Coup 3)", "1 Utaku Keyo (Test of Enlightenment)"], True),
    ],
)
def test_every_version_of_a_separated_title_belongs_to_one_card(check: Check, lines: list[str], ok: bool) -> None:
    found = check(dynasty(*lines), KISADA, format=LEGACY)
    assert (found["LEG-SEP"].ok, found["LEG-LIMIT"].ok, found["LEG-SAME"].ok) == (True, True, ok)


@pytest.mark.finding("L-W6")
def test_a_card_that_names_its_product_is_not_asked_for_the_product(check: Check) -> None:
    found = check(dynasty("1 Utaku Keyo (Elsewhere)"), KISADA, format=LEGACY)
    assert found["LEG-SEP"].what == (
        "cannot be checked: there are separate cards called Utaku Keyo, "
        "and Utaku Keyo Experienced (Elsewhere) is not listed as a printing of either"
    )


def test_the_copies_in_a_big_deck_are_undefined(check: Check) -> None:
    """The document gives BigDeck no limits, as the errata of LEG-STARTHOLD say."""
    found = check(dynasty("9 Doji Test"), data(card("Doji Test")), format=BIG)
    assert [found[rule].ok for rule in ("LEG-LIMIT", "LEG-SAME")] == [None, None]
    assert "does not define how many copies a BigDeck may hold" in found["LEG-LIMIT"].what


@pytest.mark.vector("TV-LEG-12")
def test_a_title_with_the_word_the_in_front_is_another_title(check: Check) -> None:
    """TV-LEG-12."""
    cards = data(
        card("The House of Tao", "stronghold", clan="brotherhood of shinsei"),
        card("House of Tao", "stronghold", clan="dragon"),
    )
    pool = read_card_data(cards.encode()).pool
    for title, clan in (("The House of Tao", "brotherhood of shinsei"), ("House of Tao", "dragon")):
        (printing,) = pool.match(title, "stronghold").printings
        assert printing.clan == frozenset({clan})
        assert check(f"[stronghold]\n1 {title}", cards, format=LEGACY)["LEG-CLAN"].ok is True


ALTERNATE = data(
    card("Akodo Ginawa"),
    card("Akodo Ginawa", experience="Experienced 4", alternate="Ginawa"),
    card("Heigi", experience="Experienced 5", alternate="Akodo Ginawa"),
    card("Shosuro"),
    card("Shosuro", experience="Experienced", alternate="Ninja Shapeshifter"),
    card("Shosuro", experience="Experienced 7"),
    card("Ninja Shapeshifter", experience="Experienced 7"),
    card("Moto Chagatai", experience="Experienced 2", alternate="Khan"),
    card("Khan", experience="Experienced 2", alternate="Gaheris"),
    card("Gaheris", alternate="Rider"),
)


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        pytest.param("Heigi", {"heigi", "akodo ginawa", "ginawa"}, id="DV-LEG-ALT-1"),
        pytest.param("Shosuro Experienced 7", {"shosuro", "ninja shapeshifter"}, id="DV-LEG-ALT-2"),
        pytest.param("Shosuro", {"shosuro"}, id="no level has what a higher one has"),
        pytest.param(
            "Moto Chagatai", {"moto chagatai", "khan", "gaheris", "rider"}, id="an equal level, and further"
        ),
        pytest.param("Akodo Ginawa", {"akodo ginawa"}, id="nor has a card what points at it"),
    ],
)
def test_a_higher_level_of_experience_keeps_the_alternate_titles(name: str, titles: set[str]) -> None:
    pool = read_card_data(ALTERNATE.encode()).pool
    (printing,) = pool.match(name, "dynasty").printings
    assert SameCards(pool, legacy()).titles(printing) == titles


def test_a_card_under_its_alternate_title_is_the_same_card(check: Check) -> None:
    found = check(dynasty("2 Shosuro Experienced 7", "2 Ninja Shapeshifter"), ALTERNATE, format=LEGACY)
    assert found["LEG-SAME"].ok is False


# -- clans


def pool(*cards: str) -> CardPool:
    return read_card_data(data(*cards).encode()).pool


@pytest.mark.parametrize(
    ("keywords", "stronghold", "aligned"),
    [
        pytest.param("Monkey Clan", "Kyuden Test", {"Toturi's Army"}, id="TV-LEG-15"),
        pytest.param("Hare Clan", "Kyuden Test", set(), id="TV-LEG-16"),
        pytest.param("Hare Clan", "Shiro Usagi", {"Hare"}, id="TV-LEG-16, with Shiro Usagi"),
        pytest.param("Imperial;Crab Clan", "Kyuden Test", {"Crab"}, id="Imperial and Crab"),
        pytest.param("Imperial", "Journey's End Keep Experienced", {"Imperial"}, id="Imperial"),
        pytest.param("Imperial", "Journey's End Keep", set(), id="Imperial, the plain stronghold"),
        pytest.param("Monk", "Kyuden Test", {"Brotherhood of Shinsei"}, id="Monk"),
        pytest.param("Spirit", "Kyuden Test", {"Spirit"}, id="Spirit"),
        pytest.param("Shadowlands", "Kyuden Test", set(), id="Shadowlands"),
    ],
)
def test_keywords_align_a_personality_with_the_stronghold_in_play(
    keywords: str, stronghold: str, aligned: set[str]
) -> None:
    cards = pool(
        card("Someone", keywords=keywords),
        card("Shiro Usagi", "stronghold"),
        card("Journey's End Keep", "stronghold"),
        card("Journey's End Keep", "stronghold", experience="Experienced"),
    )
    (personality,) = cards.match("Someone", "dynasty").printings
    assert alignment(personality, cards.match(stronghold, "stronghold").printings) == frozenset(aligned)


def test_the_finding_about_clans_names_the_alignments(check: Check) -> None:
    cards = data(card("A", keywords="Crane Clan"), card("B", keywords="Hare Clan"), card("C", keywords=""))
    found = check(dynasty("3 A", "2 B", "1 C"), cards, format=LEGACY)
    assert found["LEG-CLAN"].what == "the clan can be played; Personalities: 3 Crane, 2 Unaligned, 1 unknown"


@pytest.mark.parametrize(
    ("clan", "problem"),
    [
        ("shadowlands horde", None),
        ("crab clan", None),
        ("spirit", "Keep: spirit has no stronghold that is legal"),
        ("fox clan", "Keep: fox clan is no clan of the format"),
        ("hare clan", "Keep: hare clan is a clan with the stronghold Shiro Usagi alone"),
    ],
)
def test_the_clan_of_a_stronghold_can_be_played(check: Check, clan: str, problem: str | None) -> None:
    found = check("[stronghold]\n1 Keep", data(card("Keep", "stronghold", clan=clan)), format=LEGACY)
    assert found["LEG-CLAN"].ok is (problem is None)
    assert problem is None or found["LEG-CLAN"].what == problem


CLANS = (
    *("crab", "crane", "dragon", "lion", "mantis", "phoenix", "scorpion", "spider", "unicorn"),
    *("toturi's army", "brotherhood of shinsei", "shadowlands horde"),
)


@pytest.mark.parametrize("clan", CLANS)
def test_every_clan_with_a_legal_stronghold_can_be_played(check: Check, clan: str) -> None:
    """LEG-CLAN: nine clans of Ivory, and three others that need no particular stronghold."""
    found = check("[stronghold]\n1 Keep", data(card("Keep", "stronghold", clan=clan)), format=LEGACY)
    assert found["LEG-CLAN"].ok is True


# -- what begins in play


PREGAME = data(
    card("Hitomi Wind", "wind"),
    card("Test Sensei", "sensei"),
    card("Wide Keep", "stronghold", clan="crane", pregame="2"),
    card("Doji Test"),
)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param(
            dynasty("1 Hitomi Wind"), "Hitomi Wind is a Wind and stands in the dynasty deck", id="TV-LEG-13"
        ),
        pytest.param(
            dynasty() + "\n[pregame]\n1 Hitomi Wind\n1 Test Sensei", "2 Sensei and Winds, 1 at most", id="TV-LEG-14"
        ),
        pytest.param(
            dynasty() + "\n[pregame]\n1 Doji Test",
            "Doji Test is a personality, neither a Sensei nor a Wind",
            id="other",
        ),
        pytest.param("[pregame]\n1 Hitomi Wind", "0 strongholds, 1 is needed", id="no stronghold"),
        pytest.param("[stronghold]\n2 Wide Keep", "2 strongholds, 1 is needed", id="two strongholds"),
    ],
)
def test_cards_revealed_before_the_game_are_checked(check: Check, text: str, what: str) -> None:
    assert check(text, PREGAME, format=LEGACY)["LEG-PREGAME"] == ("LEG-PREGAME", False, what)


def test_a_stronghold_may_reveal_more_cards(check: Check) -> None:
    text = "[stronghold]\n1 Wide Keep\n[pregame]\n1 Hitomi Wind\n1 Test Sensei"
    assert check(text, PREGAME, format=LEGACY)["LEG-PREGAME"].ok is True
    unsaid = PREGAME.replace('"2"', '""')
    assert check(text, unsaid, format=LEGACY)["LEG-PREGAME"].what == (
        "cannot be checked: the card data do not give 'pregame cards' of Wide Keep"
    )


START = data(
    card("Doji Test"),
    card("Bamboo Harvesters", "holding", experience="Experienced"),
    card("Border Keep", "holding"),
    card("Old Mine", "holding", keywords="Legacy;Mine"),
)
SIZES = {"dynasty": 3, "fate": 0}


@pytest.mark.vector("TV-LEG-17")
def test_a_holding_that_begins_in_play_does_not_count(check: Check) -> None:
    """TV-LEG-17."""
    text = dynasty("2 Doji Test") + "\n[start]\n1 Bamboo Harvesters"
    assert check(text, START, format=LEGACY, minimum=SIZES)["LEG-STARTHOLD"] == (
        "LEG-STARTHOLD",
        False,
        "the dynasty deck has 2 cards, 3 are needed; 1 that begin in play do not count",
    )
    enough = dynasty("3 Doji Test") + "\n[start]\n1 Bamboo Harvesters"
    assert check(enough, START, format=LEGACY, minimum=SIZES)["LEG-STARTHOLD"].ok is True


def test_minimum_sizes_are_not_guessed(check: Check) -> None:
    assert check(dynasty("3 Doji Test"), START, format=LEGACY)["LEG-STARTHOLD"].what == (
        "cannot be checked: the minimum size of the dynasty deck is not given; "
        "the minimum size of the fate deck is not given"
    )


@pytest.mark.finding("L-W5")
@pytest.mark.parametrize(
    ("format_", "start", "ok"),
    [
        (LEGACY, ["Old Mine"], True),
        (LEGACY, ["Border Keep"], False),
        (LEGACY, ["Bamboo Harvesters", "Old Mine"], False),
        (BIG, ["Bamboo Harvesters", "Border Keep"], True),
        (BIG, ["Old Mine"], False),
        (BIG, ["Border Keep", "Border Keep"], False),
        (LEGACY, [], True),
        pytest.param(DRAFT, ["Old Mine"], False, id="no Legacy Holding in a draft"),
        pytest.param(DRAFT, ["Bamboo Harvesters"], False, id="nothing begins in play in a draft"),
        (DRAFT, [], True),
    ],
)
def test_each_variant_has_its_own_holdings_in_play(check: Check, format_: str, start: list[str], ok: bool) -> None:
    text = "\n".join([dynasty("3 Doji Test"), "[start]", *(f"1 {title}" for title in start)])
    assert check(text, START, format=format_, minimum=SIZES)["LEG-STARTHOLD"].ok is ok


def test_a_part_from_another_game_is_found(check: Check) -> None:
    found = check("[dice]\n10 Natural", None, format=LEGACY)
    assert found["LEG-SCOPE"].what == "no part of a deck of this game takes Natural"
