"""Pictures of every public page, to be looked at: python -m tests.web.screenshots FOLDER [FILE OR LEDGER]

Each page at the widths of a phone, a tablet and a television, in light and dark. FILE is an event to import, such
as a score sheet; without one, the store championship of the fixtures is shown.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page
from tests.web.chromium import chromium, serving

from matchledger.cli import run
from matchledger.web.settings import Settings

EVENT = Path(__file__).resolve().parents[2] / "fixtures" / "store-championship" / "event.sheet"
SIZES = ((360, 740), (768, 1024), (1920, 1080))
PAGES = {
    "seating": "",
    "tables": "tables",
    "player": "player/1",
    "why": "player/1/why",
    "standings": "standings",
    "known": "standings?round=2&clock=as-known",
    "corrected": "standings?round=2&clock=as-corrected",
    "entry": "standings?entry=60",
    "bracket": "bracket",
    "log": "log",
    "match": "match/swiss/1/1",
    "wall-names": "wall",
    "wall-tables": "wall?show=tables",
    "wall-standings": "wall?show=standings",
}


def take(folder: Path, event: Path, only: set[str]) -> None:
    """Writes the pictures, one file for each page, width and mode."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        ledger = event
        if event.suffix != ".ledger":
            ledger = Path(room) / "event.ledger"
            if run(["import", str(event), "--ledger", str(ledger)]):
                raise SystemExit(2)
        with serving(ledger, Settings(address="http://192.168.1.7:8080/")) as address, chromium() as browser:
            for width, height in SIZES:
                for mode in ("light", "dark"):
                    context = browser.new_context(
                        viewport={"width": width, "height": height},
                        color_scheme="dark" if mode == "dark" else "light",
                    )
                    page = context.new_page()
                    page.goto(address)
                    home = page.url
                    for name, path in PAGES.items():
                        if not only or name in only:
                            _look(
                                page, home + path, folder / f"{name}-{width}-{mode}.png", whole="wall" not in name
                            )
                    context.close()


def _look(page: Page, address: str, file: Path, *, whole: bool) -> None:
    page.goto(address)
    page.wait_for_timeout(100)
    page.screenshot(path=file, full_page=whole)


if __name__ == "__main__":
    take(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else EVENT, set(sys.argv[3:]))
