"""The form that opens a tournament, in a real browser: the summary follows it, and a preset fills it in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, serving
from tests.web.conftest import KEY
from tests.web.test_in_chromium import violations

from matchledger.ledger import Clerk, open_ledger
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")


@pytest.fixture
def host(window: Browser, tmp_path: Path) -> Iterator[Page]:
    """The browser of an organizer who has opened no tournament yet."""
    ledger = tmp_path / "new.ledger"
    open_ledger(ledger, create=True).close()
    with serving(ledger, Settings(clerk=Clerk("Pat", "organizer", "front"), key=KEY)) as address:
        page = window.new_context(base_url=address).new_page()
        page.goto(f"enter#{KEY}")
        page.wait_for_url(lambda url: "enter" not in url)
        yield page
        page.context.close()


def test_a_preset_fills_in_the_scoring_and_stays_marked_until_a_number_changes(host: Page) -> None:
    host.goto("new?rulebook=own")
    chess, usual = (
        host.get_by_role("link", name="1\u2013½\u20130"),
        host.get_by_role("link", name="3\u20131\u20130"),
    )
    expect(usual).to_have_attribute("aria-current", "true")
    host.get_by_label("Name of the game").fill("Chess")
    host.get_by_label("Name of the tournament").fill("Club Open")
    chess.click()
    expect(chess).to_have_attribute("aria-current", "true")
    expect(usual).not_to_have_attribute("aria-current", "true")
    expect(host.get_by_label("Points for a draw")).to_have_value("½")
    expect(host.get_by_label("Name of the game")).to_have_value("Chess")
    summary = host.locator(".summary")
    for said in ("Chess", "1\u2013½\u20130", "who won, or a draw", "no limit", "strength of schedule"):
        expect(summary).to_contain_text(said)
    host.get_by_label("Third").select_option("none")
    host.get_by_label("Minutes of a round").fill("90")
    expect(summary).to_contain_text("90")
    expect(chess).not_to_have_attribute("aria-current", "true")
    expect(host.locator("#tie-says-3")).to_have_text(
        "Lots decide the rest, and the log keeps them.", use_inner_text=True
    )
    assert violations(host) == []
    host.get_by_role("button", name="Open it").click()
    host.wait_for_url("**/desk/players*")


def test_the_summary_has_the_years_of_the_divisions(host: Page) -> None:
    host.goto("new?rulebook=pokemon-2009")
    summary = host.locator(".summary")
    expect(summary).to_contain_text("Junior year missing")
    host.get_by_label("Name of the tournament").fill("Regional Cup")
    host.keyboard.press("Enter")
    expect(host.locator("#year-junior")).to_be_focused()
    host.locator("#year-junior").fill("2014")
    host.locator("#year-senior").fill("2010")
    expect(summary).to_contain_text("Junior from 2014")
    assert violations(host) == []
    host.keyboard.press("Enter")
    host.wait_for_url("**/desk/players*")


def test_a_phone_has_the_button_at_the_foot_of_its_window(host: Page) -> None:
    host.set_viewport_size({"width": 360, "height": 740})
    for rulebook in ("pokemon-2009", "own"):
        host.goto(f"new?rulebook={rulebook}")
        expect(host.get_by_role("button", name="Open it")).to_be_in_viewport()
        expect(host.locator(".summary kbd")).to_be_hidden()
