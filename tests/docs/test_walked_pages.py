"""Pages whose sessions are walked from the first line to the last: their commands do what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.docs.test_docs import ROOT, block, commands

from matchledger.cli import run


def _walk(session: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Runs a session whose lines may take a verification key from a command before, and gives what was printed."""
    printed: list[str] = []
    for words in commands(session):
        put = [_printed_by(word, capsys) for word in words]
        file = put.pop() if ">" in put else None
        capsys.readouterr()
        assert run([word for word in put if word != ">"]) == 0, (words, capsys.readouterr().err)
        said = capsys.readouterr().out
        if file is not None:
            Path(file).write_text(said, "utf-8")
        printed += said.splitlines()
    return printed


def _printed_by(word: str, capsys: pytest.CaptureFixture[str]) -> str:
    """A word, or what the command in `$(...)` prints."""
    inner = re.fullmatch(r"\$\(matchledger (.*)\)", word)
    if inner is None:
        return word
    capsys.readouterr()
    assert run(shlex.split(inner[1])) == 0
    return capsys.readouterr().out.strip()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to walk in, with the fixtures beside it."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    names = [f"Player {number:02}" for number in range(1, 17)]
    (tmp_path / "roster.csv").write_text("\n".join(["name", *names]), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_checkpoint_is_signed_and_verified_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "checkpoints.md").read_text("utf-8")
    signed = _walk(block(page, "## At the event", "console"), capsys)
    assert sum(line.startswith("\u2014 example.org/judges ") for line in signed) == 2
    verified = _walk(block(page, "## To verify", "console"), capsys)
    assert any("are those that the checkpoint was signed for" in line for line in verified)


@pytest.mark.usefixtures("folder")
def test_a_structure_is_announced_and_played_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "elimination.md").read_text("utf-8")
    announced = _walk(block(page, "## The structure", "console"), capsys)
    assert sum(line.startswith("Announced: ") for line in announced) == 5, "what structure shows, and four more"
    assert announced[-1].startswith("Announced: 5 Swiss rounds, then the top 8 (custom)")


@pytest.mark.usefixtures("folder")
def test_a_game_that_time_ended_is_decided_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "elimination.md").read_text("utf-8")
    decided = _walk(block(page, "is kept on the slip:", "console"), capsys)
    assert "wins by tiebreaker" in decided[-1]


@pytest.mark.usefixtures("folder")
def test_a_log_goes_out_and_comes_back_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "export.md").read_text("utf-8")
    printed = _walk(block(page, "# Export", "console"), capsys)
    heads = {found for line in printed for found in re.findall(r"\d+:[0-9a-f]{64}", line)}
    assert len(heads) == 1, "the tree head is what it was"


@pytest.mark.usefixtures("folder")
def test_a_round_is_looked_at_as_the_page_about_pairing_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "pairing.md").read_text("utf-8")
    printed = _walk(block(page, "## Seeing it", "console"), capsys)
    assert "PREVIEW of round 1: nothing is recorded." in printed
    assert "Round 1: as derived" in printed


@pytest.mark.usefixtures("folder")
def test_a_station_is_let_in_as_the_page_about_the_desk_says(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MATCHLEDGER_LEDGER")
    page = (ROOT / "docs" / "desk.md").read_text("utf-8")
    run(["open", "Friday Night", "--rulebook", "l5r-2018", "--ledger", "friday.ledger"])
    printed = _walk(block(page, "every entry says who made it:", "console"), capsys)
    assert any(line.startswith("Tokens signed with ") for line in printed)
    assert printed[-1].startswith("mlt1.")
