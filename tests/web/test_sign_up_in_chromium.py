"""Signing up in a real browser: the phone follows the desk's decision, and axe-core finds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM
from tests.web.conftest import at_terminal
from tests.web.test_in_chromium import violations

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")


def test_a_phone_shows_the_decision_of_the_desk_without_a_reload(
    window: Browser, station: Page, ledger: Path
) -> None:
    at_terminal(ledger)("allow-phones", "sign-up", "--places", "5")
    desk = station.url
    phone = window.new_page(viewport={"width": 360, "height": 740})
    phone.goto(f"{desk.removesuffix('desk')}sign-up")
    assert violations(phone) == []
    phone.get_by_label("First name and surname").fill("Zoe")
    phone.get_by_role("button", name="Sign up", exact=True).click()
    expect(phone.get_by_text("There is a place.")).to_be_visible()
    assert violations(phone) == []
    station.goto(f"{desk}/waiting")
    expect(station.locator("#waiting-count")).to_have_text("1 person is waiting")
    assert violations(station) == []
    station.get_by_role("button", name="Decline Zoe").click()
    expect(station.locator("#question")).to_contain_text("Decline Zoe?")
    assert violations(station) == []
    station.locator("#question").get_by_role("button", name="Decline", exact=True).click()
    expect(phone.locator("#people")).to_contain_text("The desk has declined your entry", timeout=30_000)
    assert violations(station) == []
    station.get_by_role("button", name="Put Zoe back on the list").click()
    expect(phone.locator("#people")).to_contain_text("There is a place.", timeout=30_000)
    station.get_by_role("button", name="Accept Zoe").click()
    expect(station.locator(".done")).to_contain_text("Zoe entered late")
    expect(phone.locator("#people")).to_contain_text("You are in", timeout=10_000)
    phone.get_by_role("button", name="Open my page").click()
    expect(phone.get_by_role("heading", name="Zoe")).to_be_visible()
    assert violations(phone) == []
    news = phone.locator("#news")
    expect(news.get_by_text("The phone rings while this page is open.")).to_be_visible()
    expect(news.get_by_role("button")).to_have_count(1)
    news.get_by_role("button", name="Notify me of each new round").click()
    news.get_by_role("button", name="Stop notifying me").click()
    expect(news.get_by_role("button", name="Notify me of each new round")).to_be_visible()
    expect(phone.locator("#cut-off")).to_be_hidden()
    at_terminal(ledger)("renew-link", "Zoe", "--role", "organizer")
    expect(phone.locator("#cut-off")).to_contain_text("This personal link is no longer valid")
    phone.close()
