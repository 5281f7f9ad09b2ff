"""The page cache: a page is made once, and all requests that wait for it get it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

import pytest

from matchledger.ledger import Ledger, LedgerError
from matchledger.web.cache import PageCache
from matchledger.web.office import Office

TOURNAMENT = UUID(int=1)
PHONES = 100
LENGTH = 10


class SlowOffice:
    """An office whose ledger answers only when the test lets it. The office is also its own ledger, with one log of
    ten entries.
    """

    def __init__(self) -> None:
        self.let = asyncio.Event()
        self.asked = 0

    async def show(self, question: Callable[[Ledger], Any], *_: object) -> Any:
        self.asked += 1
        await self.let.wait()
        return question(cast(Ledger, self))

    def record(self, _: UUID) -> Any:
        return SimpleNamespace(position=LENGTH, every=lambda _: ())

    def position(self, _: UUID) -> int:
        return LENGTH


def _cache(office: SlowOffice) -> PageCache:
    return PageCache(cast(Office, office))


def _page(cache: PageCache, render: Callable[[Ledger], str]) -> asyncio.Task[Any]:
    return asyncio.ensure_future(cache.page(TOURNAMENT, "page", render, version=lambda _: None))


def test_all_waiting_requests_for_a_page_are_answered_at_once() -> None:
    async def hall() -> None:
        office = SlowOffice()
        cache = _cache(office)
        waiting = [_page(cache, lambda _: "the pairings") for _ in range(PHONES)]
        await asyncio.sleep(0)
        office.let.set()
        await waiting[0]
        assert all(one.done() for one in waiting)
        assert {one.result().body for one in waiting} == {b"the pairings"}
        assert office.asked == 1

    asyncio.run(hall())


def test_a_visitor_who_leaves_stops_no_page_for_others() -> None:
    async def hall() -> None:
        office = SlowOffice()
        cache = _cache(office)
        impatient, patient = (_page(cache, lambda _: "the pairings") for _ in range(2))
        await asyncio.sleep(0)
        impatient.cancel()
        await asyncio.sleep(0)
        office.let.set()
        assert (await patient).body == b"the pairings"
        assert office.asked == 1

    asyncio.run(hall())


def test_a_page_that_failed_is_made_again_for_the_next_request() -> None:
    async def hall() -> None:
        office = SlowOffice()
        office.let.set()
        cache = _cache(office)

        def cannot(_: Ledger) -> str:
            raise LedgerError("the ledger is not to be read")

        for _ in range(2):
            with pytest.raises(LedgerError):
                await _page(cache, cannot)
        assert (await _page(cache, lambda _: "the pairings")).body == b"the pairings"
        assert office.asked == 3

    asyncio.run(hall())
