"""The next step leads to the repair of a round, and goes on once nothing is left to decide."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.web.conftest import Browser, at_terminal, friday
from tests.web.test_contested_results import execute
from tests.web.test_missing_results import bar, words

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
CORRECT = "correct 1 1 b --reason misread --yes"
KEEP, REPAIR = "Keep the posted round", "Repair the round"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Round 2 is paired. Then the slip of round 1, table 1 is corrected."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "pokemon-2009", *NAMES)
    terminal("announce", "--rounds", "3", "--cut", "2", "--role", "organizer", "--reason", "small")
    terminal("pair", "--reason", "small")
    terminal("report", "1", "a", "2", "a", "3", "a", "4", "a")
    terminal("pair", "--reason", "small")
    return path


def test_the_bar_leads_to_the_open_repair(browser: Browser, home: str, desk: str, ledger: Path) -> None:
    execute(browser, home, ledger, CORRECT)
    page = browser.get(f"{desk}/event").text
    assert bar(page) == f"Round 2 of 3 4 out {REPAIR}"
    assert f'{desk}/rounds#repair-choice"' in page
    rounds = browser.get(f"{desk}/rounds").text
    assert re.search(r"<details class=\"fold\" open><summary>Round 2 was paired from a result", rounds)
    assert 'id="repair-choice"' in rounds


def test_the_bar_says_that_the_round_stays_once_play_has_begun(
    browser: Browser, home: str, desk: str, ledger: Path
) -> None:
    execute(browser, home, ledger, "start", CORRECT)
    page = browser.get(f"{desk}/event").text
    assert KEEP in bar(page)
    assert REPAIR not in bar(page)
    rounds = browser.get(f"{desk}/rounds").text
    assert re.search(r"<details class=\"fold\" open><summary>Round 2 was paired from a result", rounds)


@pytest.mark.parametrize("decides", [True, False])
def test_the_bar_goes_on_after_the_round(
    browser: Browser, home: str, desk: str, ledger: Path, *, decides: bool
) -> None:
    execute(browser, home, ledger, "start", CORRECT)
    if decides:
        execute(browser, home, ledger, "repair --choose leave --reason late")
        assert KEEP not in bar(browser.get(f"{desk}/event").text)
    execute(browser, home, ledger, "report 1 a 2 a 3 a 4 a")
    page = browser.get(f"{desk}/event").text
    assert bar(page).endswith("0 out Post the standings")
    assert '<details class="fold"><summary>Round 2 was paired' in browser.get(f"{desk}/rounds").text or decides
    assert "choose how to repair" not in words(browser.get(f"{desk}/corrections").text).lower()


def test_the_bar_puts_the_cursor_into_the_repair(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("start")
    at_terminal(ledger)(*CORRECT.split())
    station.goto(f"{station.url}/event")
    station.get_by_role("link", name=KEEP).click()
    expect(station.locator("#repair-choice")).to_be_focused()
    expect(station.locator("#repair-choice")).to_be_in_viewport()
