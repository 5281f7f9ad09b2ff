"""The office: the one place where the server touches the ledger, and where news of it goes out from.

A record is one mutable thing that grows with the log. So whatever reads it runs on one thread, one question after
the other. There are two such threads, each with a ledger of its own: one for the desk, which records, and one for
the hall, which reads. Nothing that a stranger asks for is ever done on the thread of the desk. Entries that another
process wrote are noticed by looking at the length of the log.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar
from uuid import UUID

from matchledger.ledger import Conflict, Ledger, LedgerError, open_ledger
from matchledger.web.worker import Rank, Worker

Answer = TypeVar("Answer")

TOLD_AT_ONCE, PAUSE_SECONDS = 16, 0.002  # how many hear the news before the others go on


class Office:
    """A ledger that many people ask at once."""

    def __init__(self, location: str, *, watch_seconds: float) -> None:
        self._location = location
        self._watch_seconds = watch_seconds
        self._desk = Worker("desk")
        self._hall = Worker("hall")
        self._apart = {True: Worker("apart"), False: Worker("hall-apart")}
        self._positions: dict[UUID, int] = {}
        self._news: dict[UUID, asyncio.Event] = {}
        self._following: set[asyncio.Task[None]] = set()
        self._told = asyncio.Semaphore(TOLD_AT_ONCE)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Office]:
        """Opens the ledger, and watches it until the office closes. Raises LedgerError."""
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
        """What the ledger answers to somebody at the desk. Questions are answered one after the other."""
        return await self._desk.ask(question, Rank.STAFF)

    async def show(self, question: Callable[[Ledger], Answer], rank: Rank = Rank.HALL, address: str = "") -> Answer:
        """What the ledger answers to the hall, on a thread of its own: slips go on. Raises TooBusy."""
        return await self._hall.ask(question, rank, address)

    async def ask_apart(
        self, question: Callable[[Ledger], Answer], *, staff: bool = True, address: str = ""
    ) -> Answer:
        """What the ledger answers to something that takes long, read anew beside the others: slips go on.

        Strangers wait for each other, and the staff does not wait for them. Raises TooBusy.
        """

        def asked(_: Ledger) -> Answer:
            with open_ledger(self._location) as ledger:
                return question(ledger)

        return await self._apart[staff].ask(asked, Rank.STAFF if staff else Rank.COSTLY, address)

    async def tell(self, command: Callable[[Ledger], Answer], rank: Rank = Rank.RECORD) -> Answer:
        """Carries out what may write to the ledger; whoever listens hears of it at once."""
        outcome: Future[Answer] = Future()

        def carry(ledger: Ledger) -> Mapping[UUID, int]:
            try:
                outcome.set_result(command(ledger))
            except Exception as problem:  # noqa: BLE001 - it is raised below
                outcome.set_exception(problem)
            with contextlib.suppress(LedgerError, Conflict):  # what was recorded is recorded
                return _lengths(ledger)
            return {}

        self._note(await self._desk.ask(carry, rank))
        return outcome.result()

    @property
    def tournaments(self) -> list[UUID]:
        """The tournaments of the ledger, in the order in which they were opened."""
        return list(self._positions)

    def position(self, tournament: UUID) -> int | None:
        """How long a tournament's log was when it was last looked at; None where there is no such tournament."""
        return self._positions.get(tournament)

    async def next_position(self, tournament: UUID, after: int) -> int:
        """Waits until the log is not as long as it was, and says how long it is.

        Of thousands who wait a few are told at a time: meanwhile slips go on.
        """
        while self._positions.get(tournament, 0) == after:
            await self._news.setdefault(tournament, asyncio.Event()).wait()
        async with self._told:
            await asyncio.sleep(PAUSE_SECONDS)
        return self._positions[tournament]

    async def look(self, rank: Rank = Rank.STAFF) -> None:
        """Looks at how long every log is now."""
        self._note(await self._hall.ask(_lengths, rank))

    def _note(self, lengths: Mapping[UUID, int]) -> None:
        for tournament, position in lengths.items():
            if self._positions.get(tournament, 0) >= position:
                continue
            self._positions[tournament] = position
            if event := self._news.pop(tournament, None):
                event.set()
            following = asyncio.create_task(self._follow(tournament))
            self._following.add(following)
            following.add_done_callback(self._following.discard)

    async def _follow(self, tournament: UUID) -> None:
        """Read what is new on the other thread too: nobody waits for it there, and no name of the erased stays."""
        for worker in (self._desk, self._hall):
            with contextlib.suppress(Exception):  # whoever asks next is told what is wrong
                await worker.ask(lambda ledger: ledger.record(tournament).position, Rank.STAFF)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._watch_seconds)
            with contextlib.suppress(LedgerError, Conflict):  # whoever asks next is told what is wrong
                await self.look()


def _lengths(ledger: Ledger) -> Mapping[UUID, int]:
    return {tournament: ledger.head(tournament).size for tournament in ledger.tournaments()}
