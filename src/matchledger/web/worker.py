"""Workers: threads that answer questions about the ledger one after the other, urgent questions first."""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from enum import IntEnum
from itertools import count
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from matchledger.ledger import Ledger, open_ledger
from matchledger_projections.message import sentence

Answer = TypeVar("Answer")

MOST_WAITING = 200  # how many questions from strangers may wait for one worker
MOST_TOGETHER = 64  # how many commands one transaction records
MOST_COSTLY = 30  # how many questions from one address may wait for pages that are never cached


class Rank(IntEnum):
    """The urgency of a question: recording first, then the staff, the pages of the hall, and searches."""

    RECORD = 0
    STAFF = 1
    HALL = 2
    COSTLY = 3


class TooBusy(Exception):
    """Too many questions wait for an answer."""

    def __init__(self) -> None:
        super().__init__(sentence("too many requests at once: wait a few seconds, then try again"))


class _Question(NamedTuple):
    """A waiting question. The question with the lowest `rank` comes first, and within a rank the question with the
    lowest `number`.

    `together` is the tournament whose slips one transaction records. `together` is None for every other question.
    Several `quick` questions share one trip to the thread.
    """

    rank: Rank
    number: int
    text: Callable[[Ledger], Any]
    answer: asyncio.Future[Any]
    together: UUID | None
    quick: bool


class Worker:
    """One thread with its own ledger. The worker skips a question if no request waits for the answer any more."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._ledger: Ledger | None = None
        self._numbers = count()
        self._queue: list[_Question] = []
        self._waiting: Counter[Rank] = Counter()
        self._costly: Counter[str] = Counter()
        self._working: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def open(self, location: str) -> AsyncIterator[Worker]:
        """Open the ledger on the worker's own thread. Raises LedgerError."""
        loop = asyncio.get_running_loop()
        self._ledger = await loop.run_in_executor(self._thread, open_ledger, location)
        try:
            yield self
        finally:
            if self._working is not None:
                await asyncio.wait([self._working])
            await loop.run_in_executor(self._thread, self._ledger.close)
            self._thread.shutdown()

    def has_read(self, tournament: UUID) -> bool:
        """Return whether this worker has the record of a tournament or is reading it."""
        return self._ledger is not None and self._ledger.has_read(tournament)

    async def ask(
        self,
        question: Callable[[Ledger], Answer],
        rank: Rank,
        address: str = "",
        *,
        together: UUID | None = None,
        quick: bool = False,
    ) -> Answer:
        """Return the ledger's answer.

        Raises TooBusy for a stranger if too many questions wait.

        `address` is the address of the visitor who asks a question that costs much time. Questions that wait
        `together` record in one transaction of that tournament. If that transaction fails, the worker asks each
        question again by itself. Waiting `quick` questions are answered in one trip to the thread, because the trip
        takes longer than the answers.
        """
        is_stranger = rank >= Rank.HALL
        if is_stranger and self._waiting[rank] >= MOST_WAITING:
            raise TooBusy
        if rank is Rank.COSTLY and self._costly[address] >= MOST_COSTLY:
            raise TooBusy
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, _Question(rank, next(self._numbers), question, answer, together, quick))
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
            asked = [heapq.heappop(self._queue)]
            while self._queue and _go_together(asked[0], self._queue[0]) and len(asked) < MOST_TOGETHER:
                asked.append(heapq.heappop(self._queue))
            # Drop questions whose requests were cancelled.
            asked = [one for one in asked if not one.answer.done()]
            if not asked:
                continue
            answers = await loop.run_in_executor(self._thread, _answers, asked, self._ledger)
            for one, found in zip(asked, answers, strict=True):
                if one.answer.done():
                    continue
                if isinstance(found, Exception):
                    one.answer.set_exception(found)
                else:
                    one.answer.set_result(found)
        self._working = None


def _go_together(one: _Question, other: _Question) -> bool:
    if one.together is None:
        return one.quick and other.quick
    return one.together == other.together


def _answers(asked: Sequence[_Question], ledger: Ledger) -> list[Any]:
    """Return the answers to some questions. The answer to a question that fails is the exception."""
    if (tournament := asked[0].together) is not None:
        try:
            with ledger.together(tournament):
                found = [_answer(one, ledger) for one in asked]
        except Exception:  # noqa: BLE001, S110 - nothing was recorded, and each question by itself meets the problem
            pass
        else:
            return found
    return [_answer(one, ledger) for one in asked]


def _answer(one: _Question, ledger: Ledger) -> Any:
    try:
        return one.text(ledger)
    except Exception as problem:  # noqa: BLE001 - raised where the question was asked
        return problem
