"""Every page of a browser at three moments of an event, and how to get from one page to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from playwright.sync_api import Page
from tests.web.chromium import serving
from tests.web.crowds import Crowd

from matchledger.events import ResultReported
from matchledger.ledger import Clerk, open_ledger
from matchledger.service.player_links import code_of, link_of
from matchledger.web.desk.pages import PAGES
from matchledger.web.public.wall import Screen
from matchledger.web.settings import Settings

KEY = "pictures"
REACHED_AT = "http://192.168.1.20:8000/"  # the address for phones
ORGANIZER = Clerk("Kim", "organizer", "north")
Moment = Literal["before", "playing", "over"]
MOMENTS: tuple[Moment, ...] = get_args(Moment)
SCREENS: tuple[Screen, ...] = get_args(Screen)

HALL = {
    "seating": "",
    "nobody": "?q=xyz",
    "tables": "tables",
    "player": "player/2",
    "standings": "standings",
    "crosstable": "crosstable",
    "widget": "widget",
    "overlay": "overlay",
    "log": "log",
    "event": "event",
    "missing": "player/99999",
    "sign-up": "sign-up",
    **{f"wall-{screen}": f"wall?show={screen}" for screen in SCREENS},
}
ONCE_PLAYED = {
    "why": "player/2/why",
    "known": "standings?round=1&clock=as-known",
    "corrected": "standings?round=1&clock=as-corrected",
    "match": "match/swiss/1/2",
    "round-tables": "tables/swiss/1",
}
CUT = {"bracket": "bracket", "podium": "podium", "final": "match/elimination/1/1"}
DESK = {
    **{f"desk-{name}": "" if name == "slips" else f"/{name}" for name in PAGES if name != "match"},
    "desk-player": "/players?player=3",
    "desk-deck": "/decks?player=3",
    "desk-sentence": "/conduct?player=3",
    "desk-stations": "/stations",
    "desk-links": "/stations/players",
    "desk-waiting": "/waiting",
}
DESK_ONCE_PLAYED = {
    "desk-match": "/match?round=1&table=2",
    "desk-correction": "/corrections?round=1&table=2",
    "desk-hand-drawn": "/hand?drawn=true",
}
JUDGE = {
    "judge": "",
    **{f"judge-{name}": f"/{name}" for name in ("players", "corrections", "conduct", "decks", "log")},
}
UNFOLDED = "for (const fold of document.querySelectorAll('details.card, details.fold')) fold.open = true"
ROSTER = """name;born;division;contact
Bea Longbottom-Featherstonehaugh;2013;;bea@example.org
Lee, Eva;19x0;;
"""


@dataclass(frozen=True)
class Shown:
    """An event on a server at one moment."""

    moment: Moment
    address: str
    home: str
    links: tuple[str, ...]  # personal links of both players at the last table, and of one player before
    reported: int  # the entry of a slip in round 2, or 0
    last: int  # the last table of the round, which plays until the round ends, or 0

    def visited(self, page: Page) -> Iterator[str]:
        """Open each page of the event in turn, and yield its name."""
        yield from self._looked_at(page, HALL)
        if self.moment != "before":
            late = {"entry": f"standings?entry={self.reported}", "overlay-table": f"overlay?table={self.last}"}
            yield from self._looked_at(page, ONCE_PLAYED | late)
        if self.moment == "over":
            yield from self._looked_at(page, CUT)
            page.goto(self.address)
            yield "tournaments"
        for name, link in zip(("me", "me-opponent", "me-other"), self.links, strict=False):
            page.goto(f"{self.address}enter#{link}")
            page.wait_for_url("**/me")
            yield name
        page.goto(f"{self.address}enter")
        yield "enter"
        page.goto("about:blank")  # a change after the # alone would not load the page again
        page.goto(f"{self.address}enter#{KEY}")
        page.wait_for_url(lambda url: "enter" not in url)
        judge = self._station_of_a_judge(page)
        yield from self._looked_at(page, {name: f"desk{path}" for name, path in DESK.items()})
        if self.moment == "before":
            yield from self._before(page)
        else:
            yield from self._looked_at(page, {name: f"desk{path}" for name, path in DESK_ONCE_PLAYED.items()})
        if self.moment == "playing":
            yield from self._playing(page)
        yield from self._by_a_judge(page, judge)

    def _station_of_a_judge(self, page: Page) -> str:
        """Return the link of a judge's phone, from the desk."""
        page.goto(f"{self.home}desk/stations")
        page.evaluate(UNFOLDED)  # the stations of a closed event are folded
        page.locator("#station").fill("Floor")
        page.locator("#who").fill("Jo")
        page.locator("#role").select_option("judge")
        page.locator("form.opening button").click()
        page.locator("#link-1").wait_for()
        return page.locator("#link-1").inner_text()

    def _by_a_judge(self, page: Page, link: str) -> Iterator[str]:
        """Yield the pages of a judge's phone. The link ends afterwards, so that the next walk makes its own."""
        page.goto("about:blank")
        page.goto(self.address + link.rpartition("/")[2])
        page.wait_for_url(lambda url: "enter" not in url)
        yield from self._looked_at(page, {name: f"desk{path}" for name, path in JUDGE.items()})
        page.goto(f"{self.address}enter")
        page.goto("about:blank")
        page.goto(f"{self.address}enter#{KEY}")
        page.wait_for_url(lambda url: "enter" not in url)
        page.goto(f"{self.home}desk/stations")
        page.evaluate(UNFOLDED)
        page.locator("button[form=revoke]").first.click()
        page.locator("#question button").click()

    def _looked_at(self, page: Page, paths: dict[str, str]) -> Iterator[str]:
        for name, path in paths.items():
            page.goto(self.home + path)
            yield name

    def _before(self, page: Page) -> Iterator[str]:
        """Yield forms that people fill in before round 1, and another tournament to open."""
        for name, rulebook in (("new", ""), ("new-pokemon", "pokemon-2009"), ("new-own", "own")):
            page.goto(f"{self.address}new?rulebook={rulebook}")
            yield name
        page.goto(f"{self.home}desk/players")
        page.locator("#paste-heading").click()
        page.locator("#roster").fill(ROSTER)
        page.locator("form:has(#roster) button").first.click()
        page.locator("#failed").wait_for()
        yield "desk-roster-checked"

    def _playing(self, page: Page) -> Iterator[str]:
        """Yield pages that only a form leads to: a preview, a refusal, a finding. Nothing is recorded."""
        page.goto(f"{self.home}desk/corrections?round=1&table=2")
        page.locator("#right").fill("a")
        page.locator("form:has(#right) button.main").click()
        page.locator("#confirm, [name=confirmed]").first.wait_for(state="attached")
        yield "desk-preview"
        page.goto(f"{self.home}desk/conduct")
        page.locator("#penalty-player").fill("#1")
        page.locator("#offence").select_option("notes")
        page.locator("#penalty").select_option("warning")
        page.locator("#penalty-table").fill("999")
        page.locator("#penalty-table").press("Enter")
        page.locator("#failed").wait_for()
        yield "desk-refused"
        page.goto(f"{self.home}desk/verify")
        page.locator("main form button").first.click()
        page.wait_for_url("**/verify")
        yield "desk-verified"


@contextmanager
def shown(crowd: Crowd, moment: Moment) -> Iterator[Shown]:
    """The event on a server that phones in the network can reach."""
    with open_ledger(crowd.ledger) as ledger:
        tournament = ledger.tournaments()[0]
        record = ledger.record(tournament)
        latest = record.latest_round()
        players = (
            (1,)
            if latest is None
            else [one for table in sorted(latest.tables)[-2:] for one in latest.tables[table]]
        )
        last = 0 if latest is None else max(latest.tables)
        codes = [code_of(ledger, tournament, player) for player in reversed(players)]
        links = tuple(link_of(tournament, code) for code in codes if code is not None)
        facts = ((entry.position, entry.fact) for entry in ledger.entries(tournament))
        slips = (position for position, fact in facts if isinstance(fact, ResultReported) and fact.round > 1)
        reported = next(slips, 0)
    with serving(crowd.ledger, Settings(clerk=ORGANIZER, key=KEY, address=REACHED_AT)) as address:
        yield Shown(moment, address, f"{address}t/{tournament}/", links[:3], reported, last)


def moments(folder: Path, players: int) -> Iterator[Shown]:
    """Yield an event with this many players at each of the moments in turn."""
    crowd = Crowd(folder / f"{players}.ledger", players)
    for moment in MOMENTS:
        if moment == "playing":
            crowd.play()
        elif moment == "over":
            crowd.finish()
        with shown(crowd, moment) as event:
            yield event
