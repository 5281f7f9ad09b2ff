"""Turns: the stations of one file write one after the other, and none waits long."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from uuid import uuid4

import pytest

from matchledger.ledger import turns
from matchledger.ledger.turns import Turns

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the locks are Linux's")

TOURNAMENT, OTHER = uuid4(), uuid4()


@pytest.fixture
def stations(tmp_path: Path) -> Turns:
    return Turns(tmp_path / "event.ledger", tmp_path / "state" / "turns")


def test_a_second_station_waits_until_the_first_is_done(stations: Turns) -> None:
    order: list[str] = []

    def second() -> None:
        with stations.turn(TOURNAMENT):
            order.append("second")

    with stations.turn(TOURNAMENT):
        waiting = threading.Thread(target=second)
        waiting.start()
        time.sleep(0.1)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


def test_stations_of_different_tournaments_do_not_wait(stations: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST_SECONDS", 60.0)
    with stations.turn(TOURNAMENT), stations.turn(OTHER):
        pass


def test_a_station_continues_if_its_turn_does_not_come(stations: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    """The station with the turn may have been stopped."""
    monkeypatch.setattr(turns, "LONGEST_SECONDS", 0.05)
    with stations.turn(TOURNAMENT), stations.turn(TOURNAMENT):
        pass
    with stations.turn(TOURNAMENT):  # after an abandoned wait, another station gets its turn
        before = time.monotonic()
        monkeypatch.setattr(turns, "LONGEST_SECONDS", 60.0)
    with stations.turn(TOURNAMENT):
        assert time.monotonic() - before < 10


def test_a_station_without_its_own_folder_needs_no_turn(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder would be")
    with Turns(tmp_path / "event.ledger", tmp_path / "state" / "turns").turn(TOURNAMENT):
        pass
