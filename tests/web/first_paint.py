"""First paint: how soon each page shows text on a slow phone.

    python -m tests.web.first_paint [--players N ...] [--page NAME ...]

The phone's screen is 360 px wide. The phone's processor is six times slower than this machine's. The phone's
connection has 1.6 Mbit a second and a delay of 150 ms. The phone's cache is empty. Each line is a page: the
milliseconds to its first text, and the bytes that all its files take on the wire. The exit code is 1 if a page
takes more than two seconds. A slow page is loaded up to two more times, because another program may have used the
processor. The fastest load counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.web.chromium import chromium, until
from tests.web.every_page import moments

LATEST = 2_000  # the most milliseconds until the first text
LOADS = 3  # how often to load a page that was slow
SLOWER = 6  # the browser's processor is slowed down by this factor
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
PAINTED = """() => [
  Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0),
  performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0),
]"""


def paints(browser: Browser, players: int, only: Sequence[str] = ()) -> Iterator[tuple[str, int, int]]:
    """Yield each page of an event: its name, the milliseconds to its first text, and its bytes on the wire."""
    with tempfile.TemporaryDirectory() as room:
        for event in moments(Path(room), players):
            context = browser.new_context(viewport={"width": 360, "height": 740})
            page = context.new_page()
            phone = context.new_cdp_session(page)
            phone.send("Network.enable")
            phone.send("Network.setCacheDisabled", {"cacheDisabled": True})
            phone.send("Network.emulateNetworkConditions", LINE)
            phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            for name in event.visited(page):
                if not only or name in only:
                    yield f"{event.moment} {name}", *_fastest(page)
            context.close()


def _fastest(page: Page) -> tuple[int, int]:
    loads: list[tuple[int, int]] = []
    while not loads or (loads[-1][0] > LATEST and len(loads) < LOADS):
        if loads:
            page.reload()
        until(page, "performance.getEntriesByName('first-contentful-paint').length")
        milliseconds, weight = page.evaluate(PAINTED)
        loads.append((milliseconds, weight))
    return min(loads)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.web.first_paint", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[300])
    parser.add_argument("--page", nargs="+", default=())
    return parser.parse_args()


if __name__ == "__main__":
    asked, slow = _asked(), 0
    with chromium() as opened:
        for count in asked.players:
            for name, milliseconds, weight in paints(opened, count, asked.page):
                late = milliseconds > LATEST
                slow += late
                print(f"{milliseconds:6} ms {weight:8} bytes  {count} {name}{'  SLOW' if late else ''}", flush=True)  # noqa: T201 - it prints what it measures
    sys.exit(slow > 0)
