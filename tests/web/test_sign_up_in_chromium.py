"""Signing up in a real browser: the phone follows the desk's decision, and axe-core finds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, serving
from tests.web.conftest import at_terminal, friday
from tests.web.test_in_chromium import violations

from matchledger.web.settings import Settings

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


def test_the_form_for_another_person_follows_the_event_and_loses_no_typed_name(
    window: Browser, address: str, ledger: Path
) -> None:
    """Before the fix, the form offered free places after they were taken, and a button after the close."""
    terminal = at_terminal(ledger)
    terminal("allow-phones", "sign-up", "--places", "6")
    phone, other = window.new_page(), window.new_page()
    phone.goto(address)
    home = phone.url
    for page, name in (phone, "Zoe"), (other, "Yan"):
        page.goto(f"{home}sign-up")
        page.get_by_label("First name and surname").fill(name)
        if page is phone:
            page.get_by_role("button", name="Sign up", exact=True).click()
            phone.get_by_text("Sign up somebody else").click()
    free, send, typed = phone.locator("#free"), phone.locator("#send"), phone.get_by_label("First name and surname")
    expect(free).to_contain_text("1 place is free.")
    typed.fill("Xia")
    other.get_by_role("button", name="Sign up", exact=True).click()
    expect(free).to_contain_text("2 places are free. 2 people are ahead of you and come first.", timeout=30_000)
    expect(send).to_have_text("Join the waiting list")
    terminal("allow-phones", "sign-up", "--places", "9")
    expect(free).to_contain_text("3 places are free.")
    expect(send).to_have_text("Sign up")
    expect(typed).to_have_value("Xia")
    expect(typed).to_be_focused()
    phone.get_by_text("Sign up somebody else").click()
    terminal("allow-phones", "sign-up", "--places", "6")
    expect(free).to_contain_text("2 people are ahead of you")
    phone.get_by_text("Sign up somebody else").click()
    expect(typed).to_have_value("Xia")
    terminal("close", "--yes", "--reason", "nobody came")
    expect(phone.get_by_role("heading", level=1)).to_have_text("The event is over")
    expect(free).to_be_empty()
    expect(send.get_by_role("button")).to_have_count(0)
    expect(typed).to_have_value("Xia")
    phone.close()
    other.close()


def test_a_page_that_could_only_read_becomes_the_form_when_sign_up_is_opened(
    window: Browser, tmp_path: Path
) -> None:
    ledger = tmp_path / "cup.ledger"
    terminal = friday(ledger, "magic-mtr")
    phone = window.new_page()
    with serving(ledger, Settings(watch_seconds=0.05, proxied=True)) as address:
        phone.goto(address)
        phone.goto(f"{phone.url}sign-up")
        expect(phone.locator("#send")).to_contain_text("Nobody can sign up by phone now.")
        terminal("allow-phones", "sign-up", "--places", "5")
        expect(phone.locator("#entry")).to_contain_text("This phone can only read here.")
        terminal("token", "plain-http", "--role", "organizer", "--reason", "no certificate")
        phone.get_by_label("First name and surname").fill("Zoe")
        phone.get_by_role("button", name="Sign up", exact=True).click()
        expect(phone.get_by_text("There is a place.")).to_be_visible()
        terminal("allow-phones")
        expect(phone.get_by_role("heading", level=1)).to_have_text("Sign up")
        expect(phone.locator("#send")).to_contain_text("Nobody can sign up by phone now.")
        phone.close()
