"""The office: the one place where the server touches the ledger, and where news of it goes out from.

A record is one mutable thing that grows with the log. So everything that reads it or writes to it runs on one
thread, in the order in which it was asked for; the loop that answers browsers never waits for a disk. Entries that
another process wrote are noticed by looking at the length of the log.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar
from uuid import UUID

from matchledger.ledger import Conflict, Ledger, LedgerError, open_ledger

Answer = TypeVar("Answer")


class Office:
    """A ledger that many people ask at once."""

    def __init__(self, location: str, *, watch_seconds: float) -> None:
        self._location = location
        self._watch_seconds = watch_seconds
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._ledger: Ledger | None = None
        self._positions: dict[UUID, int] = {}
        self._news: dict[UUID, asyncio.Event] = {}

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Office]:
        """Opens the ledger, and watches it until the office closes. Raises LedgerError."""
        loop = asyncio.get_running_loop()
        self._ledger = await loop.run_in_executor(self._thread, open_ledger, self._location)
        await self.look()
        watching = asyncio.create_task(self._watch())
        try:
            yield self
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
            await loop.run_in_executor(self._thread, self._ledger.close)
            self._thread.shutdown()

    async def ask(self, question: Callable[[Ledger], Answer]) -> Answer:
        """What the ledger answers. Questions are answered one after the other."""
        assert self._ledger is not None, "the office is not open"  # noqa: S101 - a mistake of ours alone
        return await asyncio.get_running_loop().run_in_executor(self._thread, question, self._ledger)

    async def ask_apart(self, question: Callable[[Ledger], Answer]) -> Answer:
        """What the ledger answers to something that takes long, read anew beside the one thread: slips go on."""

        def asked() -> Answer:
            with open_ledger(self._location) as ledger:
                return question(ledger)

        return await asyncio.to_thread(asked)

    async def tell(self, command: Callable[[Ledger], Answer]) -> Answer:
        """Carries out what may write to the ledger; whoever listens hears of it at once."""
        try:
            return await self.ask(command)
        finally:
            await self.look()

    @property
    def tournaments(self) -> list[UUID]:
        """The tournaments of the ledger, in the order in which they were opened."""
        return list(self._positions)

    def position(self, tournament: UUID) -> int | None:
        """How long a tournament's log was when it was last looked at; None where there is no such tournament."""
        return self._positions.get(tournament)

    async def next_position(self, tournament: UUID, after: int) -> int:
        """Waits until the log is not as long as it was, and says how long it is."""
        while (position := self._positions.get(tournament, 0)) == after:
            await self._news.setdefault(tournament, asyncio.Event()).wait()
        return position

    async def look(self) -> None:
        """Looks at how long every log is now."""
        for tournament, position in (await self.ask(_lengths)).items():
            if self._positions.get(tournament) != position:
                self._positions[tournament] = position
                if event := self._news.pop(tournament, None):
                    event.set()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._watch_seconds)
            with contextlib.suppress(LedgerError, Conflict):  # whoever asks next is told what is wrong
                await self.look()


def _lengths(ledger: Ledger) -> dict[UUID, int]:
    return {tournament: ledger.head(tournament).size for tournament in ledger.tournaments()}
