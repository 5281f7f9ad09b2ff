"""Hands: all ways to give a command on one ledger, and what is known afterwards."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from tests.benchmarks.serving import free_port
from tests.faults.serving import FORM, PATIENCE, Server
from tests.storm.acts import Act
from tests.storm.nursery import Nursery

from matchledger.cli import run
from matchledger.cli.codes import BAD_INPUT, CONFLICT, DONE, REFUSED
from matchledger.commands.draft import Clerk, now
from matchledger.commands.refusal import Refusal
from matchledger.commands.registry import command_from
from matchledger.ledger import Conflict, Ledger, open_ledger
from matchledger.notation.problems import UsageProblem
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, issue
from matchledger.service.execute import Request, execute

STATIONS = ("A", "B")
# The share of the commands that each face sends.
WAYS = {
    "station A": 20,
    "station B": 20,
    "terminal": 14,
    "program": 16,
    "desk": 12,
    "process": 4,
    "process killed": 4,
    "server killed": 2,
}


class Ended(NamedTuple):
    """How a command ended: acknowledged, refused with a message, or unknown because of a kill."""

    how: Literal["done", "refused", "unknown"]
    said: str = ""


class Printed(NamedTuple):
    """What a command line printed, and its exit code."""

    code: int
    out: str
    err: str


class Hands:
    """Two stations, command lines in this and other processes, and a server. All use one ledger.

    The ledger is at `place`. The folder is for other files.
    """

    def __init__(self, place: str, folder: Path, chance: Random, nursery: Nursery) -> None:
        self.place = place
        self.tokens: dict[str, str] = {}  # the tokens of each station, if the event demands tokens
        self.tournament = UUID(int=0)
        self.chance, self._folder, self._nursery = chance, folder, nursery
        self._stations: dict[str, Ledger] = {}
        self._server: Server | None = None
        self.kills = self.count = 0
        self.ways: dict[str, Callable[[Act, str, str | None], Ended]] = {
            "station A": lambda *asked: self._station("A", *asked),
            "station B": lambda *asked: self._station("B", *asked),
            "terminal": self._terminal,
            "process": self._process,
            "process killed": lambda *asked: self._process(*asked, kill=True),
            "program": self._program,
            "desk": self._desk,
            "server killed": self._server_killed,
        }

    def carry(self, act: Act, name: str, reason: str | None, way: str) -> Ended:
        """Execute a command under an id, and check that the face did not fail."""
        self.count += 1
        ended = self.ways[way](act, name, reason)
        assert "Traceback" not in ended.said, ended.said
        assert "went wrong inside" not in ended.said, ended.said
        return ended

    def close(self) -> None:
        for ledger in self._stations.values():
            ledger.close()
        self._stations.clear()
        if self._server is not None:
            self._kill_server()

    def demand_tokens(self) -> None:
        """From now on, each station has a token and signs its entries."""
        key, start = SigningKey.generate("organizer"), now()
        told = self.run(["token", "trust", str(key.verification), "--demand", "--yes"], writes=True)
        assert told.code == 0, told
        for station in (*STATIONS, "terminal", "server"):
            said = {"actor": "Olga", "role": "organizer", "station": station, "issued": start, "not_before": start}
            expires = start + timedelta(days=1)
            self.tokens[station] = issue(key, StationToken.model_validate(said | {"expires": expires}))

    # -- the stations, in this process

    def station(self, name: str) -> Ledger:
        """Return the ledger as a station has it open."""
        if name not in self._stations:
            self._stations[name] = open_ledger(self.place)
        return self._stations[name]

    def anew(self) -> None:
        """Stop a station, and start it again from the file and its cache."""
        name = self.chance.choice(STATIONS)
        if name in self._stations:
            self._stations.pop(name).close()

    def _station(self, station: str, act: Act, name: str, reason: str | None) -> Ended:
        ledger = self.station(station)
        clerk = Clerk("Olga", "organizer", station)
        if self.tokens:
            clerk = ledger.admit(self.tournament, self.tokens[station])
        try:
            command = command_from({"kind": act.kind, **act.fields})
            execute(ledger, self.tournament, Request(command, clerk, name, reason))
        except (Refusal, UsageProblem, Conflict) as problem:
            return Ended("refused", str(problem.args[0]))
        return Ended("done")

    # -- command lines

    def line(self, words: list[str], *, writes: bool = True, ledger: Path | None = None) -> list[str]:
        """Return a command line with the options for this ledger or for a copy."""
        line = [*words, "--ledger", str(ledger or self.place)]
        if writes:
            line += ["--token", self.tokens["terminal"]] if self.tokens else ["--role", "organizer"]
        return line

    def run(self, words: list[str], *, writes: bool = False, ledger: Path | None = None) -> Printed:
        """Run a command line in this process, on this ledger or on a copy."""
        return self.run_alone(self.line(words, writes=writes, ledger=ledger))

    def run_alone(self, line: list[str]) -> Printed:
        """Run a whole command line in this process."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            code = run(line)
        return Printed(code, out.getvalue(), err.getvalue())

    def _typed(self, act: Act, name: str, reason: str | None) -> list[str]:
        return [*act.words(), "--command-id", name, *(["--reason", reason] if reason else [])]

    def _terminal(self, act: Act, name: str, reason: str | None) -> Ended:
        printed = self.run(self._typed(act, name, reason), writes=True)
        return _by_code(printed.code, printed.out + printed.err)

    def _process(self, act: Act, name: str, reason: str | None, *, kill: bool = False) -> Ended:
        said = self._folder / f"said-{self.count}"
        process = self._nursery.start(self.line(self._typed(act, name, reason)), said)
        if kill:
            time.sleep(self.chance.uniform(0, 0.15))
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            self.kills += 1
        code = self._nursery.wait(process)
        return Ended("unknown") if code == -signal.SIGKILL else _by_code(code, said.read_text("utf-8"))

    def at_once(self, acts: list[tuple[Act, str]]) -> list[Ended]:
        """Run several processes at the same time. One of the processes may be killed."""
        begun = []
        for number, (act, name) in enumerate(acts):
            self.count += 1
            said = self._folder / f"said-{self.count}-{number}"
            begun.append((self._nursery.start(self.line(self._typed(act, name, None)), said), said))
        if self.chance.random() < 0.5:
            time.sleep(self.chance.uniform(0, 0.15))
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.chance.choice(begun)[0], signal.SIGKILL)
            self.kills += 1
        ended = []
        for process, said in begun:
            code = self._nursery.wait(process)
            text = said.read_text("utf-8") if said.exists() else ""
            ended.append(Ended("unknown") if code == -signal.SIGKILL else _by_code(code, text))
        return ended

    # -- the server

    @property
    def server(self) -> Server:
        """Start the server if it is not running."""
        if self._server is None:
            port = free_port()
            self.count += 1
            said = self._folder / f"server-{self.count}"
            words = ["serve", "--ledger", self.place, "--port", str(port), "--role", "organizer"]
            process = self._nursery.start(words, said)
            key = _desk_key(said)
            key = self.tokens.get("server", key)
            self._server = Server(process, port, key)
            self._server.wait()
            if self.tokens:  # the first question admits the token, which makes an entry
                self._server.ask("GET", f"/api/tournaments/{self.tournament}/players")
        return self._server

    def _kill_server(self) -> None:
        assert self._server is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._server.process, signal.SIGKILL)
        self._nursery.wait(self._server.process)
        self._server = None

    def ask(self, path: str) -> tuple[int, str]:
        """Return the server's answer to a member of the staff: status and text."""
        status, said = self.server.ask("GET", path)
        if status is None:  # a busy machine can take longer than the client waits
            status, said = self.server.ask("GET", path)
        assert status is not None, f"the server does not answer to {path}"
        assert status < 500, (path, said)
        return status, said.decode()

    def _program(self, act: Act, name: str, reason: str | None) -> Ended:
        query = "" if reason is None else f"?{urlencode({'reason': reason})}"
        path = f"/api/tournaments/{self.tournament}/commands{query}"
        headers = {"idempotency-key": name, "content-type": "application/json"}
        status, said = self.server.ask("POST", path, json.dumps({"kind": act.kind, **act.fields}), headers)
        return _by_status(status, said, done=200)

    def _desk(self, act: Act, name: str, reason: str | None) -> Ended:
        form = {"id": name, "page": "slips", "confirmed": "yes", "reason": reason or "", **act.form()}
        body = urlencode(form, doseq=True)
        status, said = self.server.ask("POST", f"/t/{self.tournament}/desk/do", body, FORM)
        return _by_status(status, said, done=303)

    def _server_killed(self, act: Act, name: str, reason: str | None) -> Ended:
        server = self.server
        timer = threading.Timer(self.chance.uniform(0, 0.03), os.kill, (server.process, signal.SIGKILL))
        timer.start()
        ended = (self._program if self.chance.random() < 0.5 else self._desk)(act, name, reason)
        timer.join()
        self.kills += 1
        self._kill_server()
        return ended


def _by_code(code: int, said: str) -> Ended:
    assert code in (DONE, BAD_INPUT, REFUSED, CONFLICT), (code, said)
    # A slip that was recorded before makes no new entry.
    recorded = code == DONE and "the same slip is there already" not in said
    return Ended("done") if recorded else Ended("refused", said)


def _by_status(status: int | None, said: bytes, *, done: int) -> Ended:
    if status is None:
        return Ended("unknown")
    text = said.decode()
    assert status < 500, text
    if problem := re.search(r'class="problem[^>]*>(.*?)</', text, re.DOTALL):
        text = problem[1]
    return Ended("done") if status == done else Ended("refused", text)


def _desk_key(said: Path) -> str:
    """Return the key that a server prints at its start."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        lines = said.read_text("utf-8").splitlines(keepends=True) if said.exists() else []
        for line in lines:
            if line.startswith("Desk: ") and line.endswith("\n"):
                return line.rpartition("#")[2].strip()
        time.sleep(0.02)
    raise AssertionError(f"the server does not start: {said}")


def answered(text: str) -> Any:
    """Return the JSON document that was printed or sent."""
    return json.loads(text)
