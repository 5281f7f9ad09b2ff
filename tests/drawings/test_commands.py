"""The `draw` commands as people type them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.drawings.conftest import Picture

from matchledger.cli import BAD_INPUT, DONE, run

EVENT = Path(__file__).resolve().parents[2] / "fixtures" / "store-championship" / "event.sheet"


@pytest.fixture(autouse=True)
def _imported(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")
    assert run(["import", str(EVENT), "--ledger", "event.ledger"]) == DONE
    capsys.readouterr()


def test_a_chart_is_written_to_a_file_or_to_stdout(run_cli: RunCli) -> None:
    printed = run_cli("draw", "field").out
    assert run_cli("draw", "field", "--out", "field.svg").out == "field.svg is written.\n"
    assert Path("field.svg").read_text("utf-8") == printed
    assert "Round 5" in Picture.of(printed).texts


def test_a_chart_of_a_past_moment_shows_that_moment(run_cli: RunCli) -> None:
    assert Picture.of(run_cli("draw", "rank", "Nan", "--round", "2").out).description.count("Round ") == 2


def test_the_data_of_a_chart_are_one_json_document(run_cli: RunCli) -> None:
    document = run_cli("draw", "pace", "--round", "1", "--json").document
    assert (document["round"], document["from"], len(document["slips"])) == (1, "paired", document["tables"])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (["bracket"], "no bracket is drawn at that moment; see places, or pairings --elimination"),
        (["rank", "Nobody"], "there is no player 'Nobody'"),
        (["field", "--out", "no/field.svg"], "cannot be written: No such file or directory; name another file"),
        (["pace", "--round", "9"], "round 9 was not paired at that moment"),
    ],
)
def test_an_impossible_chart_is_refused_in_one_line(line: list[str], problem: str, run_cli: RunCli) -> None:
    assert problem in run_cli("draw", *line, code=BAD_INPUT).err
