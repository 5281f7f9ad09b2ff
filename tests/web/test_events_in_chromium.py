"""Whole events in the browser: two divisions, two desks, a wall, and phones that report, from setup to podium.

By default both events are short, and only some slips are typed. With --long, both events have the rulebook's
structure, and every slip is typed: `pytest --long tests/web/test_events_in_chromium.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.budgets import at_length
from tests.web.chromium import CHROMIUM, serving, type_slip
from tests.web.conftest import KEY, at_terminal
from tests.web.crowds import NAME, names

from matchledger.cli import run
from matchledger.ledger import Clerk, open_ledger
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

WHOLE = bool(at_length((0, 1)))
TYPED = at_length((12, 10**6))  # slips that the browser enters in a round. A terminal enters the others
# Milliseconds: a busy machine needs this long for a round of 150 slips.
SLOW = 20_000 if not at_length((0, 1)) else 120_000


def press(where: Page | Locator, button: str) -> None:
    where.get_by_role("button", name=button, exact=True).click()


@dataclass
class Hall:
    """All browsers at one event: two desks, a wall, and phones that come and go."""

    browser: Browser
    ledger: Path
    address: str
    desk: Page
    wall: Page
    other: Page | None = None
    home: str = ""
    tables: int = 0

    def go(self, page: str = "") -> None:
        self.desk.goto(f"{self.home}desk{page}")

    def done(self, said: str) -> None:
        expect(self.desk.locator(".done")).to_contain_text(said, timeout=SLOW)

    # -- the setup

    def open(self, players: int) -> None:
        """Open the tournament with divisions that play apart, register the players, and announce the structure."""
        desk = self.desk
        desk.goto(f"{self.address}enter#{KEY}")
        desk.get_by_role("link", name="Pokémon", exact=True).click()
        desk.get_by_text("Older editions").click()
        desk.get_by_role("link", name="Pokémon TCG Tournament Operation").click()
        desk.get_by_label("Name of the tournament").fill(NAME)
        desk.locator("[name='policies.POL-PKM-DIVISIONS'][value=separated]").check()
        for division, year in (("Junior", "2014"), ("Senior", "2010")):
            desk.get_by_label(division, exact=True).fill(year)
        press(desk, "Open it")
        desk.wait_for_url("**/desk/players*")
        self.home = desk.url.partition("desk")[0]
        lines = [f"{name};{'junior' if at % 5 == 0 else 'masters'}" for at, name in enumerate(names(players))]
        desk.locator("#paste-heading").click()
        desk.locator("#roster").fill("\n".join(["name;division", *lines]))
        press(desk, "Check the roster")
        press(desk, f"Register {players} players")
        self.done(f"{players} players registered")
        self.go("/event")
        if WHOLE:
            desk.locator("#plan-prizes").fill("8")
            press(desk, "Use this")
        else:
            desk.get_by_text("Another structure", exact=True).click()
            for field in ("division_rounds", "division_cuts"):
                for division in ("junior", "masters"):
                    desk.locator(f"[id='{field}.{division}']").fill("1" if field == "division_rounds" else "2")
            desk.locator("[id=rounds]").fill("1")
            desk.get_by_label("although the rulebook gives another structure").check()
            desk.get_by_label("Reason, if it departs from the rules").first.fill("a short evening")
            press(desk, "Announce")
        self.done("announced")
        self.go("/phones")
        desk.get_by_label("report results").check()
        press(desk, "Save")
        self.done("phones")

    def second_desk(self) -> None:
        """Make a link for a second desk, and open the link there."""
        self.go("/stations")
        self.desk.get_by_label("Station", exact=True).fill("Desk 2")
        self.desk.get_by_label("Who works there").fill("Jo")
        press(self.desk, "Make a link")
        self.other = self.browser.new_context().new_page()
        self.other.goto(self.desk.locator("#link-1").inner_text())
        expect(self.other.get_by_role("link", name="Pair a round under Rounds")).to_be_visible()

    # -- a round

    def pair(self, button: str) -> None:
        """Pair and post a round, which the wall then shows without a reload."""
        self.go("/rounds")
        press(self.desk, button)
        self.done(" table")
        self.go("/rounds")
        if (start := self.desk.get_by_role("button", name="Start the round")).is_visible():
            if (minutes := self.desk.locator("#minutes")).input_value() == "":
                minutes.fill("30")
            start.click()
            self.done("started")
        self.go()
        expect(self.desk.locator("#outstanding li").first).to_be_visible()
        self.tables = self.desk.locator("#outstanding li").count()

    def report_by_phone(self, table: int, *, agree: bool) -> None:
        """Let both players of a table report by phone. If the two reports differ, the desk types the slip."""
        self.desk.goto(f"{self.home}tables")
        row = self.desk.locator("#tables tbody tr").nth(table - 1)
        players = row.locator("td div a").all_inner_texts()
        phones = [self._phone(name) for name in players]
        for phone, said in zip(phones, ("I won", "I lost" if agree else "I won"), strict=True):
            expect(phone.locator(".tablecard-no")).to_contain_text(str(table))
            if agree and said == "I lost":
                press(phone, "Yes, I lost")
            elif phone is not phones[0]:  # wait until the page shows the first phone's claim, then click
                expect(phone.get_by_text("It was something else")).to_be_visible(timeout=15_000)
                phone.get_by_text("It was something else").click()
                phone.get_by_role("button", name=said, exact=True).click()
            else:
                phone.get_by_role("button", name=said, exact=True).click()
        if not agree:
            expect(phones[0].locator(".claiming .warning")).to_be_visible()
            self.go("/phones")
            expect(self.desk.locator("#queue li:has(.both)")).to_contain_text(f"Table {table}")
            self.go()
            expect(self.desk.locator("#keys li").first).to_be_visible()
            type_slip(self.desk, table, "1")
        expect(phones[0].locator(".recorded")).to_contain_text("won")
        expect(phones[1].locator(".recorded")).to_contain_text("lost")
        for phone in phones:
            phone.context.close()

    def _phone(self, name: str) -> Page:
        self.go(f"/stations/players?q={name}")
        link = self.desk.locator(".one-code", has_text=name).locator("code").inner_text()
        phone = self.browser.new_context(viewport={"width": 360, "height": 740}).new_page()
        phone.goto(link)
        phone.wait_for_url("**/me")
        return phone

    def slips(self, tables: list[int]) -> None:
        """Let both desks type the slips of these tables in turn. A terminal enters the other slips."""
        assert self.other is not None
        self.go()
        expect(self.desk.locator("#keys li").first).to_be_visible()
        typed, rest = tables[:TYPED], tables[TYPED:]
        if rest:
            at_terminal(self.ledger)("report", *(word for table in rest for word in (str(table), "a")))
        for desk, share in ((self.desk, typed[::2]), (self.other, typed[1::2])):
            for table in share:
                type_slip(desk, table, "12"[table % 2])
        for desk in (self.desk, self.other):
            expect(desk.locator("#outstanding li")).to_have_count(0, timeout=SLOW)
            expect(desk.locator("#unsettled li")).to_have_count(0)

    def all_slips(self) -> None:
        self.slips(list(range(1, self.tables + 1)))

    # -- the end

    def cut(self) -> None:
        """Settle the ties at the edge of the cut, look at the cut, and make it."""
        self.go("/event")
        if (draw := self.desk.get_by_role("button", name="Draw every tie")).is_visible():
            draw.click()
            self.done("by random draw")
            self.go("/event")
        expect(self.desk.get_by_text("First out").first).to_be_visible()
        press(self.desk, "Make the cut")
        expect(self.desk.locator(".seeds li").first).to_be_visible()

    def eliminate(self) -> None:
        """Play the brackets of both divisions to their champions."""
        while True:
            self.go("/rounds")
            if self.desk.get_by_text("The final is played.").is_visible():
                return
            self.pair("Pair the next elimination round")
            self.all_slips()

    def close(self) -> None:
        self.go("/event")
        expect(self.desk.get_by_text("has won the event")).to_have_count(2)
        press(self.desk, "Close the tournament")
        press(self.desk, "Record it")
        expect(self.desk.get_by_text("The tournament is closed").first).to_be_visible()


@contextmanager
def hall(window: Browser, ledger: Path) -> Iterator[Hall]:
    """An empty ledger on a server, and the browsers of the hall."""
    open_ledger(ledger, create=True).close()
    settings = Settings(watch_seconds=0.05, key=KEY, clerk=Clerk("Kim", "organizer", "north"))
    with serving(ledger, settings) as address:
        desk, wall = (
            window.new_context(viewport={"width": width, "height": 1080}).new_page() for width in (1366, 1920)
        )
        event = Hall(window, ledger, address, desk, wall)
        yield event
        for page in (desk, wall, event.other):
            if page is not None:
                page.context.close()


LOWEST = """() => {
    const end = (selector) =>
        Math.max(...[...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().bottom));
    return { match: end(".screen .match"), screen: end("#lines") };
}"""


@pytest.mark.parametrize("players", [300, 40][: at_length((1, 2))])
def test_the_browser_runs_an_event_with_two_divisions(window: Browser, tmp_path: Path, players: int) -> None:
    with hall(window, tmp_path / "event.ledger") as event:
        event.open(players)
        event.second_desk()
        event.wall.goto(f"{event.home}wall")
        rounds = 0
        while True:
            rounds += 1
            event.pair("Pair and post this round")
            expect(event.wall.get_by_role("heading", name=f"Round {rounds}")).to_be_visible()
            first = 1
            if rounds == 1:
                event.report_by_phone(1, agree=True)
                event.report_by_phone(2, agree=False)
                first = 3
            event.slips(list(range(first, event.tables + 1)))
            event.go("/rounds")
            event.desk.get_by_role("region", name="Next step").get_by_role(
                "button", name="Post the standings"
            ).click()
            event.done(f"standings after round {rounds} posted")
            expect(event.wall.locator("#heading")).to_contain_text(f"Standings after round {rounds}", timeout=SLOW)
            event.go("/rounds")
            if event.desk.get_by_role("link", name="Go to the cut and the close").is_visible():
                break
        event.cut()
        event.eliminate()
        expect(event.wall.locator("#heading")).to_contain_text(re.compile("Champions|Final places"), timeout=SLOW)
        event.close()
        event.wall.goto(f"{event.home}wall?show=bracket")
        lowest = event.wall.evaluate(LOWEST)
        assert lowest["match"] <= lowest["screen"], "no match of a bracket is cut off"
        event.wall.goto(f"{event.home}podium")
        expect(event.wall.get_by_role("heading", name="Junior")).to_be_visible()
        expect(event.wall.get_by_role("heading", name="Masters")).to_be_visible()
        expect(event.wall.locator(".crowned")).to_have_count(2)
    assert run(["verify", "--pairings", "--ledger", str(tmp_path / "event.ledger")]) == 0
