"""The `print` commands as people type them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pypdfium2
import pytest
from tests.desk import RunCli, printed_or_problem

from matchledger.cli import BAD_INPUT
from matchledger.printing import press

Typed = Callable[..., str]


@pytest.fixture
def typed(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Type a command line on an event of four players with one paired round. Return the output or the error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")

    type_ = partial(printed_or_problem, run_cli)
    type_("open", "Friday", "-b", "l5r-2018")
    for name in ("Ann Lee", "Bo", "Cy", "Di"):
        type_("register", name)
    type_("pair", "--table", "Ann Lee/Bo", "--table", "Cy/Di")
    return type_


def text_of(file: str) -> str:
    return "\n".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(Path(file)))


@pytest.mark.finding("C-D18")
@pytest.mark.parametrize(
    ("line", "file", "shows"),
    [
        (["players"], "friday-player-list.pdf", "Player list"),
        (["pairings"], "friday-pairings-1-by-name.pdf", "Round 1: pairings by name"),
        (["pairings", "--by", "table"], "friday-pairings-1-by-table.pdf", "Round 1: pairings by table"),
        (["slips"], "friday-slips-1.pdf", "signature"),
        (["scorecard", "Bo"], "friday-score-cards.pdf", "#2 Bo"),
        (["overview"], "friday-overview.pdf", "Tournament Overview"),
        (["blank"], "friday-emergency-set.pdf", "Going on without a computer"),
    ],
)
def test_a_printed_sheet_is_a_file_with_the_name_of_the_event(
    typed: Typed, line: list[str], file: str, shows: str
) -> None:
    """The event's name keeps the sheets of two events apart."""
    assert typed("print", *line) == f"{file} is written.\n"
    assert shows in text_of(file)


def test_a_score_card_calls_an_empty_place_of_a_bracket_no_pass(typed: Typed) -> None:
    """A player who passes a Swiss round gets 3 points (SWR-POINTS); an empty place in a bracket gives none."""
    ledger = ("--ledger", "street.ledger")
    typed("open", "Street", "-b", "street-warriors-2004", *ledger)
    typed("register", "Ann", *ledger)
    typed("register", "Bo", *ledger)
    typed("register", "Cy", *ledger)
    typed("announce", "--style", "elimination", "--prizes", "1", "--reason", "few", *ledger)
    typed("pair", *ledger)
    typed("print", "scorecard", "--out", "cards.pdf", *ledger)
    for said in (typed("scorecard", *ledger), text_of("cards.pdf")):
        assert "bye" in said
        assert "PASS" not in said


def test_only_posted_standings_are_printed(typed: Typed) -> None:
    assert typed("print", "standings", code=BAD_INPUT) == (
        "these standings were not posted: post them, then print them"
    )
    typed("key", "judges.key", "--name", "example.org/judges")
    typed("report", "1", "a", "2", "a")
    typed("post", "--key", "judges.key")
    typed("correct", "1", "2", "b", "--reason", "wrong line")
    document = json.loads(typed("print", "standings", "--json"))
    assert [row["player"] for row in document["standings"]][:2] == ["Ann Lee", "Cy"]
    assert "example.org/judges" in document["checkpoint"]
    typed("print", "standings", "--out", "wall.pdf", "--paper", "letter", "--initials", "all")
    assert "A. L. #1" in text_of("wall.pdf")
    assert "Lee" not in text_of("wall.pdf")


def test_print_json_shows_the_data_of_the_document(typed: Typed) -> None:
    document = json.loads(typed("print", "slips", "--json"))
    assert [slip["players"] for slip in document["slips"]] == [["Ann Lee", "Bo"], ["Cy", "Di"]]
    assert not list(Path().glob("*.pdf"))


def test_a_lost_slip_can_be_printed_alone(typed: Typed) -> None:
    assert [slip["table"] for slip in json.loads(typed("print", "slips", "2", "--json"))["slips"]] == [2]
    assert typed("print", "slips", "3", code=BAD_INPUT) == "round 1 has no table 3"


def test_a_scanned_slip_selects_its_table_at_the_desk(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [slip["code"] for slip in json.loads(typed("print", "slips", "--json"))["slips"]]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{codes[1].lower()}\nb\nq\n"))
    assert "Table 2: Cy - Di  < Di" in typed("desk")


def test_printing_a_bracket_needs_a_bracket(typed: Typed) -> None:
    assert typed("print", "bracket", code=BAD_INPUT).startswith("no bracket is drawn at that moment")


def test_without_typst_one_line_says_how_to_get_it(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "find_spec", lambda _: None)
    assert typed("print", "pairings", code=BAD_INPUT) == "printing needs typst: pip install 'matchledger[print]'"


def test_a_sheet_never_replaces_a_file_of_another_kind(typed: Typed) -> None:
    assert typed("print", "pairings", "--out", "event.ledger", code=BAD_INPUT) == (
        "event.ledger is the ledger itself: name another file"
    )
    typed("log")
    assert typed("print", "pairings", "--out", "no/where.pdf", code=BAD_INPUT).startswith("no/where.pdf cannot be")
    typed("print", "pairings", "--out", "twice.pdf")
    typed("print", "pairings", "--out", "twice.pdf")


@pytest.mark.finding("C-D18")
def test_a_sheet_of_another_event_of_the_same_name_is_not_replaced(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = "friday-pairings-1-by-name.pdf"
    for _ in range(2):
        assert typed("print", "pairings") == f"{file} is written.\n"
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "other.ledger")
    typed("open", "Friday", "-b", "l5r-2018")
    for name in ("Ann", "Bo"):
        typed("register", name)
    typed("pair")
    refused = f"{file} is no sheet of this event, and is left as it is: name another file with --out"
    assert typed("print", "pairings", code=BAD_INPUT) == refused
    assert "Ann Lee" in text_of(file)
    assert typed("print", "pairings", "--out", "second.pdf") == "second.pdf is written.\n"


def test_a_table_is_not_written_as_a_pdf(typed: Typed) -> None:
    assert typed("players", "--out", "list.pdf", code=BAD_INPUT) == (
        "list.pdf would be text: for a PDF use print, or name another file"
    )


def test_print_warns_that_standings_have_changed_since_the_posting(typed: Typed, run_cli: RunCli) -> None:
    """The sheet prints the posted standings, which its tree head proves. The terminal warns that the standings
    have changed.
    """
    typed("report", "1", "a", "2", "a")
    typed("post", "--role", "organizer")
    words = ("print", "standings", "--out", "wall.pdf")
    assert run_cli(*words, code=0).err == ""
    typed("disqualify", "Cy", "--role", "organizer", "--reason", "cheating", "--yes")
    said = run_cli(*words, code=0).err
    assert "standings changed: the standings after round 1 differ from the posted ones" in said
