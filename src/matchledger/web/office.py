"""The office: the only place where the server touches the ledger, and the source of news about the ledger.

A record is one object that grows with the log. Therefore all functions that read a record run on one thread, one
question after the other. Two threads do this work, each with its own ledger: the desk's thread records, and the
hall's thread only reads. A stranger's request never runs on the thread of the desk. The length of the log shows
whether another process has written entries.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar
from uuid import UUID

from matchledger.ledger import Conflict, Ledger, LedgerError, open_ledger
from matchledger.web.worker import Rank, Worker

Answer = TypeVar("Answer")

READ_AHEAD = 16  # the most tournaments that a server reads before anyone asks for them
TOLD_AT_ONCE, PAUSE_SECONDS = 16, 0.002  # how many listeners get the news before a pause


class Office:
    """A ledger with many simultaneous readers."""

    def __init__(
        self, location: str, *, watch_seconds: float, noticed: Callable[[Ledger, UUID], None] | None = None
    ) -> None:
        """`noticed` is called on the thread of the desk after a tournament has new entries."""
        self._location = location
        self._watch_seconds = watch_seconds
        self._noticed = noticed
        self._desk = Worker("desk")
        self._hall = Worker("hall")
        self._apart = {True: Worker("apart"), False: Worker("hall-apart")}
        self._positions: dict[UUID, int] = {}
        self._changed: dict[UUID, float] = {}  # monotonic seconds
        self._news: dict[UUID, asyncio.Event] = {}
        self._unread: set[tuple[Worker, UUID]] = set()
        self._following: set[asyncio.Task[None]] = set()
        self._told = asyncio.Semaphore(TOLD_AT_ONCE)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Office]:
        """Open the ledger, and watch it until the office closes. Raises LedgerError."""
        async with AsyncExitStack() as opened:
            for worker in (self._desk, self._hall, *self._apart.values()):
                await opened.enter_async_context(worker.open(self._location))
            await self.look()
            watching = asyncio.create_task(self._watch())
            try:
                yield self
            finally:
                watching.cancel()
                await asyncio.wait([watching, *self._following])

    async def ask(self, question: Callable[[Ledger], Answer]) -> Answer:
        """Return the ledger's answer to a question from the desk. The thread of the desk answers questions one
        after the other.
        """
        return await self._desk.ask(question, Rank.STAFF)

    async def show(self, question: Callable[[Ledger], Answer], rank: Rank = Rank.HALL, address: str = "") -> Answer:
        """Return the ledger's answer to a question from the hall, on a separate thread so that slips are not
        delayed.

        Raises TooBusy.
        """
        return await self._hall.ask(question, rank, address)

    async def ask_apart(
        self, question: Callable[[Ledger], Answer], *, staff: bool = True, address: str = ""
    ) -> Answer:
        """Return the ledger's answer to a slow question, which opens the ledger separately, so that slips are not
        delayed.

        Strangers wait for each other, but the staff does not wait for strangers. Raises TooBusy.
        """

        def asked(_: Ledger) -> Answer:
            with open_ledger(self._location) as ledger:
                return question(ledger)

        return await self._apart[staff].ask(asked, Rank.STAFF if staff else Rank.COSTLY, address)

    async def tell(
        self,
        command: Callable[[Ledger], Answer],
        rank: Rank = Rank.RECORD,
        *,
        together: UUID | None = None,
        quick: bool = False,
    ) -> Answer:
        """Execute a function that may write to the ledger, and tell listeners about new entries at once.

        Functions that wait at the same time with the same `together` record in one transaction of that tournament.
        If recording failed, a function may be executed again. `quick` functions that wait at the same time share
        one trip to the thread.
        """

        def carry(ledger: Ledger) -> tuple[Mapping[UUID, int], Callable[[], Answer]]:
            outcome: Future[Answer] = Future()
            try:
                outcome.set_result(command(ledger))
                recorded = together is not None
            except Exception as problem:  # noqa: BLE001 - raised below
                outcome.set_exception(problem)
                recorded = False
            lengths = ledger.extended()
            if not recorded:  # another process may have recorded an entry, such as an erasure
                with contextlib.suppress(LedgerError, Conflict):
                    lengths = ledger.sizes()
            return lengths, outcome.result

        lengths, outcome = await self._desk.ask(carry, rank, together=together, quick=quick)
        self._note(lengths)
        return outcome()

    @property
    def tournaments(self) -> list[UUID]:
        """Return the tournaments of the ledger, in order of opening."""
        return list(self._positions)

    def position(self, tournament: UUID) -> int | None:
        """Return the last known length of a tournament's log. Return None for an unknown tournament."""
        return self._positions.get(tournament)

    def seconds_since_change(self, tournament: UUID) -> float:
        """Return how long ago the office learned of the latest entry of a tournament."""
        return time.monotonic() - self._changed.get(tournament, -math.inf)

    async def next_position(self, tournament: UUID, after: int) -> int:
        """Wait until the length of the log changes, and return the new length.

        Thousands may wait. Only a few listeners continue at a time, so that slips are not delayed.
        """
        while self._positions.get(tournament, 0) == after:
            await self._news.setdefault(tournament, asyncio.Event()).wait()
        async with self._told:
            await asyncio.sleep(PAUSE_SECONDS)
        return self._positions[tournament]

    async def look(self, rank: Rank = Rank.STAFF) -> None:
        """Read the current length of every log."""
        self._note(await self._hall.ask(Ledger.sizes, rank))

    def _note(self, lengths: Mapping[UUID, int]) -> None:
        for tournament, position in lengths.items():
            if self._positions.get(tournament, 0) >= position:
                continue
            self._positions[tournament] = position
            self._changed[tournament] = time.monotonic()
            if event := self._news.pop(tournament, None):
                event.set()
            for worker in (self._desk, self._hall):
                if (worker, tournament) in self._unread:
                    continue  # a waiting question will read these entries too
                if len(lengths) <= READ_AHEAD or worker.has_read(tournament):
                    self._unread.add((worker, tournament))
                    following = asyncio.create_task(self._follow(worker, tournament))
                    self._following.add(following)
                    following.add_done_callback(self._following.discard)

    async def _follow(self, worker: Worker, tournament: UUID) -> None:
        """Read new entries on each thread at once, so that no request waits for them, and no erased name stays in
        memory.
        """

        def read(ledger: Ledger) -> None:
            self._unread.discard((worker, tournament))
            ledger.record(tournament)
            if worker is self._desk and self._noticed is not None:
                self._noticed(ledger, tournament)

        with contextlib.suppress(Exception):  # the next request reports the error
            await worker.ask(read, Rank.STAFF)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._watch_seconds)
            with contextlib.suppress(LedgerError, Conflict):  # the next request reports the error
                await self.look()
