"""The jobs of the desk with no hand but on the keyboard: where the cursor lands, and what is read aloud."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, chromium, serving
from tests.web.conftest import KEY, at_terminal
from tests.web.test_desk_in_chromium import come_in, type_slip

from matchledger.ledger import Clerk
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")


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
def desk(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    yield come_in(context, address)
    context.close()


def keys(page: Page, *pressed: str) -> None:
    """Presses keys that have a name, and types what stands in quotes."""
    for one in pressed:
        if one.startswith("'"):
            page.keyboard.type(one.strip("'"))
        else:
            page.keyboard.press(one)


def tab(page: Page, digit: int, cursor: str) -> None:
    """Opens a tab of the desk by its digit, and waits for the cursor."""
    pressed = {"modifiers": 1, "key": str(digit), "code": f"Digit{digit}", "unmodifiedText": str(digit)}
    keyboard = page.context.new_cdp_session(page)  # page.keyboard does not say which letter Alt goes with
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", "windowsVirtualKeyCode": 48 + digit, **pressed})
    keyboard.detach()
    expect(page.locator(cursor)).to_be_focused()


def heard(page: Page, said: str) -> None:
    expect(page.locator("#said")).to_contain_text(said)


def test_a_late_player_is_entered_and_another_dropped(desk: Page) -> None:
    tab(desk, 2, "#q")
    keys(desk, "'Di'", "Enter")
    expect(desk.locator("#why")).to_be_focused()
    keys(desk, "'has to leave'", "Enter")
    expect(desk.get_by_role("button", name="Record it")).to_be_focused()
    keys(desk, "Enter")
    heard(desk, "Di dropped")
    expect(desk.locator("#q")).to_be_focused()
    desk.locator("#name").focus()
    keys(desk, "'Zoe'", "Enter")
    heard(desk, "Zoe arrived late")
    expect(desk.locator("#name")).to_be_focused()


def test_a_search_that_finds_several_leads_to_the_first(desk: Page, ledger: Path) -> None:
    at_terminal(ledger)("late", "Dina")
    tab(desk, 2, "#q")
    keys(desk, "'Di'", "Enter")
    expect(desk.get_by_role("link", name="Di", exact=True)).to_be_focused()
    keys(desk, "Tab", "Enter")
    expect(desk.get_by_role("heading", name="Dina")).to_be_visible()


def test_a_round_is_paired_started_and_a_table_gets_more_time(desk: Page) -> None:
    for table in (1, 2):
        type_slip(desk, table, "1")
    expect(desk.locator("#outstanding li")).to_have_count(0)
    tab(desk, 3, "#next-heading")
    keys(desk, "Tab")
    expect(desk.get_by_role("button", name="Pair and post this round")).to_be_focused()
    keys(desk, "Enter")
    expect(desk.locator("#minutes")).to_be_focused()
    heard(desk, "round 2")
    keys(desk, "'50'", "Enter")
    expect(desk.locator("#extended")).to_be_focused()
    keys(desk, "'2'", "Tab", "'5'", "Enter")
    heard(desk, "5 minutes more")
    expect(desk.locator("#extended")).to_be_focused()


def test_a_wrong_slip_is_corrected_and_the_round_after_it_is_chosen_about(desk: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("pair")
    tab(desk, 5, "#at")
    keys(desk, "Shift+Tab", "'1'", "Tab", "'2'", "Enter")
    expect(desk.locator("#right")).to_be_focused()
    keys(desk, "'2'", "Enter")  # the same keys as for slips
    button = desk.get_by_role("button", name="Record it")
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport()
    expect(button).to_have_accessible_description(
        re.compile("^Round 1, table 2")
    )  # and what follows, read with the button
    keys(desk, "Enter")
    expect(desk.locator("a", has_text="choose what is done about it")).to_be_focused()
    heard(desk, "corrected")
    keys(desk, "Enter")
    expect(desk.get_by_role("radio", checked=True)).to_be_focused()
    keys(desk, "Tab", "'nobody has begun'", "Enter")
    heard(desk, "round 2")
    expect(desk.get_by_text("rests on a result that was put right since")).to_be_hidden()


def test_penalties_are_given_one_after_the_other(desk: Page) -> None:
    tab(desk, 6, "#penalty-player")
    keys(desk, "'Ann'", "Tab", "Tab", "Tab", "Tab", "'argued'", "Enter")
    heard(desk, "Ann")
    expect(desk.locator("#penalty-player")).to_be_focused()
    keys(desk, "'Zed'", "Enter")
    expect(desk.locator("#failed")).to_be_focused()
    keys(desk, "Tab", "Control+A", "'Bo'", "Enter")
    heard(desk, "Bo")


def test_the_second_pass_is_begun_and_stopped_with_the_arrows(desk: Page) -> None:
    type_slip(desk, 1, "1")
    expect(desk.locator("#note")).to_contain_text("Ann beat Bo")
    keys(desk, "Tab", "Tab", "Tab", "ArrowDown")
    expect(desk.locator("#table")).to_be_focused()
    type_slip(desk, 1, "2")
    expect(desk.locator("#wrong")).to_contain_text("does not agree")
    keys(desk, "Escape", "Tab", "Tab", "Tab", "ArrowUp")
    expect(desk.locator("#table")).to_be_focused()
    expect(desk.get_by_label("Enter slips")).to_be_checked()


def test_a_table_that_is_not_there_is_typed_over(desk: Page) -> None:
    keys(desk, "'9'", "Enter")
    expect(desk.locator("#wrong")).to_have_text("There is no table 9 in this round")
    keys(desk, "'2'", "Enter")
    expect(desk.locator("#table")).to_have_value("2")
    expect(desk.locator("#outcome")).to_be_focused()


def test_a_conflict_is_settled_and_the_next_slip_typed(desk: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a")
    expect(desk.locator("#outstanding li")).to_have_count(1)
    type_slip(desk, 1, "2")
    expect(desk.locator("#unsettled li")).to_have_count(1)
    expect(desk.locator("#table")).to_be_focused()
    keys(desk, "Tab", "Tab", "Tab", "Enter")
    expect(desk.locator("#unsettled li")).to_have_count(0)
    expect(desk.locator("#table")).to_be_focused()
    type_slip(desk, 2, "2")
    expect(desk.locator("#outstanding li")).to_have_count(0)


def test_a_slip_from_another_station_takes_the_focus_from_nobody(desk: Page, ledger: Path) -> None:
    second = desk.locator("#outstanding button").nth(1)
    second.focus()
    at_terminal(ledger)("report", "1", "a")
    expect(desk.locator("#outstanding li")).to_have_count(1)
    expect(desk.locator("#outstanding button")).to_be_focused()
    expect(desk.locator("#said")).to_have_text("")  # of what others record not every entry is read aloud
    at_terminal(ledger)("report", "2", "a")
    expect(desk.locator("#outstanding li")).to_have_count(0)
    expect(desk.locator("#table")).to_be_focused()


def test_slips_that_wait_are_heard_of_once_and_once_more_when_they_are_on_disk(desk: Page) -> None:
    desk.context.set_offline(True)
    type_slip(desk, 1, "1")
    heard(desk, "NOT ON DISK")
    desk.context.set_offline(False)
    expect(desk.locator("#said")).to_have_text("Entry 7 is on disk", timeout=10_000)


def test_the_cut_and_a_slip_of_the_bracket(desk: Page, ledger: Path) -> None:
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal("announce", "--rounds", "1", "--cut", "2", "--reason", "a short evening")
    terminal("tie")
    tab(desk, 4, "#size")
    keys(desk, "Enter")
    heard(desk, "cut")
    expect(desk.locator("a", has_text="Pair the elimination rounds")).to_be_focused()
    keys(desk, "Enter")
    expect(desk.locator("#next-heading")).to_be_focused()
    keys(desk, "Tab", "Enter")
    heard(desk, "elimination round 1")
    tab(desk, 1, "#table")
    expect(desk.locator("#outstanding li")).to_have_count(1)
    type_slip(desk, 1, "1")
    expect(desk.locator("#note")).to_contain_text("elimination round 1, table 1")


def test_a_page_that_follows_the_log_leaves_the_focus_where_it_is(
    browser: Browser, address: str, ledger: Path
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    phone = context.new_page()
    phone.goto(address)
    phone.goto(f"{phone.url}tables")
    phone.evaluate("document.body.dataset.patience = 0")
    link = phone.get_by_role("link", name="Cy", exact=True)
    link.focus()
    at_terminal(ledger)("report", "1", "a")
    expect(phone.locator("[data-tell]")).to_have_text("1 table is still to come.", timeout=10_000)
    expect(link).to_be_focused()
    heard(phone, "1 table is still to come.")
    context.close()


def test_what_a_search_leaves_is_heard_of(browser: Browser, address: str) -> None:
    context = browser.new_context()
    phone = context.new_page()
    phone.goto(address)
    phone.get_by_label("Find my name").fill("b")
    heard(phone, "Names found: 1")
    context.close()
