"""Pages for many readers: a page is rendered once per change, and never sent twice to the same browser."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import Response

from matchledger.ledger import Ledger
from matchledger.web.office import Office
from matchledger.web.worker import Rank
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record

KEPT = 100_000_000  # bytes of pages to keep: a large event's page has half a megabyte, most have a few kilobytes
HTML = "text/html; charset=utf-8"

# A page's version: the server renders the page again when this value changes. A version with fewer parts changes
# less often.
Version = Callable[[Record], Hashable]


def every_entry(record: Record) -> Hashable:
    """Return the version of a page that may change with any entry."""
    return record.position


_Key = tuple[UUID, Hashable]
RawHeaders = list[tuple[bytes, bytes]]


@dataclass(slots=True)
class Rendered:
    """A rendered page: its bytes, plain and compressed, and its tag."""

    body: bytes
    media_type: str
    packed: bytes = field(init=False)
    tag: str = field(init=False)

    def __post_init__(self) -> None:
        self.packed = gzip.compress(self.body, compresslevel=6, mtime=0)
        self.tag = f'W/"{blake2b(self.body, digest_size=12).hexdigest()}"'

    @property
    def size(self) -> int:
        """Return the number of bytes of all cached pages."""
        return len(self.body) + len(self.packed)

    def answer(self, request: Request) -> Response:
        """Return the page, or 304 for a browser that has it."""
        asked = (request.headers.get(name, "").encode("latin-1") for name in ("if-none-match", "accept-encoding"))
        status, headers, body = self.message(*asked)
        answer = Response(body, status)
        answer.raw_headers = list(headers)
        return answer

    def message(self, known: bytes, encodings: bytes) -> tuple[int, RawHeaders, bytes]:
        """Return the answer as status, headers and body. `known` are the browser's tags."""
        tag = self.tag.encode()
        if tag == known or tag in (one.strip() for one in known.split(b",")):
            return 304, self._headers, b""
        body, coding = (self.packed, (b"content-encoding", b"gzip")) if b"gzip" in encodings else (self.body, None)
        about = [(b"content-type", self.media_type.encode()), (b"content-length", b"%d" % len(body))]
        return 200, [*self._headers, *about, *([coding] if coding else ())], body

    @property
    def _headers(self) -> RawHeaders:
        return [
            (b"etag", self.tag.encode()),
            (b"cache-control", b"no-cache"),
            (b"vary", b"Accept-Encoding, Accept-Language, Authorization, Cookie"),
        ]


@dataclass(slots=True)
class _Kept:
    """A cached page, and the last position of the log at which the page was up to date."""

    position: int
    version: Hashable
    page: Rendered
    erased: int  # the number of erased players when the page was made


@dataclass(slots=True)
class _Making:
    """A page that is being made, and the number of requests that wait for the page."""

    task: asyncio.Task[None]
    waiting: int = 0


class PageCache:
    """A cache of pages, by tournament and name. A missing page is rendered once, for any number of requests."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._pages: OrderedDict[_Key, _Kept] = OrderedDict()
        self._making: dict[_Key, _Making] = {}
        self._erased: dict[UUID, int] = {}
        self._size = 0

    async def page(
        self,
        tournament: UUID,
        name: Hashable,
        render: Callable[[Ledger], str],
        *,
        version: Version = every_entry,
        media_type: str = HTML,
        rank: Rank = Rank.HALL,
        address: str = "",
    ) -> Rendered:
        """Return the current page. `render` runs on the thread of the ledger, and only if `version` has changed.

        `name` includes all values besides the log on which the page depends, such as the language. `rank` and
        `address` belong to the sender. Raises TooBusy.
        """
        key = tournament, name
        wanted = self._office.position(tournament) or 0
        while (kept := self._pages.get(key)) is None or kept.position < wanted:
            await self._made(key, lambda: self._make(key, render, version, media_type, rank, address))
        self._pages.move_to_end(key)
        return kept.page

    async def _made(self, key: _Key, make: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Wait until a page is ready.

        The first request renders the page.

        All waiting requests continue at the same time. With a lock, each request would wait for all earlier
        requests, even after the page is ready. If no request waits for the page any more, its rendering is
        cancelled.
        """
        if (making := self._making.get(key)) is None:
            making = self._making[key] = _Making(asyncio.create_task(make()))
        making.waiting += 1
        try:
            await asyncio.shield(making.task)
        finally:
            making.waiting -= 1
            if not making.waiting and self._making.get(key) is making:
                del self._making[key]
                making.task.cancel()

    async def _make(
        self,
        key: _Key,
        render: Callable[[Ledger], str],
        version: Version,
        media_type: str,
        rank: Rank,
        address: str,
    ) -> None:
        old = self._pages.get(key)
        kept = await self._office.show(
            lambda ledger: _brought_up(ledger, key[0], old, render, version, media_type), rank, address
        )
        self._keep(key, kept)

    def _keep(self, key: _Key, kept: _Kept) -> None:
        # Any cached page may contain the erased name.
        if self._pages and kept.erased != self._erased.get(key[0], 0):
            for other in [other for other in self._pages if other[0] == key[0]]:
                self._size -= self._pages.pop(other).page.size
        self._erased[key[0]] = kept.erased
        if (old := self._pages.pop(key, None)) is not None:
            self._size -= old.page.size
        self._pages[key] = kept
        self._size += kept.page.size
        while self._size > KEPT and len(self._pages) > 1:
            _, dropped = self._pages.popitem(last=False)
            self._size -= dropped.page.size


def _brought_up(
    ledger: Ledger,
    tournament: UUID,
    old: _Kept | None,
    render: Callable[[Ledger], str],
    version: Version,
    media_type: str,
) -> _Kept:
    record = ledger.record(tournament)
    now, forgotten = version(record), len(erased(record))
    if old is not None and old.version == now:
        return _Kept(record.position, now, old.page, forgotten)
    return _Kept(record.position, now, Rendered(render(ledger).encode(), media_type), forgotten)
