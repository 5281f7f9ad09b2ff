"""Turns: the stations of one ledger file write one after the other, instead of all at once.

In SQLite, a waiting program pauses longer and longer between its tries, so that a busy program always comes first.
With turns, the stations of one user wait in a queue, and the operating system wakes the next station. Correctness
does not depend on turns: the store's transactions keep a log whole, and a station continues without its turn if the
wait is too long.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from threading import Event, Lock, Thread
from uuid import UUID

_OPENING = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC if sys.platform == "linux" else 0

LONGEST_SECONDS = 1.0
"""How long a station waits. A program that was stopped in its turn delays the others no longer than this."""


class Turns:
    """The turns at the tournaments of one file. A turn is a lock on one byte of a file in the user's folder."""

    def __init__(self, ledger: Path, locks: Path) -> None:
        self._ledger = os.path.realpath(ledger)
        self._locks = locks

    @contextmanager
    def turn(self, tournament: UUID) -> Iterator[None]:
        """Wait until the other stations have finished at this tournament. At the end of the block, let the next
        station in.
        """
        handle = self._opened()
        held = handle is None or _Wait(handle, self._byte(tournament)).is_over()
        try:
            yield
        finally:
            if handle is not None and held:
                os.close(handle)  # the system releases the lock of a closed file

    def _opened(self) -> int | None:
        if sys.platform != "linux":
            return None
        with suppress(OSError):
            try:
                return os.open(self._locks, _OPENING, 0o600)
            except FileNotFoundError:  # this user has not waited for a turn before
                self._locks.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                return os.open(self._locks, _OPENING, 0o600)
        return None

    def _byte(self, tournament: UUID) -> int:
        name = f"{self._ledger}\0{tournament}".encode(errors="surrogateescape")
        return int.from_bytes(blake2b(name, digest_size=7).digest(), "big")


class _Wait:
    """One station's wait for the lock on a byte. If the station gave up, the lock file is closed as soon as the
    lock comes.
    """

    def __init__(self, handle: int, byte: int) -> None:
        self._handle = handle
        self._byte = byte
        self._came = Event()
        self._ending = Lock()
        self._given_up = False

    def is_over(self) -> bool:
        """Return whether the turn came in time."""
        if self._lock(wait=False):
            return True
        Thread(target=self._hold, name="turn", daemon=True).start()
        if self._came.wait(LONGEST_SECONDS):
            return True
        with self._ending:
            self._given_up = not self._came.is_set()
        return not self._given_up

    def _hold(self) -> None:
        self._lock(wait=True)
        with self._ending:
            if self._given_up:
                os.close(self._handle)
            else:
                self._came.set()

    def _lock(self, *, wait: bool) -> bool:
        import fcntl  # noqa: PLC0415 - Windows lacks it

        how = fcntl.F_OFD_SETLKW if wait else fcntl.F_OFD_SETLK
        try:
            fcntl.fcntl(self._handle, how, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, self._byte, 1, 0))
        except OSError:
            return wait  # this system has no such locks, so no station waits
        return True
