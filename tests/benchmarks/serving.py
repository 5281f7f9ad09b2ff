"""How many phones a server can answer when pairings are posted while slips are recorded, compared with a plain
FastAPI route.

wrk makes the load (from Debian, one binary in C, keep-alive, latency percentiles). wrk asks faster than any server
in Python answers, so the limit is the server. Each server runs in its own process, as `serve` does.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, NamedTuple
from urllib.request import Request, urlopen

from tests.benchmarks.measuring import markdown

from matchledger.cli import run
from matchledger.commands import results as slips
from matchledger.ledger import Clerk, open_ledger
from matchledger.notation.slip import Written

_ports = count()
PHONES = 500  # connections kept open at once
SLIPS_EVERY = 0.5  # seconds


class Load(NamedTuple):
    """The result of wrk: answers per second, and the 99th percentile of the latency in milliseconds."""

    answers: float
    p99: float
    failed: int
    slips: int = 0
    slowest_slip: float = 0.0


def wrk(address: str, seconds: int, *headers: str) -> Load:
    """Request one page again and again, each time as soon as the answer came."""
    said = subprocess.run(
        [
            shutil.which("wrk") or "wrk",
            *("-t", "1", "-c", str(PHONES), "-d", f"{seconds}s", "--latency", "--timeout", "10s"),
            *(part for header in ("Accept-Encoding: gzip", *headers) for part in ("-H", header)),
            address,
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    failed = [int(number) for line in said.splitlines() if "Socket errors" in line for number in _numbers(line)]
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    return Load(
        float(re.findall(r"Requests/sec:\s+([\d.]+)", said)[0]),
        _milliseconds(re.findall(r"99%\s+(\S+)", said)[0]),
        sum(failed) + (int(refused[1]) if refused else 0),
    )


def _numbers(line: str) -> list[str]:
    return re.findall(r"\d+", line)


def _milliseconds(text: str) -> float:
    found = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text)
    if found is None:
        raise RuntimeError(f"wrk was not answered in time ({text}): measure on a quiet machine, or for longer")
    number, unit = found.groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit]


BARE = """
import sys
import uvicorn
from fastapi import FastAPI
from fastapi.responses import Response
app = FastAPI()
PAGE = open(sys.argv[1], "rb").read()
@app.get("/")
async def page() -> Response:
    return Response(PAGE, media_type="text/html; charset=utf-8", headers={"content-encoding": "gzip"})
@app.get("/unchanged")
async def unchanged() -> Response:
    return Response(status_code=304, headers={"etag": "x"})
uvicorn.run(app, port=int(sys.argv[2]), log_level="error", access_log=False)
"""


class Server(NamedTuple):
    """A running server: its address, its process, and its output."""

    address: str
    process: int
    output: IO[bytes]

    def key(self) -> str:
        """Read the key of the desk, which our server prints at its start."""
        return next(line for line in self.output if line.startswith(b"Desk: ")).rpartition(b"#")[2].strip().decode()


@contextmanager
def process(*words: str, port: int) -> Iterator[Server]:
    """Run a server in a separate process, as long as it is needed."""
    server = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE)
    address = f"http://127.0.0.1:{port}/"
    assert server.stdout is not None
    try:
        _wait_for(port, server)
        yield Server(address, server.pid, server.stdout)
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server did not come up")


def free_port() -> int:
    """Return a port for a program that starts later. Each process gets its own range of ports, which the machine
    gives to no other program.
    """
    for number in _ports:
        port = 10_000 + os.getpid() % 1000 * 20 + number % 20
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError


def phones(players: int, folder: Path, seconds: int) -> Iterator[str]:
    """Let all phones ask for the pairings: first a page that they lack, then a page that they have."""
    if shutil.which("wrk") is None:
        yield "wrk is not there: apt-get install wrk.\n"
        return
    ledger = event(players, folder)
    port = free_port()
    with process("-m", "matchledger", "serve", "--ledger", str(ledger), "--port", str(port), port=port) as running:
        ours = running.address
        with urlopen(ours) as answer:  # noqa: S310 - our own server
            home, tag = answer.url, answer.headers["etag"]
        with urlopen(home) as answer:  # noqa: S310
            size = len(answer.read())
        packed = folder / "page.gz"
        with urlopen(Request(home, headers={"Accept-Encoding": "gzip"})) as answer:  # noqa: S310
            packed.write_bytes(answer.read())
        whole = _while_slips_come(ledger, lambda: wrk(home, seconds))
        known = _while_slips_come(ledger, lambda: wrk(home, seconds, f"If-None-Match: {tag}"))
    script = folder / "bare.py"
    script.write_text(BARE, "utf-8")
    port = free_port()
    with process(str(script), str(packed), str(port), port=port) as running:
        bare = running.address
        bare_whole, bare_known = wrk(bare, seconds), wrk(f"{bare}unchanged", seconds)
    yield (
        f"The page with the pairings of {players:,} players has {size // 1024} KiB, "
        f"or {packed.stat().st_size // 1024} KiB as sent. "
        f"{PHONES} connections ask for it. Meanwhile another process records a slip every half second.\n\n"
    )
    yield markdown(
        ["", "answers a second", "share of bare FastAPI", "p99", "failed", "slips recorded", "slowest slip"],
        [
            _row("a phone without the page", whole, bare_whole),
            _row("bare FastAPI, the same bytes, no ledger", bare_whole, bare_whole),
            _row("a phone with the page (304)", known, bare_known),
            _row("bare FastAPI, 304", bare_known, bare_known),
        ],
    )
    minute = whole.answers * 60
    yield f"\nIn the minute after a posting, the server can send the whole page to {minute:,.0f} phones.\n"


def _row(name: str, load: Load, bare: Load) -> list[str]:
    slips_in = f"{load.slips}" if load.slips else ""
    slowest = f"{load.slowest_slip:.0f} ms" if load.slips else ""
    share = f"{load.answers / bare.answers:.0%}"
    return [name, f"{load.answers:,.0f}", share, f"{load.p99:.0f} ms", str(load.failed), slips_in, slowest]


def _while_slips_come(ledger: Path, ask: Callable[[], Load]) -> Load:
    """Measure while a station records slips, and return the slowest of these slips."""
    done, taken = threading.Event(), list[float]()
    desk = threading.Thread(target=_record_slips, args=(ledger, done, taken))
    desk.start()
    try:
        load = ask()
    finally:
        done.set()
        desk.join()
    return load._replace(slips=len(taken), slowest_slip=max(taken) * 1000)


def _record_slips(ledger: Path, done: threading.Event, taken: list[float]) -> None:
    with open_ledger(ledger) as opened:
        [tournament] = opened.tournaments()
        latest = opened.record(tournament).latest_round()
        for table_ in latest.outstanding if latest is not None else ():
            begin = time.perf_counter()
            decision = partial(slips.report, table=table_, written=Written(winner=0))
            opened.decide(tournament, decision, clerk=Clerk())
            taken.append(time.perf_counter() - begin)
            if done.wait(SLIPS_EVERY):
                return


def event(players: int, folder: Path) -> Path:
    """An event whose third round is posted and has no results."""
    names = [f"{first} {last} {number}" for number, (first, last) in enumerate(_names(players), 1)]
    lines = [f'player "{name}"' for name in names]
    half = players // 2
    for round_ in range(3):
        lines.append(f"round {round_ + 1}")
        others = names[half:]
        others = others[round_:] + others[:round_]  # no two players meet twice
        between = "-" if round_ == 2 else ">"
        lines += [f'  "{one}" {between} "{other}"' for one, other in zip(names[:half], others, strict=True)]
    sheet, ledger = folder / "hall.sheet", folder / "hall.ledger"
    sheet.write_text("rulebook l5r-2018\n" + "\n".join(lines) + "\n", "utf-8")
    if run(["import", str(sheet), "--ledger", str(ledger)]):
        raise RuntimeError("the event could not be imported")
    return ledger


def _names(players: int) -> list[tuple[str, str]]:
    chance = random.Random(1)  # noqa: S311 - names of a made-up event
    return [(chance.choice(_FIRST), chance.choice(_LAST)) for _ in range(players)]


_FIRST = ("Ann", "Bo", "Cyril", "Dilara", "Edgar", "Fatima", "Gustav", "Ivo", "Jolanta", "Kaito", "Nadia", "Olek")
_LAST = ("Lee", "Smith", "Novak", "Miller", "Nakamura", "Okafor", "Ivanova", "Papadopoulos", "Li", "Garcia")
