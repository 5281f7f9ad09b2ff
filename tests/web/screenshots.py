"""Pictures of every page, to be looked at: python -m tests.web.screenshots FOLDER [FILE OR LEDGER [PAGE ...]]

Each page at the widths of a phone, a tablet and a television, in light and dark. FILE is an event to import, such
as a score sheet; without one, the store championship of the fixtures is shown. The desk is that of the same
championship in its fifth round.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page
from tests.web.chromium import chromium, serving

from matchledger.cli import run
from matchledger.ledger import Clerk
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
    "crosstable": "crosstable",
    "widget": "widget",
    "overlay": "overlay",
    "bracket": "bracket",
    "podium": "podium",
    "log": "log",
    "match": "match/swiss/1/1",
    "wall-names": "wall",
    "wall-tables": "wall?show=tables",
    "wall-standings": "wall?show=standings",
    "wall-clock": "wall?show=clock",
}
DESK = {
    "desk-slips": "",
    "desk-players": "/players",
    "desk-player": "/players?player=3",
    "desk-rounds": "/rounds",
    "desk-hand": "/hand?drawn=true",
    "desk-decks": "/decks?player=3",
    "desk-event": "/event",
    "desk-corrections": "/corrections",
    "desk-correction": "/corrections?round=4&table=2",
    "desk-conduct": "/conduct?player=3",
    "desk-log": "/log",
    "desk-match": "/match?round=4&table=2",
    "desk-verify": "/verify",
    "desk-print": "/print",
    "desk-stations": "/stations",
}
ROSTER = """name;born;division;contact
Bea Longbottom-Featherstonehaugh;2013;;bea@example.org
Cy Miller;1990;;
Dee Park;2013;masters;
Ann Archer;1994;;
Lee, Eva;19x0;;
"""
KEY = "pictures"
ORGANIZER = Clerk("Kim", "organizer", "north")
HAPPENS = (
    ("announce", "--rounds", "5", "--cut", "4", "--reason", "one more round"),
    ("post",),
    ("pair",),
    ("start", "--minutes", "50"),
    ("extend", "3", "5", "--reason", "deck check"),
    ("report", "1", "a", "4", "b"),
    ("staff", "add", "Max Marshal", "marshal"),
    ("penalty", "Wes", "warning", "--for", "slow-play", "--note", "for the second time in this round"),
    ("penalty", "Cy", "recommend-disqualification", "--for", "cheating"),
    ("ruling", "May a player look at the top card?", "No: the deck is shuffled again", "--table", "3"),
    ("card", "Tom", "lost", "Kitsu Spiritcaller"),
    ("call", "Wes", "--claim", "lost"),
    ("correct", "4", "2", "a", "--reason", "both signed the wrong line"),
)


def take(folder: Path, event: Path, only: set[str]) -> None:
    """Writes the pictures, one file for each page, width and mode."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        ledger = event
        if event.suffix != ".ledger":
            ledger = Path(room) / "event.ledger"
            if run(["import", str(event), "--ledger", str(ledger)]):
                raise SystemExit(2)
        with chromium() as browser:
            with serving(ledger, Settings(address="http://192.168.1.7:8080/")) as address:
                for page, look in _pages(browser, folder, only):
                    page.goto(address)
                    home = page.url
                    for name, path in PAGES.items():
                        look(name, home + path)
            desk = Settings(clerk=ORGANIZER, key=KEY)
            with serving(in_play(Path(room)), desk) as address:
                for page, look in _pages(browser, folder, only):
                    for name in through_the_desk(page, address):
                        look(name, None)
            with serving(not_begun(Path(room)), desk) as address:
                for page, look in _pages(browser, folder, only):
                    for name in before_the_event(page, address):
                        look(name, None)


Look = Callable[[str, str | None], None]


def _pages(browser: Browser, folder: Path, only: set[str]) -> Iterator[tuple[Page, Look]]:
    """A page of each width and mode, with what takes a picture of it as it is, or at an address."""
    for width, height in SIZES:
        for mode in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if mode == "dark" else "light"
            )
            page = context.new_page()
            yield page, partial(_look, page, folder, f"{width}-{mode}", only)
            context.close()


def in_play(room: Path) -> Path:
    """The store championship in its fifth round, with everything that can happen to a desk."""
    sheet, ledger = room / "play.sheet", room / "play.ledger"
    sheet.write_text(EVENT.read_text("utf-8").split("\nround 5")[0], "utf-8")
    clerk = ("--actor", ORGANIZER.actor, "--role", ORGANIZER.role, "--station", ORGANIZER.station)
    for words in (("import", str(sheet)), *((*words, *clerk) for words in HAPPENS)):
        if run([*words, "--ledger", str(ledger)]):
            raise SystemExit(2)
    run(["report", "1", "b", "--ledger", str(ledger), *clerk])  # says otherwise than the log: it is kept as refused
    return ledger


def through_the_desk(page: Page, address: str) -> Iterator[str]:
    """Every page of the desk, one after the other, with those that only a form leads to; says which one it is."""
    page.goto(f"{address}enter#{KEY}")
    page.wait_for_url("**/desk")
    home = page.url
    for name, path in DESK.items():
        page.goto(home + path)
        yield name
    page.goto(f"{home}/corrections?round=4&table=3")
    page.locator("#right").fill("b")
    page.locator("form", has=page.locator("#right")).get_by_role("button").click()
    yield "desk-preview"
    page.goto(f"{home}/conduct")
    page.locator("#penalty-player").fill("Wes")
    page.locator("#penalty-table").fill("9")
    page.locator("#penalty-table").press("Enter")
    yield "desk-refused"
    page.goto(f"{home}/verify")
    page.locator("input[name=draws]").check()
    page.locator("main form button").click()
    yield "desk-verified"
    page.goto(f"{address}new?rulebook=pokemon-2009")
    yield "desk-new"
    page.goto(f"{address}enter")
    yield "desk-enter"


def not_begun(room: Path) -> Path:
    """A tournament with age divisions for which one player is registered."""
    ledger = room / "cup.ledger"
    for words in (("open", "Regional Cup", "-b", "pokemon-2009"), ("register", "Ann Archer", "--born", "1994")):
        if run([*words, "--ledger", str(ledger)]):
            raise SystemExit(2)
    return ledger


def before_the_event(page: Page, address: str) -> Iterator[str]:
    """The pages of the desk that are otherwise before round 1; says which one it is."""
    page.goto(f"{address}enter#{KEY}")
    page.wait_for_url("**/desk")
    home = page.url
    yield "desk-not-begun"
    page.goto(f"{home}/players")
    page.locator("#paste-heading").click()
    page.locator("#roster").fill(ROSTER)
    yield "desk-roster"
    page.get_by_role("button", name="Check the roster").click()
    yield "desk-roster-checked"


def _look(page: Page, folder: Path, suffix: str, only: set[str], name: str, address: str | None) -> None:
    if only and name not in only:
        return
    if address is not None:
        page.goto(address)
    page.wait_for_timeout(100)
    page.screenshot(path=folder / f"{name}-{suffix}.png", full_page="wall" not in name)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.web.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go; made if it is not there")
    parser.add_argument("sheet", type=Path, nargs="?", default=EVENT, help="the event on the public pages")
    parser.add_argument("only", nargs="*", help="the pages to take, by name; all, if none is named")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _asked()
    take(asked.folder, asked.sheet, set(asked.only))
