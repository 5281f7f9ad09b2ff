"""`docs/clock.md` shows what is printed at the given times, and names every mark."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest
from freezegun import freeze_time

from matchledger.cli import run
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "clock.md").read_text("utf-8")


def test_the_round_on_the_clock_page_can_be_played_as_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = re.search(r"^```console\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert session is not None
    with monkeypatch.context() as place, freeze_time("2026-05-03 14:00:00") as watch:
        place.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "friday.ledger"))
        place.setenv("TZ", "UTC")
        time.tzset()
        for command, shown in _steps(session[1]):
            if command.startswith("# at "):
                watch.move_to(f"2026-05-03 {command.removeprefix('# at ')}")
                continue
            assert run(shlex.split(command.removeprefix("$ matchledger "))) == 0, capsys.readouterr().err
            printed = capsys.readouterr().out
            assert not shown or printed == shown, command
    time.tzset()


def _steps(session: str) -> list[tuple[str, str]]:
    """Return each command of the page, and each line that sets the time, with the output below it."""
    steps: list[tuple[str, str]] = []
    for line in session.splitlines(keepends=True):
        if line.startswith(("$ ", "# at ")):
            steps.append((line.rstrip("\n"), ""))
        else:
            steps[-1] = (steps[-1][0], steps[-1][1] + line)
    return steps


def test_the_clock_page_names_every_rulebook_and_every_mark_with_its_rule() -> None:
    for rulebook in shipped_rulebooks():
        assert rulebook in PAGE
        for mark in parse_rulebook(rulebook_text(rulebook)).clock.marks:
            assert f"| {mark.name} |" in PAGE
            assert mark.rule in (*re.findall(r"`([A-Z0-9a-z.-]+)`", PAGE), "POLICY")
