"""Flaws of pages: clipped text, torn words, sideways scrolling, low contrast, and pages that are too large.

    python -m tests.web.flaws [--players N ...] [--width N ...] [--language de ...] [--page NAME ...]

Each event has 8, 40 or 300 players, and is shown before round 1, during play and after the end. Each page is
measured at four widths, in light and dark mode, in English and German. The command prints each flaw in one line.
The exit code is 1 if any flaw was found.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.web.chromium import chromium
from tests.web.every_page import moments
from tests.web.walking import SCRIPT, resize

PLAYERS = (8, 40, 300)
WIDTHS = (360, 768, 1280, 1920)
LANGUAGES = ("en", "de")
LARGEST = 100_000  # the most bytes of an uncompressed page
ARRIVED = "(({ responseStatus, decodedBodySize }) => [responseStatus, decodedBodySize])"
ARRIVED += "(performance.getEntriesByType('navigation')[0])"
FAILURE = 500


def flaws(
    browser: Browser,
    players: Sequence[int] = PLAYERS,
    widths: Sequence[int] = WIDTHS,
    languages: Sequence[str] = LANGUAGES,
    only: Sequence[str] = (),
) -> Iterator[str]:
    """Yield each flaw once, with the event, the page, and the widths and modes that show it."""
    with tempfile.TemporaryDirectory() as room:
        for count in players:
            for event in moments(Path(room), count):
                for language in languages:
                    context = browser.new_context(locale=language)
                    context.add_init_script(path=SCRIPT)
                    page = context.new_page()
                    for name in event.visited(page):
                        if only and name not in only:
                            continue
                        for flaw, where in flaws_of(page, widths).items():
                            yield f"{count} players, {event.moment}, {language}, {name}: {flaw} ({where})"
                    context.close()


def flaws_of(page: Page, widths: Sequence[int]) -> dict[str, str]:
    """Return the flaws of the current page, each with the widths and modes that show it."""
    found: dict[str, list[str]] = {}
    status, weight = page.evaluate(ARRIVED)
    if status >= FAILURE:
        found["the server failed"] = ["everywhere"]
    if weight > LARGEST:
        found[f"the page has {weight} bytes"] = ["everywhere"]
    page.evaluate("walk.open()")
    for width in widths:
        resize(page, {"width": width, "height": 740 if width < 768 else 1080})
        for flaw in dict.fromkeys(page.evaluate("[...walk.wide(), ...walk.clipped(), ...walk.torn()]")):
            found.setdefault(flaw, []).append(str(width))
        for colour in ("light", "dark"):
            page.emulate_media(color_scheme=colour)
            for flaw in dict.fromkeys(page.evaluate("walk.pale()")):
                found.setdefault(flaw, []).append(f"{width} {colour}")
    return {flaw: ", ".join(where) for flaw, where in found.items()}


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.web.flaws", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS)
    parser.add_argument("--width", type=int, nargs="+", default=WIDTHS)
    parser.add_argument("--language", nargs="+", default=LANGUAGES)
    parser.add_argument("--page", nargs="+", default=())
    return parser.parse_args()


if __name__ == "__main__":
    asked, found = _asked(), 0
    with chromium() as opened:
        for flaw in flaws(opened, asked.players, asked.width, asked.language, asked.page):
            print(flaw, flush=True)  # noqa: T201 - it prints what it finds
            found += 1
    sys.exit(found > 0)
