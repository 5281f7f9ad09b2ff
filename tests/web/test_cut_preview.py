"""The preview of the cut: who is in, who is the first out and why, and the first games as a drawing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, friday, two_flights
from tests.web.test_desk import fields
from tests.web.test_missing_results import words

from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.desk.cutting import cuts_ahead
from matchledger.web.settings import Settings


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Three rounds of eight players are played and posted, with a cut to the top 4."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "magic-mtr", "Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
    terminal("announce", "--rounds", "3", "--cut", "4", "--role", "organizer", "--reason", "small")
    for scores in (("2-0", "2-1", "2-0", "2-1"), ("2-0", "2-1", "2-1", "2-0"), ("2-1", "2-0", "2-0", "2-1")):
        terminal("pair", "--reason", "small")
        terminal("report", *(word for table, score in enumerate(scores, 1) for word in (str(table), score)))
        terminal("post")
    return path


def test_the_preview_draws_the_first_games_and_names_the_numbers(browser: Browser, desk: str) -> None:
    page = browser.get(f"{desk}/event").text
    seeds = page.split('<ol class="drawn">')[1].split("</ol>")[0]
    assert [words(one)[0] for one in seeds.split('class="seed">')[1:]] == ["1", "4", "2", "3"]
    out = page.split("First out")[1]
    assert words(out.split('class="soft decided"')[0]).startswith("5 ")
    decided = words(out.split('class="soft decided">')[1].split("</p>")[0])
    assert decided.startswith("Decided by ")
    assert decided.endswith("points") or " against " in decided


def test_the_bar_leads_to_the_button_that_makes_the_cut(station: Page) -> None:
    station.goto(f"{station.url}/event")
    expect(station.locator("#make-cut")).to_be_focused()
    expect(station.get_by_label("Cut to the top")).to_be_hidden()
    station.get_by_text("Another cut than announced").click()
    expect(station.get_by_label("Cut to the top")).to_be_visible()
    station.locator("#next-step").get_by_role("link", name="Make the cut").click()
    expect(station.locator("#make-cut")).to_be_focused()
    station.keyboard.press("Enter")
    expect(station.get_by_text("Seeds of the cut")).to_be_visible()


def test_a_correction_that_ties_the_edge_of_the_cut_names_the_tied_players(tmp_path: Path) -> None:
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "magic-mtr")
    terminal("announce", "--rounds", "3", "--cut", "2", "--role", "organizer", "--reason", "small")
    terminal("pair", "--table", "Ann/Bo", "--table", "Cy/Di", "--reason", "by hand")
    terminal("report", "1", "2-0", "2", "2-0")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        page = browser.get(f"{desk}/corrections?round=1&table=2").text
        shown = words(browser.post(f"{desk}/do", data=fields(page, "correct-slip") | {"outcome": "1-1-1"}).text)
    assert "The cut to the top 2 changes 2 players for 1 place: Cy , Di" in shown
    assert "Out:" not in shown


def test_the_preview_names_the_flight_that_left_the_first_player_out(tmp_path: Path) -> None:
    """PKM-3.3.3.2-FINALS: each flight sends its own best, so a player with a better number can be out."""
    path = two_flights(tmp_path, 3)
    with open_ledger(path) as opened:
        [record] = map(opened.record, opened.tournaments())
        [one] = cuts_ahead(record)
        numbers, names = record.flight_numbers, {player.name: number for number, player in record.players.items()}
    assert one.first_out is not None
    assert one.flight == (numbers[names[one.first_out.name]], 4)
    own = [line for line in one.inside if numbers[names[line.name]] == one.flight[0]]
    assert len(own) == 4
    if one.values:
        inside, outside = map(float, one.values)
        assert inside >= outside
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        shown = words(browser.get(f"{desk}/event").text)
    assert f"Flight {one.flight[0]}. Each flight sends its best 4." in shown


def test_the_german_preview_has_a_decimal_comma(tmp_path: Path) -> None:
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "magic-mtr", "Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
    terminal("announce", "--rounds", "2", "--cut", "4", "--role", "organizer", "--reason", "small")
    for tables in (("Ann/Bo", "Cy/Di", "Ed/Flo", "Gus/Hal"), ("Ann/Cy", "Ed/Gus", "Bo/Di", "Flo/Hal")):
        terminal("pair", *(word for table in tables for word in ("--table", table)), "--reason", "small")
        terminal("report", "1", "2-0", "2", "2-1", "3", "2-0", "4", "2-1")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        page = f"{browser.get('/', follow_redirects=False).headers['location']}desk/event"
        assert "50.00 against 40.00" in browser.get(page).text
        assert "50,00 gegen 40,00" in browser.get(page, headers={"accept-language": "de"}).text
