"""Documents are tested: examples are run, and lists are generated."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import Replay
from tests.golden import Golden

from matchledger.cli import COMMANDS, GROUPS, run
from matchledger_projections.record import chance

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def block(text: str, mark: str, language: str) -> str:
    """Return the first fenced block of a language after a mark."""
    found = re.search(rf"{re.escape(mark)}.*?^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert found is not None, f"no {language} block after {mark}"
    return found[1]


def commands(session: str) -> Iterator[list[str]]:
    """Yield the matchledger commands of a console session."""
    for line in session.splitlines():
        words = shlex.split(line.removeprefix("$ "))
        if words[0] == "matchledger":
            yield words[1:]


@pytest.mark.parametrize("mark", ["<!-- the main job -->", "<!-- all the tests -->"])
def test_the_two_commands_of_the_readme_are_single_lines(mark: str) -> None:
    assert block(README, mark, "bash").strip().count("\n") == 0


def test_the_session_in_the_readme_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    job = block(README, "<!-- the main job -->", "bash")
    steps = [words.split()[1:] for words in job.split(" && ") if words.startswith(".venv/bin/matchledger")]
    assert [step[0] for step in steps] == ["import", "standings", "standings"]
    for step in steps:
        assert run([str(tmp_path / "demo.ledger") if word == "$L" else word for word in step]) == 0
    printed = capsys.readouterr().out
    assert "Standings after round 5" in printed
    assert "Standings after round 2" in printed


def test_links_between_documents_work() -> None:
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_every_promise_on_the_security_page_names_an_existing_test() -> None:
    named = re.findall(r"`(tests/[a-z_/]+\.py)::(test_\w+)`", (ROOT / "docs" / "security.md").read_text("utf-8"))
    assert len(named) > 20
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), f"{file}::{test}"


def test_every_promise_of_the_security_page_has_a_test() -> None:
    """Each list item of docs/security.md is a promise and names its test, except one item, which is a warning."""
    page = (ROOT / "docs" / "security.md").read_text("utf-8")
    promises = re.findall(r"^- .*(?:\n  .*)*", page, re.MULTILINE)
    assert len(promises) > 30
    without = [promise.split(".")[0] for promise in promises if "::test_" not in promise]
    assert without == ["- The SHA-256 of a deck list is public, as the rules demand"]


def test_the_example_on_the_score_sheet_page_can_be_imported(replay: Replay) -> None:
    text = (ROOT / "docs" / "score-sheet.md").read_text("utf-8")
    record = replay(block(text, "# The score sheet", "")).draft.record
    assert [player.name for player in record.entered()] == ["A", "B", "C", "Ann Lee", "E", "Cy Roe"]
    assert record.closing is not None


def test_the_example_order_on_the_chance_page_equals_the_draw_of_the_program() -> None:
    text = (ROOT / "docs" / "chance.md").read_text("utf-8")
    shown: dict[str, object] = {}
    exec(block(text, "In Python:", "python"), shown)  # noqa: S102 - the document's own code
    secret, players = bytes(range(32)), [2, 3, 5, 7, 11]
    seed = chance.draw_seed(secret, "pairing/3", "0" * 64)
    random_order = shown["random_order"]
    assert callable(random_order)
    assert random_order(secret, "pairing/3", "0" * 64, players) == chance.random_order(seed, players)


def test_the_commands_page_shows_the_help_of_every_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERMINAL_WIDTH", "100")
    parts = ["# Commands\n\nGenerated from the commands' own help (`pytest --refresh-golden`).\n"]
    grouped = [f"{name} {part}" for name, group in GROUPS.items() for part in group.COMMANDS]
    for name in [*COMMANDS, *grouped]:
        assert run([*name.split(), "--help"]) == 0
        parts.append(f"## {name}\n\n```\n{capsys.readouterr().out.strip()}\n```\n")
    golden.holds(ROOT / "docs" / "commands.md", "\n".join(parts))
