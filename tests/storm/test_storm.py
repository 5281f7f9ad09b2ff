"""The storm: a stateful property test plays the whole product at once, while processes are killed."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from tests import databases
from tests.storm.event import Storm
from tests.storm.nursery import Nursery

from matchledger.events import Derivation

STEPS = 25  # the most steps of an event
EVENTS = 10  # the number of events, played one after the other


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md that new tournaments use."""
    return 2


@pytest.fixture(params=["sqlite", "postgresql"])
def places(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Path], AbstractContextManager[str]]:
    """Empty places for ledgers: files in a folder, or databases on one server."""
    if request.param == "sqlite":
        return lambda folder: nullcontext(str(folder / "event.ledger"))
    url: str = request.getfixturevalue("postgresql")
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "database.keys"))
    return lambda _: databases.database(url)


@pytest.mark.faults
def test_after_any_actions_the_log_is_correct_and_every_face_shows_the_same(
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    places: Callable[[Path], AbstractContextManager[str]],
) -> None:
    """The first series of events is the same in every run. Each later series has its own seed, until the time is
    over.

    Without a given seed, as in CI, a failure is not shrunk, because that takes minutes.
    """
    seconds, number = request.config.getoption("--storm"), request.config.getoption("--storm-seed")
    Storm.nursery, Storm.figures, Storm.places = Nursery(), Counter(), staticmethod(places)
    Storm.deadline = time.monotonic() + seconds
    phases = [Phase.generate, Phase.shrink] if number else [Phase.generate]
    try:
        while time.monotonic() < Storm.deadline:
            run_state_machine_as_test(
                Storm if number == 0 else seed(number)(type(Storm.__name__, (Storm,), {})),
                settings=settings(
                    max_examples=EVENTS,
                    stateful_step_count=STEPS,
                    derandomize=number == 0,
                    database=None,
                    phases=phases,
                    suppress_health_check=list(HealthCheck),
                    print_blob=True,
                ),
            )
            number += 1
    finally:
        Storm.nursery.close()
        with capsys.disabled():
            told = (f"{count} {what}" for what, count in Storm.figures.items())
            sys.stdout.write(f"\n{', '.join(told)}, seeds to {number}\n")
    assert Storm.figures["events"]
