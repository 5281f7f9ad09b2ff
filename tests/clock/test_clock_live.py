"""The clock in a terminal: what is drawn each second, in terminals of several sizes."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import pytest
from tests.cli.conftest import Desk
from tests.clock.conftest import Watch
from tests.conftest import Replay

from matchledger.cli.clock_live import picture, show_live
from matchledger.events import RoundStarted, TimeExtended
from matchledger_projections.record import Record
from matchledger_projections.round import Round

BEGAN = datetime(2026, 5, 3, 14, tzinfo=UTC)


def in_play(replay: Replay, *, extended: int = 0) -> tuple[Record, Round]:
    """A round of twenty tables that began at 14:00, some of them with three minutes more."""
    names = [f"P{number}" for number in range(40)]
    slips = "".join(f"  {first} - {second}\n" for first, second in zip(names[::2], names[1::2], strict=True))
    draft = replay(f"rulebook l5r-2018\nplayers {' '.join(names)}\nround 1\n{slips}").draft
    draft.decide(lambda _: [RoundStarted(round=1, at=BEGAN)])
    round_ = draft.record.round(1)
    assert round_ is not None
    tables = list(round_.tables.items())[:extended]
    draft.decide(lambda _: [TimeExtended(round=1, table=table, players=two, minutes=3) for table, two in tables])
    return draft.record, round_


def test_the_digits_show_what_is_left(replay: Replay) -> None:
    lines = picture(*in_play(replay), BEGAN.replace(minute=50, second=55), width=60, height=30)
    assert lines[2:9] == [
        "             ██  ██  ██          ██████  ██████",
        "             ██  ██  ██  ██      ██  ██  ██",
        "             ██  ██████          ██  ██  ██████",
        "             ██      ██  ██      ██  ██      ██",
        "             ██      ██          ██████  ██████",
        "",
        "50:55 played, 14:05 left",
    ] or [line.rstrip() for line in lines[2:9]] == [
        "             ██  ██  ██          ██████  ██████",
        "             ██  ██  ██  ██      ██  ██  ██",
        "             ██  ██████          ██  ██  ██████",
        "             ██      ██  ██      ██  ██      ██",
        "             ██      ██          ██████  ██████",
        "",
        "50:55 played, 14:05 left",
    ]
