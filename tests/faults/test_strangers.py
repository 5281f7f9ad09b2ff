"""Attacks by strangers delay no slip. The server stays small in memory and output."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.benchmarks.serving import event, free_port
from tests.faults.strangers import ATTACKS

from matchledger.ledger import open_ledger

PLAYERS = 1000
SLIPS = 100  # slips entered during each attack, and without one
FILES = 1024  # the most open files of the server, as on the machine where the fault was found
QUICK = 0.2  # seconds: the figure in docs/security.md, on a machine that does nothing else
TIMES = 30  # how much slower a slip may be on a busy machine. Before the fix it was a thousand times slower
MEMORY = 500_000  # kB
WORDS = 2000  # bytes that the server may print


class Hall(NamedTuple):
    """A server, the key of its desk, and the file that it prints to."""

    process: int
    port: int
    key: str
    tournament: str
    printed: Path

    def report(self, tables: range) -> float:
        """Report slips one after another, and return the time of the slowest hundredth."""
        taken = []
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as desk:
            for table in tables:
                slip = json.dumps({"kind": "report-slip", "table": table, "outcome": "a"})
                begin = time.perf_counter()
                desk.request(
                    "POST",
                    f"/api/tournaments/{self.tournament}/commands",
                    slip,
                    {"authorization": f"Bearer {self.key}", "content-type": "application/json"},
                )
                answer = desk.getresponse()
                said = answer.read()
                taken.append(time.perf_counter() - begin)
                assert answer.status == 200, said
                time.sleep(0.02)
        return sorted(taken)[int(len(taken) * 0.99) - 1]

    @property
    def memory(self) -> int:
        """The highest memory use so far, in kB."""
        status = Path(f"/proc/{self.process}/status").read_text("ascii")
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall")
    ledger, printed, port = event(PLAYERS, folder), folder / "printed", free_port()
    with open_ledger(ledger) as opened:
        [tournament] = opened.tournaments()
    with printed.open("wb") as out:
        serve = [sys.executable, "-m", "matchledger", "serve", "--ledger", str(ledger), "--port", str(port)]
        server = subprocess.Popen(  # noqa: S603 - our own server, with no more files than it had then
            ["/bin/sh", "-c", f'ulimit -n {FILES}; exec "$0" "$@"', *serve],
            stdout=subprocess.PIPE,
            stderr=out,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
    assert server.stdout is not None
    key = next(line for line in server.stdout if line.startswith(b"Desk: ")).rpartition(b"#")[2].strip()
    try:
        hall = Hall(server.pid, port, key.decode(), str(tournament), printed)
        _wait(hall)
        yield hall
    finally:
        server.stdout.close()
        server.terminate()
        server.wait(20)


def _wait(hall: Hall) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", hall.port, timeout=30)) as phone:
                phone.request("GET", f"/t/{hall.tournament}/")
                phone.getresponse().read()
                return
        except OSError:
            time.sleep(0.05)


@contextmanager
def attacked(hall: Hall, name: str) -> Iterator[None]:
    strangers = subprocess.Popen(  # noqa: S603 - our own attackers
        [sys.executable, "-m", "tests.faults.strangers", name, str(hall.port), hall.tournament]
    )
    time.sleep(0.7)  # measure after the attacks have begun
    try:
        yield
        assert strangers.poll() is None
    finally:
        strangers.kill()
        strangers.wait()


@pytest.mark.finding("A-4")
@pytest.mark.alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process from /proc")
def test_attacks_by_strangers_delay_no_slip(hall: Hall) -> None:
    """Each attack runs against an event of 1,000 players on a server with 1,024 files."""
    hall.report(range(1, 21))  # the first slips load the modules that they need
    calm = hall.report(range(21, 81))
    slow = {}
    for number, name in enumerate(ATTACKS):
        with attacked(hall, name):
            slow[name] = hall.report(range(81 + number * SLIPS, 81 + (number + 1) * SLIPS))
    print(f"calm {calm * 1000:.0f} ms", {name: f"{took * 1000:.0f} ms" for name, took in slow.items()}, hall.memory)  # noqa: T201 - the figures of a run
    assert {name: took for name, took in slow.items() if took > max(QUICK, TIMES * calm)} == {}
    assert hall.memory < MEMORY
    assert hall.printed.stat().st_size < WORDS
