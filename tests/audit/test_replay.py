"""Replay: moving through a tournament in a pipe and on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from tests.audit.random_events import RandomEvent, events
from tests.desk import RunCli

from matchledger.cli import run
from matchledger.service.importing import Transcription
from matchledger_projections.views.attribution import View
from matchledger_projections.views.replay import entry_steps, frame, frames, round_steps

Replay = Callable[[str], Transcription]

SHEET = """\
rulebook l5r-2018
event Club
players A B C D
round 1
  A > B
  C > D modified-win
round 2
  C > A
  B > D
correct 1 B > A
"""


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    sheet = tmp_path / "event.sheet"
    sheet.write_text(SHEET)
    path = str(tmp_path / "event.ledger")
    assert run(["import", str(sheet), "--ledger", path]) == 0
    return path


def test_a_replay_has_a_step_for_each_round_as_known_and_a_step_for_now(replay: Replay) -> None:
    entries = replay(SHEET).draft.entries
    assert round_steps(entries, "as-known") == [View(9, 1), View(13, 2)]
    assert round_steps(entries, "as-corrected") == [View(13, 1), View(13, 2)]
    assert round_steps(entries[:6], "as-known") == []


def test_all_entries_after_the_last_posting_are_one_step(replay: Replay) -> None:
    sheet = SHEET.replace("correct 1 B > A\n", "cut 2\n")
    entries = replay(sheet).draft.entries
    assert round_steps(entries, "as-known") == [View(9, 1), View(12, 2), View(13, 2)]


@settings(max_examples=30)
@given(events())
def test_a_replay_step_shows_the_same_alone_and_after_the_steps_before_it(event: RandomEvent) -> None:
    for steps in (round_steps(event.entries, "as-known"), entry_steps(event.entries)):
        for index, shown in enumerate(frames(event.entries, steps)):
            again = frame(event.entries, steps, index)
            assert (shown.view, shown.entry, shown.changes) == (again.view, again.entry, again.changes)
            assert list(shown.table.rows) == list(again.table.rows)


def test_a_pipe_gets_every_round_with_the_changed_places(ledger: str, run_cli: RunCli) -> None:
    assert (
        run_cli("replay", "--ledger", ledger).out
        == """\
Step 1 of 2: after round 1, as known, entry 9
Table  Player  Opponent  Result
    1  A       B         > A
    2  C       D         > C (modified-win)

     Player  TP      SoS  Ext. SoS
  1  A       10   1.0000   10.0000
  2  C        6   0.0000    6.0000
  3  B        1  10.0000    1.0000
  4  D        0   6.0000    0.0000

Step 2 of 2: after round 2, as known, entry 13
Table  Player  Opponent  Result
    1  C       A         > C
    2  B       D         > B

     Player  TP     SoS  Ext. SoS
* 1  B       20  0.7500    9.0000
  2  C       16  0.7500    9.0000
* 3  A        2  9.0000    0.7500
  4  D        1  9.0000    0.7500
* another place than at the step before

"""
    )


def test_the_corrected_clock_shows_how_each_round_should_have_been(ledger: str, run_cli: RunCli) -> None:
    lines = run_cli("replay", "--as-corrected", "--ledger", ledger).lines
    assert lines[0] == "Step 1 of 2: after round 1, as corrected, entry 13"
    assert lines[2] == "    1  A       B         < B"
    assert lines[6] == "  1  B       10   1.0000   10.0000"


def test_a_pipe_gets_every_entry_with_its_changed_lines(ledger: str, run_cli: RunCli) -> None:
    steps = run_cli("replay", "--by", "entry", "--ledger", ledger).out.split("\n\n")
    assert len([step for step in steps if step.strip()]) == 13
    last = steps[12].splitlines()
    assert last[1] == "round 1, table 1 corrected (was entry 8): B beat A"
    assert last[2].split() == ["*", "after", "round", "2", "Place", "TP", "What", "else", "changed"]
    assert any(line.startswith("B ") and "11 -> 20" in line for line in last)


def test_a_replay_of_a_past_moment_ends_there(ledger: str, run_cli: RunCli) -> None:
    out = run_cli("replay", "--as-of", "9", "--ledger", ledger).out
    assert out.startswith("Step 1 of 1: after round 1, as known, entry 9\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "day"], "--by is round or entry, not 'day'"),
        (["--as-of", "6"], "no round is played yet: step through the entries with --by entry"),
    ],
)
def test_an_impossible_replay_is_refused_in_one_line(
    ledger: str, run_cli: RunCli, arguments: list[str], message: str
) -> None:
    assert run_cli("replay", *arguments, "--ledger", ledger, code=2).problem == f"{message}"


@pytest.mark.parametrize(
    ("keys", "titles"),
    [
        ("nnq", ["1 of 2", "2 of 2", "2 of 2"]),
        ("npq", ["1 of 2", "2 of 2", "1 of 2"]),
        ("pq", ["1 of 2", "1 of 2"]),
        ("xq", ["1 of 2", "1 of 2"]),
        ("rpq", ["1 of 2", "9 of 13", "8 of 13"]),
        ("rnrq", ["1 of 2", "9 of 13", "10 of 13", "2 of 2"]),
    ],
)
def test_on_a_terminal_keys_move_through_the_replay(
    ledger: str,
    run_cli: RunCli,
    monkeypatch: pytest.MonkeyPatch,
    keys: str,
    titles: list[str],
) -> None:
    pressed: Iterator[str] = iter(keys)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(typer, "getchar", lambda: next(pressed))
    shown = [line for line in run_cli("replay", "--ledger", ledger).lines if "Step " in line]
    assert [line.split("Step ")[1].split(":")[0] for line in shown] == titles
