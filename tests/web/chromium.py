"""A server that listens on a port, and Debian's Chromium that renders its pages."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.types import ASGIApp

from matchledger.web.app import create_app
from matchledger.web.connections import Config, Server, bound_socket
from matchledger.web.settings import Settings

expect.set_options(timeout=20_000)  # milliseconds: pages are slow on a busy machine
# The headless shell draws pages like the browser, but has no user interface. The headless shell takes two thirds of
# the processor time.
_BINARIES = [Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")]
CHROMIUM = next(filter(Path.is_file, _BINARIES), _BINARIES[-1])
_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, for as long as a test uses it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def until(page: Page, true: str) -> None:
    """Wait until JavaScript is true on a page. The page's policy forbids Playwright's own way to wait for it."""
    latest = time.monotonic() + 20
    while not page.evaluate(true):
        assert time.monotonic() < latest, true
        page.wait_for_timeout(20)


async def _serve(server: Server, listening: socket) -> None:
    """Serve until the server is told to stop. A browser may connect in the moment in which the server stops."""
    await server.serve([listening])
    for connection in server.server_state.connections:
        if (transport := getattr(connection, "transport", None)) is not None:
            transport.abort()
    await asyncio.sleep(0)


@contextmanager
def serving(
    ledger: Path, settings: Settings | None = None, port: int = 0, app: ASGIApp | None = None, **more: Any
) -> Iterator[str]:
    """Serve a ledger, or another application. The address of the server ends with a slash."""
    app = app or create_app(str(ledger), settings or Settings(watch_seconds=0.05))
    server = Server(Config(app, log_level="critical", timeout_graceful_shutdown=1, **more))
    listening = bound_socket("127.0.0.1", port)  # the socket keeps the port from other programs
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    thread = threading.Thread(target=lambda: asyncio.run(_serve(server, listening)))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield address
    finally:
        server.should_exit = True
        thread.join()


def type_slip(page: Page, table: int, outcome: str) -> None:
    """Type a slip as a practised scorekeeper does: the table, then the outcome."""
    page.keyboard.type(str(table))
    page.keyboard.press("Enter")
    page.keyboard.type(outcome)
    page.keyboard.press("Enter")
