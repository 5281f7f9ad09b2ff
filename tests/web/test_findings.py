"""Faults that a scorekeeper found in the browser stay fixed."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal, fresh
from tests.web.test_desk import fields, slip
from tests.web.test_desk_conduct import send
from tests.web.test_public import words

from matchledger.cli import run
from matchledger.events import Role
from matchledger.ledger import Clerk, open_ledger
from matchledger.web.app import create_app
from matchledger.web.pages.tournaments import short_address
from matchledger.web.rendering import STATIC
from matchledger.web.settings import Settings

DIVIDED = """\
rulebook pokemon-2009
event "Regional"
option POL-PKM-DIVISIONS=separated
player Ann division=junior
player Bo division=junior
player Cy division=masters
player Di division=masters
player Ed division=masters
round 1
  Ann > Bo
  Cy > Di
  Ed bye
"""
Terminal = Callable[..., None]


@pytest.fixture
def regional(tmp_path: Path) -> Path:
    """Two divisions that play apart, with two juniors and three masters, after one round."""
    sheet, path = tmp_path / "regional.sheet", tmp_path / "regional.ledger"
    sheet.write_text(DIVIDED, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(path)]) == 0
    return path


@pytest.fixture
def hall(regional: Path) -> Iterator[Browser]:
    settings = Settings(watch_seconds=0.01, key=KEY)
    with TestClient(create_app(str(regional), settings), base_url="http://localhost") as client:
        client.base_url = client.base_url.join(client.get("/", follow_redirects=False).headers["location"])
        yield client


def to_the_end(regional: Path) -> None:
    """Cut each division to two players, play the finals, which Bo and Cy win, and close the event."""
    terminal = at_terminal(regional)
    terminal("cut", "--division", "junior=2", "--division", "masters=2", "--reason", "little time")
    terminal("pair")
    terminal("report", "1", "b", "2", "a")


@pytest.mark.finding("B-1")
@pytest.mark.parametrize("show", ["auto", "names", "standings"])
def test_the_wall_updates_its_heading_and_title(hall: Browser, show: str) -> None:
    """The wall's script takes the heading and the title from the lines that it fetches."""
    page = hall.get("wall", params={"show": show}).text
    live = page[page.index('id="lines"') :]
    title = re.findall(r'data-title="([^"]*)"', live)[0]
    assert f"<title>{title} " in page
    assert "heading.textContent = now.screen.dataset.title" in (STATIC / "wall.js").read_text("utf-8")
    assert "document.title = page.title" in (STATIC / "live.js").read_text("utf-8")


@pytest.mark.finding("B-2")
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("player/1", "Place 1 "),
        ("player/2", "Place 2 "),
        ("player/1/why", "Place 1 of 2 "),
        ("standings", "Junior 2 Masters 3"),
        ("wall?show=standings", "Junior Place Player "),
    ],
)
def test_every_page_shows_the_place_within_the_division(hall: Browser, address: str, said: str) -> None:
    page = re.sub(r'data-title="([^"]*)"', r">\1<i", hall.get(address).text)
    assert said in words(page)


@pytest.mark.finding("B-2")
def test_standings_rank_each_division_as_on_paper(hall: Browser) -> None:
    """A junior's place counts only juniors."""
    page = hall.get("standings").text
    junior = page[page.index('id="d-junior"') : page.index('id="d-masters"')]
    rows = re.findall(r"<b>(\d+)(?:<abbr.*?</abbr>)?</b>.*?<th scope=\"row\"><a [^>]*><b>(\w+)<", junior, re.DOTALL)
    assert rows == [("1", "Ann"), ("2", "Bo")]


@pytest.mark.finding("B-7")
def test_a_slip_waits_until_the_desk_logs_in_to_a_new_server(browser: Browser, desk: str, home: str) -> None:
    """After a 401 the script keeps the slip, and the desk must log in again."""
    browser.cookies.clear()
    browser.cookies.set("matchledger", "the key of the server before")
    answer = browser.post(f"/api/tournaments/{home.split('/')[2]}/commands", json=slip(1, "a"))
    assert answer.status_code == 401
    script = (STATIC / "desk.js").read_text("utf-8")
    assert script.index("answer.status === 401") < script.index(
        "keep(waiting().filter((other) => other.id !== id))"
    )
    browser.cookies.clear()
    browser.cookies.set("matchledger", KEY)
    assert 'id="locked"' in browser.get(desk).text


@pytest.mark.finding("B-10")
def test_the_page_of_rounds_updates_itself(browser: Browser, desk: str) -> None:
    """The page updates its counts, tiles, clock and next step without a reload."""
    send(browser, desk, "start-round", "rounds", minutes="50")
    page = browser.get(f"{desk}/rounds").text
    for part in ("next-step", "now", "floor", "face"):
        assert re.search(rf'id="{part}" data-live', page), part
    assert len(re.findall(r'class="hand"[^>]* data-ends=', page)) >= 2
    assert "clock.js" in page


@pytest.mark.finding("B-13")
def test_the_log_page_can_retract_any_entry(browser: Browser, desk: str, commands: str) -> None:
    browser.post(commands, json=slip(1, "a"))
    page = browser.get(f"{desk}/log").text
    assert re.search(r'<button[^>]* form="take-back" name="position" value="6"', page)
    sent = fields(page, "retract-entry") | {"position": "7"}
    assert "What would follow" in browser.post(f"{desk}/do", data=sent).text


@pytest.mark.finding("B-13")
@pytest.mark.parametrize(("role", "offered"), [("organizer", True), ("scorekeeper", False), ("judge", False)])
def test_the_log_offers_only_retractions_that_the_visitor_may_make(
    regional: Path, role: Role, offered: bool
) -> None:
    """Only the organizer may take back the closing: in the log, because the page of corrections reopens the
    tournament instead. For a correction, the page shows what the retraction changes.
    """
    terminal = at_terminal(regional)
    terminal("rename", "Ed", "Eddy")
    terminal("close", "--yes", "--reason", "late")
    with open_ledger(regional) as ledger:
        [tournament] = ledger.tournaments()
        end = ledger.head(tournament).size
    settings = Settings(watch_seconds=0.01, key=KEY, clerk=Clerk("Kim", role, "north"))
    with TestClient(create_app(str(regional), settings), base_url="http://localhost") as client:
        client.base_url = client.base_url.join(client.get("/", follow_redirects=False).headers["location"])
        assert (f"Take entry {end} back" in fresh(client, "desk/log")) is offered
        assert f"Take entry {end} back" not in fresh(client, "desk/corrections")
        asked = fields(fresh(client, "desk/log"), "retract-entry") | {"position": str(end - 1)}
        assert "Ed: Name Eddy → Ed" in words(client.post("desk/do", data=asked).text)


@pytest.mark.finding("B-17")
def test_a_form_survives_a_reload_and_late_arrival_is_near_the_search(browser: Browser, desk: str) -> None:
    page = browser.get(f"{desk}/players").text
    assert "draft.js" in page
    late, search, table = (page.index(one) for one in ('href="#new-heading"', 'id="q"', 'id="p-list"'))
    assert late < search < table


def test_the_wall_draws_a_line_below_the_places_that_advance(hall: Browser, regional: Path) -> None:
    at_terminal(regional)("cut", "--division", "junior=2", "--division", "masters=2", "--reason", "little time")
    page = fresh(hall, "wall?show=standings")
    assert re.findall(r'data-cut="(.*?)"><b class="t">(\d)', page) == [("Top 2", "3")]


@pytest.mark.finding("B-18")
def test_many_tables_with_more_time_are_a_number_on_the_wall_and_a_list_on_the_clock(tmp_path: Path) -> None:
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "-b", "l5r-2018")
    for number in range(18):
        terminal("register", f"Player {number}")
    terminal("pair")
    terminal("start", "--minutes", "50")
    for table in range(1, 10):
        terminal("extend", str(table), "5", "--reason", "deck check")
    with TestClient(create_app(str(path)), base_url="http://localhost") as client:
        home = str(client.get("/").url)
        wall, clock = (words(client.get(f"{home}wall?show={show}").text) for show in ("names", "clock"))
    assert "and 3 more" in wall
    assert "Table 9 +5" in clock


# -- the next step and a second desk


def test_every_page_of_the_desk_shows_the_next_step(browser: Browser, desk: str) -> None:
    """B-I1."""
    for page in ("", "/players", "/rounds", "/event", "/corrections", "/conduct", "/decks", "/log", "/print"):
        shown = browser.get(f"{desk}{page}").text
        assert 'id="next-step"' in shown, page
        assert shown.count('class="button main"') + shown.count('id="enter"') >= 1, page


@pytest.mark.parametrize("ending", ["revoked", "over"])
def test_a_station_link_survives_a_restart_until_it_is_revoked(ledger: Path, home: str, ending: str) -> None:
    def server(visitor: str) -> Browser:
        app = create_app(str(ledger), Settings(key=visitor, watch_seconds=0.05))
        return TestClient(app, base_url="http://localhost")

    desk = f"{home}desk"
    with server("first") as browser:
        browser.post("/enter", data={"key": "first"})
        page = browser.post(f"{desk}/stations", data={"station": "Floor", "name": "Jude", "role": "judge"}).text
        code = re.findall(r"enter#([\w-]+)", page)[0]
        assert "ends when the server stops" not in page
    assert code.encode() not in ledger.with_suffix(".ledger.side").read_bytes()
    with server("second") as browser:
        browser.cookies.set("matchledger", code)  # the phone goes on with its cookie
        assert "Jude · judge · Floor" in browser.get(f"{desk}/phones").text
        browser.cookies.clear()
        browser.post("/enter", data={"key": "second"})
        assert "last used at" in browser.get(f"{desk}/stations").text
        if ending == "revoked":
            browser.post(f"{desk}/stations/revoke", data={"code": code, "confirmed": "yes"})
    if ending == "over":
        at_terminal(ledger)("report", "1", "a", "2", "a")
        at_terminal(ledger)("close", "--yes", "--reason", "short", "--role", "organizer")
    with server("third") as browser:
        entered = browser.post("/enter", data={"key": code}, follow_redirects=False)
        assert entered.status_code == (403 if ending == "revoked" else 303)


def test_two_servers_on_one_file_admit_the_same_stations(ledger: Path, home: str) -> None:
    """Before the fix, a link that one server revoked went on to record through the other server."""
    desk = f"{home}desk"
    with (
        TestClient(create_app(str(ledger), Settings(key="north")), base_url="http://localhost") as north,
        TestClient(create_app(str(ledger), Settings(key="south")), base_url="http://localhost") as south,
    ):
        north.post("/enter", data={"key": "north"})
        page = north.post(f"{desk}/stations", data={"station": "Desk 2", "role": "scorekeeper"}).text
        code = re.findall(r"enter#([\w-]+)", page)[0]
        south.post("/enter", data={"key": code})
        assert "Desk 2 · scorekeeper · Desk 2" in south.get(f"{desk}/players").text
        north.post(f"{desk}/stations/revoke", data={"code": code, "confirmed": "yes"})
        answer = south.get(f"{desk}/players")
        assert "Desk 2 · scorekeeper" not in answer.text
        assert south.post("/enter", data={"key": code}).status_code == 403


@pytest.mark.parametrize("role", ["organizer", "scorekeeper"])
def test_only_an_organizer_makes_a_link_for_a_second_organizer(ledger: Path, home: str, role: Role) -> None:
    settings = Settings(key=KEY, clerk=Clerk("Kim", role, "front"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        page = browser.get(f"{home}desk/stations").text
        assert ('<option value="organizer">' in page) == (role == "organizer")
        answer = browser.post(f"{home}desk/stations", data={"station": "Desk 2", "role": "organizer"})
        if role == "organizer":
            [code] = re.findall(r"enter#([\w-]+)", answer.text)
            browser.cookies.clear()
            browser.cookies.set("matchledger", code)
            assert "Desk 2 · organizer · Desk 2" in browser.get(f"{home}desk/event").text
            assert browser.get("/new", follow_redirects=False).status_code == 303  # opening is for the server's key
        else:
            assert answer.status_code == 401


@pytest.mark.parametrize("page", ["slips", "rounds", "event", "print", "verify", "hand", "stations"])
def test_a_page_that_is_not_a_judges_work_shows_a_judge_no_action(ledger: Path, home: str, page: str) -> None:
    settings = Settings(key=KEY, clerk=Clerk("Jude", "judge", "floor"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        answer = browser.get(f"{home}desk/{page}")
        assert answer.status_code == 403
        shown = answer.text.partition("<main")[2].partition("</main>")[0]
        assert "This page is not part of a judge" in shown
        assert "<form" not in shown.partition('id="palette"')[0]


def test_a_form_sent_again_after_a_restart_says_that_the_desk_is_logged_out(ledger: Path, home: str) -> None:
    with TestClient(create_app(str(ledger), Settings(key="second")), base_url="http://localhost") as browser:
        browser.cookies.set("matchledger", "the-key-of-the-first-start")
        answer = browser.post(f"{home}desk/do", data={"kind": "pair-round"})
        assert answer.status_code == 401
        assert "the server started again" in answer.text
        assert "Nothing was recorded" in answer.text


def test_an_organizer_reopens_an_event_with_a_reason_beside_the_button(ledger: Path, home: str) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("close", "--yes", "--reason", "short", "--role", "organizer")
    settings = Settings(key=KEY, clerk=Clerk("Kim", "organizer", "front"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        page = browser.get(f"{home}desk/rounds").text
        assert 'id="reopen-why"' in page
        form = fields(page, "retract-entry")
        refused = browser.post(f"{home}desk/do", data=form).text
        assert "give a reason" in refused
        assert "What you had filled in" not in refused
        given = form | {"reason": "the final is wrong"}
        assert "What would follow" in browser.post(f"{home}desk/do", data=given).text
        browser.post(f"{home}desk/do", data=given | {"confirmed": "yes"})
        assert "The tournament is closed" not in browser.get(f"{home}desk/rounds").text


def test_a_station_link_whose_file_is_damaged_works_until_the_server_stops(ledger: Path, home: str) -> None:
    ledger.with_suffix(".ledger.side").write_bytes(b"damaged" * 200)
    with TestClient(create_app(str(ledger), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        page = browser.post(f"{home}desk/stations", data={"station": "Floor", "role": "judge"}).text
        assert "ends when the server stops" in page
        [code] = re.findall(r"enter#([\w-]+)", page)
        browser.post(f"{home}desk/stations/revoke", data={"code": code, "confirmed": "yes"})
        assert "No station has a link yet." in browser.get(f"{home}desk/stations").text


def test_revoking_a_link_asks_first_and_the_station_reads_that_its_link_was_revoked(
    browser: Browser, desk: str
) -> None:
    page = browser.post(f"{desk}/stations", data={"station": "Desk 2", "role": "scorekeeper"}).text
    code = re.findall(r"enter#([\w-]+)", page)[0]
    asked = browser.post(f"{desk}/stations/revoke", data={"code": code}).text
    assert "Revoke the link of Desk 2?" in asked
    assert code in browser.get(f"{desk}/stations").text
    done = browser.post(f"{desk}/stations/revoke", data={"code": code, "confirmed": "yes"}).text
    assert "The link of Desk 2 is revoked." in done
    assert code not in done
    browser.cookies.clear()
    browser.cookies.set("matchledger", code)  # the page of the station is still open
    assert browser.get(f"{desk}/state").json()["title"] == "link-revoked"
    assert "the link of this station was revoked" in browser.get(desk).text
    assert browser.post("/enter", data={"key": code}).status_code == 403


def test_a_link_prepares_a_second_desk_and_can_be_revoked(browser: Browser, desk: str, home: str) -> None:
    """B-I9."""
    page = browser.post(f"{desk}/stations", data={"station": "Desk 2", "name": "Jo", "role": "scorekeeper"}).text
    code = re.findall(r"enter#([\w-]+)", page)[0]
    assert "not used yet" in page
    browser.cookies.clear()
    come_in = browser.post("/enter", data={"key": code}, follow_redirects=False)
    assert come_in.headers["location"] == f"{home}desk"
    assert "Jo · scorekeeper · Desk 2" in browser.get(desk).text
    assert browser.post(f"{desk}/stations", data={"station": "Desk 3", "role": "judge"}).status_code == 401
    assert code not in browser.get(f"{desk}/stations").text
    browser.cookies.clear()
    browser.post("/enter", data={"key": KEY})
    assert "last used at" in browser.get(f"{desk}/stations").text
    browser.post(f"{desk}/stations/revoke", data={"code": code, "confirmed": "yes"})
    assert "No station has a link yet." in browser.get(f"{desk}/stations").text
    browser.cookies.clear()
    assert browser.post("/enter", data={"key": code}).status_code == 403
    assert browser.get(desk, follow_redirects=False).status_code == 303


@pytest.mark.finding("C-D7")
def test_the_desk_says_which_key_file_to_copy(ledger: Path) -> None:
    """If another machine's keys encrypt the names, every page says so, and so does each form that needs a key."""
    Path(f"{ledger}.keys").rename(ledger.with_name("first.keys"))
    settings = Settings(key=KEY, clerk=Clerk("Olga", "organizer", "desk"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        home = browser.get("/", follow_redirects=False).headers["location"]
        named = "set MATCHLEDGER_KEYS to the file with the keys"
        copy = f"copy friday.ledger.keys from the machine that has it, or {named}"
        said = f"4 names cannot be read here and appear as numbers: {copy}"
        assert said in words(browser.get(f"{home}desk/players").text)
        form = {
            "kind": "drop-player",
            "id": "1",
            "page": "players",
            "form": "drop-player",
            "view": "",
            "reason": "",
        }
        answer = browser.post(f"{home}desk/do", data=form | {"player": "Ann"})
        assert f"there is no player 'Ann' among the names that can be read: {copy}" in html.unescape(answer.text)
        looked = browser.get(f"{home}desk/log", params={"player": "Ann"})
        assert f"among the names that can be read: {copy}" in words(looked.text)
        german = browser.get(f"{home}desk/players", headers={"accept-language": "de"}).text
        assert "kopiere friday.ledger.keys von dem Rechner, der diese Datei hat" in german


def test_the_desk_sees_at_once_that_a_posted_final_seats_a_loser(browser: Browser, desk: str, ledger: Path) -> None:
    """A semifinal is corrected at a terminal. Before the fix, the browser said so only when the final's slip was
    refused.
    """
    terminal = at_terminal(ledger)
    terminal("undo", "--yes")
    terminal("announce", "--style", "elimination", "--reason", "short")
    terminal("pair")
    terminal("report", "1", "a", "2", "a")
    terminal("pair")
    said = "should have a seat"
    assert said not in browser.get(f"{desk}/rounds").text
    terminal("correct", "1", "1", "b", "--elimination", "--reason", "misread", "--yes")
    time.sleep(0.1)
    page = browser.get(f"{desk}/rounds").text
    assert said in page
    assert "Repair the round" in browser.get(desk).text


def test_short_addresses_lead_to_the_pages_of_the_only_tournament_that_they_fit(
    browser: Browser, desk: str, home: str
) -> None:
    shown = browser.get(f"{desk}/stations").text.replace("<wbr>", "")
    links = re.findall(r"<code id=[^>]*>http://localhost(/s/[^<]*)</code>", shown)
    start = home.split("/")[2][:4]
    assert links[0] == f"/s/{start}"
    assert f"/s/{start}/clock" in links
    assert browser.get(links[0], follow_redirects=False).headers["location"] == home
    for link in links[1:]:
        answer = browser.get(link)
        assert (answer.status_code, answer.url.path.startswith(home)) == (200, True), link
    other = "0000" if start != "0000" else "1111"
    assert [browser.get(f"/s/{wrong}").status_code for wrong in (other, f"{start}/nowhere", "zzzz", start[:3])] == [
        404
    ] * 4


def test_a_short_address_is_as_long_as_it_needs_to_be() -> None:
    one, other, third = UUID("80e2" + "0" * 28), UUID("80e21" + "0" * 27), UUID("f" * 32)
    assert short_address(one, [one, third]) == "s/80e2"
    assert short_address(one, [one, other, third], "clock") == "s/80e20/clock"
