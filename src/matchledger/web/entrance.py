"""The entrance: a key is checked before the body of its request is read."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any
from uuid import UUID

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

from matchledger.web.pages.asking import a_tournament, key_of, let_in, need_tls
from matchledger.web.security import LARGEST_COMMAND, LARGEST_FORM, SAFE_METHODS
from matchledger.web.worker import Rank
from matchledger_projections.message import sentence

MOST_RUNNING = 32  # the most requests that one key may have in progress
LARGE = 1_000_000  # bytes. The server reads larger bodies one at a time
_STAFF_FORMS = "/t/"

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Running:
    """How many requests of each key are running, and the queue for large requests."""

    def __init__(self) -> None:
        self._keys: Counter[str] = Counter()
        self.large = asyncio.Semaphore(1)

    @contextmanager
    def one_of(self, key: str) -> Iterator[None]:
        """Count a request while it runs. Raises HTTPException for a key with too many requests."""
        if self._keys[key] >= MOST_RUNNING:
            raise HTTPException(429, sentence("this key sends too many requests at once: wait for the answers"))
        self._keys[key] += 1
        try:
            yield
        finally:
            self._keys[key] -= 1
            if not self._keys[key]:
                del self._keys[key]


class Staffed(APIRoute):
    """A route of the desk or the API: only visitors with a key may send its body."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            key, tournament = key_of(request), _tournament(request)
            if tournament is None or (not key and request.method in SAFE_METHODS):
                return await handle(request)
            office, doors = request.app.state.office, request.app.state.doors
            visitor = await let_in(request, await a_tournament(office, tournament), office, doors)
            request.state.visitor = visitor
            if visitor.role == "player" and request.method not in SAFE_METHODS:
                await office.show(lambda ledger: need_tls(request, ledger.record(tournament)), Rank.STAFF)
            if visitor.role not in ("player", "read-only"):
                is_form = request.url.path.startswith(_STAFF_FORMS)
                request.scope["most"] = LARGEST_FORM if is_form else LARGEST_COMMAND
            running: Running = request.app.state.running
            async with AsyncExitStack() as turn:
                turn.enter_context(running.one_of(key or ""))
                if _is_large(request):
                    await turn.enter_async_context(running.large)
                return await handle(request)

        return handled


def _tournament(request: Request) -> UUID | None:
    try:
        return UUID(request.path_params["tournament"])
    except (KeyError, ValueError):  # the route itself reports this error
        return None


def _is_large(request: Request) -> bool:
    """Return whether the body of a request may be large. A body without an announced length may be large."""
    length = request.headers.get("content-length", "")
    return int(length) > LARGE if length.isdecimal() else "transfer-encoding" in request.headers
