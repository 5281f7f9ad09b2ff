"""The public view of a tournament, without private data."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from tests.documents import standings_document

from matchledger.commands import calls, roster
from matchledger.commands import results as slips
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger.service.importing import Transcription
from matchledger.service.redaction import Discretion, initials
from matchledger_projections.narration import tell

SLIP = 8  # the entry in which Ann Lee beat Bo-Jan Smit
SHEET = """\
rulebook pokemon-2009
player "Ann Lee" division=junior born=2016 contact=ann@example.org
player "Bo-Jan Smit" division=Junior born=2015
player "Cy Old" division=masters born=1980
player Di division=masters
round 1
  "Ann Lee" > "Bo-Jan Smit"
  "Cy Old" > Di
"""


@pytest.fixture
def draft(replay: Callable[[str], Transcription]) -> Draft:
    draft = replay(SHEET).draft
    draft.decide(partial(slips.correct, table=2, round_=1, written=Written(winner=1)), reason="Cy Old was ill")
    draft.decide(partial(roster.drop, player=3, cause="Cy Old has a fever"))
    return draft


@pytest.mark.parametrize(
    ("name", "short"), [("Ann Lee", "A. L."), ("Bo-Jan Smit", "B. J. S."), ("Żaneta", "Ż."), ("李 娜", "李. 娜.")]
)
def test_initials_are_the_first_letters(name: str, short: str) -> None:
    assert initials(name) == short


def test_a_setting_shows_juniors_as_initials_and_number(draft: Draft) -> None:
    shown = Discretion.about(["junior"]).record(draft.record)
    assert [player.name for player in shown.players.values()] == ["A. L. #1", "B. J. S. #2", "Cy Old", "Di"]
    assert draft.record.players[1].name == "Ann Lee", "the record itself is whole"


def test_everybody_can_be_shown_as_initials(draft: Draft) -> None:
    shown = Discretion.about(["all"]).record(draft.record)
    assert [player.name for player in shown.players.values()] == ["A. L. #1", "B. J. S. #2", "C. O. #3", "D. #4"]


def test_public_entries_and_records_contain_no_private_data(draft: Draft) -> None:
    discretion = Discretion.about(["junior"])
    shown = discretion.record(draft.record)
    entries = list(discretion.entries(draft.entries, shown))
    text = " ".join(entry.model_dump_json() + tell(shown, entry.fact) for entry in entries)
    text += repr(shown.players)
    for private in ("Ann", "Lee", "Smit", "example.org", "ill", "fever"):
        assert private not in text
    # Search for the year as a whole word, because a time or an id may contain its digits.
    for year in (2016, 2015, 1980):
        assert re.search(rf"(?<![\w-]){year}(?![\w-])", text) is None
    assert "Cy Old" in text


def test_public_standings_equal_those_of_the_staff(draft: Draft) -> None:
    shown = Discretion.about(["all"]).record(draft.record)
    documents = [standings_document(record)["standings"] for record in (draft.record, shown)]
    assert [(row["rank"], row["number"], row["points"]) for row in documents[0]] == [
        (row["rank"], row["number"], row["points"]) for row in documents[1]
    ]


def test_private_entries_are_left_out_and_the_others_keep_their_positions(draft: Draft) -> None:
    discretion = Discretion()
    draft.decide(partial(calls.call_desk, player=1, round_=1, disputes=SLIP))
    positions = [entry.position for entry in discretion.entries(draft.entries, discretion.record(draft.record))]
    assert positions == list(range(1, draft.record.position))
