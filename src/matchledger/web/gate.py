"""The gate: strangers are served a few at a time, so that a crowd never delays the desk."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from matchledger.text.translation import told
from matchledger.web.pages.asking import address_of, key_of
from matchledger.web.rendering import language_of
from matchledger.web.worker import MOST_COSTLY, TooBusy

AT_ONCE, COSTLY_AT_ONCE = 4, 2  # how many requests the server prepares at the same time
MOST_OF_THE_HALL = 10_000  # the most waiting requests: everybody asks when the pairings are posted
RETRY_SECONDS = "5"


class Gate:
    """Holds back the requests of strangers until their turn comes. A turn lasts until the answer begins."""

    def __init__(self, opens: Callable[[str], bool]) -> None:
        """Set up the gate. `opens` returns whether a key was valid before."""
        self._opens = opens
        self._hall = asyncio.Semaphore(AT_ONCE)
        self._costly = asyncio.Semaphore(COSTLY_AT_ONCE)
        self._waiting: Counter[str] = Counter()

    async def pass_(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request when its turn comes, or answer that too many requests wait."""
        request = Request(scope)
        key = key_of(request)
        if key and self._opens(key):
            await app(scope, receive, send)
            return
        is_costly = bool(scope["query_string"]) or scope["path"].startswith("/api/")
        lane, most = (self._costly, MOST_COSTLY) if is_costly else (self._hall, MOST_OF_THE_HALL)
        whose = address_of(request) if is_costly else ""
        if self._waiting[whose] >= most:
            await _too_busy(request)(scope, receive, send)
            return
        turn = _Turn(lane, send)
        self._waiting[whose] += 1
        try:
            await lane.acquire()
        finally:
            self._waiting[whose] -= 1
            if not self._waiting[whose]:
                del self._waiting[whose]
        try:
            await app(scope, receive, turn.send)
        finally:
            turn.end()


class _Turn:
    """A stranger's turn, which ends when the answer begins, because a stream never ends."""

    def __init__(self, lane: asyncio.Semaphore, send: Send) -> None:
        self._lane: asyncio.Semaphore | None = lane
        self._send = send

    async def send(self, message: Message) -> None:
        self.end()
        await self._send(message)

    def end(self) -> None:
        if self._lane is not None:
            self._lane.release()
            self._lane = None


def _too_busy(request: Request) -> PlainTextResponse:
    language = language_of(request)
    said = f"{told(TooBusy().args[0], language)}\n"
    return PlainTextResponse(said, 503, headers={"retry-after": RETRY_SECONDS, "content-language": language})
