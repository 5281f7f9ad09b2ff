"""The clock in a terminal: its picture each second, in terminals of several sizes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.cli.conftest import Desk
from tests.clock.conftest import Watch
from tests.conftest import Replay

from matchledger.cli.clock import picture, show_live
from matchledger.events import RoundStarted, TimeExtended
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round

BEGAN = datetime(2026, 5, 3, 14, tzinfo=UTC)


def in_play(replay: Replay, *, extended: int = 0) -> tuple[Record, Round]:
    """A round of twenty tables that began at 14:00. Some tables have three extra minutes."""
    names = [f"P{number}" for number in range(40)]
    slips = "".join(f"  {first} - {second}\n" for first, second in zip(names[::2], names[1::2], strict=True))
    draft = replay(f"rulebook l5r-2018\nplayers {' '.join(names)}\nround 1\n{slips}").draft
    draft.decide(lambda _: [RoundStarted(round=1, at=BEGAN)])
    round_ = draft.record.round(1)
    assert round_ is not None
    tables = list(round_.tables.items())[:extended]
    draft.decide(lambda _: [TimeExtended(round=1, table=table, players=two, minutes=3) for table, two in tables])
    return draft.record, round_


def shown(replay: Replay, minute: int, second: int = 0, **size: int) -> list[str]:
    moment = BEGAN + timedelta(minutes=minute, seconds=second)
    lines = picture(*in_play(replay), moment, width=size.get("width", 60), height=size.get("height", 30))
    return [line.rstrip() for line in lines]


def test_the_digits_show_the_remaining_time(replay: Replay) -> None:
    assert shown(replay, 50, 55)[2:9] == [
        "                 ██  ██  ██      ██████  ██████",
        "                 ██  ██  ██  ██  ██  ██  ██",
        "                 ██  ██████      ██  ██  ██████",
        "                 ██      ██  ██  ██  ██      ██",
        "                 ██      ██      ██████  ██████",
        "",
        "50:55 played, 14:05 left",
    ]


def test_after_time_the_digits_count_up_and_show_the_last_mark(replay: Replay) -> None:
    lines = shown(replay, 71, 30)
    assert "71:30 played, time was 6:30 ago" in lines
    assert "Last call for slips: whose slip comes later loses by a modified loss." in lines
    assert any(line.startswith("75:00") and "in 3:30" in line for line in lines)


def test_a_terminal_too_narrow_for_digits_shows_the_time(replay: Replay) -> None:
    assert shown(replay, 50, 55, width=20)[2] == "14:05"


@pytest.mark.parametrize("height", [14, 18, 24, 40])
def test_the_clock_says_how_many_tables_do_not_fit(replay: Replay, height: int) -> None:
    lines = picture(*in_play(replay, extended=20), BEGAN, width=80, height=height)
    assert len(lines) <= height
    listed = [line for line in lines if "+3" in line]
    missing = next((line for line in lines if line.startswith("... and ")), None)
    if missing is not None:
        assert missing == f"... and {20 - len(listed)} more, see clock --once"
    else:
        assert len(listed) in (0, 20)


def test_the_clock_is_redrawn_from_the_log_each_second(
    replay: Replay, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("time.sleep", slept.append)
    moments = iter(BEGAN + timedelta(seconds=second, microseconds=250_000) for second in (0, 0, 1))
    looked: list[int] = []
    found = in_play(replay)

    def look() -> tuple[Record, Round]:
        looked.append(len(looked))
        return found

    show_live(look, lambda: next(moments), beats=2)
    assert (looked, slept) == ([0, 1], [0.75])
    printed = capsys.readouterr().out
    assert "0:00 played, 65:00 left" in printed
    assert "0:01 played, 64:59 left" in printed


def interrupted(_: float) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_ends_the_clock_without_an_error(four: Desk, monkeypatch: pytest.MonkeyPatch, watch: Watch) -> None:
    four("start")
    watch.tick(60)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)

    monkeypatch.setattr("time.sleep", interrupted)
    said = four("clock")
    assert (said.code, said.err) == (0, "")
    assert "1:00 played, 64:00 left" in said.out


def test_a_past_round_is_printed_once(four: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert four("clock --round 1").lines[0] == "Round 1, not started (65:00 to play, L5R-IV.1-CLOCK)"


def test_a_different_length_of_a_round_is_listed(four: Desk) -> None:
    """Before the fix, the final started with the length of a semifinal, and the semifinal with that of a final."""
    for line in (
        "start",
        "report 1 a 2 a",
        "tie",
        "cut 4 --reason 'as we like it'",
        "pair",
        "start --minutes 100",
        "report 1 a 2 a",
        "pair",
        "start --minutes 65",
    ):
        assert four(line).code == 0, line
    assert four("integrity").out.count("L5R-IV.1-CLOCK") == 2
