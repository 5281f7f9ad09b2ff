"""A station is killed at any moment. No acknowledged slip is lost or recorded twice."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Collection
from pathlib import Path

import pytest
from tests.budgets import KILLING, KILLS, at_length
from tests.faults.station import Station, event, need_sound

TABLES = at_length((100, 220))
MEASURED = 10  # slips entered without a kill, to measure how long one takes


@pytest.mark.faults
def test_kills_at_random_moments_lose_no_acknowledged_slip(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    tournament = event(place, TABLES)
    chance = random.Random(2004)  # noqa: S311 - moments, not secrets
    acknowledged, unsaid = set(range(1, MEASURED + 1)), 0
    began = time.monotonic()
    assert Station.start(place, sorted(acknowledged)).end() == (0, sorted(acknowledged))
    a_slip = (time.monotonic() - began) / MEASURED
    kills, size = 0, need_sound(place, tournament, sorted(acknowledged))
    wanted, seconds = at_length(KILLS), at_length(KILLING)  # on a busy machine the test reports fewer kills
    while kills < wanted and time.monotonic() - began < seconds:
        kills += 1
        before = size
        station = Station.start(place, _left(acknowledged))
        said = station.kill(slips=chance.choice((0, 0, 1)), then=chance.uniform(0, 1.5 * a_slip))
        acknowledged.update(said)
        size = need_sound(place, tournament, sorted(acknowledged))
        unsaid += size - before - len(said) > 0
    assert kills > wanted / 10
    code, said = Station.start(place, _left(acknowledged)).end()
    assert code == 0
    size = need_sound(place, tournament, sorted(acknowledged.union(said)))
    assert size == 1 + 2 * TABLES + 1 + TABLES, "every slip is there, once"
    with capsys.disabled():
        said_so = f"{len(acknowledged)} slips acknowledged, {unsaid} recorded and not said"
        sys.stdout.write(f"\n{kills} kills: {said_so}\n")


def _left(acknowledged: Collection[int]) -> list[int]:
    return [table for table in range(1, TABLES + 1) if table not in acknowledged]


@pytest.mark.faults
def test_a_killed_command_can_be_repeated(place: str) -> None:
    """The station was killed after the slip was on the disk, and before it was acknowledged."""
    tournament = event(place, 2)
    assert Station.start(place, [1]).end() == (0, [1])
    assert Station.start(place, [1, 2]).end() == (0, [1, 2])
    need_sound(place, tournament, [1, 2])


@pytest.mark.faults
def test_four_stations_that_are_killed_again_and_again_lose_no_slip(path: Path) -> None:
    tables = 50
    tournament = event(str(path), tables)
    acknowledged: set[int] = set()
    chance = random.Random(7)  # noqa: S311 - moments, not secrets
    for _ in range(6):
        left = [table for table in range(1, tables + 1) if table not in acknowledged]
        stations = [Station.start(str(path), left[first::4]) for first in range(4)]
        for station in stations:
            acknowledged.update(station.kill(slips=1, then=chance.uniform(0, 0.1)))
        need_sound(path, tournament, sorted(acknowledged))
    left = [table for table in range(1, tables + 1) if table not in acknowledged]
    assert [station.end()[0] for station in [Station.start(str(path), left[first::4]) for first in range(4)]] == [
        0
    ] * 4
    need_sound(path, tournament, range(1, tables + 1))
