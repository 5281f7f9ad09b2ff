"""The session on the printing page works, and makes the sheets that it names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.test_docs import ROOT, block, commands

from matchledger.cli import run
from matchledger.cli.printing import COMMANDS

PAGE = (ROOT / "docs" / "printing.md").read_text("utf-8")


def test_the_paper_round_on_the_printing_page_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "friday.ledger")
    for words in commands(block(PAGE, "<!-- a round on paper -->", "console")):
        assert run(words) == 0, (words, capsys.readouterr().err)
    assert sorted(file.name for file in tmp_path.glob("*.pdf")) == [
        "emergency.pdf",
        "friday-night-pairings-1-by-name.pdf",
        "friday-night-player-list.pdf",
        "friday-night-score-cards.pdf",
        "friday-night-slips-1.pdf",
        "friday-night-standings-1.pdf",
        "staff.pdf",
    ]
    assert all(file.read_bytes().startswith(b"%PDF") for file in tmp_path.glob("*.pdf"))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_printing_page_names_every_sheet(name: str) -> None:
    assert f"print {name}" in PAGE
