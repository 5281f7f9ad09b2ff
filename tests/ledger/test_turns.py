"""Turns: the stations of one file write one after the other, and none waits long."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from matchledger.ledger import turns
from matchledger.ledger.turns import Tickets, Turns

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the locks are Linux's")

TOURNAMENT, OTHER = uuid4(), uuid4()


def idle() -> None:
    """Do nothing while the turn is awaited."""


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    return tmp_path / "state" / "turns"


@pytest.fixture
def stations(tmp_path: Path, tickets: Path) -> Turns:
    return Turns(Tickets(tmp_path / "event.ledger", tickets).place)


class Line:
    """Stations that wait, each in a thread of its own."""

    def __init__(self, stations: Turns, tickets: Path) -> None:
        self._stations = stations
        self._tickets = tickets
        self.did: list[str] = []
        self.threads: list[threading.Thread] = []

    def add(self, name: str) -> None:
        """Let a station queue, and wait until it does."""

        def work() -> None:
            with self._stations.turn(TOURNAMENT, lambda: self.did.append(f"{name} reads")):
                self.did.append(name)

        before = self._tickets.read_bytes()
        self.threads.append(threading.Thread(target=work))
        self.threads[-1].start()
        _until(lambda: self._tickets.read_bytes() != before)

    def end(self) -> list[str]:
        for thread in self.threads:
            thread.join()
        return self.did


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_stations_have_their_turns_in_order_and_the_next_one_reads_meanwhile(
    stations: Turns, tickets: Path
) -> None:
    line = Line(stations, tickets)
    with stations.turn(TOURNAMENT, idle):
        for name in ("second", "third", "fourth"):
            line.add(name)
        _until(lambda: line.did == ["second reads"])
        line.did.append("first")
    did = line.end()
    assert [name for name in did if "reads" not in name] == ["first", "second", "third", "fourth"]


@pytest.mark.parametrize(
    ("seconds", "order"), [(60.0, ["first", "first", "second"]), (0.0, ["first", "second", "first"])]
)
def test_a_station_with_more_to_record_goes_on_for_a_while_and_an_idle_one_lets_the_next_in(
    tmp_path: Path,
    stations: Turns,
    tickets: Path,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    order: list[str],
) -> None:
    monkeypatch.setattr(turns, "_IDLE_SECONDS", 0.2)
    monkeypatch.setattr(turns, "SLICE_SECONDS", seconds)
    line = Line(Turns(Tickets(tmp_path / "event.ledger", tickets).place), tickets)
    with stations.turn(TOURNAMENT, idle):
        line.add("second")
        _until(lambda: line.did == ["second reads"])
        line.did.append("first")
    with stations.turn(TOURNAMENT, idle):
        line.did.append("first")
    assert line.end() == ["second reads", *order]


def test_stations_of_different_tournaments_do_not_wait(stations: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST_SECONDS", 60.0)
    with stations.turn(TOURNAMENT, idle), stations.turn(OTHER, idle):
        pass


def test_a_station_continues_if_its_turn_does_not_come(stations: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    """The station with the turn may have been stopped."""
    monkeypatch.setattr(turns, "LONGEST_SECONDS", 0.05)
    with stations.turn(TOURNAMENT, idle), stations.turn(TOURNAMENT, idle):
        pass
    with stations.turn(TOURNAMENT, idle):  # after an abandoned wait, another station gets its turn
        before = time.monotonic()
        monkeypatch.setattr(turns, "LONGEST_SECONDS", 60.0)
    with stations.turn(TOURNAMENT, idle):
        assert time.monotonic() - before < 10


def test_a_station_that_fails_while_it_waits_lets_the_others_pass(stations: Turns) -> None:
    def fails() -> None:
        raise LookupError

    with stations.turn(TOURNAMENT, idle), pytest.raises(LookupError), stations.turn(TOURNAMENT, fails):
        pass
    before = time.monotonic()
    with stations.turn(TOURNAMENT, idle):
        assert time.monotonic() - before < turns.LONGEST_SECONDS


def test_a_station_without_its_own_folder_needs_no_turn(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder would be")
    with Turns(Tickets(tmp_path / "event.ledger", tmp_path / "state" / "turns").place).turn(TOURNAMENT, idle):
        pass
