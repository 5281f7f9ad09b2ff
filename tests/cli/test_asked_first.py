"""A command that cannot be undone shows its effects and asks first."""

from __future__ import annotations

import io
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Desk
from tests.desk import RunCli, Said

from matchledger.commands.registry import COMMANDS, WORDS
from matchledger.ledger import open_ledger

ERASE = "erase Ann --role organizer --reason asked"
Answered = Callable[[str, str], Said]


class Terminal(io.StringIO):
    """A keyboard with a person at it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def answered(played: Desk, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> Answered:
    """Type a line at a terminal, and answer its question."""
    assert played("announce --rounds 1 --structure custom --reason short").code == 0

    def typed(line: str, answer: str) -> Said:
        monkeypatch.setattr("sys.stdin", Terminal(answer))
        return run_cli(*line.split(), code=None)

    return typed


@pytest.mark.finding("C-D5", "C-D6", "C-D15", "C-D16")
@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (ERASE, "The name, birth year, contact and deck lists of Ann (#1) will be"),
        ("disqualify Ann --reason cheated", "Will record: "),
        ("close --reason short", "Will record: "),
        ("tie", "Will draw the order of: Ann, Cy"),
        ("cut 4 --reason wanted", "Will record: "),
        ("undo", "Will record: "),
        ("redo", "Will record: "),
    ],
)
def test_a_person_at_a_terminal_is_asked_first(played: Desk, answered: Answered, line: str, shown: str) -> None:
    """The answer n records nothing and is not an error."""
    if line.startswith("cut"):
        played("tie")
    if line in ("undo", "redo"):
        played("late Eve")
    if line == "redo":
        played("undo")
    before = played("log").lines
    said = answered(line, "n\n")
    assert shown in said.out
    assert (said.lines[-1].endswith("Nothing was recorded."), said.code) == (True, 0)
    assert played("log").lines == before
    assert answered(line, "y\n").code == 0
    assert len(played("log").lines) > len(before)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rename Bo Bob", "the personal data of Bob corrected"),
        ("fix-table Bo --table 7", "Bo plays at table 7"),
        ("news Lunch", "news: Lunch"),
    ],
)
def test_the_question_of_undo_says_what_the_entry_recorded(
    played: Desk, answered: Answered, line: str, words: str
) -> None:
    done = played(line)
    assert done.code == 0, done.err
    entry = len(played("log --json").lines)
    expected = f"Will record: entry {entry} no longer counts: {words} (recorded by scorekeeper at station desk)"
    for shown in (answered("undo", "n\n"), played("undo --preview")):
        assert expected in shown.out


def test_ties_are_drawn_only_as_shown_before_the_question(
    played: Desk, answered: Answered, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the fix, the command recorded another draw than it had shown in its question."""

    def agreed(_: str) -> bool:
        assert played("news Lunch --station north").code == 0
        return True

    monkeypatch.setattr("matchledger.cli.rounds.agreed", agreed)
    said = answered("tie", "")
    assert said.problem == "another station has recorded something since: nothing was drawn, look again"
    assert "tie" not in played("log --tail 1").out


def test_close_says_that_it_cannot_be_undone(played: Desk, answered: Answered) -> None:
    lasting = (
        "The tournament ends. The secret behind its draws is shown to everybody, and nothing more can be recorded."
    )
    for shown in (answered("close --reason short", "n\n"), played("close --reason short --preview")):
        assert shown.out.count(lasting) == 1


class Interrupted(Terminal):
    """A keyboard on which a person presses Ctrl-C."""

    def readline(self, *_: object) -> str:  # type: ignore[override] # as io.StringIO has it
        raise KeyboardInterrupt


@pytest.mark.finding("C-D15")
@pytest.mark.parametrize("keyboard", [Interrupted(), Terminal("")], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize(
    "line",
    [
        ERASE,
        "disqualify Ann --reason cheated",
        "close --reason short",
        "tie",
        "cut 4 --reason wanted",
        "undo",
        "merge-copy copy.ledger --role organizer",
        "open Friday -b l5r-2018",
    ],
)
def test_an_interrupted_question_leaves_the_log_unchanged_and_ends_its_line(
    played: Desk, run_cli: RunCli, ledger: Path, monkeypatch: pytest.MonkeyPatch, line: str, keyboard: Terminal
) -> None:
    """Before the fix, the message was on the same line as the question, and did not say whether anything was
    recorded.
    """
    for end in ("", ".keys"):
        shutil.copy(f"{ledger}{end}", f"copy.ledger{end}")
    assert played("late Zoe --ledger copy.ledger").code == 0
    assert played("announce --rounds 1 --structure custom --reason short").code == 0
    if line.startswith("cut"):
        played("tie")
    if line == "undo":
        played("late Eve")
    before = played("log --json").out
    monkeypatch.setattr("sys.stdin", keyboard)
    said = run_cli(*shlex.split(line), code=130)
    assert said.out.endswith("[y/N]: \n"), "the line of the question is over"
    assert said.err.splitlines()[-1] == "matchledger: interrupted: nothing was recorded"
    assert played("log --json").out == before
    with open_ledger(ledger) as kept:
        assert len(kept.tournaments()) == 1


@pytest.mark.finding("C-D5")
@pytest.mark.parametrize("line", [ERASE, "disqualify Ann --reason cheated", "close --reason short"])
def test_without_a_terminal_an_irreversible_command_needs_yes(played: Desk, line: str) -> None:
    before = played("log").lines
    first = "this cannot be undone" if line == ERASE else "this is asked first"
    assert played(line).problem == f"{first}: add --yes to do it without a question"
    assert played("log").lines == before
    assert played(f"{line} --yes").code == 0


@pytest.mark.finding("C-D5")
def test_an_erasure_needs_the_whole_name_and_the_role_and_a_reason(played: Desk) -> None:
    played("register 'Zoe Bo'")
    played("late Zoe")
    assert played("erase Zo --role organizer --reason asked --yes").code == 2
    assert played("erase An --role organizer --reason asked --yes").problem == (
        "'An' is only the beginning of a name: write the whole name, 'Ann', or #1"
    )
    assert played("erase Ann --reason asked").refused == (
        "a scorekeeper may not erase a player's personal data: the organizer may (POLICY)"
    )
    assert played("erase Ann --role organizer").code == 3
    assert played("erase '#1' --role organizer --reason asked --yes").code == 0


@pytest.mark.finding("C-D5")
def test_a_typing_error_never_suggests_a_step_that_cannot_be_undone(desk: Desk) -> None:
    """Before the fix, `merg` led to `merge`, and `token revok` to `token revoke`."""
    asking = {words for words, name in WORDS.items() if COMMANDS[name].asks != "far"} - {"undo", "redo"}
    lasting = {
        "post",
        "erase",
        "checkpoint",
        "merge-copy",
        "open-words",
        "renew-link",
        "token revoke",
        "keys merge",
    }
    for words in asking | lasting:
        *group, name = words.split()
        said = desk(" ".join([*group, name[:-1]]))
        assert said.problem.startswith(f"No such command '{name[:-1]}'"), words
        assert f"'{name}'" not in said.problem.partition("Did you mean")[2], words
    for line, meant in (("standing", "standings"), ("und", "undo"), ("token sho", "show")):
        assert f"Did you mean '{meant}'?" in desk(line).problem
    assert "Did you mean" not in desk("closee").problem
    assert "drop takes a player out" in desk("withdraw Ann").problem
