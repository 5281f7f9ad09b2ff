"""Patience: if a commit takes long, the user gets a message. One thread watches all commits of a ledger."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock, Thread

_LOOKS = 4  # how often the thread looks while a commit has its seconds


class Patience:
    """Calls `note` once for each commit that takes longer than some seconds.

    A separate thread for each commit would take a seventh of the time of recording a slip. The thread ends after a
    while without commits, and starts again with the next commit.
    """

    def __init__(self, seconds: float, note: Callable[[], object]) -> None:
        self._seconds = seconds
        self._note = note
        self._begun: dict[object, float] = {}  # when each waiting commit began
        self._busy = False  # whether a commit has begun since the last look
        self._watched = False
        self._change = Lock()

    def begin(self, commit: object) -> None:
        """Start to watch a commit."""
        with self._change:
            self._begun[commit] = time.monotonic()
            self._busy = True
            if not self._watched:
                self._watched = True
                Thread(target=self._watch, name="patience", daemon=True).start()

    def end(self, commit: object) -> None:
        """Stop watching a commit, if it is watched."""
        with self._change:
            self._begun.pop(commit, None)

    def _watch(self) -> None:
        idle = 0
        while True:
            time.sleep(self._seconds / _LOOKS)
            with self._change:
                idle = 0 if self._busy or self._begun else idle + 1
                self._busy = False
                if idle > _LOOKS:
                    self._watched = False
                    return
                now = time.monotonic()
                late = [commit for commit, begun in self._begun.items() if now - begun > self._seconds]
                for commit in late:
                    del self._begun[commit]
            for _ in late:
                self._note()
