"""The shelf: a page that was just sent can be sent again without the application.

In the minute after the pairings are posted, thousands of phones send exactly the same request. To find the route,
read the parameters and build an answer takes several times longer than to send the answer. The shelf does this
work once for all phones.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from matchledger.web.cache import Rendered
from matchledger.web.chosen import chosen_in
from matchledger.web.gate import Gate
from matchledger.web.security import headers_of

KEPT = 2000  # the most requests whose answers the shelf keeps

# A function that returns a page, from the cache or rendered now.
Again = Callable[[], Awaitable[Rendered]]

_TOLD_APART_BY = (b"host", b"accept-language", b"cookie")


class Asked(NamedTuple):
    """The parts of a request that decide which page is the answer."""

    path: str
    query: bytes
    host: bytes
    language: bytes
    cookie: bytes


class Shelf:
    """Wraps the application. The shelf sends only answers that the application gave before to the same request,
    with the same host.
    """

    def __init__(self, app: ASGIApp, *, gate: Gate) -> None:
        self._app = app
        self._gate = gate
        self._known: OrderedDict[Asked, Again] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        # A page in a chosen language also sets a cookie. The shelf stores no cookies.
        elif scope["method"] != "GET" or chosen_in(scope["query_string"]) is not None:
            await self._gate.pass_(self._app, scope, receive, send)
        elif not await self._has_sent(scope, send):
            await self._gate.pass_(self._ask, scope, receive, send)

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that waited at the gate. Another request may have put the answer on the shelf
        meanwhile.
        """
        if not await self._has_sent(scope, send):
            await self._app(scope, receive, send)

    async def _has_sent(self, scope: Scope, send: Send) -> bool:
        """Send a page from the shelf if the shelf has the page. Return whether a page was sent."""
        given = dict(scope["headers"])
        # All values of a header that occurs twice, because the application may read another one than the last.
        values = [b"\n".join(value for name, value in scope["headers"] if name == one) for one in _TOLD_APART_BY]
        asked = Asked(scope["path"], scope["query_string"], *values)
        again = self._known.get(asked)
        if again is not None:
            try:
                page = await again()
            except Exception:  # noqa: BLE001 - the application reports the error, as without a shelf
                self._known.pop(asked, None)
            else:
                await _send(page, scope["path"], given, send)
                return True
        scope["shelf"] = self, asked
        return False

    def keep(self, asked: Asked, again: Again) -> None:
        """Store, for a request, the function that can send the application's answer once more."""
        self._known[asked] = again
        self._known.move_to_end(asked)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)


async def _send(page: Rendered, path: str, given: dict[bytes, bytes], send: Send) -> None:
    status, headers, body = page.message(given.get(b"if-none-match", b""), given.get(b"accept-encoding", b""))
    always = [(name.encode(), value.encode()) for name, value in headers_of(path).items()]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *always]})
    await send({"type": "http.response.body", "body": body})
