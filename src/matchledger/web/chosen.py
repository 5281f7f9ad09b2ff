"""The chosen language: a language chosen on one page is used for the next pages too."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from matchledger.text.translation import languages

LANGUAGE = "lang"  # the parameter and the cookie that hold the language
_YEAR = 365 * 24 * 60 * 60


def chosen_in(query: bytes) -> str | None:
    """Return the language in an address, or None if it is not available."""
    given = parse_qs(query.decode("latin-1")).get(LANGUAGE, [""])[0]
    return given if given in languages() else None


class Remembering:
    """Wraps the application, and sets a cookie with the chosen language along with the page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        chosen = chosen_in(scope["query_string"]) if scope["type"] == "http" else None
        if chosen is None:
            await self._app(scope, receive, send)
            return

        async def remembered(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = f"{LANGUAGE}={chosen}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax"
                MutableHeaders(scope=message).append("set-cookie", kept)
            await send(message)

        await self._app(scope, receive, remembered)
