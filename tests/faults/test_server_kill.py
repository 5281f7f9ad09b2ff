"""The server is killed while its desk and its API take slips. No acknowledged slip is lost."""

from __future__ import annotations

import random
import sys
import time
from uuid import UUID

import pytest
from tests.budgets import SERVER_KILLING, SERVER_KILLS, at_length
from tests.faults.serving import Server
from tests.faults.station import event, need_sound

TABLES = 300
ROOM = 40  # tables left for the next server: more than the slips that it records before its kill


@pytest.mark.faults
def test_kills_of_the_server_lose_no_acknowledged_slip(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    tournament = event(place, TABLES)
    chance = random.Random(2009)  # noqa: S311 - moments, not secrets
    acknowledged: list[int] = []
    unsaid = kills = 0
    began = time.monotonic()
    size = need_sound(place, tournament, ())
    wanted, seconds = at_length(SERVER_KILLS), at_length(SERVER_KILLING)
    while kills < wanted and time.monotonic() - began < seconds and len(acknowledged) < TABLES - ROOM:
        server = Server.start(place)
        said = sum(1 for _ in range(chance.choice((0, 1, 2))) if _entered(server, tournament, acknowledged))
        server.kill_in(chance.uniform(0, 0.05))
        while _entered(server, tournament, acknowledged):
            said += 1
        server.end()
        kills += 1
        grown = need_sound(place, tournament, acknowledged)
        unsaid += grown - size - said > 0
        size = grown
    assert kills >= wanted / 10
    server = Server.start(place)
    table = len(acknowledged) + 1
    assert server.enter(tournament, table), "it goes on; what was recorded and not said is sent again"
    server.kill_in(0)
    server.end()
    need_sound(place, tournament, [*acknowledged, table])
    with capsys.disabled():
        told = f"{len(acknowledged)} slips acknowledged, {unsaid} recorded and not said"
        sys.stdout.write(f"\n{kills} kills of the server: {told}\n")


def _entered(server: Server, tournament: UUID, acknowledged: list[int]) -> bool:
    """Enter the slip of the next table. If the slip was not acknowledged, send it again."""
    table = len(acknowledged) + 1
    if not server.enter(tournament, table):
        return False
    acknowledged.append(table)
    return True
