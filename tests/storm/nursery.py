"""A nursery: a process that is forked before a ledger is opened, and that forks a process for each command of a
storm.

An open SQLite connection does not survive a fork. The storm itself keeps ledgers open, so it cannot fork.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import warnings
from pathlib import Path
from typing import Any

import uvicorn  # noqa: F401 - loaded before the fork, so that a kill falls into the work and not into the imports

import matchledger.web.app  # noqa: F401 - as above
from matchledger.cli import run


class Nursery:
    """Starts command lines as separate processes. At the end of a storm, the nursery kills the processes that
    still run.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with warnings.catch_warnings():
            # Python warns about a fork with threads, but the child needs no thread of its parent.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = os.fork()
        if self._process == 0:
            ours.close()
            with contextlib.suppress(BaseException):
                _tend(theirs)
            os._exit(0)
        theirs.close()
        self._pipe = ours.makefile("rw", encoding="utf-8")
        ours.close()

    def start(self, words: list[str], said: Path) -> int:
        """Start a command line that writes its output to a file, and return its process id."""
        return int(self._ask({"run": words, "said": str(said)}))

    def wait(self, process: int) -> int:
        """Return the exit code of a process. The exit code is negative after a signal."""
        return int(self._ask({"wait": process}))

    def close(self) -> None:
        self._pipe.close()
        os.waitpid(self._process, 0)

    def _ask(self, asked: dict[str, Any]) -> Any:
        self._pipe.write(f"{json.dumps(asked)}\n")
        self._pipe.flush()
        return json.loads(self._pipe.readline())


def _tend(pipe: socket.socket) -> None:
    """Fork for each request that comes in, and wait."""
    living: set[int] = set()
    with pipe.makefile("rw", encoding="utf-8") as asked:
        while line := asked.readline():
            wanted = json.loads(line)
            if "wait" in wanted:
                answer = os.waitstatus_to_exitcode(os.waitpid(wanted["wait"], 0)[1])
                living.discard(wanted["wait"])
            else:
                answer = os.fork()
                if answer == 0:
                    _run(wanted["run"], wanted["said"])
                living.add(answer)
            asked.write(f"{answer}\n")
            asked.flush()
    for process in living:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _run(words: list[str], said: str) -> None:
    code = 1
    with contextlib.suppress(BaseException):
        file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, 1)
        os.dup2(file, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w", buffering=1), os.fdopen(2, "w", buffering=1)
        code = run(words)
    os._exit(code)
