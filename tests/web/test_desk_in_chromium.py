"""The desk in a real browser: a whole event by keyboard, two stations, a lost connection, and axe-core."""

from __future__ import annotations

import re
import time
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.web.chromium import CHROMIUM, serving, type_slip
from tests.web.conftest import KEY, at_terminal, come_in
from tests.web.test_in_chromium import WIDTHS, violations, width_of

from matchledger.cli import run
from matchledger.commands.phones import CallJudge
from matchledger.ledger import Clerk, open_ledger
from matchledger.notation.slip_code import SlipCode
from matchledger.service.player_links import by_phone
from matchledger.web.settings import Settings
from matchledger_projections.narration import tell

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

PAGES = (
    "",
    "/players",
    "/players?player=1",
    "/rounds",
    "/hand",
    "/decks",
    "/decks?player=1",
    "/event",
    "/corrections",
    "/conduct",
    "/conduct?player=1",
    "/log",
    "/match?round=1&table=1",
    "/verify",
    "/print",
    "/corrections?round=1&table=1",
)


def need_focus(page: Page) -> None:
    """Wait until a field has the cursor, because keys go there."""
    expect(page.locator("input:focus, select:focus")).to_have_count(1)


def home_of(page: Page) -> str:
    return re.sub(r"/desk.*", "/desk", page.url)


def test_the_key_is_removed_from_the_address(station: Page) -> None:
    assert KEY not in station.url
    assert station.evaluate("document.cookie") == "", "no script can read who is here"


@pytest.mark.alone
def test_a_slip_is_typed_in_two_seconds_without_the_mouse(station: Page) -> None:
    begun = time.perf_counter()
    type_slip(station, 2, "1")
    expect(station.locator("#outstanding li")).to_have_count(1)
    expect(station.locator("#disk")).to_have_text("Entry 7 is on disk")
    assert time.perf_counter() - begun < 2
    expect(station.locator("#table")).to_be_focused()
    expect(station.locator("#note")).to_contain_text("Cy beat Di")
    expect(station.locator("#recent li").first).to_contain_text("round 1, table 2: Cy beat DiKim, north")


def test_the_keys_of_the_outcomes_show_the_names_at_the_table(station: Page) -> None:
    station.keyboard.type("1")
    expect(station.locator("#sides")).to_contain_text("Ann")
    expect(station.locator("#keys li").nth(1)).to_contain_text("Bo wins")


def test_the_entry_that_closed_an_event_has_the_icon_of_a_note(station: Page, ledger: Path) -> None:
    """Before the fix, it had the tag of a called judge, across its text."""
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("close", "--yes", "--reason", "a short evening")
    station.reload()
    latest = station.locator("#recent li").first
    expect(latest).to_contain_text("tournament closed")
    expect(latest.locator(".tag")).to_have_count(0)
    expect(latest.locator("svg")).to_have_count(1)


def test_the_u_key_undoes_the_last_slip(station: Page) -> None:
    type_slip(station, 1, "1")
    expect(station.locator("#outstanding li")).to_have_count(1)
    station.keyboard.type("u")
    station.keyboard.press("Enter")
    expect(station.locator("#outstanding li")).to_have_count(2)
    expect(station.locator("#note")).to_have_text("✓ entry 7 no longer counts: round 1, table 1: Ann beat Bo")


def test_a_refused_slip_can_be_typed_again(station: Page) -> None:
    type_slip(station, 1, "draw")
    item = station.locator("#unsettled li")
    expect(item).to_contain_text("has no draws")
    expect(station.locator("#table")).to_be_focused()
    item.get_by_role("button", name="Type it again").click()
    expect(station.locator("#outcome")).to_have_value("draw")
    expect(item).to_have_count(0)


def test_a_double_loss_asks_for_its_reason_beside_the_slip(station: Page) -> None:
    type_slip(station, 1, "9")
    item = station.locator("#unsettled li")
    expect(item).to_contain_text("give a reason")
    item.get_by_label("Reason").fill("Both left the hall")
    item.get_by_role("button", name="Record with this reason").click()
    expect(station.locator("#note")).to_contain_text("Ann and Bo both lost")
    expect(item).to_have_count(0)
    station.goto(f"{home_of(station)}/log")
    expect(station.locator(".ledger li").first).to_contain_text("Reason: Both left the hall")


def test_two_stations_at_one_table_lose_neither_slip(window: Browser, station: Page, address: str) -> None:
    context = window.new_context()
    other = come_in(context, address)
    type_slip(station, 1, "1")
    expect(other.locator("#outstanding li")).to_have_count(1)  # the message reaches the other station
    type_slip(other, 1, "2")
    conflict = other.locator("#unsettled li")
    expect(conflict).to_contain_text("you typed 2 (Bo wins). Recorded already: round 1, table 1: Ann beat Bo")
    expect(other.locator("#table")).to_be_focused()
    type_slip(other, 2, "2")
    expect(other.locator("#outstanding li")).to_have_count(0)
    other.reload()
    expect(conflict).to_be_visible()
    conflict.get_by_role("link").click()
    expect(other.locator("#match-heading")).to_contain_text("table 1")
    context.close()


def test_two_equal_slips_need_no_decision(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a")
    type_slip(station, 1, "1")
    expect(station.locator("#note")).to_contain_text("recorded already with the same result")
    expect(station.locator("#unsettled li")).to_have_count(0)


def test_a_slip_waits_during_an_outage_and_is_recorded_once(station: Page, ledger: Path) -> None:
    station.context.set_offline(True)
    type_slip(station, 1, "1")
    expect(station.locator("#disk")).to_have_text("NOT ON DISK: 1 slip waits for the server")
    type_slip(station, 2, "1")
    expect(station.locator("#disk")).to_have_text("NOT ON DISK: 2 slips wait for the server")
    station.context.set_offline(False)
    expect(station.locator("#disk")).to_have_text("Entry 8 is on disk", timeout=10_000)
    assert run(["pair", "--ledger", str(ledger)]) == 0, "both slips are in the log"


ROUND_2 = ("pair", "--table", "Ann/Cy", "--table", "Bo/Di")


def results(ledger: Path) -> list[str]:
    """Return the results and refused slips of the log as sentences."""
    with open_ledger(ledger) as opened:
        tournament = opened.tournaments()[0]
        entries = list(opened.entries(tournament))
        record = opened.record(tournament)
        slips = [entry for entry in entries if entry.fact.kind in ("result-reported", "slip-refused")]
        return [str(tell(record, entry.fact)) for entry in slips]


@pytest.mark.parametrize(
    ("outcome", "said", "more"),
    [
        ("1", "recorded already with the same result", []),
        (
            "2",
            "",
            ["round 1, table 1: a slip saying that Bo beat Ann was refused, because entry 7 has another result"],
        ),
    ],
)
def test_a_waiting_slip_belongs_to_the_round_in_which_it_was_typed(
    station: Page, ledger: Path, outcome: str, said: str, more: list[str]
) -> None:
    """Before the fix, the slip was recorded for the same table of the next round, before that match was played."""
    station.context.set_offline(True)
    type_slip(station, 1, outcome)
    expect(station.locator("#disk")).to_contain_text("1 slip waits")
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal(*ROUND_2)
    station.context.set_offline(False)
    expect(station.locator("#disk")).not_to_contain_text("waits", timeout=10_000)
    expect(station.locator("#note")).to_contain_text(said)
    assert results(ledger) == ["round 1, table 1: Ann beat Bo", "round 1, table 2: Cy beat Di", *more]
    for item in station.locator("#unsettled li").all():
        expect(item).to_contain_text("you typed 2 (Bo wins). Recorded already: round 1, table 1: Ann beat Bo")
        expect(item.get_by_role("link")).to_have_attribute("href", re.compile("round=1&stage=swiss&table=1"))


def test_a_slip_being_typed_keeps_its_round(station: Page, ledger: Path) -> None:
    station.keyboard.type("2")
    station.keyboard.press("Enter")
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal(*ROUND_2)
    expect(station.locator("#sides")).to_contain_text("2 Di (Round 1)")
    station.keyboard.type("1")
    station.keyboard.press("Enter")
    expect(station.locator("#note")).to_contain_text("recorded already with the same result")
    type_slip(station, 2, "1")
    expect(station.locator("#note")).to_contain_text("round 2, table 2: Bo beat Di")


def test_a_slip_of_players_who_changed_tables_is_refused(station: Page, ledger: Path) -> None:
    station.keyboard.type("1")
    station.keyboard.press("Enter")
    at_terminal(ledger)("swap-tables", "1", "2")
    station.keyboard.type("1")
    station.keyboard.press("Enter")
    item = station.locator("#unsettled li")
    expect(item).to_contain_text(
        "you typed 1 (Ann wins). table 1 of round 1 now has Cy as a, Di as b: check the slip"
    )
    assert results(ledger) == []


def test_the_u_key_undoes_a_refused_slip_first(station: Page, ledger: Path) -> None:
    """Before the fix, `u` took back the right slip and kept the wrong slip."""
    type_slip(station, 2, "1")
    type_slip(station, 2, "2")
    expect(station.locator("#unsettled li")).to_have_count(1)
    station.keyboard.type("u")
    station.keyboard.press("Enter")
    expect(station.locator("#note")).to_contain_text("entry 8 no longer counts")
    expect(station.locator("#unsettled li")).to_have_count(0)
    assert results(ledger)[0] == "round 1, table 2: Cy beat Di"
    expect(station.locator("#outstanding li")).to_have_count(1)


def test_the_u_key_undoes_the_last_slip_after_a_look_at_another_page(station: Page, ledger: Path) -> None:
    type_slip(station, 1, "1")
    expect(station.locator("#disk")).to_have_text("Entry 7 is on disk")
    station.goto(f"{home_of(station)}/players")
    station.goto(home_of(station))
    need_focus(station)
    station.keyboard.type("u")
    station.keyboard.press("Enter")
    expect(station.locator("#note")).to_contain_text("entry 7 no longer counts")
    at_terminal(ledger)("drop", "Ann", "--station", "north")
    station.keyboard.type("u")
    station.keyboard.press("Enter")
    expect(station.locator("#wrong")).to_contain_text("there is no slip to take back")


def test_the_second_pass_in_the_browser_stops_at_a_difference(station: Page) -> None:
    for table in (1, 2):
        type_slip(station, table, "1")
    expect(station.locator("#outstanding li")).to_have_count(0)
    station.get_by_label("Second pass").check()
    expect(station.locator("#pass")).to_have_text("2 tables still to compare: 1, 2")
    type_slip(station, 2, "1")
    expect(station.locator("#note")).to_have_text("✓ Table 2 agrees")
    expect(station.locator("#pass")).to_have_text("1 table still to compare: 1")
    type_slip(station, 1, "2")
    expect(station.locator("#wrong")).to_contain_text("On the slip: Bo beat Ann. In the log: Ann beat Bo.")
    expect(station.locator("#outcome")).to_be_focused()
    station.keyboard.type("1")
    station.keyboard.press("Enter")
    expect(station.locator("#pass")).to_have_text("Every table has been compared.")


def test_a_count_of_one_has_its_german_singular(window: Browser, address: str) -> None:
    context = window.new_context(locale="de-DE")
    station = come_in(context, address)
    expect(station.locator("#count")).to_have_text("2 von 2 Tischen")
    station.get_by_label("Zweiter Durchgang").check()
    expect(station.locator("#pass")).to_have_text("Noch 2 Tische zu vergleichen: 1, 2")
    station.get_by_label("Zettel eingeben").check()
    station.context.set_offline(True)
    type_slip(station, 1, "1")
    expect(station.locator("#disk")).to_have_text("NICHT GESPEICHERT: 1 Zettel wartet auf den Server")
    type_slip(station, 2, "1")
    expect(station.locator("#disk")).to_have_text("NICHT GESPEICHERT: 2 Zettel warten auf den Server")
    context.close()


def test_the_last_entries_name_the_phones_of_players_in_german(window: Browser, address: str, ledger: Path) -> None:
    at_terminal(ledger)("allow-phones", "judge")
    with open_ledger(ledger) as opened:
        [tournament] = opened.tournaments()
        by_phone(opened, tournament, 1, CallJudge(player=1), "judge")
    context = window.new_context(locale="de-DE")
    station = come_in(context, address)
    expect(station.locator("#recent .by").first).to_have_text("#1, Handy eines Spielers · #8")
    context.close()


def test_a_scanner_types_a_slip_at_its_table(station: Page) -> None:
    tournament = UUID(home_of(station).split("/")[-2])
    station.keyboard.type(str(SlipCode(tournament, "swiss", 1, 2)))
    station.keyboard.press("Enter")
    expect(station.locator("#table")).to_have_value("2")
    expect(station.locator("#outcome")).to_be_focused()
    station.keyboard.type("1")
    station.keyboard.press("Enter")
    expect(station.locator("#note")).to_contain_text("Cy beat Di")
    station.keyboard.type(str(SlipCode(tournament, "swiss", 4, 1)))
    station.keyboard.press("Enter")
    expect(station.locator("#wrong")).to_have_text(
        "this slip belongs to round 4: correct its result if it is wrong"
    )


def test_every_page_says_whether_slips_wait_for_the_server(station: Page) -> None:
    expect(station.locator("#disk")).to_have_text("Entry 6 is on disk")
    station.context.set_offline(True)
    type_slip(station, 1, "1")
    expect(station.locator("#disk")).to_have_text("NOT ON DISK: 1 slip waits for the server")
    station.context.set_offline(False)
    station.route("**/commands", lambda route: route.abort())
    station.goto(f"{home_of(station)}/players")
    expect(station.locator("#disk")).to_have_text("NOT ON DISK: 1 slip waits for the server")
    station.unroute("**/commands")
    station.goto(home_of(station))
    expect(station.locator("#disk")).to_have_text("Entry 7 is on disk", timeout=10_000)


NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ida", "Jo", "Kai", "Lou", "Max", "Nan", "Oz", "Pam")


def press(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).click()


def enter_slips(station: Page, tables: range, outcome: str = "1") -> None:
    """Type the slips of some tables, each after the slip before is saved."""
    for table in tables:
        before = int((station.locator("#disk").inner_text()).split()[1])
        type_slip(station, table, outcome)
        expect(station.locator("#disk")).to_have_text(f"Entry {before + 1} is on disk")


def test_the_pages_run_a_whole_event(window: Browser, tmp_path: Path) -> None:  # noqa: PLR0915 - one event, from its beginning to its end
    """Sixteen players, two desks, a wall and a phone play from the opening to the final, and verify the log."""
    ledger = tmp_path / "event.ledger"
    open_ledger(ledger, create=True).close()
    settings = Settings(watch_seconds=0.05, key=KEY, clerk=Clerk("Kim", "organizer", "north"))
    with serving(ledger, settings) as address:
        context = window.new_context(viewport={"width": 1366, "height": 768}, accept_downloads=True)
        desk = context.new_page()
        desk.goto(f"{address}enter#{KEY}")
        expect(desk.get_by_role("button", name="Open it")).to_have_count(0)
        desk.get_by_role("link", name="Legend of the Five Rings").click()
        need_focus(desk)
        desk.keyboard.type("Kotei")
        desk.keyboard.press("Enter")
        desk.wait_for_url("**/desk/players*")
        home = home_of(desk)
        for name in NAMES:
            expect(desk.get_by_label("Name", exact=True)).to_be_focused()
            desk.keyboard.type(name)
            desk.keyboard.press("Enter")
            expect(desk.locator(".done")).to_contain_text(f"{name} registered")

        desk.goto(f"{home}/event")
        desk.get_by_text("Another structure", exact=True).click()
        desk.get_by_label("Swiss rounds").fill("2")
        desk.get_by_label("How many go on").fill("4")
        desk.get_by_label("although the rulebook gives another structure").check()
        desk.get_by_label("Reason, if it departs from the rules").fill("a short evening")
        press(desk, "Announce")
        expect(desk.get_by_text("2 Swiss rounds, then the top 4").first).to_be_visible()

        wall, phone = (
            window.new_context().new_page(),
            window.new_context(viewport={"width": 360, "height": 740}).new_page(),
        )
        wall.goto(f"{home.removesuffix('desk')}wall")
        phone.goto(f"{home.removesuffix('desk')}player/1")
        pair(desk, home, "Pair and post this round")
        expect(wall.get_by_text("Ann").first).to_be_visible()
        expect(phone.locator(".tablecard")).to_be_visible(timeout=10_000)

        desk.get_by_label("Minutes", exact=True).fill("50")
        press(desk, "Start the round")
        desk.locator("#extended").fill("8")
        desk.get_by_label("more minutes").fill("3")
        press(desk, "Give time")
        desk.goto(f"{home}/conduct")
        need_focus(desk)
        desk.keyboard.type("Pam")
        desk.locator("#offence").select_option("notes")
        desk.locator("#penalty").select_option("warning")
        press(desk, "Give the penalty")
        expect(desk.locator(".done")).to_contain_text("Pam")

        desk.goto(home)
        expect(desk.locator("#outstanding li").last).to_contain_text("+3")
        second = window.new_context()
        other = second.new_page()
        other.goto(f"{address}enter#{KEY}")
        other.goto(home)
        expect(other.locator("#keys li").first).to_be_visible()
        enter_slips(desk, range(1, 5))
        expect(other.locator("#outstanding li")).to_have_count(4)
        enter_slips(other, range(5, 9), "2")
        type_slip(other, 1, "2")
        expect(other.locator("#unsettled li")).to_contain_text("What you typed is kept as entry")

        desk.goto(f"{home}/corrections")
        expect(desk.get_by_text("two slips differ")).to_be_visible()
        press(desk, "The other slip is right")
        expect(desk.get_by_text("Nothing is recorded yet.")).to_be_visible()
        pair(desk, home, "Pair and post this round", says="1 table has two slips that differ: settle it first.")
        desk.goto(f"{home}/corrections?round=1&table=1")
        desk.get_by_label("or typed").fill("b")
        press(desk, "See what follows")
        expect(desk.get_by_text("was paired before this correction")).to_be_visible()
        desk.get_by_label("Reason").fill("both signed the wrong line")
        press(desk, "Record it")
        desk.goto(f"{home}/rounds")
        desk.get_by_label("Move as few players as possible").check()
        desk.get_by_label("Reason").first.fill("nobody has begun")
        press(desk, "Choose")
        expect(desk.get_by_text("was paired from a result that was corrected later")).to_be_hidden()

        desk.goto(f"{home}/players")
        desk.get_by_label("Name", exact=True).fill("Zoe")
        desk.get_by_text("If there are objections").click()
        desk.get_by_label("despite the objections").check()
        desk.get_by_label("Reason (optional)").fill("she helps the judges")
        press(desk, "Enter late")
        expect(desk.locator(".done")).to_contain_text("Zoe entered late")
        desk.goto(f"{home}/players?q=Pam")
        desk.get_by_role("link", name="Pam", exact=True).click()
        press(desk, "Drop")
        press(desk, "Record it")
        expect(desk.locator(".done")).to_contain_text("Pam dropped")

        desk.goto(home)
        expect(desk.locator("#outstanding li")).to_have_count(8)
        enter_slips(desk, range(1, 9))
        desk.goto(f"{home}/rounds")
        desk.get_by_role("region", name="Next step").get_by_role("button", name="Post the standings").click()
        expect(desk.locator(".done")).to_contain_text("standings after round 2 posted")
        desk.goto(f"{home}/event")
        if desk.get_by_role("button", name="Draw every tie").is_visible():
            press(desk, "Draw every tie")
        press(desk, "Make the cut")
        expect(desk.locator(".seeds li")).to_have_count(4)
        for tables in (2, 1):
            desk.goto(f"{home}/rounds")
            press(desk, "Pair the next elimination round")
            desk.goto(home)
            expect(desk.locator("#outstanding li")).to_have_count(tables)
            enter_slips(desk, range(1, tables + 1))
        desk.goto(f"{home}/event")
        expect(desk.get_by_text("has won the event")).to_be_visible()

        desk.goto(f"{home}/match?round=1&table=1")
        with desk.expect_download() as handed_out:
            press(desk, "Download the dispute file")
        assert '"format": "matchledger-bundle/2"' in handed_out.value.path().read_text("utf-8")
        desk.goto(f"{home}/event")
        press(desk, "Close the tournament")
        expect(desk.get_by_text("the secret behind its draws is shown to everybody")).to_be_visible()
        press(desk, "Record it")
        expect(desk.get_by_text("The tournament is closed").first).to_be_visible()
        desk.goto(f"{home}/verify")
        desk.get_by_label("also repeat every draw").check()
        press(desk, "Verify now")
        expect(desk.get_by_text("No entry was altered")).to_be_visible()
        expect(desk.get_by_text("The secret behind the draws matches the opening entry.")).to_be_visible()
        for page in (desk, other, wall, phone):
            page.context.close()
    assert run(["verify", "--pairings", "--ledger", str(ledger)]) == 0


def test_the_keyboard_alone_pairs_a_round_by_hand(station: Page, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    station.goto(f"{home_of(station)}/hand")
    need_focus(station)
    for name in ("Ann", "Bo", "#3", "Di"):
        station.keyboard.type(name)
        station.keyboard.press("Tab")
    station.keyboard.press("Enter")
    expect(station.locator("#failed")).to_be_focused()
    expect(station.locator("#failed")).to_contain_text("Ann and Bo met in round 1")
    expect(station.get_by_text("Cy and Di at table 2 have met in round 1")).to_be_visible()
    for name in ("Ann", "Cy", "Bo", "Di"):
        station.keyboard.press("Tab")
        if station.evaluate("document.activeElement.tagName") == "A":
            station.keyboard.press("Tab")
        station.keyboard.press("Control+A")
        station.keyboard.type(name)
    station.keyboard.press("Enter")
    expect(station.get_by_text("No objections")).to_be_visible()
    expect(station.get_by_role("button", name="Post this round")).to_be_focused()
    station.keyboard.press("Enter")
    expect(station.locator(".done")).to_contain_text("round 2")
    expect(station.get_by_text("2 tables are outstanding")).to_be_visible()


@pytest.mark.parametrize("language", ["en-US", "de-DE"])
def test_the_form_for_the_structure_of_each_division_fits_on_a_phone(
    window: Browser, tmp_path: Path, language: str
) -> None:
    terminal = at_terminal(tmp_path / "cup.ledger")
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    roster = tmp_path / "roster.csv"
    roster.write_text("name,born\n" + "".join(f"Player {at},{1985 + at % 20}\n" for at in range(40)), "utf-8")
    terminal("register", "--csv", str(roster))
    with serving(tmp_path / "cup.ledger", Settings(key=KEY)) as address:
        context = window.new_context(viewport={"width": 360, "height": 740}, locale=language)
        page = context.new_page()
        page.goto(f"{address}enter#{KEY}")
        page.wait_for_url("**/desk")
        page.goto(f"{page.url}/event")
        table = page.locator(".proposals")
        expect(table.get_by_text("masters")).to_have_count(2)
        assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
        recommended = page.locator(".plan .plan-table")
        expect(recommended.get_by_role("row")).to_have_count(4)
        assert recommended.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        context.close()


@pytest.mark.parametrize("width", [360, 1920])
def test_the_keyboard_alone_pastes_and_registers_a_roster(window: Browser, tmp_path: Path, width: int) -> None:
    at_terminal(tmp_path / "cup.ledger")("open", "Cup", "--rulebook", "l5r-2018")
    with serving(tmp_path / "cup.ledger", Settings(watch_seconds=0.05, key=KEY)) as address:
        context = window.new_context(viewport={"width": width, "height": 1080})
        page = context.new_page()
        page.goto(f"{address}enter#{KEY}")
        page.wait_for_url("**/desk")
        page.goto(f"{page.url}/players")
        need_focus(page)
        pasted = page.get_by_label("The roster", exact=True)
        for _ in range(12):  # the cursor moves from the field for one name to the heading of the roster
            if page.evaluate("document.activeElement.id == 'paste-heading'"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(pasted).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.type("Ann\nBo\nann")
        for _ in range(3):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#failed")).to_be_focused()
        expect(page.get_by_text("line 3: ann is in line 1 too")).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Tab")
        expect(pasted).to_be_focused()
        page.keyboard.press("Control+A")
        page.keyboard.type("Ann\nBo\nCy")
        for _ in range(3):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Register 3 players")).to_be_focused()
        assert violations(page) == []
        page.keyboard.press("Enter")
        expect(page.locator(".done")).to_contain_text("Cy registered as number 3")
        context.close()


def pair(desk: Page, home: str, button: str, *, says: str = "No objections") -> None:
    """Pair the next round. `says` is what the page says about objections."""
    desk.goto(f"{home}/rounds")
    expect(desk.get_by_text(says)).to_be_visible()
    if says != "No objections":
        desk.locator("#pair-why").fill("the players wait")
        desk.locator("form:has(#pair-why)").get_by_label("despite the objections").check()
    press(desk, button)
    expect(desk.locator(".done")).to_contain_text("tables")


def test_the_reason_of_a_correction_comes_along_with_a_button_and_with_enter(
    window: Browser, address: str, ledger: Path
) -> None:
    """Before the fix, the buttons belonged to another form than the reason, and the log had no reason."""
    at_terminal(ledger)("report", "1", "a")
    context = window.new_context(java_script_enabled=False)
    context.add_cookies([{"name": "matchledger", "value": KEY, "url": address}])
    page = context.new_page()
    page.goto(address)
    corrections = f"{page.url.rstrip('/')}/desk/corrections?round=1&table=1"
    for typed in (False, True):
        page.goto(corrections)
        page.get_by_label("Reason").fill("misread slip")
        if typed:
            page.get_by_label("or typed").fill("b")
            page.get_by_label("or typed").press("Enter")
        else:
            page.locator(".pad").get_by_role("button", name="B").filter(
                has=page.locator("kbd", has_text="2")
            ).click()
        expect(page.get_by_label("Reason")).to_have_value("misread slip")
        expect(page.locator(".change .after")).to_contain_text("Bo won")
    context.close()


def test_axe_finds_nothing_at_the_desk(window: Browser, address: str, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "b")
    at_terminal(ledger)("pair")
    at_terminal(ledger)("correct", "1", "1", "b")
    context = window.new_context()
    page = come_in(context, address)
    home, found, wide = home_of(page), {}, []
    type_slip(page, 1, "draw")
    expect(page.locator("#unsettled li")).to_be_visible()
    for path in PAGES:
        page.goto(home + path)
        found[path] = violations(page, WIDTHS)
        wide += [f"{path} at {width}" for width in WIDTHS if width_of(page, width) > width]
    page.get_by_label("or typed").fill("a")
    page.get_by_role("button", name="See what follows").click()
    found["preview"] = violations(page, WIDTHS)
    page.goto(f"{home}/conduct")
    page.locator("#offence").select_option("notes")
    page.locator("#penalty").select_option("warning")
    page.locator("#penalty-player").fill("Zed")
    page.locator("#penalty-player").press("Enter")
    expect(page.locator("#failed")).to_be_focused()
    found["refused"] = violations(page, WIDTHS)
    page.goto(f"{home}/verify")
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("No entry was altered")).to_be_visible()
    found["verified"] = violations(page, WIDTHS)
    page.goto(f"{address}new?rulebook=pokemon-2009")
    found["new"] = violations(page, WIDTHS)
    page.goto(address + "enter")
    found["enter"] = violations(page, WIDTHS)
    context.close()
    assert {name: said for name, said in found.items() if said} == {}
    assert wide == []


def test_the_desk_marks_a_slow_slip_as_not_saved_yet(station: Page) -> None:
    """The slip is sent but not confirmed, as when a database waits for an absent standby."""
    held: list[Route] = []
    station.route("**/commands", lambda route: held.append(route))  # noqa: PLW0108 - playwright needs a function of Python
    type_slip(station, 1, "1")
    expect(station.locator("#disk")).to_have_text("Being recorded …")
    expect(station.locator("#disk")).to_have_text(
        "NOT ON DISK YET: the ledger does not answer. The slip is kept here.", timeout=15_000
    )
    held[0].continue_()
    expect(station.locator("#disk")).to_have_text("Entry 7 is on disk", timeout=10_000)


def test_one_button_is_solid_the_pages_own_or_the_next_step(station: Page, ledger: Path) -> None:
    """The bar's button is solid on the log and the list of decks. On the other pages the page's own button is, and
    the bar's is not.
    When the last slip is in, the next step is solid beside the form of slips.
    """
    home = home_of(station)

    def grounds(page: str) -> tuple[str, ...]:
        station.goto(home + page)
        buttons = station.locator(".main:is(button, .button):visible")
        return tuple(buttons.evaluate_all("(all) => all.map((one) => getComputedStyle(one).backgroundColor)"))

    at_terminal(ledger)("start", "--minutes", "50")
    [solid] = grounds("/log")
    assert grounds("/decks") == (solid,)
    for page in ("", "/conduct", "/verify"):
        bar, own = grounds(page)
        assert own == solid, page
        assert bar != solid, page
    at_terminal(ledger)("report", "1", "a", "2", "a")
    bar, own = grounds("")
    assert bar == solid
    assert own != solid


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("3 Hida Guardian\n1x Moto Juro # fast", "4 cards"),
        ("1 Moto Juro", "1 card"),
        ("[dynasty]\n3 Hida Guardian\n\n[conflict]\n2 Banzai\n", "5 cards · dynasty 3 · conflict 2"),
        ("Deck (4)\n4 Opt (DAR) 60\n\nSideboard\n2 Duress\nSB: 1 Negate", "7 cards · deck 4 · sideboard 3"),
        ('part,count,card\ndeck,4,"Jace, the Mind Sculptor"\nextra,1,Opt', "5 cards · deck 4 · extra 1"),
        ("Hida Guardian", ""),
    ],
)
def test_the_cards_of_a_deck_list_are_counted_as_it_is_typed(station: Page, typed: str, told: str) -> None:
    station.goto(f"{home_of(station)}/decks?player=1")
    counted = station.locator("[data-cards=handed-deck]")
    expect(counted).to_have_text("")
    station.locator("#handed-deck").fill(typed or "x")
    station.wait_for_timeout(400)
    expect(counted).to_have_text(told)
    station.reload()
    expect(counted).to_have_text(told)
