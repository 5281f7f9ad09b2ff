"""The desk in a real browser: a whole event by keyboard, two stations, a line that is down, and axe-core."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.chromium import CHROMIUM, chromium, serving
from tests.web.conftest import KEY, at_terminal
from tests.web.test_in_chromium import violations

from matchledger.cli import run
from matchledger.ledger import Clerk
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

PAGES = ("", "/players", "/players?player=1", "/rounds", "/corrections", "/corrections?round=1&table=1")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def address(ledger: Path) -> Iterator[str]:
    settings = Settings(watch_seconds=0.05, key=KEY, clerk=Clerk("Kim", "organizer", "north"))
    with serving(ledger, settings) as listening:
        yield listening


@pytest.fixture
def station(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    yield come_in(context, address)
    context.close()


def come_in(context: BrowserContext, address: str) -> Page:
    """A station whose link was opened, ready for the first slip."""
    page = context.new_page()
    page.goto(f"{address}enter#{KEY}")
    page.wait_for_url("**/desk")
    expect(page.locator("#keys li").first).to_be_visible()
    return page


def type_slip(page: Page, table: int, outcome: str) -> None:
    page.keyboard.type(str(table))
    page.keyboard.press("Enter")
    page.keyboard.type(outcome)
    page.keyboard.press("Enter")


def home_of(page: Page) -> str:
    return re.sub(r"/desk.*", "/desk", page.url)


def test_the_key_does_not_stay_in_the_address(station: Page) -> None:
    assert KEY not in station.url
    assert station.evaluate("document.cookie") == "", "no script can read who is here"


def test_slips_are_typed_without_the_mouse_in_under_two_seconds(station: Page) -> None:
    begun = time.perf_counter()
    type_slip(station, 2, "1")
    expect(station.locator("#outstanding li")).to_have_count(1)
    expect(station.locator("#disk")).to_have_text("Entry 7 is on disk")
    assert time.perf_counter() - begun < 2
    expect(station.locator("#table")).to_be_focused()
    expect(station.locator("#note")).to_contain_text("Cy beat Di")
    expect(station.locator("#recent li").first).to_contain_text("Kim, north: round 1, table 2: Cy beat Di")


def test_the_names_of_the_table_stand_beside_the_keys(station: Page) -> None:
    station.keyboard.type("1")
    expect(station.locator("#sides")).to_contain_text("Ann")
    expect(station.locator("#keys li").nth(1)).to_contain_text("Bo wins")


def test_u_takes_the_last_slip_back(station: Page) -> None:
    type_slip(station, 1, "1")
    expect(station.locator("#outstanding li")).to_have_count(1)
    station.keyboard.type("u")
    station.keyboard.press("Enter")
    expect(station.locator("#outstanding li")).to_have_count(2)
    expect(station.locator("#note")).to_have_text("Entry 7 no longer counts")


def test_a_slip_that_the_rules_refuse_waits_to_be_typed_again(station: Page) -> None:
    type_slip(station, 1, "draw")
    item = station.locator("#unsettled li")
    expect(item).to_contain_text("knows no draws")
    expect(station.locator("#table")).to_be_focused()
    item.get_by_role("button", name="Type it again").click()
    expect(station.locator("#outcome")).to_have_value("draw")
    expect(item).to_have_count(0)


def test_two_stations_at_one_table_lose_neither_slip(browser: Browser, station: Page, address: str) -> None:
    context = browser.new_context()
    other = come_in(context, address)
    type_slip(station, 1, "1")
    expect(other.locator("#outstanding li")).to_have_count(1)  # the other station hears of it
    type_slip(other, 1, "2")
    conflict = other.locator("#unsettled li")
    expect(conflict).to_contain_text("you typed 2 (Bo wins). Recorded already: round 1, table 1: Ann beat Bo")
    expect(other.locator("#table")).to_be_focused()
    type_slip(other, 2, "2")
    expect(other.locator("#outstanding li")).to_have_count(0)
    other.reload()
    expect(conflict).to_be_visible()
    conflict.get_by_role("link").click()
    expect(other.locator("h3")).to_contain_text("table 1")
    context.close()


def test_two_stations_that_say_the_same_have_nothing_to_settle(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a")
    type_slip(station, 1, "1")
    expect(station.locator("#note")).to_contain_text("recorded already and says the same")
    expect(station.locator("#unsettled li")).to_have_count(0)


def test_a_slip_waits_while_the_line_is_down_and_is_recorded_once(station: Page, ledger: Path) -> None:
    station.context.set_offline(True)
    type_slip(station, 1, "1")
    expect(station.locator("#disk")).to_have_text("NOT ON DISK: 1 slips wait for the server")
    type_slip(station, 2, "1")
    expect(station.locator("#disk")).to_have_text("NOT ON DISK: 2 slips wait for the server")
    station.context.set_offline(False)
    expect(station.locator("#disk")).to_have_text("Entry 8 is on disk", timeout=10_000)
    assert run(["pair", "--ledger", str(ledger)]) == 0, "both slips are in the log"


def test_the_second_pass_stops_where_the_pile_says_something_else(station: Page) -> None:
    for table in (1, 2):
        type_slip(station, table, "1")
    expect(station.locator("#outstanding li")).to_have_count(0)
    station.get_by_label("Second pass").check()
    type_slip(station, 2, "1")
    expect(station.locator("#note")).to_have_text("✓ Table 2 agrees")
    expect(station.locator("#pass")).to_have_text("1 tables still to compare: 1")
    type_slip(station, 1, "2")
    expect(station.locator("#wrong")).to_contain_text("On the slip: Bo beat Ann. In the log: Ann beat Bo.")
    expect(station.locator("#outcome")).to_be_focused()
    station.keyboard.type("1")
    station.keyboard.press("Enter")
    expect(station.locator("#pass")).to_have_text("Every table has been compared.")


def test_a_whole_event_is_played_through_the_pages(station: Page, ledger: Path) -> None:
    """Two rounds, a late arrival, a no-show, a correction that is looked at first, a posting, and the end."""
    home = home_of(station)
    type_slip(station, 1, "1")
    type_slip(station, 2, "2")
    expect(station.locator("#outstanding li")).to_have_count(0)

    station.goto(f"{home}/players")
    station.get_by_label("Name", exact=True).fill("Eve")
    station.get_by_role("button", name="Enter late").click()
    expect(station.get_by_role("link", name="Eve")).to_be_visible()

    station.goto(f"{home}/rounds")
    station.get_by_role("button", name="Post the standings").click()
    expect(station.get_by_text("Nothing speaks against it")).to_be_visible()
    station.get_by_role("button", name="Pair and post this round").click()
    expect(station.get_by_text("2 tables are outstanding")).to_be_visible()
    station.get_by_label("Minutes", exact=True).fill("50")
    station.get_by_role("button", name="Start the round").click()
    station.get_by_label("Table", exact=True).fill("2")
    station.get_by_label("more minutes").fill("3")
    station.get_by_role("button", name="Give time").click()

    station.goto(home)
    expect(station.get_by_role("timer")).to_contain_text(re.compile("49:|50:"))
    expect(station.locator("#outstanding li").last).to_contain_text("+3")
    type_slip(station, 1, "1")
    expect(station.locator("#outstanding li")).to_have_count(1)
    absent = station.locator("#outstanding li").inner_text().split(" \N{EN DASH} ")[1].split("+")[0].strip()
    station.goto(f"{home}/players?q={absent}")
    station.get_by_role("link", name=absent, exact=True).click()
    station.get_by_role("button", name="No-show").click()
    expect(station.get_by_text("dropped").first).to_be_visible()

    station.goto(f"{home}/corrections?round=1&table=1")
    station.get_by_label("What is right").fill("b")
    station.get_by_role("button", name="See what follows").click()
    expect(station.get_by_text("Nothing is recorded yet.")).to_be_visible()
    expect(station.get_by_text("would no longer be right")).to_be_visible()
    station.get_by_label("Reason").fill("both signed the wrong line")
    station.get_by_role("button", name="Record it").click()
    expect(station.get_by_text("both signed the wrong line")).to_be_hidden()

    station.goto(f"{home}/rounds")
    station.get_by_role("button", name="Close the tournament").click()
    expect(station.get_by_text("the secret behind its draws is shown to everybody")).to_be_visible()
    station.get_by_role("button", name="Record it").click()
    expect(station.get_by_text("The tournament is closed").first).to_be_visible()
    assert run(["verify", "--ledger", str(ledger)]) == 0


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1920])
def test_axe_finds_nothing_at_the_desk(browser: Browser, address: str, ledger: Path, mode: Any, width: int) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "b")
    at_terminal(ledger)("pair")
    at_terminal(ledger)("correct", "1", "1", "b")
    context = browser.new_context(viewport={"width": width, "height": 1080}, color_scheme=mode)
    page = come_in(context, address)
    home, found, wide = home_of(page), {}, []
    type_slip(page, 1, "draw")
    expect(page.locator("#unsettled li")).to_be_visible()
    for path in PAGES:
        page.goto(home + path)
        found[path] = violations(page)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wide.append(path)
    page.get_by_label("What is right").fill("a")
    page.get_by_role("button", name="See what follows").click()
    found["preview"] = violations(page)
    page.goto(address + "enter")
    found["enter"] = violations(page)
    context.close()
    assert {name: said for name, said in found.items() if said} == {}
    assert wide == []
