"""Pictures of every page: python -m tests.web.screenshots FOLDER [PAGE ...] [--players 8 40 300]

The pictures show each page before round 1, during play and after the end, at four widths, in light and dark mode.
The walk uses the store championship of the fixtures, and its desk in round 5.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page
from tests.web.chromium import chromium
from tests.web.every_page import KEY, ORGANIZER, moments
from tests.web.walking import resize

from matchledger.cli import run

EVENT = Path(__file__).resolve().parents[2] / "fixtures" / "store-championship" / "event.sheet"
HEIGHTS = {360: 740, 768: 1024, 1280: 800, 1920: 1080}
MODES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
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
    ("call", "Wes", "--claim", "other"),
    ("correct", "4", "2", "a", "--reason", "both signed the wrong line"),
)


def take(
    folder: Path, only: Sequence[str], players: Sequence[int], languages: Sequence[str], widths: Sequence[int]
) -> None:
    """Write the pictures: one file for each page, moment, number of players, language, width and mode."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room, chromium() as browser:
        for count in players:
            for event in moments(Path(room), count):
                for language in languages:
                    context = browser.new_context(locale=language, reduced_motion="reduce")
                    page = context.new_page()
                    for name in event.visited(page):
                        if not only or name in only:
                            _look(page, folder, f"{name}-{event.moment}-{count}-{language}", widths)
                    context.close()


def _look(page: Page, folder: Path, name: str, widths: Sequence[int]) -> None:
    for width in widths:
        resize(page, {"width": width, "height": HEIGHTS[width]})
        page.evaluate("scrollTo(0, 0)")  # the page shows the next step at its top, not near the cursor
        for mode in MODES:
            page.emulate_media(color_scheme=mode)
            page.screenshot(path=folder / f"{name}-{width}-{mode}.png", full_page="wall" not in name)


def in_play(room: Path) -> Path:
    """The store championship in round 5, with every possible state of a desk."""
    sheet, ledger = room / "play.sheet", room / "play.ledger"
    sheet.write_text(EVENT.read_text("utf-8").split("\nround 5")[0], "utf-8")
    clerk = ("--actor", ORGANIZER.actor, "--role", ORGANIZER.role, "--station", ORGANIZER.station)
    for words in (("import", str(sheet)), *((*words, *clerk) for words in HAPPENS)):
        if run([*words, "--ledger", str(ledger)]):
            raise SystemExit(2)
    # This slip contradicts the recorded result, so the log keeps the slip as refused.
    run(["report", "1", "b", "--ledger", str(ledger), *clerk])
    return ledger


def through_the_desk(page: Page, address: str) -> Iterator[str]:
    """Visit every page of the desk in turn, including pages behind a form. Yields the name of the page."""
    page.goto(f"{address}enter#{KEY}")
    page.wait_for_url("**/desk")
    home = page.url
    for name, path in DESK.items():
        page.goto(home + path)
        yield name
    page.goto(f"{home}/corrections?round=4&table=3")
    page.locator("#right").fill("b")
    page.locator("form:has(#right) button.main").click()
    page.get_by_role("button", name="Record it").wait_for()
    yield "desk-preview"
    page.goto(f"{home}/conduct")
    page.locator("#penalty-player").fill("Wes")
    page.locator("#offence").select_option("notes")
    page.locator("#penalty").select_option("warning")
    page.locator("#penalty-table").fill("9")
    page.locator("#penalty-table").press("Enter")
    page.locator("#failed").wait_for()
    yield "desk-refused"
    page.goto(f"{home}/verify")
    page.locator("input[name=draws]").check()
    page.locator("main form button").click()
    page.locator("#found").wait_for()
    yield "desk-verified"
    page.goto(f"{address}new?rulebook=pokemon-2009")
    yield "desk-new"
    page.goto(f"{address}enter")
    yield "desk-enter"


def not_begun(room: Path) -> Path:
    """A tournament with age divisions and one registered player."""
    ledger = room / "cup.ledger"
    for words in (("open", "Regional Cup", "-b", "pokemon-2009"), ("register", "Ann Archer", "--born", "1994")):
        if run([*words, "--ledger", str(ledger)]):
            raise SystemExit(2)
    return ledger


def before_the_event(page: Page, address: str) -> Iterator[str]:
    """Visit the pages of the desk that look different before round 1. Yields the name of the page."""
    page.goto(f"{address}enter#{KEY}")
    page.wait_for_url("**/desk")
    home = page.url
    yield "desk-not-begun"
    page.goto(f"{home}/players")
    page.locator("#paste-heading").click()
    page.locator("#roster").fill(ROSTER)
    yield "desk-roster"
    page.get_by_role("button", name="Check the roster").click()
    page.locator("#roster-heading, #failed").wait_for()
    yield "desk-roster-checked"


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.web.screenshots", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go; made if it is not there")
    parser.add_argument("only", nargs="*", help="the pages to take, by name; all, if none is named")
    parser.add_argument("--players", type=int, nargs="+", default=[40])
    parser.add_argument("--language", nargs="+", default=["en"])
    parser.add_argument("--width", type=int, nargs="+", choices=HEIGHTS, default=list(HEIGHTS))
    return parser.parse_args()


if __name__ == "__main__":
    asked = _asked()
    take(asked.folder, asked.only, asked.players, asked.language, asked.width)
