"""Unusual streams: closed, full, or with an encoding that lacks letters of the names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from matchledger.cli import run

NAMES = ("Zoë", "李小龍")


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def shell(ledger: Path, request: pytest.FixtureRequest) -> dict[str, str]:
    """The environment of a shell with the ledger but without UTF-8. The tests run once with buffered output and
    once without.
    """
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "MATCHLEDGER_LEDGER": str(ledger),
        "PYTHONIOENCODING": "latin-1",
        "PYTHONUNBUFFERED": request.param,
    }


def in_shell(script: str, shell: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    command = f"'{sys.executable}' -m matchledger"
    return subprocess.run(  # noqa: S602 - redirections are what is tested
        script.replace("matchledger", command), shell=True, capture_output=True, env=shell, check=False
    )


@pytest.fixture
def paired(shell: dict[str, str], ledger: Path) -> dict[str, str]:
    for words in (("open", "Friday", "-b", "l5r-2018"), *(("register", name) for name in NAMES), ("pair",)):
        assert run([*words, "--ledger", str(ledger)]) == 0
    return shell


def test_every_name_can_be_registered_in_every_encoding_of_the_terminal(shell: dict[str, str]) -> None:
    one, other = NAMES
    said = in_shell(
        f"matchledger open Friday -b l5r-2018 && matchledger register {one} && matchledger register {other}", shell
    )
    assert (said.returncode, said.stderr) == (0, b"")
    assert all(name in said.stdout.decode() for name in NAMES)


@pytest.mark.parametrize("options", ["", " --json"])
def test_every_name_can_be_shown_in_every_encoding_of_the_terminal(paired: dict[str, str], options: str) -> None:
    said = in_shell("matchledger standings" + options, paired)
    assert (said.returncode, said.stderr) == (0, b"")
    assert all(name in said.stdout.decode() for name in NAMES)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    ("command", "and_then"),
    [
        ("standings", ""),
        ("verify", ""),
        ("rules L5R-IV.2-DROP", ""),
        ("start", "; log shows what is recorded"),
        ("export -", "; log shows what is recorded"),
    ],
)
def test_an_output_error_is_reported_in_one_line(paired: dict[str, str], command: str, and_then: str) -> None:
    """Only a command that records says whether its entry was recorded."""
    said = in_shell(f"matchledger {command} > /dev/full", paired)
    assert said.returncode == 2
    assert said.stderr.decode() == (
        f"matchledger: the output cannot be written: No space left on device{and_then}\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize("command", ["drop '#1' <&-", "rejoin '#1' <&- >&-", "desk <&-", "standings >&- 2>&-"])
def test_a_closed_stream_stops_no_command(paired: dict[str, str], command: str) -> None:
    if command.startswith("rejoin"):
        in_shell("matchledger drop '#1'", paired)
    said = in_shell(f"matchledger {command}", paired)
    assert (said.returncode, said.stderr) == (0, b"")


def test_an_invalid_byte_at_the_desk_is_a_wrong_outcome(paired: dict[str, str]) -> None:
    said = in_shell("printf '\\377\\n1 a\\nq\\n' | matchledger desk", paired)
    assert said.returncode == 2
    assert said.stderr.decode() == "! there is no player '\\\\xff'; see players\n"
    assert "Round 1: its table reported." in said.stdout.decode()


def test_a_closed_pipe_causes_no_message(paired: dict[str, str]) -> None:
    assert in_shell("matchledger log | head -1", paired).stderr == b""


@pytest.mark.skipif(os.name == "nt", reason="ends a pipe as a POSIX shell does")
@pytest.mark.parametrize("lines", [0, 1, 3])
def test_slips_are_recorded_although_nobody_reads_the_output(
    shell: dict[str, str], ledger: Path, lines: int
) -> None:
    """Before the fix, the pile stopped in the middle, and no message said so."""
    names = [f"P{number}" for number in range(1, 21)]
    for words in (("open", "Friday", "-b", "l5r-2018"), *(("register", name) for name in names), ("pair",)):
        assert run([*words, "--ledger", str(ledger)]) == 0
    pile = " ".join(f"{table} a" for table in range(1, 11))
    said = in_shell(f"(matchledger report {pile}; echo $? >&2) | head -n {lines}", shell)
    assert said.stderr.decode() == "0\n"
    log = in_shell("matchledger log --json", shell).stdout.decode()
    assert log.count('"kind":"result-reported"') == 10


@pytest.mark.skipif(os.name == "nt", reason="ends a pipe as a POSIX shell does")
def test_standings_are_signed_even_if_the_pipe_closes(paired: dict[str, str]) -> None:
    said = in_shell(
        "matchledger report 1 a && matchledger key sign.key && matchledger post --key sign.key | head -n 0", paired
    )
    assert said.returncode == 0
    log = in_shell("matchledger log --json", paired).stdout.decode()
    assert log.count('"kind":"standings-posted"') == log.count('"kind":"checkpoint-signed"') == 1
