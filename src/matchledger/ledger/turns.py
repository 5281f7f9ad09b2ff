"""Turns: the stations of one ledger write one after the other, instead of all at once.

A station with more to record goes on for a few milliseconds, because a change of stations takes as long as a slip.
Correctness does not depend on turns: the store's transactions keep a log whole.

In SQLite, a waiting program pauses longer and longer between its tries, so that a busy program always comes first.
With turns, the stations of one user wait in a queue, and the operating system wakes the next station. The first
station in the queue reads the entries of the others while it waits, so that it has little to read in its turn. A
station continues without its turn if the wait is too long.
"""

from __future__ import annotations

import os
import struct
import sys
import time
from _thread import LockType, allocate_lock, start_new_thread
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from uuid import UUID

if sys.platform != "win32":
    import fcntl

_OPENING = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC if sys.platform == "linux" else 0

LONGEST_SECONDS = 1.0
"""How long a station waits. A program that was stopped in its turn delays the others no longer than this."""


SLICE_SECONDS = 0.004
"""How long a station goes on while others wait. With 16 stations, each waits less than a tenth of a second."""

_IDLE_SECONDS = 0.001  # a station that records nothing for this long loses its turn to the next station
_TICKETS = 2**32  # after this many tickets, a queue counts from 0 again
_NUMBER = struct.Struct(">Q")


class Place(ABC):
    """One station's place in the queue of a tournament, and then its turn."""

    def __init__(self, tournament: UUID) -> None:
        self.tournament = tournament
        self.began = 0.0  # when this station's turn began, or 0 before the turn
        self.commands = 0
        self.is_left = False

    @abstractmethod
    def wait(self, meanwhile: Callable[[], object]) -> None:
        """Wait until the turn has come. A station that has to wait may call `meanwhile`."""

    def goes_on(self) -> bool:
        """Return whether the turn goes on after a command."""
        self.commands += 1
        return time.monotonic() - self.began <= SLICE_SECONDS

    def leave(self) -> None:
        """Let in the next station."""
        self.is_left = True


class Turns:
    """The turns of one station at the tournaments of a ledger. `new` makes a place in a queue, or returns None
    where stations take no turns.
    """

    def __init__(self, new: Callable[[UUID], Place | None]) -> None:
        self._new = new
        self._kept: Place | None = None  # a place whose turn goes on after the command
        self._change = allocate_lock()

    @contextmanager
    def turn(self, tournament: UUID, meanwhile: Callable[[], object]) -> Iterator[bool]:
        """Wait until the other stations have finished at this tournament. At the end of the block, let the next
        station in, soon.

        Yield whether the turn goes on from this station's last command. If this station has to wait, it may call
        `meanwhile`.
        """
        place = self._taken(tournament) or self._new(tournament)
        if place is None:
            yield False
            return
        try:
            if not place.commands:
                place.wait(meanwhile)
            yield place.commands > 0
        except BaseException:
            place.leave()
            raise
        if place.goes_on():
            self._keep(place)
        else:
            place.leave()

    def _taken(self, tournament: UUID) -> Place | None:
        """Return the place that this ledger kept after its last turn, if that place is in this tournament's queue.
        Leave a place in another queue, and return None.
        """
        with self._change:
            place, self._kept = self._kept, None
        if place is None or place.tournament == tournament:
            return place
        place.leave()
        return None

    def _keep(self, place: Place) -> None:
        with self._change:
            other, self._kept = self._kept, place
        if other is not None:  # this turn began within the turn at another tournament
            other.leave()
        if place.commands == 1:
            start_new_thread(self._leave_idle, (place,))

    def _leave_idle(self, place: Place) -> None:
        """Leave a kept place as soon as its station has had nothing to record for a while."""
        while not place.is_left:
            commands = place.commands
            time.sleep(_IDLE_SECONDS)
            with self._change:
                is_idle = self._kept is place and place.commands == commands
                if is_idle:
                    self._kept = None
            if is_idle:
                place.leave()


class Tickets:
    """The queues at the tournaments of one file. A file in the user's folder has the last ticket of each queue."""

    def __init__(self, ledger: Path, locks: Path) -> None:
        self._ledger = os.path.realpath(ledger)
        self._locks = locks

    def place(self, tournament: UUID) -> Place | None:
        """Return a place at the end of a queue, or None if this system or this user has no queues."""
        if sys.platform != "linux":
            return None
        queue = self._queue(tournament)
        with suppress(OSError):
            try:
                return _Ticket(tournament, os.open(self._locks, _OPENING, 0o600), queue)
            except FileNotFoundError:  # this user has not waited for a turn before
                self._locks.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                return _Ticket(tournament, os.open(self._locks, _OPENING, 0o600), queue)
        return None

    def _queue(self, tournament: UUID) -> int:
        name = f"{self._ledger}\0{tournament}".encode(errors="surrogateescape")
        return int.from_bytes(blake2b(name, digest_size=2).digest(), "big")


class _Ticket(Place):
    """A place in the queue of a file. Its ticket is a locked byte. The station behind it waits for this byte.

    If a station gave up waiting, the place is left when its turn comes, so that the queue keeps its order.
    """

    def __init__(self, tournament: UUID, handle: int, queue: int) -> None:
        super().__init__(tournament)
        self._queue = queue
        self._handle = handle
        self._door = queue * (_TICKETS + 1)  # the lock on this byte is held while a ticket is drawn
        self._ticket: int | None = None
        self._change = allocate_lock()
        self._given_up = False

    def wait(self, meanwhile: Callable[[], object]) -> None:
        """Wait until the turn has come, or at most the longest time. The first station in the queue calls
        `meanwhile`.
        """
        deadline = time.monotonic() + LONGEST_SECONDS
        ticket = self._ticket = self._drawn(deadline)
        if ticket is not None and not self._lock(fcntl.F_RDLCK, self._byte(ticket - 1)):
            is_first, is_turn = allocate_lock(), allocate_lock()
            is_first.acquire()
            is_turn.acquire()
            # A Thread would wait until the new thread runs.
            start_new_thread(self._follow, (ticket, is_first, is_turn))
            came = False
            try:
                if is_first.acquire(timeout=max(0, deadline - time.monotonic())):
                    meanwhile()
                came = is_turn.acquire(timeout=max(0, deadline - time.monotonic()))
            finally:
                with self._change:
                    self._given_up = not came and not is_turn.acquire(blocking=False)
        self.began = time.monotonic()

    def goes_on(self) -> bool:
        """Return whether the turn goes on after a command: others wait, and the time is not over."""
        if not super().goes_on() or self._given_up or self._ticket is None:
            return False
        return self._last_ticket() != self._ticket

    def leave(self) -> None:
        super().leave()
        if not self._given_up:
            os.close(self._handle)  # the system releases the locks of a closed file

    def _drawn(self, deadline: float) -> int | None:
        """Draw the next ticket, and lock its byte. Return None if that is not possible."""
        while not self._lock(fcntl.F_WRLCK, self._door):  # a station holds this lock for microseconds
            if time.monotonic() > deadline:
                return None
            time.sleep(_IDLE_SECONDS / 10)
        try:
            ticket = self._last_ticket() + 1
            os.pwrite(self._handle, _NUMBER.pack(ticket), self._queue * _NUMBER.size)
            self._lock(fcntl.F_WRLCK, self._byte(ticket))
        except OSError:  # the disk is full
            return None
        finally:
            self._lock(fcntl.F_UNLCK, self._door)
        return ticket

    def _last_ticket(self) -> int:
        return int.from_bytes(os.pread(self._handle, _NUMBER.size, self._queue * _NUMBER.size), "big")

    def _follow(self, ticket: int, is_first: LockType, is_turn: LockType) -> None:
        self._lock(fcntl.F_RDLCK, self._byte(ticket - 2), wait=True)
        is_first.release()
        self._lock(fcntl.F_RDLCK, self._byte(ticket - 1), wait=True)
        with self._change:
            is_turn.release()
        if self._given_up:
            os.close(self._handle)

    def _byte(self, ticket: int) -> int:
        return self._door + 1 + ticket % _TICKETS

    def _lock(self, kind: int, byte: int, *, wait: bool = False) -> bool:
        how = fcntl.F_OFD_SETLKW if wait else fcntl.F_OFD_SETLK
        try:
            fcntl.fcntl(self._handle, how, struct.pack("hhqqi", kind, os.SEEK_SET, byte, 1, 0))
        except OSError:
            return wait  # this system has no such locks, so no station waits
        return True
