"""Take the pictures of README and docs: python -m tests.docs.pictures

Chromium takes the pictures of the pages. The picture of the architecture is drawn from the table of its test.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.test_architecture import ARROWS
from tests.web.chromium import chromium, serving
from tests.web.every_page import KEY, ORGANIZER
from tests.web.screenshots import in_play

from matchledger.web.settings import Settings

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
ADDRESS = "http://192.168.1.7:8080/"
PAGES = {"wall": ((1280, 720), "wall?show=names"), "phone": ((390, 700), ""), "why": ((900, 760), "player/1/why")}
TALL, WIDE, GAP = 44, 560, 18


def take() -> None:
    """Write every picture into the folder of pictures."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "architecture.svg").write_text("".join(architecture()), "utf-8")
    with tempfile.TemporaryDirectory() as room, chromium() as browser:
        ledger = in_play(Path(room))
        with serving(ledger, Settings(address=ADDRESS)) as address:
            page = browser.new_page(color_scheme="light")
            page.goto(address)
            home = page.url
            for name, ((width, height), path) in PAGES.items():
                page.set_viewport_size({"width": width, "height": height})
                page.goto(home + path)
                page.wait_for_timeout(200)
                page.screenshot(path=FOLDER / f"{name}.png")
        with serving(ledger, Settings(clerk=ORGANIZER, key=KEY)) as address:
            page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
            page.goto(f"{address}enter#{KEY}")
            page.wait_for_url("**/desk")
            page.wait_for_timeout(200)
            page.screenshot(path=FOLDER / "desk.png")


def architecture() -> Iterator[str]:
    """Draw the layers as SVG. Layers with the same imports share a row."""
    rows: dict[int, list[str]] = {}
    for layer, below in ARROWS.items():
        rows.setdefault(len(below), []).append(layer)
    tall = len(rows) * (TALL + GAP) - GAP
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {tall}" font-family="sans-serif" '
        'font-size="17" text-anchor="middle" role="img"><title>Each layer imports only those below it</title>\n'
    )
    for row, size in enumerate(sorted(rows, reverse=True)):
        top, wide = row * (TALL + GAP), WIDE / len(rows[size])
        for place, layer in enumerate(sorted(rows[size])):
            left = place * wide
            yield f'<rect x="{left + 2:g}" y="{top + 1}" width="{wide - 4:g}" height="{TALL - 2}" rx="6" '
            yield 'fill="#eef1fb" stroke="#3f51b5"/>'
            yield f'<text x="{left + wide / 2:g}" y="{top + TALL / 2 + 6:g}" fill="#1a237e">{layer}</text>\n'
        if row < len(rows) - 1:
            middle, end = WIDE / 2, top + TALL + GAP - 2
            yield f'<path d="M{middle:g} {top + TALL}V{end}m-5 -6l5 6l5 -6" fill="none" stroke="#3f51b5"/>\n'
    yield "</svg>\n"


if __name__ == "__main__":
    take()
