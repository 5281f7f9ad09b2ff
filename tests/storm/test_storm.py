"""The storm: the whole product at once, driven by chance, on one file, while processes are killed."""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from tests.storm.event import SEEN_TOGETHER, Storm
from tests.storm.nursery import Nursery

from matchledger.events import Derivation

STEPS = 60
LAST = 25  # last steps printed with a failure


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md that new tournaments are opened with."""
    return 2


@pytest.mark.faults
def test_whatever_happens_the_log_holds_and_every_face_shows_the_same(
    tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    first = request.config.getoption("--storm-seed")
    deadline = time.monotonic() + request.config.getoption("--storm")
    figures: Counter[str] = Counter()
    nursery = Nursery()
    try:
        for seed in count(first):
            folder = tmp_path / str(seed)
            folder.mkdir()
            rage(seed, folder, nursery, deadline, figures)
            if time.monotonic() > deadline:
                break
    finally:
        nursery.close()
    with capsys.disabled():
        sys.stdout.write(f"\n{', '.join(f'{number} {what}' for what, number in figures.items())}\n")
    assert figures["events"]


def rage(seed: int, folder: Path, nursery: Nursery, deadline: float, figures: Counter[str]) -> None:
    """Play one event until it is closed or the time is over."""
    storm = Storm(seed, folder, nursery)
    try:
        storm.open()
        for step in range(STEPS):
            if time.monotonic() > deadline or storm.record.closing is not None:
                break
            storm.step()
            storm.check(everything=step % SEEN_TOGETHER == 0)
        if time.monotonic() > deadline:
            storm.check(everything=True)
        elif storm.record.closing is None:
            storm.end()
    except BaseException as problem:
        problem.add_note("\n".join([f"--storm-seed {seed}", *storm.told[-LAST:]]))
        raise
    finally:
        figures.update(
            events=1,
            commands=storm.hands.count,
            acknowledged=len(storm.acknowledged),
            entries=len(storm.entries),
            kills=storm.hands.kills,
        )
        storm.hands.close()
