"""Sentences: the program's English is translated for each reader, and names are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Replay

from matchledger.text.translation import speaker, told
from matchledger_projections.message import Sentence, both, joined, numbered, sentence, word
from matchledger_projections.narration import tell

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


def test_a_sentence_is_a_translatable_english_string() -> None:
    where = sentence("%(round)s, table %(table)s", round=sentence("round %(round)s", round=3), table=5)
    said = sentence("%(match)s: %(players)s did not appear", match=where, players=both(("Ann", "50 % Bo")))
    assert said == "round 3, table 5: Ann and 50 % Bo did not appear"
    assert told(said, "de") == "Runde 3, Tisch 5: Ann und 50 % Bo nicht erschienen"
    assert told(said, "en") == said


@pytest.mark.parametrize(
    ("count", "english", "german"),
    [(1, "1 Swiss round", "1 Schweizer Runde"), (3, "3 Swiss rounds", "3 Schweizer Runden")],
)
def test_a_counted_noun_has_the_form_of_its_number(count: int, english: str, german: str) -> None:
    said = numbered("%(count)s Swiss round", "%(count)s Swiss rounds", count)
    assert (said, told(said, "de")) == (english, german)


def test_a_name_is_not_translated_even_if_it_is_a_word() -> None:
    assert told("Final", "de") == "Final"
    assert speaker("de")("Final") == "Finale"


def test_a_word_of_a_house_rulebook_stays_as_the_author_wrote_it() -> None:
    assert told(word("win by 100 %(of)s"), "de") == "win by 100 %(of)s"


def test_joined_sentences_are_still_translated() -> None:
    said = joined(("Ann", sentence("won"), 3), "; ")
    assert isinstance(said, Sentence)
    assert (said, told(said, "de")) == ("Ann; won; 3", "Ann; gewonnen; 3")
    assert joined(()) == ""


@pytest.mark.parametrize("event", ["store-championship", "tv-l5r-ej", "tv-pkm-g", "tv-swr-d"])
def test_every_line_of_a_log_is_a_sentence(event: str, replay: Replay) -> None:
    draft = replay((FIXTURES / event / "event.sheet").read_text("utf-8")).draft
    for entry in draft.entries:
        line = tell(draft.record, entry.fact)
        assert isinstance(line, Sentence)
        assert told(line, "de") != line


@pytest.mark.parametrize(
    ("names", "english", "german"),
    [
        ((), "", ""),
        (("Ann",), "Ann", "Ann"),
        (("Ann", "Bo"), "Ann and Bo", "Ann und Bo"),
        (("Ann", "50 % Bo", "Cy"), "Ann, 50 % Bo and Cy", "Ann, 50 % Bo und Cy"),
        (("Ann", "Bo", "Cy", "Di"), "Ann, Bo, Cy and Di", "Ann, Bo, Cy und Di"),
    ],
)
def test_a_list_of_names_has_the_word_and_only_before_the_last_name(
    names: tuple[str, ...], english: str, german: str
) -> None:
    said = both(names)
    assert (said, told(said, "de")) == (english, german)
