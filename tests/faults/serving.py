"""A server that tests can kill: a process that runs `serve`, and requests to it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

import uvicorn  # noqa: F401 - loaded before the fork, so that a kill hits the work and not the imports
from tests.benchmarks.serving import free_port
from tests.faults.station import command_of

import matchledger.web.app  # noqa: F401 - as above
from matchledger.cli import run

PATIENCE = 30  # seconds
FORM = {"content-type": "application/x-www-form-urlencoded"}


@dataclass(slots=True)
class Server:
    """A process that runs `serve`, with the key of its desk."""

    process: int
    port: int
    key: str

    @classmethod
    def start(cls, place: str) -> Server:
        """Fork the server after everything is loaded. Return when the server answers."""
        port = free_port()
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            # Python warns about a fork with threads, but the child needs no thread of its parent.
            warnings.simplefilter("ignore", DeprecationWarning)
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
        """Enter a slip, as a program or with the form of the desk. Return whether the slip was acknowledged."""
        return self.command(tournament, command_of(table), kind="report-slip", table=table, outcome="a")

    def command(self, tournament: UUID, name: str, **given: object) -> bool:
        """Execute a command, as a program or with the form of the desk.

        Return whether the command was acknowledged.

        Corrections are always sent as a program sends them, because the form asks to confirm a preview.
        """
        if sum(name.encode()) % 2 or given["kind"] == "correct-slip":
            headers = {"idempotency-key": name, "content-type": "application/json"}
            status, said = self.ask("POST", f"/api/tournaments/{tournament}/commands", json.dumps(given), headers)
            assert status in (None, 200), said
        else:
            form = {"id": name, "page": "slips", **given}
            status, said = self.ask("POST", f"/t/{tournament}/desk/do", urlencode(form), FORM)
            assert status in (None, 303), said
        return status is not None

    def ask(
        self, method: str, path: str, body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int | None, bytes]:
        """Return the status and the body of an answer to the desk's key. Return None if the server is dead."""
        keys = {"authorization": f"Bearer {self.key}"} if "/api/" in path else {"cookie": f"matchledger={self.key}"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {**keys, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return None, b""
        finally:
            connection.close()

    def kill_in(self, seconds: float) -> None:
        threading.Timer(seconds, os.kill, (self.process, signal.SIGKILL)).start()

    def end(self) -> None:
        os.waitpid(self.process, 0)
