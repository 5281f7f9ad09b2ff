"""Tasks at the desk by keyboard alone: where the cursor is, and what is announced."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, type_slip
from tests.web.conftest import at_terminal

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")


def keys(page: Page, *pressed: str) -> None:
    """Press the named keys, and type quoted text."""
    for one in pressed:
        if one.startswith("'"):
            page.keyboard.type(one.strip("'"))
        else:
            page.keyboard.press(one)


def tab(page: Page, digit: int, cursor: str) -> None:
    """Open a tab of the desk by its digit, and wait for the cursor."""
    pressed = {"modifiers": 1, "key": str(digit), "code": f"Digit{digit}", "unmodifiedText": str(digit)}
    keyboard = page.context.new_cdp_session(page)  # page.keyboard cannot say which letter goes with Alt
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", "windowsVirtualKeyCode": 48 + digit, **pressed})
    keyboard.detach()
    expect(page.locator(cursor)).to_be_focused()


def heard(page: Page, said: str) -> None:
    expect(page.locator("#said")).to_contain_text(said)


def test_a_late_player_is_entered_and_another_player_dropped(station: Page) -> None:
    tab(station, 2, "#q")
    keys(station, "'Di'", "Enter")
    expect(station.locator("#why")).to_be_focused()
    keys(station, "'has to leave'", "Enter")
    expect(station.get_by_role("button", name="Record it")).to_be_focused()
    keys(station, "Enter")
    heard(station, "Di dropped")
    expect(station.locator("#q")).to_be_focused()
    station.locator("#name").focus()
    keys(station, "'Zoe'", "Enter")
    heard(station, "Zoe entered late")
    expect(station.locator("#name")).to_be_focused()


def test_a_search_with_several_results_selects_the_first(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("late", "Dina")
    tab(station, 2, "#q")
    keys(station, "'i'", "Enter")
    expect(station.get_by_role("link", name="Di", exact=True)).to_be_focused()
    keys(station, "Tab", "Enter")
    expect(station.get_by_role("heading", name="Dina")).to_be_visible()


def test_a_round_is_paired_and_started_and_a_table_gets_more_time(station: Page) -> None:
    for table in (1, 2):
        type_slip(station, table, "1")
    expect(station.locator("#outstanding li")).to_have_count(0)
    tab(station, 3, "#next-heading")
    keys(station, "Tab")
    expect(station.get_by_role("button", name="Pair and post this round")).to_be_focused()
    keys(station, "Enter")
    expect(station.locator("#minutes")).to_be_focused()
    heard(station, "round 2")
    keys(station, "'50'", "Enter")
    expect(station.locator("#extended")).to_be_focused()
    keys(station, "'2'", "Tab", "'5'", "Enter")
    heard(station, "5 more minutes")
    expect(station.locator("#extended")).to_be_focused()


def test_a_wrong_slip_is_corrected_and_the_next_round_repaired(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("pair")
    expect(station.locator("#outstanding")).to_contain_text(re.compile(r"Ann\W+Cy|Cy\W+Ann"))  # the winners meet
    tab(station, 5, "#at")
    keys(station, "Shift+Tab", "ArrowUp", "Tab", "'2'", "Enter")
    expect(station.locator("#right")).to_be_focused()
    keys(station, "'2'", "Enter")  # the keys are the same as for slips
    button = station.get_by_role("button", name="Record it")
    expect(button).to_be_focused()
    expect(button).to_be_in_viewport()
    expect(button).to_have_accessible_description(
        re.compile("^Round 1, table 2")
    )  # a screen reader reads the effects aloud together with the button
    keys(station, "Enter")
    expect(station.locator("a", has_text="choose how to repair it")).to_be_focused()
    heard(station, "corrected")
    keys(station, "Enter")
    station.wait_for_url("**/rounds#repair-choice")  # scripts place the focus before the page has loaded
    expect(station.get_by_role("radio", checked=True)).to_be_focused()
    keys(station, "Tab", "'nobody has begun'", "Enter")
    heard(station, "round 2")
    expect(station.get_by_text("was paired from a result that was corrected later")).to_be_hidden()


def test_penalties_are_given_one_after_the_other(station: Page) -> None:
    tab(station, 6, "#penalty-player")
    keys(station, "'Ann'", "Tab", "'d'", "Tab", "'w'", "Tab", "'argued'", "Enter")
    heard(station, "Ann")
    expect(station.locator("#penalty-player")).to_be_focused()
    keys(station, "'Zed'", "Tab", "'d'", "Tab", "'w'", "Tab", "Enter")
    expect(station.locator("#failed")).to_be_focused()
    keys(station, "Tab", "Control+A", "'Bo'", "Enter")
    heard(station, "Bo")


def test_arrow_keys_begin_and_end_the_second_pass(station: Page) -> None:
    type_slip(station, 1, "1")
    expect(station.locator("#note")).to_contain_text("Ann beat Bo")
    keys(station, "Tab", "Tab", "Tab", "ArrowDown")
    expect(station.locator("#table")).to_be_focused()
    type_slip(station, 1, "2")
    expect(station.locator("#wrong")).to_contain_text("does not agree")
    keys(station, "Escape", "Tab", "Tab", "Tab", "ArrowUp")
    expect(station.locator("#table")).to_be_focused()
    expect(station.get_by_label("Enter slips")).to_be_checked()


def test_a_missing_table_can_be_typed_again(station: Page) -> None:
    keys(station, "'9'", "Enter")
    expect(station.locator("#wrong")).to_have_text("There is no table 9 in this round")
    keys(station, "'2'", "Enter")
    expect(station.locator("#table")).to_have_value("2")
    expect(station.locator("#outcome")).to_be_focused()


def test_a_conflict_is_settled_and_the_next_slip_typed(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a")
    expect(station.locator("#outstanding li")).to_have_count(1)
    type_slip(station, 1, "2")
    expect(station.locator("#unsettled li")).to_have_count(1)
    expect(station.locator("#table")).to_be_focused()
    keys(station, "Tab", "Tab", "Tab", "Enter")
    expect(station.locator("#unsettled li")).to_have_count(0)
    expect(station.locator("#table")).to_be_focused()
    type_slip(station, 2, "2")
    expect(station.locator("#outstanding li")).to_have_count(0)


def test_a_slip_from_another_station_does_not_move_the_focus(station: Page, ledger: Path) -> None:
    second = station.locator("#outstanding button").nth(1)
    second.focus()
    at_terminal(ledger)("report", "1", "a")
    expect(station.locator("#outstanding li")).to_have_count(1)
    expect(station.locator("#outstanding button")).to_be_focused()
    expect(station.locator("#said")).to_have_text("")  # a screen reader does not hear every entry of other stations
    at_terminal(ledger)("report", "2", "a")
    expect(station.locator("#outstanding li")).to_have_count(0)
    expect(station.locator("#table")).to_be_focused()


def test_waiting_slips_are_announced_once_and_again_after_saving(station: Page) -> None:
    station.context.set_offline(True)
    type_slip(station, 1, "1")
    heard(station, "NOT ON DISK")
    station.context.set_offline(False)
    expect(station.locator("#said")).to_have_text("Entry 7 is on disk", timeout=10_000)


def test_the_keyboard_makes_the_cut_and_enters_a_slip_of_the_bracket(station: Page, ledger: Path) -> None:
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal("announce", "--rounds", "1", "--cut", "2", "--reason", "a short evening")
    terminal("tie")
    tab(station, 4, "#make-cut")
    keys(station, "Enter")
    heard(station, "cut")
    expect(station.locator("a", has_text="Pair the elimination rounds")).to_be_focused()
    keys(station, "Enter")
    expect(station.locator("#next-heading")).to_be_focused()
    keys(station, "Tab", "Enter")
    heard(station, "Final")
    tab(station, 1, "#table")
    expect(station.locator("#outstanding li")).to_have_count(1)
    type_slip(station, 1, "1")
    expect(station.locator("#note")).to_contain_text("elimination round 1, table 1")


def test_a_page_that_follows_the_log_does_not_move_the_focus(window: Browser, address: str, ledger: Path) -> None:
    context = window.new_context(viewport={"width": 360, "height": 740})
    phone = context.new_page()
    phone.goto(address)
    phone.goto(f"{phone.url}tables")
    phone.evaluate("document.body.dataset.patience = 0")
    link = phone.get_by_role("link", name="Cy", exact=True)
    link.focus()
    at_terminal(ledger)("report", "1", "a")
    expect(phone.locator("[data-tell]")).to_have_text("1 table is still playing.", timeout=10_000)
    expect(link).to_be_focused()
    heard(phone, "1 table is still playing.")
    context.close()


def test_search_results_are_announced(window: Browser, address: str) -> None:
    context = window.new_context()
    phone = context.new_page()
    phone.goto(address)
    phone.get_by_label("Find my name").fill("b")
    heard(phone, "Names found: 1")
    context.close()


def test_every_job_of_the_palette_takes_at_most_15_keys(station: Page) -> None:
    """The keys are Ctrl+K, letters until the job is selected, a table or the beginning of a name, and Enter."""
    jobs = station.locator("#palette-list [role=option]").evaluate_all(
        "found => found.map((one) => [one.id, one.dataset.words.split(' ')[0], one.dataset.address])"
    )
    assert len(jobs) > 20
    counted = {}
    for job, word, address in jobs:
        keys(station, "Control+k")
        chosen, typed = station.locator(f"#{job}[aria-selected=true]"), 0
        while not chosen.count():
            keys(station, f"'{word[typed]}'")
            typed += 1
        about = " 12 3" if not address else " gret" if "{}" in address else ""
        counted[word] = len(["Control", "k", *word[:typed], *about, "Enter"])
        keys(station, "Escape")
    assert {word: count for word, count in counted.items() if count > 15} == {}


def test_the_palette_opens_the_waiting_list(station: Page) -> None:
    keys(station, "Control+k", "'wait'", "Enter")
    expect(station.get_by_role("heading", name="Waiting list")).to_be_visible()


def test_a_round_is_paired_by_hand_with_the_list_of_unseated_players(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    station.goto(f"{station.url}/hand")
    players = station.locator("#picks li button:visible")
    expect(players).to_have_count(4)
    expect(station.locator("#seated")).to_have_text("0 of 4 seated")
    station.get_by_role("button", name="Cy", exact=False).focus()
    keys(station, "Enter")  # the focus goes on to the next player without a seat
    expect(station.locator("#seat-1-a")).to_have_value("Cy")
    expect(station.locator("#turn")).to_have_text("Table 1: who plays against Cy?")
    keys(station, "Enter")
    expect(station.locator("#turn")).to_have_text("Choose a player for table 2.")
    keys(station, "Enter", "Enter")
    expect(station.locator("#turn")).to_have_text("Every seat is taken.")
    expect(station.locator("#seated")).to_have_text("4 of 4 seated")
    station.locator("#seat-1-a").fill("A")
    station.locator("#seat-1-a").focus()
    expect(players).to_have_text([re.compile("^Cy")])


def test_a_table_with_both_players_is_a_line_that_can_be_freed(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    station.goto(f"{station.url}/hand")
    expect(station.locator(".pair:not(.bye,.coming):visible")).to_have_count(1)
    keys(station, "'b'", "Tab", "'#3'", "Tab")  # the beginning of a name, and a number
    expect(station.locator("#seat-2-a")).to_be_focused()
    expect(station.locator(".pair.line")).to_have_text(re.compile("1.*Bo.*Cy"))
    expect(station.locator("#seat-1-a")).to_have_value("Bo")
    station.get_by_role("button", name="Free table 1").click()
    expect(station.locator("#seat-1-a")).to_be_focused()
    expect(station.locator("#unseated")).to_have_text("4")


def test_a_pair_that_has_met_says_so_at_its_table(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    station.goto(f"{station.url}/hand")
    station.locator("#find-pick").focus()
    keys(station, "'ann'", "Enter")
    expect(station.get_by_role("button", name="Bo", exact=False)).to_contain_text("met in round 1")
    keys(station, "'bo'", "Enter")
    expect(station.locator(".pair.line")).to_contain_text("met in round 1")
    expect(station.locator("#doubts")).to_have_text("1 table to look at")
    station.get_by_role("button", name="Free table 1").click()
    expect(station.locator("#doubts")).to_be_hidden()


def test_a_phone_shows_the_other_players_on_request(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    for name in ("Ed", "Flo", "Gus", "Hal"):
        at_terminal(ledger)("late", name)
    station.set_viewport_size({"width": 360, "height": 740})
    station.goto(f"{station.url}/hand")
    players = station.locator("#picks li button:visible")
    expect(players).to_have_count(6)
    station.locator("#others").click()
    expect(players).to_have_count(8)
    expect(players.nth(6)).to_be_focused()
    expect(station.locator("#others")).to_be_hidden()


def test_a_found_name_is_seated_with_enter(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    station.goto(f"{station.url}/hand")
    station.locator("#find-pick").focus()
    keys(station, "'di'", "Enter", "'an'", "Enter")
    expect(station.locator(".pair.line")).to_have_text(re.compile("1.*Di.*Ann"))
    expect(station.locator("#find-pick")).to_be_focused()
    expect(station.locator("#find-pick")).to_have_value("")
    expect(station.locator("#failed")).to_have_count(0)


def test_the_table_of_a_penalty_is_the_players(station: Page) -> None:
    tab(station, 6, "#penalty-player")
    keys(station, "'Di'", "Tab")
    expect(station.locator("#penalty-table")).to_have_value("2")
    station.locator("#penalty-player").fill("nobody")
    station.locator("#penalty-player").blur()
    expect(station.locator("#penalty-table")).to_have_value("")
    station.locator("#penalty-table").fill("7")
    station.locator("#penalty-player").fill("ann")
    station.locator("#penalty-player").blur()
    expect(station.locator("#penalty-table")).to_have_value("7")  # typed by hand
    station.goto(f"{station.url.split('?')[0]}?player=1")
    expect(station.locator("#penalty-table")).to_have_value("1")


def test_a_half_written_penalty_for_one_player_is_not_shown_for_another(station: Page) -> None:
    desk = station.url
    station.goto(f"{desk}/conduct?player=1")
    station.locator("#penalty-note").fill("a sheet under the mat")
    station.goto(f"{desk}/conduct?player=2")
    expect(station.locator("#penalty-note")).to_have_value("")
    station.goto(f"{desk}/conduct?player=1")
    expect(station.locator("#penalty-note")).to_have_value("a sheet under the mat")


def test_what_was_typed_in_the_palette_fills_the_fields(station: Page) -> None:
    home = station.url
    keys(station, "Control+k", "'report 1 2'", "Enter")
    expect(station.locator("#sides")).to_contain_text("Ann")
    expect(station.get_by_label("Outcome")).to_have_value("2")
    station.goto(home)
    keys(station, "Control+k", "'register New Guy'", "Enter")
    expect(station.get_by_label("Name", exact=True)).to_have_value("New Guy")
    keys(station, "Control+k", "'swap 1 2'", "Enter")
    expect(station.locator("#swap-first")).to_have_value("1")
    expect(
        station.locator("#swap-first").locator("xpath=ancestor::form").locator("input[inputmode]").nth(1)
    ).to_have_value("2")
    keys(station, "Control+k", "'Bo'")
    expect(station.locator("#palette-list [aria-selected=true]")).to_contain_text("Player")
    keys(station, "Enter")
    expect(station.locator("#q")).to_have_value("Bo")


def test_the_player_with_exactly_this_name_is_meant(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("late", "Bob")
    station.goto(f"{station.url}/players?q=Bo")
    expect(station.locator("main")).to_contain_text("Bob")
    expect(station.locator("form:has([value=drop-player]) [name=player]")).to_have_value("2")
