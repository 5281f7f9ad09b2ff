"""Faults that a scorekeeper found and that appear only in a real browser."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from starlette.testclient import TestClient
from tests.ledger.test_old_logs import KEPT, restored
from tests.web.chromium import CHROMIUM, serving, type_slip
from tests.web.conftest import KEY, at_terminal, come_in, opened
from tests.web.test_findings import DIVIDED

from matchledger.cli import run
from matchledger.commands.results import RetractEntry
from matchledger.events import KINDS
from matchledger.ledger import Clerk, open_ledger
from matchledger.service.execute import Request, execute
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")


@pytest.fixture
def regional(window: Browser, tmp_path: Path) -> Iterator[Page]:
    """The desk of an event with divisions that play apart: four juniors and five masters, after one round."""
    sheet, path = tmp_path / "regional.sheet", tmp_path / "regional.ledger"
    more = "player Flo division=junior\nplayer Gus division=junior\nround 1\n  Flo > Gus\n"
    sheet.write_text(DIVIDED.replace("round 1\n", more), "utf-8")
    assert run(["import", str(sheet), "--ledger", str(path)]) == 0
    context = window.new_context()
    with serving(path, Settings(watch_seconds=0.05, key=KEY)) as address:
        page = context.new_page()
        page.goto(f"{address}enter#{KEY}")
        page.wait_for_url("**/desk")
        yield page
        context.close()


def press(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).click()


@pytest.mark.finding("B-1")
@pytest.mark.parametrize("screen", ["", "?show=clock"])
def test_the_heading_of_an_open_wall_follows_the_round(
    window: Browser, station: Page, ledger: Path, screen: str
) -> None:
    wall = window.new_context().new_page()
    wall.goto(station.url.replace("desk", f"wall{screen}"))
    expect(wall.locator("#heading")).to_have_text("Round 1")
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("pair")
    expect(wall.locator("#heading")).to_have_text("Round 2")
    expect(wall).to_have_title(re.compile("^Round 2 "))
    wall.context.close()


@pytest.mark.parametrize("shares", [True, False])
def test_a_page_shows_an_entry_that_came_while_the_page_was_on_its_way(
    window: Browser, address: str, ledger: Path, shares: bool
) -> None:
    """Before the fix, such a page stayed as it was until the next entry."""
    page = window.new_context().new_page()
    if not shares:  # some phones have no worker that the pages share
        page.add_init_script("delete window.SharedWorker")

    def slowly(route: Route) -> None:
        answer = route.fetch()
        at_terminal(ledger)("report", "1", "a")
        time.sleep(0.3)  # the server learns of the entry before the page listens
        route.fulfill(response=answer)

    page.goto(address)
    page.route("**/wall?show=tables", slowly, times=1)
    page.goto(f"{page.url}wall?show=tables")
    expect(page.locator("#waiting")).to_contain_text("1 table is still playing.")
    page.context.close()


@pytest.mark.finding("B-3")
def test_divisions_stay_apart_when_a_late_player_gets_a_division_later(regional: Page) -> None:
    home = regional.url
    regional.goto(f"{home}/players")
    regional.get_by_label("Name", exact=True).fill("Zoe")
    press(regional, "Enter late")
    expect(regional.locator(".done")).to_contain_text("Zoe entered late")
    regional.goto(f"{home}/rounds")
    if (why := regional.locator("#pair-why")).is_visible():
        why.fill("Zoe plays along")
        regional.get_by_label("although something speaks against it").check()
    press(regional, "Pair and post this round")
    expect(regional.locator(".done")).to_contain_text("Swiss round 2")
    expect(regional.locator(".done")).not_to_contain_text("play together")
    regional.goto(f"{home.removesuffix('desk')}standings")
    divisions = regional.get_by_role("navigation", name="Divisions")
    for division in ("Junior", "Masters"):
        divisions.get_by_role("link", name=division).click()
        expect(regional.get_by_role("heading", name=division)).to_be_visible()
    regional.goto(f"{home}/players?q=Zoe")
    regional.get_by_role("link", name="Zoe", exact=True).click()
    regional.get_by_text("Correct the person").click()
    form = regional.locator("form", has=regional.locator("[value=correct-player]"))
    form.locator("[name=division]").fill("junior")
    if (why := form.get_by_label(re.compile("^Reason"))).is_visible():
        why.fill("born in 2015")
    form.get_by_role("button").click()
    if (record := regional.get_by_role("button", name="Record it")).is_visible():
        record.click()
    regional.goto(f"{home.removesuffix('desk')}player/8")
    expect(regional.locator("#card .div")).to_have_text("Junior")


@pytest.mark.finding("B-4", "B-5", "C-D9")
def test_the_bracket_names_the_tables_of_the_hall_and_every_screen_crowns(window: Browser, tmp_path: Path) -> None:
    """Each division has a final, at a table of its own, and then a champion."""
    sheet, path = tmp_path / "regional.sheet", tmp_path / "regional.ledger"
    sheet.write_text(DIVIDED, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(path)]) == 0
    terminal = at_terminal(path)
    terminal("cut", "--division", "junior=2", "--division", "masters=2", "--reason", "little time")
    terminal("pair")
    with serving(path, Settings(watch_seconds=0.05, key=KEY)) as address:
        page = window.new_page()
        page.goto(address)
        home = page.url
        page.goto(f"{home}bracket")
        for table in ("Table 1", "Table 2"):
            expect(page.locator(".bracket").get_by_text(table).filter(visible=True).first).to_be_visible()
        page.goto(home)
        terminal("report", "1", "b", "2", "a")
        for screen in (None, "standings", "crosstable", "podium", "wall", "bracket"):
            if screen is not None:
                page.goto(home + screen)
            for text in ("Champion", "Bo", "Cy"):
                expect(page.locator("main").get_by_text(text).filter(visible=True).first).to_be_visible()
        for player, text in ((2, "Champion"), (1, "Final place 2")):
            page.goto(f"{home}player/{player}")
            expect(page.locator("#card")).to_contain_text(text)
        for wrong in (["1", "a"], ["2", "b"]):
            assert run(["report", *wrong, "--ledger", str(path)]) != 0
        expect(page.get_by_text("Champion").filter(visible=True)).to_have_count(0)
        for screen in ("event", "wall?show=tables", "", "podium", "wall"):
            page.goto(home + screen)
            if screen in ("event", "wall?show=tables"):
                expect(page.get_by_text("2 results are being settled.").first).to_be_visible()
            expect(page.get_by_text("Champion").filter(visible=True)).to_have_count(0)
        page.goto(f"{home}bracket")
        expect(page.locator(".crown.won")).to_have_count(0)
        terminal("correct", "1", "1", "a", "--elimination", "--reason", "misread")
        terminal("retract", "19", "--reason", "misread")
        expect(page.locator(".crown.won").first).to_be_visible()
        page.goto(home)
        expect(page.locator("#crowned")).to_contain_text("Ann")
        page.close()


@pytest.mark.finding("B-6")
def test_two_different_slips_for_a_table_stop_the_green_light(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    station.goto(f"{station.url}/rounds")
    expect(station.get_by_text("No objections")).to_be_visible()
    assert run(["report", "1", "b", "--ledger", str(ledger)]) != 0
    expect(station.get_by_text("1 table has two slips that differ").first).to_be_visible()
    expect(station.get_by_text("No objections")).to_have_count(0)
    expect(station.get_by_role("link", name="Settle it").first).to_be_visible()


@pytest.mark.finding("B-7")
def test_a_slip_survives_a_restart_of_the_server_with_another_key(window: Browser, ledger: Path) -> None:
    context = window.new_context()
    with serving(ledger, Settings(watch_seconds=0.05, key=KEY)) as address:
        desk = come_in(context, address)
    type_slip(desk, 1, "1")
    expect(desk.locator("#disk")).to_contain_text("NOT ON DISK")
    with serving(ledger, Settings(watch_seconds=0.05, key="another-key"), urlsplit(address).port or 0):
        expect(desk.locator("#locked")).to_be_visible()
        expect(desk.locator("#disk")).to_contain_text("NOT ON DISK")
        other = context.new_page()
        other.goto(f"{address}enter")
        expect(other.locator("#waiting")).to_have_text("NOT ON DISK: 1 slip waits for the server")
        other.evaluate("location.hash = 'another-key'")  # as when a person pastes a new link into the address bar
        other.wait_for_url(lambda url: "enter" not in url)
        desk.reload()
        expect(desk.locator("#disk")).to_have_text("Entry 7 is on disk")
        expect(desk.locator("#outstanding li")).to_have_count(1)
        context.close()


def test_an_open_page_says_that_a_restarted_server_turns_it_away(window: Browser, ledger: Path) -> None:
    context = window.new_context()
    with serving(ledger, Settings(watch_seconds=0.05, key=KEY)) as address:
        desk = come_in(context, address)
        desk.goto(f"{desk.url}/rounds")
        expect(desk.locator("#disk")).to_have_text("Entry 6 is on disk")
    with serving(ledger, Settings(watch_seconds=0.05, key="another-key"), urlsplit(address).port or 0):
        expect(desk.locator("#cut-off")).to_be_visible()
        expect(desk.locator("#disk")).to_have_text("Not connected")
        desk.locator("#cut-off").get_by_role("link", name="Come in again").click()
        desk.wait_for_url("**/enter")
        context.close()


def test_a_judge_reads_at_once_that_another_server_revoked_the_link(window: Browser, ledger: Path) -> None:
    """Before the fix, an open page said so only after the next entry."""
    context = window.new_context()
    judge = context.new_page()
    south = TestClient(create_app(str(ledger), Settings(key=KEY)), base_url="http://localhost")
    with serving(ledger, Settings(key="north")) as north, south:
        home = south.post("/enter", data={"key": KEY}, follow_redirects=False).headers["location"]
        page = south.post(f"{home}/stations", data={"station": "Floor", "role": "judge"}).text
        code = re.findall(r"enter#([\w-]+)", page)[0]
        judge.goto(f"{north}enter#{code}")
        judge.wait_for_url("**/desk/phones")
        expect(judge.locator("#cut-off")).to_be_hidden()
        with judge.expect_response("**/desk/admitted") as admitted:
            pass
        assert admitted.value.status == 204
        south.post(f"{home}/stations/revoke", data={"code": code, "confirmed": "yes"})
        expect(judge.locator("#cut-off")).to_be_visible(timeout=10_000)
        judge.locator("#cut-off").get_by_role("link", name="Come in again").click()
        expect(judge.locator("main")).to_contain_text("the link of this station was revoked")
    context.close()


@pytest.mark.finding("B-8", "B-9", "B-16")
def test_one_key_announces_and_no_empty_field_starts_a_round(window: Browser, tmp_path: Path) -> None:
    """A rulebook with divisions and without a length of a round, from the structure to a player's phone."""
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "-b", "pokemon-2009")
    for number in range(24):
        terminal("register", f"Player {number}", "--division", ("junior", "masters", "masters")[number % 3])
    context = window.new_context()
    with serving(path, Settings(watch_seconds=0.05, key=KEY)) as address:
        page = opened(context, address)
        home = page.url.partition("/desk")[0]
        page.goto(f"{home}/desk/event")
        plan = page.locator("form", has=page.locator("[value=use-plan]"))
        rounds = {
            one: plan.locator(f"[name='division_rounds.{one}']").input_value() for one in ("junior", "masters")
        }
        plan.get_by_label("Prizes").fill("4")
        plan.get_by_role("button", name="Use this").click()
        for division, count in rounds.items():
            expect(page.locator(".done")).to_contain_text(f"{count} of {division}")
        terminal("pair")
        page.goto(f"{home}/desk/rounds")
        minutes = page.locator("#minutes")
        expect(minutes).to_have_value("")
        expect(page.get_by_role("button", name="Start without a clock")).to_be_visible()
        minutes.press("Enter")
        assert minutes.evaluate("field => field.validity.valueMissing")
        page.goto(f"{home}/player/1")
        expect(page.get_by_role("button", name="It was a draw")).to_have_count(0)
    context.close()


@pytest.mark.finding("B-11")
def test_a_preview_without_a_match_mentions_none(station: Page) -> None:
    station.goto(f"{station.url}/players?player=1")
    form = station.locator("form", has=station.locator("[value=drop-player]"))
    form.get_by_role("button").evaluate("button => button.click()")
    expect(station.get_by_text("From the next round on, this player is not paired.").first).to_be_visible()
    expect(station.get_by_text("Only this match changes")).to_have_count(0)


@pytest.mark.finding("B-12", "B-18")
def test_the_last_round_leads_to_the_cut_and_standings_begin_with_round_1(window: Browser, tmp_path: Path) -> None:
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "-b", "l5r-2018")
    for name in ("Ann", "Bo", "Cy", "Di"):
        terminal("register", name)
    terminal("announce", "--rounds", "2", "--cut", "2", "--reason", "small")
    context = window.new_context()
    with serving(path, Settings(watch_seconds=0.05, key=KEY)) as address:
        page = opened(context, address)
        home = page.url.partition("/desk")[0]
        terminal("pair", "--table", "Ann/Bo", "--table", "Cy/Di")
        page.goto(f"{home}/standings")
        expect(page.get_by_text("No round has ended yet.").first).to_be_visible()
        terminal("report", "1", "a", "2", "a")
        terminal("post")
        terminal("pair", "--table", "Ann/Cy", "--table", "Bo/Di")
        terminal("report", "1", "a", "2", "b")  # Cy is second by the strength of schedule
        terminal("post")
        page.goto(f"{home}/desk/rounds")
        expect(page.get_by_text("All announced rounds are played.").first).to_be_visible()
        expect(page.get_by_role("button", name="Pair and post this round")).to_have_count(0)
        page.get_by_role("link", name="Look at the cut").first.click()
        expect(page.get_by_text("First out").first).to_be_visible()
        expect(page.get_by_text("First games").first).to_be_visible()
    context.close()


def test_an_open_page_of_the_event_follows_the_event(station: Page, ledger: Path) -> None:
    station.goto(f"{station.url}/event")
    expect(station.locator("#settings")).to_contain_text("2 tables are outstanding")
    at_terminal(ledger)("report", "1", "a", "2", "a")
    expect(station.locator("#settings")).not_to_contain_text("outstanding")
    at_terminal(ledger)("close", "--yes", "--role", "organizer", "--reason", "a short evening")
    expect(station.locator("#ended-note")).to_contain_text("The tournament is closed: nothing more is recorded.")
    expect(station.locator("#course")).to_contain_text("Final places")
    at_terminal(ledger)("undo", "--yes", "--role", "organizer", "--reason", "too early")
    expect(station.locator("#ended-note")).not_to_contain_text("closed")
    expect(station.locator("#course")).not_to_contain_text("Final places")


def test_what_is_typed_stays_while_the_page_of_the_event_follows_it(station: Page, ledger: Path) -> None:
    station.goto(f"{station.url}/event")
    reason = station.locator("#settings [name=reason]").first
    reason.evaluate("field => { field.closest('details').open = true; field.value = 'late'; }")
    reason.evaluate("field => { field.closest('details').open = false; }")
    at_terminal(ledger)("report", "1", "a", "2", "a")
    expect(station.locator("#settings")).not_to_contain_text("outstanding")
    expect(station.locator("#settings [name=reason]").first).to_have_value("late")


def test_the_bar_above_the_answer_to_a_form_follows_the_event(station: Page, ledger: Path) -> None:
    station.goto(f"{station.url}/players?q=Ann")
    with station.expect_navigation():
        station.locator("form:has([name=kind][value=drop-player]) button").first.evaluate(
            "button => button.click()"
        )
    expect(station.locator("h1")).to_contain_text("What would follow")
    bar = station.locator("#next-step")
    expect(bar).to_contain_text("2 out")
    asked: list[int] = []
    station.on("response", lambda answer: asked.append(answer.status))
    at_terminal(ledger)("report", "1", "a", "2", "a")
    expect(bar).to_contain_text("0 out")
    expect(station.locator("h1")).to_contain_text("What would follow")
    assert 404 not in asked


@pytest.mark.finding("B-10")
def test_the_clock_of_a_round_ticks_and_its_number_of_slips_is_current(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("start", "--minutes", "50")
    station.goto(f"{station.url}/rounds")
    clock = station.locator("#face .hand").first
    expect(clock).to_have_text(re.compile(r"^(50:00|49:5\d)$"))
    shown = clock.inner_text()
    expect(clock).not_to_have_text(shown)
    out = station.locator(".next-facts li", has_text="out").locator("b")
    expect(out).to_have_text("2")
    at_terminal(ledger)("report", "1", "a")
    expect(out).to_have_text("1")


@pytest.mark.finding("B-13")
def test_the_log_takes_back_an_entry_of_each_kind(window: Browser, tmp_path: Path) -> None:
    """The desk also takes back the close and all later entries. In the log, some entries come before entries on
    which they depend.
    """
    path = tmp_path / "every.ledger"
    restored(KEPT[-1], path, str(path))
    clerk = Clerk("Kim", "organizer", "north")
    context = window.new_context()
    with (
        serving(path, Settings(watch_seconds=0.05, key=KEY, clerk=clerk)) as address,
        open_ledger(path) as ledger,
    ):
        page = opened(context, address)
        [tournament] = ledger.tournaments()
        entries = [entry for entry in ledger.entries(tournament) if entry.fact.retractable]
        seen = set(LASTING)
        drawn = min(entry.position for entry in entries if entry.fact.kind == "bracket-drawn")
        entries.sort(key=lambda entry: drawn - 0.5 if entry.fact.kind == "qualifier-replaced" else entry.position)
        entries.sort(key=lambda entry: entry.fact.kind not in AFTER_THE_ROUNDS)
        for entry in reversed(entries):
            if entry.fact.kind in LASTING or ledger.record(tournament).is_dead(entry.position):
                continue
            if entry.fact.kind in seen:
                retract = RetractEntry(position=entry.position)
                execute(ledger, tournament, Request(retract, clerk, reason="wrong"))
            else:
                take_back(page, f"{page.url.partition('/desk')[0]}/desk/log?kind={entry.fact.kind}", entry.position)
                assert ledger.record(tournament).is_dead(entry.position)
            seen.add(entry.fact.kind)
        assert seen == {kind for kind, fact in KINDS.items() if fact.retractable}
        page.goto(f"{page.url.partition('/desk')[0]}/desk/log?kind={entry.fact.kind}")
        line = page.locator(f"#entry-{entry.position}")
        expect(line).to_have_class("gone")
        context.close()


LASTING = {"word-pledged", "beacon-named", "beacon-read"}  # the words were opened, and a draw used the beacon
AFTER_THE_ROUNDS = {"deck-submitted", "divisions-decided", "flights-drawn"}


def take_back(page: Page, log: str, position: int) -> None:
    """Take back an entry on the log page."""
    page.goto(log)
    page.locator(f"#entry-{position} summary").click()
    page.get_by_role("button", name=f"Take entry {position} back", exact=True).click()
    record, over = page.get_by_role("button", name="Record it"), page.locator(".done")
    again = page.get_by_role("button", name="Try again")
    expect(record.or_(over).or_(again)).to_be_visible()
    if again.is_visible():  # closing this event needs a reason
        page.locator("#why").fill("wrong")
        again.click()
        expect(record).to_be_visible()
    if record.is_visible():
        if (why := page.locator("#why")).is_visible():
            why.fill("wrong")
        record.click()
        expect(over).to_be_visible()


@pytest.mark.finding("B-14")
def test_typing_the_slip_again_settles_a_mistyped_key(station: Page) -> None:
    type_slip(station, 1, "draw")
    expect(station.locator("#unsettled li")).to_have_count(1)
    type_slip(station, 1, "1")
    expect(station.locator("#note")).to_contain_text("Ann beat Bo")
    expect(station.locator("#unsettled li")).to_have_count(0)


@pytest.mark.finding("B-14")
@pytest.mark.parametrize("way", ["typed again", "kept"])
def test_a_slip_that_contradicts_by_a_wrong_key_is_taken_back(station: Page, ledger: Path, way: str) -> None:
    """Right, wrong, and then right again: nothing is left to settle, and the log keeps the wrong slip."""
    type_slip(station, 1, "1")
    type_slip(station, 1, "2")
    expect(station.locator("#unsettled li")).to_have_count(1)
    expect(station.locator(".next-facts")).to_contain_text("to settle")
    if way == "typed again":
        type_slip(station, 1, "1")
    else:
        station.locator("#unsettled button").first.click()
    expect(station.locator("#unsettled li")).to_have_count(0)
    expect(station.locator(".next-facts")).not_to_contain_text("to settle")
    with open_ledger(ledger) as log:
        [tournament] = log.tournaments()
        assert [entry.fact.kind for entry in log.entries(tournament)][-2:] == ["slip-refused", "entry-retracted"]


@pytest.mark.finding("B-15")
def test_the_letter_u_is_not_read_as_a_table(station: Page) -> None:
    type_slip(station, 1, "1")
    expect(station.locator("#outstanding li")).to_have_count(1)
    station.keyboard.type("u")
    station.keyboard.press("Enter")
    expect(station.locator("#note")).to_contain_text("entry 7 no longer counts")
    expect(station.locator("#wrong")).not_to_contain_text("no table")


@pytest.mark.finding("B-17")
def test_a_reload_loses_nothing_that_was_typed(station: Page) -> None:
    station.goto(f"{station.url}/players")
    station.get_by_label("Name", exact=True).fill("Zoe")
    station.reload()
    expect(station.get_by_label("Name", exact=True)).to_have_value("Zoe")


@pytest.mark.finding("B-2")
def test_a_preview_of_a_correction_shows_places_within_the_division(regional: Page) -> None:
    """If all seven players shared one bracket, a junior who loses would have place 5."""
    regional.goto(f"{regional.url}/corrections?round=1&table=2")
    regional.get_by_label("or typed").fill("b")
    press(regional, "See what follows")
    lines = regional.locator("h2#lines ~ .wide tbody tr")
    expect(lines.filter(has_text="Bo")).to_have_count(1)
    places = {
        name: (before, after)
        for name, before, _, after in lines.evaluate_all(
            "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
        )
    }
    assert set(places) <= {"Ann", "Bo", "Flo", "Gus"}
    assert {int(re.match(r"\d+", place)[0]) for line in places.values() for place in line} <= {1, 2, 3, 4}  # type: ignore[index] # each has a place


def test_a_forced_close_leaves_nothing_to_settle(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    assert run(["report", "1", "b", "--ledger", str(ledger)]) != 0
    home = station.url
    station.goto(f"{home}/rounds")
    expect(station.get_by_text("settle it first")).to_be_visible()
    at_terminal(ledger)("close", "--yes", "--reason", "the hall closes")
    station.goto(f"{home}/rounds")
    expect(station.get_by_text("The tournament is closed").first).to_be_visible()
    expect(station.get_by_text("settle it first")).to_have_count(0)
    expect(station.locator("[data-state=conflict]")).to_have_count(0)


def test_a_desk_records_slips_beside_many_pages_of_one_browser(station: Page) -> None:
    """A browser keeps six connections to a server, and each page hears the news."""
    home = station.url.removesuffix("desk")
    others = []
    for address in ("", "wall", "wall?show=tables", "wall?show=clock", "standings", "tables", "event", "log"):
        others.append(station.context.new_page())
        others[-1].goto(home + address)
    type_slip(station, 1, "1")
    expect(station.locator("#outstanding li")).to_have_count(1)
    expect(others[2].locator("#waiting")).to_have_text("1 table is still playing.")
    expect(others[5].locator("main")).to_contain_text("1 table is still playing.")
    others.pop(5).close()
    type_slip(station, 2, "1")
    expect(others[2].locator("#waiting")).to_have_text("Every table has reported.")
    for page in others:
        page.close()
