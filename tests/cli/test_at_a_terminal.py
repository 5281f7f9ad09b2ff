"""Questions before a step that cannot be undone, in another process at a real terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.cli.conftest import Desk

PATIENCE = 60  # seconds
ERASE = "erase Ann --role organizer --reason asked"
ASKED = {
    ERASE: "The name, birth year, contact and deck lists of Ann (#1) will be",
    "disqualify Ann --reason cheated": "Will record: Ann disqualified after round 1",
    "close --reason short": "Will record: tournament closed",
    "cut 4 --reason wanted": "Will record: ",
    "tie": "Will draw the order of: Ann, Cy",
}
REFUSED = {
    "erase Ann --reason asked": "a scorekeeper may not erase a player's personal data",
    "disqualify Bo --reason again": "Bo is disqualified already",
    "close": "give a reason",
    "cut 4": "give a reason",
}


def at_a_terminal(line: str, *answers: str, prompt: bytes = b"[y/N]: ") -> tuple[int, str]:
    """Run a line at a terminal, and answer each prompt. Returns the exit code and the screen."""
    program, keyboard = pty.fork()
    if program == 0:  # only in the child process, which becomes our program
        # A shell's background jobs ignore Ctrl-C, and the children of such a job would ignore Ctrl-C too.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execv(sys.executable, [sys.executable, "-m", "matchledger", *shlex.split(line)])  # noqa: S606
    screen, typed = b"", 0
    with suppress(OSError):  # reading fails after the program left the terminal
        while select.select([keyboard], [], [], PATIENCE)[0]:
            screen += os.read(keyboard, 4096)
            if typed < min(len(answers), screen.count(prompt)):
                _wait_until_it_reads(program)
                os.write(keyboard, answers[typed].encode())
                typed += 1
    os.close(keyboard)  # this ends a program that still waits for input
    return os.waitstatus_to_exitcode(os.waitpid(program, 0)[1]), screen.decode().replace("\r\n", "\n")


def _wait_until_it_reads(program: int) -> None:
    """Wait until a program reads the keyboard, because Python ignores a Ctrl-C between its prompt and its read."""
    # The file has the number of the system call, then the arguments of the call. A read of the keyboard has file 0
    # as its first argument.
    call = Path(f"/proc/{program}/syscall")
    until = time.monotonic() + PATIENCE
    while call.exists() and call.read_text("ascii").split()[1:2] != ["0x0"]:
        assert time.monotonic() < until, "the program asks, and reads no answer"
        time.sleep(0.01)


@pytest.fixture
def ready(played: Desk) -> Desk:
    """A finished round of an event with one round."""
    assert played("announce --rounds 1 --structure custom --reason short").code == 0
    return played


@pytest.mark.finding("C-D5", "C-D6", "C-D16")
@pytest.mark.parametrize(("line", "shown"), ASKED.items(), ids=[line.split()[0] for line in ASKED])
def test_a_terminal_shows_the_effect_and_asks(ready: Desk, line: str, shown: str) -> None:
    if line.startswith("cut"):
        assert ready("tie").code == 0
    before = ready("log --json").out
    code, screen = at_a_terminal(line, "n\n")
    assert shown in screen
    assert screen.endswith("[y/N]: n\nNothing was recorded.\n")
    assert (code, ready("log --json").out) == (0, before)
    code, screen = at_a_terminal(line, "j\n")
    assert (code, shown in screen) == (0, True), "ja is a yes too"
    assert ready("log --json").out != before


@pytest.mark.parametrize(("line", "refused"), REFUSED.items(), ids=[line.split()[0] for line in REFUSED])
def test_the_rules_refuse_a_command_before_any_question(ready: Desk, line: str, refused: str) -> None:
    assert ready("disqualify Bo --reason cheated --yes").code == 0
    code, screen = at_a_terminal(line, "y\n")
    assert (code, refused in screen, "[y/N]" in screen) == (3, True, False), screen
    assert refused in ready(line).refused, "without a terminal too"


@pytest.mark.finding("C-D15")
def test_ctrl_c_at_a_question_records_nothing(ready: Desk) -> None:
    before = ready("log --json").out
    code, screen = at_a_terminal(ERASE, "\x03")
    assert (code, screen.splitlines()[-1]) == (130, "matchledger: interrupted: nothing was recorded")
    assert ready("log --json").out == before


@pytest.mark.finding("C-D12")
def test_escape_or_an_arrow_key_deletes_the_typed_text_and_leaves_the_table(four: Desk) -> None:
    code, screen = at_a_terminal("desk", "1\n\x1b", "2\x1b2\x1b[A1\n2\n", "q\n", prompt=b"table> ")
    assert code == 0, screen
    assert "! table 1: nothing entered, nothing recorded" in screen
    assert [
        pair["result"] and pair["result"]["winner"] for pair in four("pairings --json").document["pairings"]
    ] == ["Bo", None], screen


@pytest.mark.finding("C-D12", "C-D15")
@pytest.mark.usefixtures("four")
def test_ctrl_c_at_a_table_says_that_nothing_was_recorded() -> None:
    code, screen = at_a_terminal("desk", "1\n", "\x03", prompt=b"> ")
    assert (code, screen.splitlines()[-2:]) == (
        130,
        ["! table 1: nothing entered, nothing recorded", "matchledger: interrupted"],
    )


@pytest.mark.finding("C-D12")
def test_the_desk_asks_again_after_a_refused_outcome_and_leaves_a_reported_table(four: Desk) -> None:
    code, screen = at_a_terminal("desk", "1\n", "draw\n", "z\n", "a\n", "1\n", "a\n", "q\n", prompt=b"\r\ntable")
    assert code == 0, screen
    asked = [line for line in screen.splitlines() if line.startswith(("table", "!", "Table 1: the same"))]
    assert [re.split(r":| \(", line)[0] for line in asked] == [
        "table> 1",
        "table 1> draw",
        "! l5r-2018 has no draws",
        "table 1> z",
        "! 'z' is not an outcome",
        "table 1> a",
        "table> 1",
        "table 1> a",
        "Table 1",
        "table> q",
    ]
    assert [entry["result"]["winner"] for entry in four("pairings --json").document["pairings"][:1]] == ["Ann"]


@pytest.mark.finding("C-D7")
def test_a_terminal_asks_before_a_second_key_file(four: Desk, ledger: Path) -> None:
    keys = Path(f"{ledger}.keys")
    keys.rename("first.keys")
    code, screen = at_a_terminal("keys new", "n\n")
    assert (code, screen.splitlines()[-1], keys.exists()) == (0, "Nothing was recorded.", False)
    assert (at_a_terminal("keys new", "y\n")[0], keys.exists(), len(four("players").lines) > 0) == (0, True, True)
