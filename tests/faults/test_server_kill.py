"""The server is killed while slips come in at its desk and through its API: none that it acknowledged is lost."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import sys
import threading
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

import pytest
import uvicorn  # noqa: F401 - loaded before the fork, so that a kill falls into the work and not into the imports
from tests.faults.station import command_of, event, need_sound

import matchledger.web.app  # noqa: F401 - as above
from matchledger.cli import run

KILLS = 50
TIME_BOX = 45  # seconds for each store: a busy machine kills less often, and says how often
TABLES = 300
ROOM = 40  # tables: more slips than a server takes before it is killed
PATIENCE = 30  # seconds


@dataclass(slots=True)
class Server:
    """A process that runs `serve`, with the key of its desk."""

    process: int
    port: int
    key: str

    @classmethod
    def start(cls, place: str) -> Server:
        """Forks, so that everything is loaded already; returns when the server answers."""
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port: int = taken.getsockname()[1]
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the child needs none of the parent's threads
            process = os.fork()
        if process == 0:
            with suppress(BaseException):
                os.dup2(writer, 1)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                sys.stdout = os.fdopen(1, "w", buffering=1)
                run(["serve", "--ledger", place, "--port", str(port)])
            os._exit(1)
        os.close(writer)
        with os.fdopen(reader, encoding="utf-8") as said:
            key = next(line for line in said if line.startswith("Desk: ")).rpartition("#")[2].strip()
        server = cls(process, port, key)
        server.wait()
        return server

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.02)
        raise AssertionError("the server does not answer")

    def enter(self, tournament: UUID, table: int) -> bool:
        """Enters a slip, by a program or by the form of the desk; whether it was acknowledged."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            if table % 2:
                address = f"/api/tournaments/{tournament}/commands"
                body = json.dumps({"kind": "report-slip", "table": table, "outcome": "a"})
                headers = {
                    "authorization": f"Bearer {self.key}",
                    "content-type": "application/json",
                    "idempotency-key": command_of(table),
                }
            else:
                address = f"/t/{tournament}/desk/do"
                form = {"id": command_of(table), "page": "slips", "kind": "report-slip", "table": table}
                body = urlencode(form | {"outcome": "a"})
                headers = {
                    "cookie": f"matchledger={self.key}",
                    "content-type": "application/x-www-form-urlencoded",
                }
            connection.request("POST", address, body, headers)
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException):
            return False  # it is dead
        finally:
            connection.close()
        assert answer.status in (200, 303), said
        return True

    def kill_in(self, seconds: float) -> None:
        threading.Timer(seconds, os.kill, (self.process, signal.SIGKILL)).start()

    def end(self) -> None:
        os.waitpid(self.process, 0)


@pytest.mark.faults
def test_kills_of_the_server_lose_no_acknowledged_slip(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    tournament = event(place, TABLES)
    chance = random.Random(2009)  # noqa: S311 - moments, not secrets
    acknowledged: list[int] = []
    unsaid = kills = 0
    began = time.monotonic()
    size = need_sound(place, tournament, ())
    while kills < KILLS and time.monotonic() - began < TIME_BOX and len(acknowledged) < TABLES - ROOM:
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
    assert kills >= KILLS / 10
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
    """Enters the slip of the next table; the same one comes again where nobody said that it was recorded."""
    table = len(acknowledged) + 1
    if not server.enter(tournament, table):
        return False
    acknowledged.append(table)
    return True
