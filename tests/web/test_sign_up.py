"""Signing up: strangers wait outside the log, the desk accepts or declines, and each phone shows the decision."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest
from starlette.testclient import TestClient
from tests.desk import RunCli
from tests.web.conftest import KEY, Browser, at_terminal, friday

from matchledger.ledger import Clerk, open_ledger
from matchledger.service import sign_up
from matchledger.web.app import create_app
from matchledger.web.limit import Limit
from matchledger.web.pages import sign_up as pages
from matchledger.web.settings import Settings
from matchledger_projections.record.roster import Player


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """An event of two players with a waiting list and three places."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "magic-mtr", "Ann", "Bo")
    terminal("allow-phones", "sign-up", "--places", "3")
    return path


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@dataclass
class Phone:
    """The phone of a person without an account."""

    browser: Browser
    home: str
    cookies: dict[str, str] = field(default_factory=dict)

    def post(self, path: str = "", **fields: object) -> str:
        """Send a form, and return the words of the next page."""
        answer = self._send("POST", f"sign-up{path}", data=fields)
        return self.look() if answer.status_code == 303 else text_of(answer.text)

    def look(self) -> str:
        return text_of(self._send("GET", "sign-up").text)

    def own_page(self, which: int = 0) -> str:
        answer = self._send("POST", "sign-up/mine", data={"which": which})
        return text_of(self._send("GET", answer.headers["location"].rsplit("/", 1)[-1]).text)

    def _send(self, method: str, path: str, data: dict[str, Any] | None = None) -> httpx2.Response:
        self.browser.cookies.clear()
        headers = {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        answer = self.browser.request(
            method, f"{self.home}{path}", headers=headers, data=data, follow_redirects=False
        )
        self.cookies |= dict(answer.cookies)
        self.browser.cookies.clear()
        return answer


@dataclass
class Desk:
    """The page of the waiting list at the desk."""

    browser: Browser
    home: str

    def send(self, act: str, who: str = "", /, **fields: object) -> str:
        """Decide about the person with this name, or about everybody."""
        data = {"act": act, "who": self.id_of(who)} | fields
        self.browser.post("/enter", data={"key": KEY})
        answer = self.browser.post(f"{self.home}desk/waiting", data=data)
        self.browser.cookies.clear()
        return text_of(answer.text)

    def id_of(self, who: str) -> str:
        """Return the number of the person with this name on the list."""
        found = re.search(rf"<b>{who}</b>.*?(?:id=\"person-|name=\"who\" value=\")(\d+)\"", self._page(), re.DOTALL)
        return found[1] if found else "1"

    def record(self, kind: str) -> None:
        """Record a command at the desk whose waiting list this is."""
        self.browser.post("/enter", data={"key": KEY})
        answer = self.browser.post(f"{self.home}desk/do", data={"kind": kind, "confirmed": "yes", "page": "log"})
        self.browser.cookies.clear()
        assert answer.status_code == 200, text_of(answer.text)

    def look(self) -> str:
        return text_of(self._page())

    def _page(self, path: str = "waiting") -> str:
        self.browser.post("/enter", data={"key": KEY})
        answer = self.browser.get(f"{self.home}desk/{path}")
        self.browser.cookies.clear()
        return answer.text


PhoneOf = Callable[[], Phone]


@pytest.fixture
def phone(browser: Browser, home: str) -> PhoneOf:
    return lambda: Phone(browser, home)


@pytest.fixture
def waiting(browser: Browser, home: str) -> Desk:
    return Desk(browser, home)


def players(ledger: Path) -> list[Player]:
    with open_ledger(ledger) as opened:
        return opened.record(opened.tournaments()[0]).entered()


def rows(ledger: Path) -> list[str]:
    """Return the states of the people in the side file."""
    with sqlite3.connect(ledger.parent / "friday.ledger.side") as file:
        return [state for (state,) in file.execute("SELECT state FROM waiting")]


def names(ledger: Path) -> list[str]:
    return [player.name for player in players(ledger)]


def test_the_desk_accepts_a_person_who_signed_up(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    cy = phone()
    assert "There is a place. The desk still has to accept you." in cy.post(name="Cy", contact="cy@example.org")
    assert names(ledger) == ["Ann", "Bo"]
    assert "Cy cy@example.org" in waiting.look()
    assert "Cy registered" in waiting.send("accept", "Cy")
    assert names(ledger) == ["Ann", "Bo", "Cy"]
    assert "You are in" in cy.look()
    assert cy.own_page().startswith("Cy \N{EN DASH} Friday")
    assert players(ledger)[-1].person.contact == "cy@example.org"


def test_the_membership_number_comes_with_the_person(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    phone().post(name="Cy", membership="4711")
    waiting.send("accept", "Cy")
    assert players(ledger)[-1].person.details == {"membership": "4711"}


def test_the_desk_sees_a_membership_number_that_another_player_has(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    """The phone shows nothing about the membership numbers of other players."""
    at_terminal(ledger)("correct-player", "Ann", "--set", "membership=4711")
    cy = phone()
    taken = "Cy would have the number 4711 of Ann (#1): correct one of them"
    assert taken not in cy.post(name="Cy", membership="4711")
    assert taken in waiting.look()
    assert taken in waiting.send("accept", "Cy")
    assert "There is a place." in cy.look()
    assert names(ledger) == ["Ann", "Bo"]


def test_a_declined_person_sees_the_refusal_on_the_phone(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    cy = phone()
    cy.post(name="Cy")
    asked = waiting.send("decline", "Cy")
    assert "Decline Cy? The phone of Cy shows it at once." in asked
    assert "There is a place." in cy.look(), "the desk has only been asked"
    assert "Nobody is waiting." in waiting.send("decline", "Cy", confirmed="yes")
    assert "The desk has declined your entry." in cy.look()
    assert names(ledger) == ["Ann", "Bo"]


def test_the_desk_puts_a_declined_person_back_at_the_old_place(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    """Before the fix, a slip of the mouse declined a person for good."""
    cy, di = phone(), phone()
    cy.post(name="Cy", contact="cy@example.org")
    di.post(name="Di")
    waiting.send("decline", "Cy", confirmed="yes")
    assert "There is a place." in di.look()
    assert "No longer on the list Cy declined" in waiting.look()
    page = waiting.send("put-back", "Cy")
    assert page.index("Cy cy@example.org") < page.index("Di")
    assert "No longer on the list" not in page
    assert "There is a place." in cy.look()
    assert "You are next." in di.look()
    waiting.send("accept", "Cy")
    assert names(ledger) == ["Ann", "Bo", "Cy"]


def test_declining_everybody_asks_first_and_spares_a_person_who_came_meanwhile(
    phone: PhoneOf, waiting: Desk
) -> None:
    cy, di, ed = phone(), phone(), phone()
    cy.post(name="Cy")
    di.post(name="Di")
    assert "Decline 2 people? Their phones show it at once." in waiting.send("decline-all")
    asked = [waiting.id_of("Cy"), waiting.id_of("Di")]
    ed.post(name="Ed")
    page = waiting.send("decline-all", several=asked, confirmed="yes")
    assert "1 person is waiting" in page
    assert "has declined" in cy.look()
    assert "There is a place." in ed.look()


def test_the_desk_declines_the_ticked_people_together(phone: PhoneOf, waiting: Desk) -> None:
    for name in ("Cy", "Di", "Ed"):
        phone().post(name=name)
    several = [waiting.id_of("Cy"), waiting.id_of("Ed")]
    assert "1 person is waiting" in waiting.send("decline-all", several=several, confirmed="yes")
    waiting.send("decline-all", confirmed="yes")
    assert "1 person is waiting" in waiting.look(), "nobody is declined without a tick"


def test_a_declined_person_who_removes_the_message_is_forgotten(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    cy = phone()
    cy.post(name="Cy")
    waiting.send("decline", "Cy", confirmed="yes")
    cy.post("/withdraw", which=0)
    assert "No longer on the list" not in waiting.look()
    assert rows(ledger) == []


def test_after_an_undo_the_accepted_person_waits_again(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    """Before the fix, the person was neither a player nor on the list."""
    cy = phone()
    cy.post(name="Cy", contact="cy@example.org", membership="4711")
    waiting.send("accept", "Cy")
    waiting.record("undo-last")
    assert names(ledger) == ["Ann", "Bo"]
    assert "There is a place." in cy.look()
    page = waiting.look()
    assert "Cy 4711 · cy@example.org" in page
    assert "1 on the waiting list" in page
    waiting.send("accept", "Cy")
    assert names(ledger) == ["Ann", "Bo", "Cy"]
    assert players(ledger)[-1].person.details == {"membership": "4711"}
    assert "You are in" in cy.look()
    waiting.record("undo-last")
    waiting.record("redo-last")
    assert "Nobody is waiting." in waiting.look()
    assert cy.own_page().startswith("Cy \N{EN DASH} Friday")


def test_after_a_retraction_the_accepted_person_waits_again(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    """Before the fix, only an undo put the person back on the list."""
    cy = phone()
    cy.post(name="Cy", membership="4711")
    waiting.send("accept", "Cy")
    at_terminal(ledger)("retract", "5", "--yes")
    assert "There is a place." in cy.look()
    assert "Cy 4711" in (page := waiting.look())
    assert "No longer on the list" not in page
    at_terminal(ledger)("retract", "6", "--yes")
    assert names(ledger) == ["Ann", "Bo", "Cy"]
    assert "Nobody is waiting." in waiting.look()
    assert "You are in" in cy.look()


def test_a_transferred_registration_puts_nobody_back_on_the_list(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    phone().post(name="Cy")
    waiting.send("accept", "Cy")
    at_terminal(ledger)("transfer", "Cy", "Di", "--yes")
    assert names(ledger)[-1] == "Di"
    assert "Nobody is waiting." in (page := waiting.look())
    assert "Cy registration merged or transferred" in page


def test_a_pairing_waits_for_a_person_whose_acceptance_was_undone(
    ledger: Path, phone: PhoneOf, waiting: Desk, run_cli: RunCli
) -> None:
    phone().post(name="Cy")
    waiting.send("accept", "Cy")
    waiting.record("undo-last")
    assert "1 person on the waiting list has a place" in run_cli("pair", "--ledger", str(ledger)).err


def test_one_undo_takes_back_everybody_who_was_accepted_at_once(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    at_terminal(ledger)("allow-phones", "sign-up")
    family = [phone(), phone(), phone()]
    for one, name in zip(family, ("Cy", "Di", "Ed"), strict=True):
        one.post(name=name)
    page = waiting.send("accept-all")
    assert page.count("3 people accepted") == 1
    assert "registered as number" not in page
    assert names(ledger) == ["Ann", "Bo", "Cy", "Di", "Ed"]
    waiting.record("undo-last")
    assert names(ledger) == ["Ann", "Bo"]
    assert "3 people are waiting" in waiting.look()
    waiting.record("redo-last")
    assert names(ledger) == ["Ann", "Bo", "Cy", "Di", "Ed"]
    assert "Nobody is waiting." in waiting.look()
    assert all("You are in" in one.look() for one in family)


def test_a_merged_registration_does_not_wait_again(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    """The desk can put the person back on the list, but the list does not grow on its own."""
    cy = phone()
    cy.post(name="Cy")
    waiting.send("accept", "Cy")
    at_terminal(ledger)("merge", "Ann", "Cy", "--yes")
    page = waiting.look()
    assert "Nobody is waiting." in page
    assert "Cy registration merged or transferred" in page
    assert "1 person is waiting" in waiting.send("put-back", "Cy")
    assert "There is a place." in cy.look()


def test_an_erased_person_does_not_wait_again(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    phone().post(name="Cy")
    waiting.send("accept", "Cy")
    erased = ("--out", str(ledger.with_name("erased.txt")), "--reason", "asked for it", "--yes")
    at_terminal(ledger)("erase", "Cy", "--role", "organizer", *erased)
    at_terminal(ledger)("retract", "5", "--yes")
    page = waiting.look()
    assert "Nobody is waiting." in page
    assert "No longer on the list" not in page


def test_a_pairing_names_the_people_who_have_a_place_and_wait(
    ledger: Path, phone: PhoneOf, browser: Browser, desk: str, run_cli: RunCli
) -> None:
    """Before the fix, a person with a free place was left out of round 1 without a word."""
    for name in ("Cy", "Di"):
        phone().post(name=name)
    said = "1 person on the waiting list has a place: accept or decline the person before you pair"
    browser.cookies.set("matchledger", KEY)
    assert said in text_of(browser.get(f"{desk}/rounds").text)
    assert said in run_cli("pair", "--preview", "--ledger", str(ledger)).out
    run_cli(
        "allow-phones", "sign-up", "--role", "organizer", "--ledger", str(ledger)
    )  # this ends the limit on places
    everybody = "2 people on the waiting list have a place"  # without a limit, everybody has a place
    assert everybody in run_cli("pair", "--ledger", str(ledger)).err


def test_the_terminal_counts_the_people_on_the_waiting_list(
    ledger: Path, phone: PhoneOf, waiting: Desk, run_cli: RunCli
) -> None:
    """Before the fix, `players` and `calls` did not mention the people who wait."""
    at = ("--ledger", str(ledger))
    for name in ("Cy", "Di", "Ed"):
        phone().post(name=name)
    waiting.send("accept", "Cy")
    said = "2 people are on the waiting list: accept or decline them at the desk in the browser"
    assert run_cli("players", *at).lines[-1] == said
    assert run_cli("calls", *at).lines == ["No call waits.", said]
    assert "waiting list" not in run_cli("players", "--as-of", "3", *at).out
    assert "waiting list" not in run_cli("players", "--csv", *at).out
    waiting.record("undo-last")
    assert run_cli("players", *at).lines[-1].startswith("3 people are on")
    waiting.send("decline-all", several=[*range(1, 10)], confirmed="yes")
    assert run_cli("calls", *at).lines == ["No call waits."]


def test_people_beyond_the_places_wait_and_move_up(phone: PhoneOf, waiting: Desk) -> None:
    cy, di, ed = phone(), phone(), phone()
    assert "1 place is free." in cy.look()
    cy.post(name="Cy")
    assert "You join the waiting list. 1 place is free. 1 person is ahead of you and comes first." in di.look()
    assert "Waiting for a place You are next." in di.post(name="Di")
    assert "1 person is ahead of you." in ed.post(name="Ed")
    assert (page := waiting.look()).count("Accept out of turn") == 2, "the other person has the free place"
    assert "Accept 1 person" not in page, "one button is enough"
    cy.post("/withdraw", which=0)
    assert "There is a place." in di.look()
    assert "You are next." in ed.look()


def test_the_bar_of_the_desk_looks_again_while_people_can_sign_up(
    ledger: Path, browser: Browser, home: str
) -> None:
    browser.post("/enter", data={"key": KEY})
    assert 'data-again="5"' in browser.get(f"{home}desk/log").text
    assert browser.get(f"{home}desk/waiting").text.count("data-again=") == 1
    at_terminal(ledger)("announce", "--rounds", "1", "--cut", "0", "--reason", "few players")
    at_terminal(ledger)("pair")
    assert "data-again=" not in browser.get(f"{home}desk/log").text


def test_a_full_event_accepts_nobody_until_a_player_drops(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    cy, di = phone(), phone()
    cy.post(name="Cy")
    di.post(name="Di")
    waiting.send("accept-all")
    assert "all 3 places are taken: allow more places first" in waiting.send("accept", "Di")
    assert names(ledger) == ["Ann", "Bo", "Cy"]
    at_terminal(ledger)("drop", "Bo", "--yes")
    assert "There is a place." in di.look()
    waiting.send("accept", "Di")
    assert "You are in" in di.look()


def test_accepting_everybody_leaves_refused_people_on_the_waiting_list(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    at_terminal(ledger)("allow-phones", "sign-up")
    for name in ("Ann", "Cy", "Di", "Cy"):
        phone().post(name=name)
    page = waiting.look()
    assert "Ann is registered already: add something to a second player" in page
    page = waiting.send("accept-all")
    assert "Cy: Cy is registered already" in page
    assert "2 people are waiting" in page
    assert names(ledger) == ["Ann", "Bo", "Cy", "Di"]


def test_the_desk_marks_a_second_person_with_the_same_name(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    ann = phone()
    ann.post(name="Ann")
    assert "registered already" in waiting.send("accept", "Ann", name="Ann")
    waiting.send("accept", "Ann", name="Ann-B")
    assert names(ledger) == ["Ann", "Bo", "Ann-B"]
    assert "You are in" in ann.look()


def test_nobody_can_sign_up_in_the_last_round(ledger: Path, phone: PhoneOf) -> None:
    at_terminal(ledger)("announce", "--rounds", "1", "--cut", "0", "--reason", "few players")
    at_terminal(ledger)("pair")
    cy = phone()
    page = cy.look()
    assert "Sign-up is closed" in page
    assert "Round 1 · The event has begun. Late? Go to the desk." in page
    assert "the last round is paired" in cy.post(name="Cy")


def test_a_person_accepted_after_round_1_enters_late(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    at_terminal(ledger)("pair")
    cy = phone()
    assert "You would enter late." in cy.look()
    cy.post(name="Cy")
    waiting.send("accept", "Cy")
    assert players(ledger)[-1].losses == (1,)


def test_the_year_of_birth_gives_the_division(tmp_path: Path) -> None:
    path = tmp_path / "sunday.ledger"
    terminal = at_terminal(path)
    terminal("open", "Sunday", "--rulebook", "pokemon-2009")
    terminal("register", "Ann", "--born", "1990")
    terminal("allow-phones", "sign-up")
    with server(path) as (browser, home):
        cy, desk = Phone(browser, home), Desk(browser, home)
        assert "the year of birth is missing" in cy.post(name="Cy")
        assert "year of birth: " in cy.post(name="Cy", born="12")
        cy.post(name="Cy", born="2003")
        desk.send("accept", "Cy")
    assert players(path)[-1].division == "junior"


def test_no_file_contains_the_readable_name_of_a_person_who_signed_up(ledger: Path, phone: PhoneOf) -> None:
    phone().post(name="Zacharias Unmistakable")
    side = ledger.parent / "friday.ledger.side"
    for file in (ledger, side):
        with sqlite3.connect(file) as opened:
            dump = "".join(opened.iterdump())
        assert "Unmistakable" not in dump
        assert b"Unmistakable".hex().upper() not in dump.upper()
    assert side.stat().st_mode & 0o077 == 0


def test_the_waiting_list_survives_a_restart(ledger: Path, phone: PhoneOf) -> None:
    cy = phone()
    cy.post(name="Cy")
    with server(ledger) as (browser, home):
        assert "There is a place." in Phone(browser, home, cy.cookies).look()
        assert "1 person is waiting" in Desk(browser, home).look()


def test_accepting_a_person_again_after_a_crash_registers_once(
    ledger: Path, phone: PhoneOf, waiting: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The registration is on the disk, but the list was not written any more."""
    phone().post(name="Cy")
    with monkeypatch.context() as broken:
        broken.setattr("matchledger.ledger.beside.SideFile.settle", lambda *_: None)
        waiting.send("accept", "Cy")
    waiting.send("accept", "Cy")
    assert names(ledger) == ["Ann", "Bo", "Cy"]
    assert "Nobody is waiting." in waiting.look()


def test_a_family_can_sign_up_on_one_phone(phone: PhoneOf, waiting: Desk) -> None:
    family = phone()
    family.post(name="Cy")
    family.post(name="Di")
    waiting.send("accept", "Cy")
    assert "You are in" in (page := family.look())
    assert "Waiting for a place" in page
    assert family.own_page(0).startswith("Cy \N{EN DASH} Friday")
    assert "Sign up" in family.own_page(1)


def test_a_renewed_link_is_not_given_to_the_phone_that_signed_up(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    cy = phone()
    cy.post(name="Cy")
    waiting.send("accept", "Cy")
    at_terminal(ledger)("renew-link", "Cy")
    assert "no longer on the list" in cy.look()
    assert "Cy \N{EN DASH} Friday" not in cy.own_page()


def test_a_registration_that_was_taken_back_opens_no_page(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    cy = phone()
    cy.post(name="Cy")
    waiting.send("accept", "Cy")
    at_terminal(ledger)("retract", "5", "--yes")
    at_terminal(ledger)("register", "Di")
    assert "You are in" not in cy.look()
    assert "Di \N{EN DASH} Friday" not in cy.own_page()


def test_the_waiting_list_is_closed_until_the_organizer_opens_it(ledger: Path, phone: PhoneOf) -> None:
    at_terminal(ledger)("allow-phones", "judge")
    cy = phone()
    assert "Nobody can sign up by phone now." in cy.look()
    assert "players may not put their names on the waiting list" in cy.post(name="Cy")


def test_closing_the_tournament_deletes_the_waiting_list(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    phone().post(name="Cy")
    at_terminal(ledger)("close", "--yes", "--reason", "nobody came")
    assert "what people wrote there is deleted." in waiting.look()
    with sqlite3.connect(ledger.parent / "friday.ledger.side") as file:
        assert file.execute("SELECT count(*) FROM waiting").fetchone() == (0,)


def test_a_person_who_still_waits_reads_that_the_event_is_over(ledger: Path, phone: PhoneOf) -> None:
    phone().post(name="Cy")
    di = phone()
    assert "ahead of you" in di.post(name="Di") or "You are next." in di.look()
    at_terminal(ledger)("close", "--yes", "--reason", "nobody came")
    assert "The event is over, and the waiting list is deleted." in di.look()
    assert "You are next." not in di.look()


def test_the_list_is_deleted_when_the_event_is_closed_at_a_terminal(
    ledger: Path, phone: PhoneOf, browser: Browser, desk: str
) -> None:
    """Before the fix, the list was kept until somebody opened the desk's page of it."""
    phone().post(name="Quentin", contact="quentin@example.org")
    side = ledger.with_suffix(".ledger.side")

    def kept() -> int:
        with closing(sqlite3.connect(side)) as file:
            return int(file.execute("SELECT count(*) FROM waiting").fetchone()[0])

    assert kept() == 1
    at_terminal(ledger)("close", "--yes", "--reason", "nobody came")
    browser.post("/enter", data={"key": KEY})
    latest = time.monotonic() + 20
    while kept():
        assert time.monotonic() < latest
        browser.get(f"{desk}/state")  # the server learns of the close


def test_no_phone_is_promised_a_place_when_no_round_is_left(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    quentin = phone()
    assert "There is a place." in quentin.post(name="Quentin")
    terminal = at_terminal(ledger)
    terminal("announce", "--rounds", "1", "--role", "organizer", "--reason", "a short evening")
    terminal("pair")
    assert "No round is left to play. Ask at the desk." in quentin.look()
    assert "round 1 was the last, so no round is left to play: give a reason to deviate from it" in waiting.look()


def test_after_the_cut_a_person_who_waits_reads_that_no_round_is_left_and_the_desk_can_only_decline(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    quentin = phone()
    quentin.post(name="Quentin")
    terminal = at_terminal(ledger)
    terminal("announce", "--rounds", "2", "--cut", "2", "--role", "organizer", "--reason", "a short evening")
    terminal("pair")
    terminal("report", "1", "2-0")
    assert "There is a place." in quentin.look(), "round 2 is left"
    terminal("cut", "2", "--yes", "--reason", "a short evening")
    assert "On the list No round is left to play. Ask at the desk." in quentin.look()
    assert "the cut is made: nobody can enter any more" in phone().post(name="Zoe")
    listed = waiting.look()
    assert "Nobody can sign up by phone now." in listed
    assert "the cut is made: Quentin can no longer enter (POLICY) Decline" in listed
    assert "the cut is made: Quentin can no longer enter" in waiting.send("accept", "Quentin")
    assert names(ledger) == ["Ann", "Bo"]
    waiting.send("decline", "Quentin", confirmed="yes")
    assert "The desk has declined your entry." in quentin.look()


def test_the_waiting_list_has_a_maximum_length(phone: PhoneOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_up, "MOST_WAITING", 1)
    phone().post(name="Cy")
    assert "1 people are waiting already: go to the desk" in phone().post(name="Di")


def test_one_network_can_sign_up_a_limited_number_of_people(phone: PhoneOf, browser: Browser) -> None:
    browser.app.state.sign_ups = (Limit(1, 600),)  # type: ignore[attr-defined] # the application behind the client
    phone().post(name="Cy")
    assert "too many people have signed up from this network" in phone().post(name="Di")


def test_one_network_sends_no_flood_in_a_minute(browser: Browser, home: str) -> None:
    most = pages.RATES[0][0]
    sent = [browser.post(f"{home}sign-up", data={"name": ""}).status_code for _ in range(most + 1)]
    assert sent == [409] * most + [429]


def test_the_same_name_waits_once_for_each_phone(phone: PhoneOf, waiting: Desk) -> None:
    family = phone()
    family.post(name="Cy")
    assert "Cy has signed up on this phone already" in family.post(name=" cy ")
    assert "1 person is waiting" in waiting.look()


def test_a_closed_sign_up_keeps_the_limit_of_places(ledger: Path, phone: PhoneOf, waiting: Desk) -> None:
    for name in ("Cy", "Di", "Ed"):
        phone().post(name=name)
    at_terminal(ledger)("allow-phones", "judge")
    assert "3 places in all" in (page := waiting.look())
    assert page.count("Accept out of turn") == 2
    waiting.send("accept-all")
    assert [player.name for player in players(ledger)] == ["Ann", "Bo", "Cy"]


def test_long_fields_are_refused(browser: Browser, home: str) -> None:
    answer = browser.post(f"{home}sign-up", data={"name": "x" * (sign_up.LONGEST + 1)})
    assert answer.status_code == 422


def test_judges_and_strangers_cannot_see_the_list_or_decide(
    browser: Browser, home: str, phone: PhoneOf, waiting: Desk
) -> None:
    phone().post(name="Cy")
    doors = browser.app.state.doors  # type: ignore[attr-defined] # the application behind the client
    judge = doors.open_station(UUID(home.split("/")[2]), Clerk("Jo", "judge", "floor"))
    for key in ("", judge):
        headers = {"authorization": f"Bearer {key}"} if key else {}
        answer = browser.get(f"{home}desk/waiting", headers=headers, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/enter")
        answer = browser.post(f"{home}desk/waiting", data={"act": "decline-all"}, headers=headers)
        assert answer.status_code == 401
    assert "1 person is waiting" in waiting.look()


def test_a_phone_holds_one_family_at_most(phone: PhoneOf) -> None:
    family = phone()
    for number in range(pages.MOST):
        family.post(name=f"Child {number}")
    assert "too many people" in family.post(name="Another")


@contextmanager
def server(ledger: Path) -> Iterator[tuple[Browser, str]]:
    app = create_app(str(ledger), Settings(watch_seconds=0.01, key=KEY))
    with TestClient(app, base_url="http://localhost") as client:
        yield client, client.get("/", follow_redirects=False).headers["location"]


def test_the_desk_accepts_a_person_despite_an_objection_with_a_reason(
    ledger: Path, phone: PhoneOf, waiting: Desk
) -> None:
    terminal = at_terminal(ledger)
    phone().post(name="Cy")
    terminal("announce", "--rounds", "1", "--cut", "0", "--reason", "few players")
    terminal("pair")
    page = waiting.look()
    assert "give a reason to deviate from it" in page
    assert "Accept anyway" in page
    assert "Accept 1 p" not in page, "nobody can be accepted without a reason"
    assert "give a reason" in waiting.send("accept", "Cy")
    assert names(ledger) == ["Ann", "Bo"]
    waiting.send("accept-anyway", "Cy", reason="came with the last bus")
    assert names(ledger) == ["Ann", "Bo", "Cy"]


def test_a_person_whose_name_is_registered_cannot_be_accepted_for_a_reason(phone: PhoneOf, waiting: Desk) -> None:
    phone().post(name="Ann")
    page = waiting.look()
    assert "Ann is registered already" in page
    assert "Accept anyway" not in page


@pytest.mark.finding("A-5")
def test_a_damaged_side_file_stops_only_the_waiting_list(ledger: Path, browser: Browser, desk: str) -> None:
    side = ledger.with_name(f"{ledger.name}.side")
    side.write_bytes(b"no database" * 500)
    browser.post("/enter", data={"key": KEY})
    assert [browser.get(f"{desk}{page}").status_code for page in ("", "/rounds", "/event", "/log")] == [200] * 4
    refused = browser.get(f"{desk}/waiting")
    assert refused.status_code == 503
    assert f"{side.name} is damaged: move it to another folder" in text_of(refused.text)
    side.unlink()
    assert browser.get(f"{desk}/waiting").status_code == 200
