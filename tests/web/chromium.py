"""A server that really listens, and Debian's Chromium that really renders its pages."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.types import ASGIApp

from matchledger.web.app import create_app
from matchledger.web.connections import Config, Server
from matchledger.web.settings import Settings

expect.set_options(timeout=20_000)  # milliseconds: on a busy machine a page is slow
# The shell draws as the browser does, without the browser's own pages: two thirds of the processor time.
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
    """The browser, while a test uses it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def serving(
    ledger: Path, settings: Settings | None = None, port: int = 0, app: ASGIApp | None = None
) -> Iterator[str]:
    """A server of a ledger, or of another application. Its address ends with a slash."""
    if not port:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
    app = app or create_app(str(ledger), settings or Settings(watch_seconds=0.05))
    server = Server(Config(app, port=port, log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.should_exit = True
        thread.join()


def type_slip(page: Page, table: int, outcome: str) -> None:
    """A slip as a practised scorekeeper types it: the table and the outcome."""
    page.keyboard.type(str(table))
    page.keyboard.press("Enter")
    page.keyboard.type(outcome)
    page.keyboard.press("Enter")
