"""A server and terminals use one file. Every acknowledged slip is in the log once."""

from __future__ import annotations

import os
import random
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, cycle
from pathlib import Path
from uuid import UUID

import pytest
from tests.faults.serving import FORM, Server
from tests.faults.station import event

from matchledger.cli import run
from matchledger.ledger import open_ledger, verify
from matchledger.web.app import create_app

TABLES = 12  # the desk enters the first half, the terminal the others
SLIPS = 30  # slips that the desk enters between two requests to the server
READING = ("standings", "log", "integrity", "verify", "pairings", "clinch")


@pytest.mark.finding("A-1")
@pytest.mark.faults
def test_acknowledged_slips_survive_a_server_and_terminals_on_one_file(
    path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pages, `verify` and commands in other processes never remove the write-ahead log that a server uses."""
    tournament = event(str(path), TABLES)
    deadline = time.monotonic() + request.config.getoption("--side-by-side")
    chance = random.Random(11)  # noqa: S311 - moments, not secrets
    pages, slips = cycle(_addresses(path, tournament, chance)), _slips(1, TABLES // 2)
    acknowledged: list[str] = []
    asked = kills = 0
    waiting = next(slips)
    while time.monotonic() < deadline:
        server = Server.start(str(path))
        terminal, heard = _terminal(path, kills)
        server.kill_in(chance.uniform(0.5, 6))
        kills += 1
        alive = True
        while alive:
            for _ in range(SLIPS):
                name, given = waiting
                if not (alive := server.command(tournament, name, **given)):
                    break
                acknowledged.append(name)
                waiting = next(slips)
            if alive:
                server.ask("POST", f"/t/{tournament}/desk/verify", "head=", FORM)
                alive = server.ask("GET", next(pages))[0] is not None
                asked += 1
        server.end()
        with suppress(ProcessLookupError):
            os.kill(terminal, 15)
        os.waitpid(terminal, 0)
        with os.fdopen(heard, encoding="utf-8") as said:
            acknowledged += said.read().split()
        _need_all(path, tournament, acknowledged)
    with capsys.disabled():
        sys.stdout.write(f"\n{kills} kills, {asked} pages, {len(acknowledged)} slips acknowledged\n")


def _slips(first: int, last: int, prefix: str = "desk") -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the slip of each table, and then one correction after another."""
    for turn in count():
        for table in range(first, last + 1):
            kind = {"kind": "correct-slip", "round": 1} if turn else {"kind": "report-slip"}
            yield f"{prefix}-{turn}-{table}", {**kind, "table": table, "outcome": "ab"[turn % 2]}


def _terminal(path: Path, sitting: int) -> tuple[int, int]:
    """Start a process that enters and reads. The started process runs each command in another process. Return the
    process id and the output.
    """
    reader, writer = os.pipe()
    process = _fork()
    if process:
        os.close(writer)
        return process, reader
    with suppress(BaseException):
        for slip, (name, given) in enumerate(_slips(TABLES // 2 + 1, TABLES, f"terminal-{sitting}")):
            where = (["correct", "1"] if sitting or "round" in given else ["report"]) + [str(given["table"])]
            outcome = "ab"[(slip + sitting) % 2] if sitting else str(given["outcome"])
            for words in ([*where, outcome, "--command-id", name], [READING[slip % len(READING)]]):
                if _fork_and_wait([*words, "--ledger", str(path)]) == 0 and name in words:
                    os.write(writer, f"{name}\n".encode())
    os._exit(0)


def _fork_and_wait(words: list[str]) -> int:
    process = _fork()
    if process == 0:
        code = 1
        with suppress(BaseException):
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            code = run(words)
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns about a fork with threads, but the child needs no thread of its parent.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _addresses(path: Path, tournament: UUID, chance: random.Random) -> list[str]:
    """Return every page and every path of the API that answers at once, in random order."""
    found = []
    for route in create_app(str(path)).routes:
        for one in getattr(getattr(route, "original_router", None), "routes", [route]):
            if "GET" in (getattr(one, "methods", None) or ()) and not one.path.endswith("/stream"):
                address = one.path.replace("{tournament}", str(tournament)).replace("{stage}", "swiss")
                found.append(re.sub(r"\{name\}", "verify", re.sub(r"\{(?!name)\w+\}", "1", address)))
    chance.shuffle(found)
    return found


def _need_all(path: Path, tournament: UUID, acknowledged: list[str]) -> None:
    with open_ledger(path) as ledger:
        commands = Counter(entry.command for entry in ledger.entries(tournament))
        assert [name for name in acknowledged if not commands[name]] == [], "acknowledged and lost"
        assert [name for name, times in commands.items() if times > 1] == [], "recorded twice"
        assert verify(ledger, tournament) == []
