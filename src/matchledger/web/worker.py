"""Workers: threads that answer questions about the ledger one after the other, the urgent ones first."""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from enum import IntEnum
from itertools import count
from typing import Any, TypeVar

from matchledger.ledger import Ledger, open_ledger
from matchledger_projections.message import sentence

Answer = TypeVar("Answer")

MOST_WAITING = 200  # waiting questions of strangers for one worker
MOST_COSTLY = 30  # those of one address that are never cached


class Rank(IntEnum):
    """The urgency of a question: recording first, then the staff, the pages of the hall, and searches."""

    RECORD = 0
    STAFF = 1
    HALL = 2
    COSTLY = 3


class TooBusy(Exception):
    """More questions wait than can be answered in reasonable time."""

    def __init__(self) -> None:
        super().__init__(sentence("too many people ask at once: wait a few seconds, then try again"))


class Worker:
    """One thread with its own ledger. It skips a question that no request waits for any more."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._ledger: Ledger | None = None
        self._numbers = count()
        self._queue: list[tuple[Rank, int, Callable[[Ledger], Any], asyncio.Future[Any]]] = []
        self._waiting: Counter[Rank] = Counter()
        self._costly: Counter[str] = Counter()
        self._working: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self, location: str) -> AsyncIterator[Worker]:
        """Open the ledger on the thread of the worker. Raises LedgerError."""
        loop = asyncio.get_running_loop()
        self._ledger = await loop.run_in_executor(self._thread, open_ledger, location)
        try:
            yield self
        finally:
            if self._working is not None:
                await asyncio.wait([self._working])
            await loop.run_in_executor(self._thread, self._ledger.close)
            self._thread.shutdown()

    async def ask(self, question: Callable[[Ledger], Answer], rank: Rank, address: str = "") -> Answer:
        """Return the ledger's answer.

        Raises TooBusy for a stranger when too many wait.

        `address` is the sender of a costly question.
        """
        is_stranger = rank >= Rank.HALL
        if is_stranger and self._waiting[rank] >= MOST_WAITING:
            raise TooBusy
        if rank is Rank.COSTLY and self._costly[address] >= MOST_COSTLY:
            raise TooBusy
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (rank, next(self._numbers), question, answer))
        self._waiting[rank] += 1
        self._costly[address] += rank is Rank.COSTLY
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        try:
            return await answer
        finally:
            self._waiting[rank] -= 1
            self._costly[address] -= rank is Rank.COSTLY
            if not self._costly[address]:
                del self._costly[address]

    async def _work(self) -> None:
        assert self._ledger is not None, "the office is not open"  # noqa: S101 - only after a mistake of ours
        loop = asyncio.get_running_loop()
        while self._queue:
            _, _, question, answer = heapq.heappop(self._queue)
            if answer.done():  # the sender has gone away
                continue
            try:
                found = await loop.run_in_executor(self._thread, question, self._ledger)
            except Exception as problem:  # noqa: BLE001 - raised where the question was asked
                if not answer.done():
                    answer.set_exception(problem)
            else:
                if not answer.done():
                    answer.set_result(found)
        self._working = None
