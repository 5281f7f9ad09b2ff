"""Security: the headers of every answer, and the requests that are refused.

The server runs in a hall, on plain HTTP, near strangers' phones. The server answers only to its own names, so no
page of the internet can reach the server under a foreign name (DNS rebinding). The server accepts no form from
another site.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from matchledger.text.translation import told
from matchledger.web.rendering import language_of
from matchledger_projections.message import Sentence, sentence

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
# The most bytes of a body. A form may have a roster or deck lists, and a program's command may have card data.
LARGEST_FORM = 4_000_000  # bytes
LARGEST_COMMAND = 40_000_000
LARGEST_OF_A_STRANGER = 16_000
_DIGITS = 12  # the most digits of an announced length. For a longer number, the server counts the bytes that arrive

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


# Another site may show only this page in a frame. The page sets no cookie.
FRAMED = re.compile(r"/t/[0-9a-f-]{36}/widget")
FRAMED_HEADERS = {
    **{name: value for name, value in HEADERS.items() if name != "x-frame-options"},
    "content-security-policy": _POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
}


def headers_of(path: str) -> Mapping[str, str]:
    """Return the headers of the answer at a path."""
    return FRAMED_HEADERS if FRAMED.fullmatch(path) else HEADERS


class Guard:
    """The middleware around the whole application: it refuses foreign hosts and forms, and sets the security
    headers.
    """

    def __init__(self, app: ASGIApp, *, host_names: Iterable[str] = ()) -> None:
        self._app = app
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(name.lower() for name in host_names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                own = headers_of(scope["path"])
                for name, value in own.items():
                    headers.setdefault(name, value)
                if own is FRAMED_HEADERS:
                    del headers["set-cookie"]
            await send(message)

        problem = self._problem(scope)
        app = self._app if problem is None else _in_words(problem, language_of(Request(scope)))
        await app(scope, _measured(scope, receive), guarded)

    def _problem(self, scope: Scope) -> tuple[int, Sentence] | None:
        headers = Headers(scope=scope)
        if not self._is_ours(headers.get("host", "")):
            return 421, sentence(
                "this server has another name: use the address that serve printed, or start it with serve --name"
            )
        if scope["method"] not in SAFE_METHODS and _is_foreign(headers):
            return 403, sentence("this form was sent from a page of another site: nothing was recorded")
        return None

    def _is_ours(self, host: str) -> bool:
        """Return whether a Host header names this server, by an address or by one of the server's names."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return True


def _measured(scope: Scope, receive: Receive) -> Receive:
    """Return a function that reads the body of a request, and raises HTTPException if the body is longer than the
    limit.

    For an admitted visitor, the limit is `scope["most"]`.
    """
    length = Headers(scope=scope).get("content-length", "")
    announced = int(length) if length.isdecimal() and len(length) <= _DIGITS else 0
    taken = 0

    async def measured() -> Message:
        nonlocal taken
        most = scope.get("most", LARGEST_OF_A_STRANGER)
        message = {} if announced > most else await receive()
        taken += len(message.get("body", b""))
        if max(announced, taken) > most:
            raise HTTPException(413, _too_much(most))
        return message

    return measured


def _too_much(most: int) -> Sentence:
    if most == LARGEST_OF_A_STRANGER:
        return sentence("this is more than %(most)s kB: nothing was recorded", most=most // 1000)
    return sentence("this is more than %(most)s MB: nothing was recorded, send it in parts", most=most // 1_000_000)


def _in_words(problem: tuple[int, Sentence], language: str) -> PlainTextResponse:
    status, said = problem
    return PlainTextResponse(told(said, language) + "\n", status, headers={"content-language": language})


def _is_foreign(headers: Headers) -> bool:
    """Return whether the browser's headers say that another site caused this request. Requests from programs do
    not have the browser's headers.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")
