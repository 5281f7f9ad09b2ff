"""Letters: which letters the fonts have, and the messages about missing letters."""

from __future__ import annotations

import pytest
from tests.conftest import Replay
from tests.documents import document_of
from tests.printing.conftest import Printed, sheet

from matchledger import printing
from matchledger.printing.legible import legible
from matchledger.printing.press import Press, Unprintable
from matchledger_projections.views.sheets import pairing_list

NOWHERE = chr(0x1B170)  # a Nüshu letter, which none of typst's fonts has


@pytest.mark.parametrize(
    "name",
    ["Zażółć Gęślą Jaźń", "Δημήτρης Παπαδόπουλος", "Александр Щукин", "Çağla Öztürk", "Ngọc Nguyễn", "Þór Ægir"],
)
def test_european_names_need_no_fonts_of_the_machine(name: str) -> None:
    Press().tries(name)


def test_an_arabic_name_is_printed_with_our_fonts() -> None:
    Press().tries("محمد عبد الله")


def test_printing_a_letter_that_no_font_has_is_an_error() -> None:
    with pytest.raises(Unprintable) as problem:
        Press().tries(f"Ann {NOWHERE} Lee")
    assert problem.value.text == NOWHERE


def test_a_name_that_cannot_be_printed_is_followed_by_its_number() -> None:
    document = {
        "title": f"Open {NOWHERE}",
        "lines": [{"player": f"Ann {NOWHERE}"}, {"player": NOWHERE}, {"player": "Bo"}],
    }
    found = legible(document, {f"Ann {NOWHERE}": 7, NOWHERE: 8, "Bo": 9}, machine_fonts=False)
    assert found.document == {"title": "Open", "lines": [{"player": "Ann #7"}, {"player": "#8"}, {"player": "Bo"}]}
    assert found.missing == {f"Ann {NOWHERE}": NOWHERE, NOWHERE: NOWHERE}


@pytest.mark.parametrize("names", [("สมชาย ใจดี", "王小明"), ("नरेन्द्र शर्मा", "김철수"), ("אברהם כֹּהֵן", "ไม่มี")])
def test_combining_marks_go_with_the_letters_below_them(
    names: tuple[str, str], replay: Replay, printed: Printed
) -> None:
    first, second = names
    written = sheet(4).replace("Player001", f'"{first}"').replace("Player002", f'"{second}"')
    record = replay(written.replace("Player003", '"محمد بن عبد الله"')).draft.record
    round_ = record.round(1)
    assert round_ is not None
    paper = printed(printing.pairings, document_of(record, pairing_list, by="name"), record, machine_fonts=False)
    assert ("#1" in paper.text) == (first in paper.missing)


def test_a_document_without_unknown_letters_is_unchanged() -> None:
    document = {"lines": [{"player": "Łukasz"}], "table": 3, "seal": None}
    assert legible(document, {"Łukasz": 1}).document is document


def test_the_warning_about_missing_letters_names_the_players_printed_with_a_number(
    replay: Replay, printed: Printed
) -> None:
    record = replay(sheet(2).replace("Player001", f"Ann{NOWHERE}")).draft.record
    round_ = record.round(1)
    assert round_ is not None
    paper = printed(printing.pairings, document_of(record, pairing_list, by="name"), record, machine_fonts=False)
    assert "Ann #1" in paper.text
    assert list(paper.missing) == [f"Ann{NOWHERE}"]


@pytest.mark.parametrize(
    "name", ['"; #panic()', "#(1/0)", "\\u{1}", "*bold* _it_ $x$ `raw` <label> @ref // comment"]
)
def test_a_name_is_text_and_never_code(name: str, replay: Replay, printed: Printed) -> None:
    record = replay(sheet(2)).draft.record
    round_ = record.round(1)
    assert round_ is not None
    document = document_of(record, pairing_list, by="name")
    document["lines"][0]["players"][0]["player"] = name
    paper = printed(printing.pairings, document, record)
    assert "".join(name.split()) in "".join(paper.text.split())
