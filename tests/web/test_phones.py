"""Phones: with a personal link players report, ask for a judge, ask to be dropped, and check in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from freezegun import freeze_time
from starlette.testclient import TestClient
from tests.desk import RunCli
from tests.web.conftest import KEY, Browser, at_terminal, friday
from tests.web.test_desk import fields as form_fields

from matchledger.ledger import Clerk, open_ledger
from matchledger.notation.outcomes import from_side, read_outcome
from matchledger.notation.slip import Written
from matchledger.service.player_links import code_of, link_of, linked
from matchledger.web.app import create_app
from matchledger.web.pages.own import ACTS
from matchledger.web.public.own import choices
from matchledger.web.settings import Settings
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.views.coherence import incoherence

USES = ("report", "judge", "deck", "drop", "check-in")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A Magic event: Ann plays Bo, and Cy plays Di. Players may use their phones for everything."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "magic-mtr")
    terminal("allow-phones", *USES)
    terminal("pair", "--table", "Ann/Bo", "--table", "Cy/Di")
    return path


def text_of(answer: httpx2.Response) -> str:
    plain = unescape(re.sub(r"<[^>]+>", " ", answer.text)).replace("\N{EN DASH}", "-")
    return " ".join(plain.split())


@dataclass
class Phone:
    browser: Browser
    home: str
    cookie: str

    def look(self) -> str:
        answer = self.browser.get(f"{self.home}me", headers={"cookie": self.cookie})
        assert answer.status_code == 200, text_of(answer)
        return text_of(answer)

    def send(self, act: str, **fields: object) -> str:
        """Ask for something, and return the next page or the reason for a refusal."""
        data = {"act": act} | fields
        answer = self.browser.post(
            f"{self.home}me", data=data, headers={"cookie": self.cookie}, follow_redirects=False
        )
        return self.look() if answer.status_code == 303 else text_of(answer)


PhoneOf = Callable[[str], Phone]


@pytest.fixture
def links(browser: Browser, desk: str) -> dict[str, str]:
    """Return the key behind the # of each personal link, as the desk prints it."""
    page = browser.get(f"{desk}/stations/players", params={"sheet": "yes"}).text
    found = re.findall(r"<h2[^>]*><b>(\w+)</b> <small>.*?enter#([^#<]+)</code>", page, re.DOTALL)
    browser.cookies.clear()
    return dict(found)


@pytest.fixture
def phone(browser: Browser, home: str, links: dict[str, str]) -> PhoneOf:
    def come_in(name: str) -> Phone:
        answer = browser.post("/enter", data={"key": links[name]}, follow_redirects=False)
        assert answer.headers["location"] == f"{home}me"
        cookie = answer.headers["set-cookie"]
        assert f"Path={home}me" in cookie
        assert "HttpOnly" in cookie
        browser.cookies.clear()
        return Phone(browser, home, cookie.partition(";")[0])

    return come_in


def at_desk(browser: Browser, desk: str, page: str = "/phones") -> str:
    browser.post("/enter", data={"key": KEY})
    said = text_of(browser.get(f"{desk}{page}"))
    browser.cookies.clear()
    return said


@pytest.mark.finding("A-5")
@pytest.mark.parametrize("there", [True, False], ids=["a-key-is-missing", "no-key-file"])
def test_a_strangers_link_makes_no_key(
    ledger: Path, home: str, browser: Browser, run_cli: RunCli, there: bool
) -> None:
    """On a machine without the key of a player, a new key would make the data of the player unreadable."""
    keys = ledger.with_name(f"{ledger.name}.keys")
    if there:
        keys.write_bytes(b"".join(keys.read_bytes().splitlines(keepends=True)[:2]))
    else:
        keys.unlink()
    before = keys.read_bytes() if there else b""
    of = home.split("/")[2].replace("-", "")
    code = "4-aaaaaaaaaaaaaaaa"
    assert browser.post("/enter", data={"key": f"me.{of}.{code}"}).status_code == 403
    refused = browser.get(f"{home}me", headers={"cookie": f"matchledger-player={code}"}, follow_redirects=False)
    assert refused.status_code == 401
    assert (keys.read_bytes() if keys.exists() else b"") == before
    assert run_cli("players", "--ledger", str(ledger)).code == 0
    assert run_cli("verify", "--ledger", str(ledger)).code == 0


def test_two_equal_reports_by_phone_become_a_result(
    ledger: Path, phone: PhoneOf, run_cli: RunCli, browser: Browser, home: str
) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    waiting = ann.send("claim", outcome="2-1")
    assert "You said: you won 2-1 You have reported Waiting for Bo Your report counts when" in waiting
    assert "1 result" not in run_cli("pairings", "--outstanding", "--ledger", str(ledger)).out
    assert "Your opponent says: you lost 1-2" in bo.look()
    page = bo.send("claim", outcome="1-2")
    assert "Round 1, table 1 Recorded: lost 1-2 against Ann" in page
    assert "Table 1 against" not in page, "the result has taken the place of the table"
    log = run_cli("log", "--ledger", str(ledger)).lines
    assert "#1 (player, a player's phone)" in log[-2]
    assert "Ann reports by phone: Ann beat Bo 2-1" in log[-2]
    assert "#2 (player, a player's phone)" in log[-1]
    assert "Ann beat Bo 2-1, as both players report by phone (entry 8)" in log[-1]
    assert run_cli("verify", "--ledger", str(ledger)).code == 0
    assert "Ann 2 Bo 1" in text_of(browser.get(f"{home}tables"))


def test_the_log_names_a_phone_in_the_language_of_the_page(phone: PhoneOf, browser: Browser, home: str) -> None:
    phone("Ann").send("claim", outcome="2-0")
    phone("Bo").send("confirm", claim=8)
    for path in ("log", "desk/log"):
        browser.post("/enter", data={"key": KEY})
        page = text_of(browser.get(f"{home}{path}", headers={"accept-language": "de"}))
        assert "Handy eines Spielers" in page
        assert "player's phone" not in page


def test_one_button_confirms_the_report_of_the_opponent(phone: PhoneOf) -> None:
    phone("Ann").send("claim", outcome="2-0")
    assert "Recorded: lost 0-2" in phone("Bo").send("confirm", claim=8)


def test_different_reports_contest_the_table_until_the_desk_decides(
    ledger: Path, phone: PhoneOf, browser: Browser, desk: str, run_cli: RunCli
) -> None:
    phone("Ann").send("claim", outcome="2-1")
    assert "You and your opponent reported different results" in phone("Bo").send("claim", outcome="2-1")
    seen = at_desk(browser, desk)
    assert "Two reports differ" in seen
    assert "Ann reports Ann beat Bo 2-1 Record this result Bo reports Bo beat Ann 2-1 Record this result" in seen
    waits = run_cli("calls", "--ledger", str(ledger)).out
    assert "the players say different things by phone" in waits
    at_terminal(ledger)("report", "1", "1-2")
    assert "No player waits for a judge or for the desk." in at_desk(browser, desk)
    assert run_cli("calls", "--ledger", str(ledger)).out == "No call waits.\n"


def test_the_desk_records_one_of_two_different_reports(
    ledger: Path, phone: PhoneOf, browser: Browser, desk: str, run_cli: RunCli
) -> None:
    phone("Ann").send("claim", outcome="2-1")
    phone("Bo").send("claim", outcome="2-0")
    browser.post("/enter", data={"key": KEY})
    page = browser.get(f"{desk}/phones").text
    offered = re.findall(r'name="outcome" value="([^"]+)"', page)
    assert offered == ["2-1", "0-2"], "each report in the order of the table"
    form = {"kind": "report-slip", "id": "1", "page": "phones", "form": "claim-9", "table": "1"}
    browser.post(f"{desk}/do", data=form | {"outcome": offered[1]})
    assert "Bo beat Ann 2-0" in run_cli("log", "--ledger", str(ledger)).out
    assert "No player waits for a judge or for the desk." in at_desk(browser, desk)


def test_the_cursor_moves_to_the_next_request(phone: PhoneOf, browser: Browser, desk: str) -> None:
    phone("Ann").send("judge")
    phone("Cy").send("judge")
    browser.post("/enter", data={"key": KEY})
    first = re.search(
        r'name="request" value="(\d+)"><button [^>]*Ann"[^>]* autofocus', browser.get(f"{desk}/phones").text
    )
    assert first is not None
    form = {
        "kind": "answer-request",
        "id": "1",
        "page": "phones",
        "form": f"request-{first[1]}",
        "request": first[1],
    }
    assert re.search(r'<button [^>]*Cy"[^>]* autofocus', browser.post(f"{desk}/do", data=form).text)


def test_a_judge_records_one_of_two_reports_from_each_page_that_shows_them(
    ledger: Path, phone: PhoneOf, desk: str, run_cli: RunCli
) -> None:
    phone("Ann").send("claim", outcome="2-1")
    phone("Bo").send("claim", outcome="2-0")
    judge = Settings(key=KEY, clerk=Clerk("Jo", "judge", "floor"))
    with TestClient(create_app(str(ledger), judge), base_url="http://localhost") as floor:
        floor.post("/enter", data={"key": KEY})
        for page in ("phones", "corrections"):
            assert re.findall(r'name="outcome" value="([^"]+)"', floor.get(f"{desk}/{page}").text) == ["2-1", "0-2"]
        form = {
            "kind": "report-slip",
            "id": "1",
            "page": "phones",
            "form": "claim-9",
            "table": "1",
            "outcome": "0-2",
        }
        assert "No player waits for a judge or for the desk." in text_of(floor.post(f"{desk}/do", data=form))
    assert "Bo beat Ann 2-0" in run_cli("log", "--ledger", str(ledger)).out


def test_a_judge_who_may_not_write_results_gets_no_button_for_them(tmp_path: Path) -> None:
    path = tmp_path / "strict.ledger"
    terminal = at_terminal(path)
    policies = ("POL-ALL-SILENT-ROLES=organizer", "POL-ALL-DELEGATION=none")
    terminal("open", "Strict", "--rulebook", "netrunner-2023", *(word for one in policies for word in ("-p", one)))
    for words in (
        ("register", "Ann"),
        ("register", "Bo"),
        ("allow-phones", "report"),
        ("pair", "--reason", "a test"),
        ("claim", "Ann", "win"),
        ("claim", "Bo", "win"),
    ):
        terminal(*words, "--role", "organizer")
    judge = Settings(key=KEY, clerk=Clerk("Jo", "judge", "floor"))
    with TestClient(create_app(str(path), judge), base_url="http://localhost") as floor:
        page = floor.post("/enter", data={"key": KEY})
    assert "Two reports differ" in page.text
    assert 'value="report-slip"' not in page.text


def test_agreement_settles_a_contested_table(phone: PhoneOf) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    ann.send("claim", outcome="2-1")
    bo.send("claim", outcome="2-1")
    assert "Recorded: lost 1-2" in ann.send("claim", outcome="1-2")


def test_a_disqualified_player_link_only_shows(ledger: Path, phone: PhoneOf) -> None:
    cy, di = phone("Cy"), phone("Di")
    assert "How did your match end?" in cy.look()
    at_terminal(ledger)("disqualify", "Cy", "--yes", "--reason", "a test")
    acts: dict[str, dict[str, object]] = {
        "claim": {"outcome": "2-0"},
        "judge": {},
        "here": {},
        "drop": {},
        "deck": {"deck": "60 Island"},
        "call": {"round": 1},
    }
    for act, fields in acts.items():
        assert "Cy is disqualified: go to the desk" in cy.send(act, **fields), act
    shown = cy.browser.get(f"{cy.home}me", headers={"cookie": cy.cookie}).text
    assert 'name="act"' not in shown
    assert "is disqualified" not in di.send("judge")


def test_a_player_who_dropped_reports_only_the_match_of_the_round(ledger: Path, phone: PhoneOf) -> None:
    cy = phone("Cy")
    at_terminal(ledger)("drop", "Cy", "--yes")
    assert "Cy is not in play" in cy.send("here")
    assert "Cy is not in play" in cy.send("drop")
    at_terminal(ledger)("report", "1", "2-0", "2", "2-0")
    at_terminal(ledger)("pair", "--reason", "a test")
    assert "Cy has no table now" in cy.send("claim", outcome="2-0")


def test_after_a_result_is_taken_back_both_players_report_again(ledger: Path, phone: PhoneOf) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    ann.send("claim", outcome="2-1")
    bo.send("claim", outcome="1-2")
    at_terminal(ledger)("retract", "9", "--yes")
    assert "Your opponent says" not in bo.look()
    assert "is not a report for you to confirm" in bo.send("confirm", claim=8)
    assert "Waiting for Ann" in bo.send("claim", outcome="1-2")
    assert "Recorded: won 2-1" in ann.send("claim", outcome="2-1")


def test_a_retracted_claim_confirms_nothing(ledger: Path, phone: PhoneOf) -> None:
    phone("Ann").send("claim", outcome="2-1")
    at_terminal(ledger)("retract", "8", "--yes")
    assert "Your report counts when your opponent reports the same" in phone("Bo").send("claim", outcome="1-2")


def test_a_phone_changes_no_recorded_result(ledger: Path, phone: PhoneOf, run_cli: RunCli) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    ann.send("claim", outcome="2-1")
    at_terminal(ledger)("report", "1", "0-2")
    assert "has a result already" in bo.send("claim", outcome="1-2")
    assert "is not a report for you to confirm" in bo.send("confirm", claim=8)
    assert run_cli("log", "--ledger", str(ledger)).out.count("Bo beat Ann") == 1


def test_a_player_cannot_confirm_their_own_claim(phone: PhoneOf) -> None:
    ann = phone("Ann")
    ann.send("claim", outcome="2-1")
    assert "is not a report for you to confirm" in ann.send("confirm", claim=8)
    assert "you have reported this (entry 8)" in ann.send("claim", outcome="2-1")


def test_a_phone_has_a_limited_number_of_claims(phone: PhoneOf) -> None:
    ann = phone("Ann")
    for outcome in ("2-0", "2-1", "1-2"):
        ann.send("claim", outcome=outcome)
    assert "you have reported 3 different results for this match: go to the desk" in ann.send(
        "claim", outcome="0-2"
    )


def test_a_judge_comes_when_called(ledger: Path, phone: PhoneOf, browser: Browser, desk: str) -> None:
    assert re.search(r"A judge has been called and will come. since \d\d:\d\d", phone("Di").send("judge"))
    assert "a judge is called to table 2 already (entry 8)" in phone("Cy").send("judge")
    assert "Table 2 Di wants a judge against Cy just now" in at_desk(browser, desk)
    at_terminal(ledger)("answer-request", "8")
    assert "No player waits for a judge or for the desk." in at_desk(browser, desk)


def test_a_judge_can_be_called_after_the_result(ledger: Path, phone: PhoneOf, browser: Browser, desk: str) -> None:
    di = phone("Di")
    at_terminal(ledger)("report", "2", "a")
    assert "Call a judge" in di.look()
    assert "A judge has been called" in di.send("judge")
    assert "Table 2 Di wants a judge against Cy just now" in at_desk(browser, desk)


def test_the_desk_drops_a_player_on_request(
    ledger: Path, phone: PhoneOf, browser: Browser, desk: str, run_cli: RunCli
) -> None:
    cy = phone("Cy")
    assert "The desk knows that you want to drop." in cy.send("drop")
    assert "the desk knows that already (entry 8)" in cy.send("drop")
    assert "Cy asks to be dropped" in at_desk(browser, desk)
    assert "dropped" not in run_cli("players", "--ledger", str(ledger)).out
    at_terminal(ledger)("drop", "Cy")
    assert "No player waits for a judge or for the desk." in at_desk(browser, desk)
    assert "Cy is not in play" in cy.send("drop")


def test_a_player_reads_the_deck_list_and_replaces_it_by_phone(
    phone: PhoneOf, ledger: Path, run_cli: RunCli
) -> None:
    ann = phone("Ann")
    assert "Hand in my deck list" in ann.look()
    first = ann.send("deck", deck="60 Island\n\n15 Negate")
    assert "Your deck list is in Main deck 60 60 Island Sideboard 15 15 Negate Hand in another list" in first
    assert "this list of Ann is in already" in ann.send("deck", deck="60 Island\n\n15 Negate")
    assert "Main deck 60 60 Plains Hand in another list" in ann.send("deck", deck="60 Plains")
    assert "60 Plains" in run_cli("deck", "show", "Ann", "--cards", "--ledger", str(ledger)).out
    assert run_cli("log", "--ledger", str(ledger)).out.count("Ann handed a deck list in") == 2


def test_a_player_only_reads_the_deck_list_after_play_began(phone: PhoneOf, ledger: Path) -> None:
    ann = phone("Ann")
    ann.send("deck", deck="60 Island")
    at_terminal(ledger)("report", "1", "2-0")
    page = ann.look()
    assert "60 Island Only the desk can change the list now." in page
    assert "Hand in another list" not in page
    assert "round 1 has begun, and the list of Ann is in" in ann.send("deck", deck="60 Plains")


def test_a_player_only_reads_the_deck_list_while_phones_hand_in_none(phone: PhoneOf, ledger: Path) -> None:
    ann = phone("Ann")
    ann.send("deck", deck="60 Island")
    at_terminal(ledger)("allow-phones", "judge")
    page = ann.look()
    assert "60 Island Only the desk can change the list now." in page
    assert "Hand in another list" not in page
    assert "60 Island" not in phone("Bo").look()


def offered(shown: str) -> set[str]:
    """Return what a player's own page offers, of the things that end with the player's last game."""
    texts = ("I want to drop", "deck list", "Call a judge", "Time, not started", "The phone rings", "This is wrong")
    return {text for text in texts if text in shown}


def test_a_player_outside_the_cut_is_offered_nothing_but_to_dispute_a_result(ledger: Path, phone: PhoneOf) -> None:
    ann, bo, terminal = phone("Ann"), phone("Bo"), at_terminal(ledger)
    terminal("announce", "--rounds", "1", "--cut", "2", "--role", "organizer", "--reason", "a short evening")
    assert {"I want to drop", "deck list", "Call a judge", "Time, not started"} < offered(ann.look())
    terminal("report", "1", "2-0", "2", "2-0")
    assert "I want to drop" in bo.look(), "Bo may be in the cut"
    terminal("tie")
    terminal("cut", "2", "--yes", "--reason", "a short evening")
    assert offered(ann.look()) == {"I want to drop", "The phone rings", "This is wrong"}
    assert offered(bo.look()) == {"This is wrong"}
    terminal("pair")
    assert "Call a judge" in offered(ann.look())
    assert offered(bo.look()) == {"This is wrong"}
    for act in ("drop", "deck", "here"):
        assert "Bo is not in play" in bo.send(act, deck="60 Island"), act
    terminal("report", "1", "2-0")
    assert offered(ann.look()) == offered(bo.look()) == {"This is wrong"}, "the final is decided"


def test_a_player_who_lost_in_the_bracket_can_still_call_a_judge(ledger: Path, phone: PhoneOf) -> None:
    phones, terminal = [phone(name) for name in ("Ann", "Bo", "Cy", "Di")], at_terminal(ledger)
    terminal("announce", "--rounds", "1", "--cut", "4", "--role", "organizer", "--reason", "a short evening")
    terminal("report", "1", "2-0", "2", "2-0")
    terminal("tie")
    terminal("cut", "4", "--yes", "--reason", "a short evening")
    terminal("pair", "--reason", "a short evening")
    terminal("report", "1", "2-0")
    pages = [one.look() for one in phones]
    [lost] = [page for page in pages if "Your event is over." in page]
    assert offered(lost) == {"Call a judge", "This is wrong"}
    assert all({"I want to drop", "The phone rings"} <= offered(page) for page in pages if page != lost)


def test_after_the_last_swiss_round_there_is_nothing_to_drop_from(ledger: Path, phone: PhoneOf) -> None:
    ann, terminal = phone("Ann"), at_terminal(ledger)
    terminal("announce", "--rounds", "1", "--cut", "0", "--role", "organizer", "--reason", "a short evening")
    terminal("report", "1", "2-0")
    assert "I want to drop" in ann.look()
    terminal("report", "2", "2-0")
    assert offered(ann.look()) == {"Call a judge", "This is wrong"}


def test_a_player_who_dropped_can_call_a_judge_to_the_last_match(ledger: Path, phone: PhoneOf) -> None:
    ann = phone("Ann")
    at_terminal(ledger)("drop", "Ann", "--yes")
    assert offered(ann.look()) == {"Call a judge", "Time, not started"}
    assert "A judge has been called" in ann.send("judge")


def test_a_deck_list_is_not_asked_for_after_play_began(ledger: Path, phone: PhoneOf) -> None:
    ann = phone("Ann")
    assert "Hand in my deck list" in ann.look()
    at_terminal(ledger)("report", "2", "2-0")
    assert "deck list" not in ann.look()
    refused = ann.send("deck", deck="60 Island")
    assert "round 1 has begun: record the list of Ann as late" in refused
    assert "What you typed 60 Island" in refused


def test_phones_cannot_report_until_the_organizer_allows_it(ledger: Path, phone: PhoneOf) -> None:
    at_terminal(ledger)("allow-phones")
    ann = phone("Ann")
    assert "How did your match end?" not in ann.look()
    for act in ("claim", "judge", "call", "deck", "drop", "here"):
        assert "with their phones here: go to the desk" in ann.send(act, outcome="2-1", deck="60 Island")


# -- disputing a result


@pytest.fixture
def reported(ledger: Path) -> int:
    """The entry of the result that Ann beat Bo."""
    at_terminal(ledger)("report", "1", "2-0")
    return 8


def test_a_player_calls_the_desk_about_a_result(
    ledger: Path, reported: int, phone: PhoneOf, run_cli: RunCli
) -> None:
    bo = phone("Bo")
    assert "This is wrong" in bo.look()
    said = bo.send("call", says="won", round=1, disputes=reported)
    assert "The desk has been called and will come." in said
    assert "This is wrong" not in said
    assert f"Bo: entry {reported} is wrong, won" in run_cli("calls", "--ledger", str(ledger)).out
    assert "#2 (player, a player's phone)" in run_cli("log", "--ledger", str(ledger)).lines[-1]
    assert "the desk has been called about table 1" in phone("Ann").send("call", round=1, disputes=reported)


def test_a_player_who_reports_the_recorded_result_can_still_call_the_desk(
    ledger: Path, reported: int, phone: PhoneOf, run_cli: RunCli
) -> None:
    bo = phone("Bo")
    said = bo.send("call", says="lost", round=1, disputes=reported)
    assert "it is recorded like that" in said
    assert "This is wrong" in said
    assert run_cli("calls", "--ledger", str(ledger)).out == "No call waits.\n"
    assert "The desk has been called and will come." in bo.send("call", says="drew", round=1, disputes=reported)


def test_a_stranger_cannot_dispute_a_result(
    ledger: Path, reported: int, browser: Browser, home: str, phone: PhoneOf, run_cli: RunCli
) -> None:
    """Everything by phone is off by default, and needs the personal link where it is allowed."""
    form = {"player": 2, "stage": "swiss", "round": 1, "claim": "won", "disputes": reported}
    for allowed in (True, False):
        page = browser.get(f"{home}player/2").text
        assert "This is wrong" not in page
        assert set(re.findall(r'<form[^>]* method="post"', page)) == set()
        assert browser.post(f"{home}call", data=form).status_code in (404, 405)
        assert "is for players with a personal link" in text_of(
            browser.post(f"{home}me", data={"act": "call", "round": 1, "disputes": reported})
        )
        if allowed:
            at_terminal(ledger)("allow-phones")
    assert "This is wrong" not in phone("Bo").look()
    assert run_cli("calls", "--ledger", str(ledger)).out == "No call waits.\n"


def test_a_result_that_changed_meanwhile_must_be_looked_at_again(
    ledger: Path, reported: int, phone: PhoneOf
) -> None:
    at_terminal(ledger)("correct", "1", "1", "2-1")
    said = phone("Bo").send("call", round=1, disputes=reported)
    assert "has changed since this page was shown: reload it" in said


def test_a_player_cannot_fill_the_log(reported: int, phone: PhoneOf) -> None:
    bo = phone("Bo")
    said = [bo.send("call", round=9, disputes=reported) for _ in range(ACTS + 1)]
    assert all("has no table in round 9" in one for one in said[:-1])
    assert "this phone has sent too much" in said[-1]


@pytest.mark.parametrize(
    "change", [{"says": "shout"}, {"stage": "finals"}, {"disputes": "x" * 11}, {"round": "9" * 30}]
)
def test_a_forged_call_is_refused(
    reported: int, phone: PhoneOf, browser: Browser, home: str, change: dict[str, str]
) -> None:
    form = {"act": "call", "round": "1", "disputes": str(reported)} | change
    assert browser.post(f"{home}me", data=form, headers={"cookie": phone("Bo").cookie}).status_code == 422


def test_if_tokens_are_demanded_a_phone_can_still_call_the_desk(
    ledger: Path, reported: int, phone: PhoneOf, run_cli: RunCli
) -> None:
    bo, key = phone("Bo"), str(ledger.with_name("org.key"))
    run_cli("token", "key", key)
    at_terminal(ledger)("token", "trust", "--key", key, "--demand", "--role", "organizer")
    assert "the desk has not lent its token to the phones" in bo.send("drop")
    assert "The desk has been called and will come." in bo.send("call", round=1, disputes=reported)
    assert run_cli("verify", "--ledger", str(ledger)).code == 0


def test_after_the_close_phones_cannot_report(ledger: Path, phone: PhoneOf) -> None:
    ann = phone("Ann")
    terminal = at_terminal(ledger)
    terminal("report", "1", "2-0", "2", "2-0")
    terminal("close", "--yes", "--reason", "short")
    assert "the tournament is closed: go to the desk" in ann.send("drop")


def test_a_new_link_ends_the_old_one(
    ledger: Path, phone: PhoneOf, links: dict[str, str], browser: Browser, home: str
) -> None:
    ann = phone("Ann")
    at_terminal(ledger)("renew-link", "Ann")
    refused = browser.get(f"{home}me", headers={"cookie": ann.cookie}, follow_redirects=False)
    assert refused.status_code in (303, 401, 403)
    old = browser.post("/enter", data={"key": links["Ann"]})
    assert old.status_code == 403
    assert "is no longer valid" in text_of(old)


def test_an_erased_player_has_no_link(ledger: Path, links: dict[str, str], browser: Browser) -> None:
    at_terminal(ledger)(
        "erase",
        "Ann",
        "--yes",
        "--role",
        "organizer",
        "--reason",
        "asked for",
        "--out",
        str(ledger.parent / "erased.txt"),
    )
    assert browser.post("/enter", data={"key": links["Ann"]}).status_code == 403


def test_a_personal_link_works_only_for_its_player(links: dict[str, str], browser: Browser) -> None:
    own = links["Ann"]
    number, _, rest = own.rpartition(".")[2].partition("-")
    other = own.replace(f"{number}-{rest}", f"2-{rest}")
    assert browser.post("/enter", data={"key": other}).status_code == 403


def test_a_personal_link_is_short_and_an_earlier_long_link_still_works(
    links: dict[str, str], browser: Browser, ledger: Path, home: str
) -> None:
    assert re.fullmatch(r"[0-9a-f]{4}\.1-[a-z2-7]{16}", links["Ann"]), "80 bits of the code are secret"
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
    code = links["Ann"].partition(".")[2]
    for key in (links["Ann"], f"me.{tournament.hex}.{code}"):
        answer = browser.post("/enter", data={"key": key}, follow_redirects=False)
        assert answer.headers["location"] == f"{home}me"
    other = "0000" if not links["Ann"].startswith("0000") else "1111"
    assert browser.post("/enter", data={"key": f"{other}.{code}"}).status_code == 403


def test_tournaments_whose_ids_begin_alike_keep_their_own_links(links: dict[str, str], ledger: Path) -> None:
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        alike = UUID(int=tournament.int ^ 1)
        assert linked(kept, [alike, tournament], links["Ann"]) == (tournament, links["Ann"].partition(".")[2])
        assert linked(kept, [alike], links["Ann"]) is None


def test_the_desk_revokes_a_personal_link_and_shows_the_new_one(
    ledger: Path, links: dict[str, str], browser: Browser, desk: str
) -> None:
    browser.post("/enter", data={"key": KEY})
    sent = {"player": 1, "id": "once", "q": ""}
    for _ in range(2):  # a form that is sent twice is recorded once
        page = browser.post(f"{desk}/stations/players/renew", data=sent).text
    assert "Ann has a new link. The old one is no longer valid." in page
    assert links["Ann"] not in page
    assert links["Bo"] in browser.get(f"{desk}/stations/players", params={"sheet": "yes"}).text
    assert browser.post("/enter", data={"key": links["Ann"]}).status_code == 403
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        renewed = [entry.fact.kind for entry in kept.entries(tournament)].count("link-renewed")
    assert renewed == 1
    assert browser.post(f"{desk}/stations/players/renew", data=sent | {"player": 99, "id": "?"}).status_code == 400


def test_a_replaced_link_says_so_on_the_phone_and_the_desk_shows_the_new_one(
    browser: Browser, links: dict[str, str], home: str
) -> None:
    browser.post("/enter", data={"key": links["Ann"]})
    browser.post("/enter", data={"key": KEY})
    sent = {"kind": "renew-link", "player": "1", "id": "once", "page": "phones", "form": "renew-link"}
    page = browser.post(f"{home}desk/do", data=sent).text
    assert "Ann has a new link. The old one is no longer valid." in page
    assert 'id="link-1"' in page
    old = browser.get(f"{home}me", follow_redirects=False)
    assert old.status_code == 401
    assert "this personal link is no longer valid: ask at the desk for a new one" in old.text


def test_the_list_of_links_shows_which_links_were_used(phone: PhoneOf, browser: Browser, home: str) -> None:
    used = ' <small class="tag won">used</small>'
    phone("Ann").send("claim", outcome="2-1")
    browser.post("/enter", data={"key": KEY})
    page = browser.get(f"{home}desk/stations/players").text
    assert f"<span><b>Ann</b></span>{used}" in page
    assert page.count(used) == 1
    assert re.search(r'<a class="button" href="[^"]*sheet=yes', page), "no phone can reach this server"
    assert "1 link used" in page
    unused = browser.get(f"{home}desk/stations/players", params={"show": "unused"}).text
    assert "<b>Ann</b>" not in unused
    assert re.search(r'href="[^"]*show=unused&amp;sheet=yes', unused), "the codes of the listed players are printed"
    browser.post(f"{home}desk/stations/players/renew", data={"player": 1, "id": "once", "q": ""})
    assert used not in browser.get(f"{home}desk/stations/players").text


def test_only_the_desk_sees_personal_links(browser: Browser, home: str) -> None:
    answer = browser.get(f"{home}desk/stations/players", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/enter")


def test_if_tokens_are_demanded_a_station_signs_the_reports_of_phones(
    ledger: Path, phone: PhoneOf, browser: Browser, home: str, run_cli: RunCli, tmp_path: Path
) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    key, at = str(tmp_path / "org.key"), ("--ledger", str(ledger))
    run_cli("token", "key", key)
    run_cli("token", "trust", "--key", key, "--demand", "--role", "organizer", *at)
    issued = run_cli("token", "issue", "--key", key, "--role", "scorekeeper", "--name", "Kim", "--hours", "9", *at)
    assert "the desk has not lent its token to the phones" in ann.send("claim", outcome="2-1")
    browser.post("/enter", data={"key": issued.lines[-1]})
    assert "Lend the token" in browser.get(f"{home}desk/stations/players").text
    browser.post(f"{home}desk/stations/players/lend")
    browser.cookies.clear()
    ann.send("claim", outcome="2-1")
    assert "Recorded: lost 1-2" in bo.send("claim", outcome="1-2")
    log = run_cli("log", *at).lines
    assert "Kim (scorekeeper, Kim)" in log[-1]
    assert "as both players report by phone" in log[-1]
    assert run_cli("verify", *at).code == 0


def test_players_check_in_by_phone_or_at_the_desk(tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "monday.ledger"
    terminal = at_terminal(path)
    terminal("open", "Monday", "--rulebook", "magic-mtr")
    terminal("register", "Eve")
    terminal("check-in", "Eve")
    said = run_cli("check-in", "Eve", "--ledger", str(path), code=3)
    assert said.refused == "Eve has checked in already"


def test_allowing_phones_against_the_rules_needs_a_reason(tmp_path: Path, run_cli: RunCli) -> None:
    """SWR-SCORECARD"""
    at = ("--ledger", str(tmp_path / "sunday.ledger"))
    run_cli("open", "Sunday", "--rulebook", "street-warriors-2004", *at)
    refused = run_cli("allow-phones", "report", *at, code=3).refused
    assert refused.startswith("under the rules, players do not write results: give a reason to deviate from it")
    assert "SWR-SCORECARD" in refused
    run_cli("allow-phones", "judge", *at)
    assert "every entry follows the rulebook" in run_cli("integrity", *at).out
    run_cli("allow-phones", "report", "--reason", "no slips left", *at)
    assert "SWR-SCORECARD" in run_cli("integrity", *at).out


def test_a_claim_from_a_page_of_the_earlier_round_is_refused(
    ledger: Path, phone: PhoneOf, browser: Browser
) -> None:
    ann = phone("Ann")
    page = browser.get(f"{ann.home}me", headers={"cookie": ann.cookie}).text
    [pairing] = set(re.findall(r'name="pairing" value="(\d+)"', page))
    terminal = at_terminal(ledger)
    terminal("report", "1", "2-0", "2", "2-0")
    terminal("pair")
    said = ann.send("claim", outcome="win", pairing=pairing)
    assert "the log has changed since you looked: nothing was recorded" in said
    assert "You said" not in ann.look()


def test_a_claim_about_an_undone_round_confirms_nothing(ledger: Path, phone: PhoneOf) -> None:
    """A claim is about the round that was undone. The same players meet again at the same table, and have not
    played yet.
    """
    terminal = at_terminal(ledger)
    ann, bo = phone("Ann"), phone("Bo")
    ann.send("claim", outcome="2-1")
    ann.send("judge")
    terminal("retract", "7", "--yes")
    terminal("pair", "--table", "Ann/Bo", "--table", "Cy/Di")
    page = bo.look()
    assert "Your opponent says" not in page
    assert "A judge has been called" not in page
    assert "Your report counts when your opponent reports the same" in bo.send("claim", outcome="1-2")


def test_a_claim_moves_with_its_match_to_another_table(ledger: Path, phone: PhoneOf) -> None:
    phone("Ann").send("claim", outcome="2-1")
    at_terminal(ledger)("swap-tables", "1", "2", "--yes")
    assert "Recorded: lost 1-2" in phone("Bo").send("claim", outcome="1-2")


@pytest.mark.parametrize("note", ["slip=10:00", "ended=9:00"])
def test_phones_ask_for_no_times_of_a_slip(phone: PhoneOf, note: str) -> None:
    assert "a phone reports only the winner" in phone("Ann").send("claim", outcome=f"2-1 {note}")


@pytest.mark.parametrize("confirm", [False, True])
def test_a_result_arrives_with_the_second_report(tmp_path: Path, run_cli: RunCli, confirm: bool) -> None:
    """L5R-IV.3a-70: an early claim does not make a late result early."""
    at = ("--ledger", str(tmp_path / "kotei.ledger"))
    with freeze_time("2026-05-02 10:00") as clock:
        for line in (
            "open Kotei -b l5r-2018",
            "register Ann",
            "register Bo",
            "allow-phones report",
            "pair",
            "start",
        ):
            run_cli(*line.split(), *at)
        clock.tick(60 * 60)
        claim = run_cli("claim", "Ann", "win", *at).out.rpartition("entry ")[2].strip(").\n")
        clock.tick(12 * 60)
        run_cli(*(("confirm", "Bo", claim) if confirm else ("claim", "Bo", "loss")), *at)
    assert "a modified-loss: slip came at 72:00" in run_cli("log", *at).lines[-1]


def test_a_report_by_phone_in_a_bracket_must_name_a_winner(ledger: Path, phone: PhoneOf, run_cli: RunCli) -> None:
    terminal = at_terminal(ledger)
    terminal("report", "1", "2-0", "2", "2-0")
    terminal("tie")
    terminal("cut", "2", "--reason", "short", "--yes")
    terminal("pair", "--reason", "short")
    ann, cy = phone("Ann"), phone("Cy")
    assert "an elimination match has a winner" in ann.send("claim", outcome="1-1-1")
    ann.send("claim", outcome="2-0")
    assert "Champion" not in cy.look()
    cy.send("claim", outcome="0-2")
    assert "Champion" in ann.look()
    assert run_cli("verify", "--ledger", str(ledger)).code == 0


def test_a_merged_player_stays_checked_in(tmp_path: Path, run_cli: RunCli) -> None:
    at = ("--ledger", str(tmp_path / "monday.ledger"))
    for line in ("open Monday -b magic-mtr", "register Ann", "register Anne", "check-in Anne"):
        run_cli(*line.split(), *at)
    run_cli("merge", "Ann", "Anne", "--yes", *at)
    assert run_cli("check-in", "Ann", *at, code=3).refused == "Ann has checked in already"


def test_an_export_keeps_the_claims_behind_a_result(
    ledger: Path, phone: PhoneOf, run_cli: RunCli, tmp_path: Path
) -> None:
    phone("Ann").send("claim", outcome="2-1")
    phone("Bo").send("confirm", claim=8)
    exported = str(tmp_path / "friday.jsonl")
    run_cli("export", exported, "--with-names", "--ledger", str(ledger))
    copy = ("--ledger", str(tmp_path / "copy.ledger"))
    run_cli("import", exported, *copy)
    assert "as both players report by phone (entry 8)" in run_cli("log", *copy).out
    with open_ledger(ledger) as opened:
        [tournament] = opened.tournaments()
        entry = opened.entry(tournament, 9)
        before = opened.record_as_of(tournament, 8)
    astray = entry.model_copy(update={"fact": entry.fact.model_copy(update={"confirms": 80})})
    assert incoherence(before, entry) is None
    assert incoherence(before, astray) == "confirms: there is no entry 80 before it"


def test_the_hall_shows_the_table_where_a_player_called_a_judge(browser: Browser, desk: str, ledger: Path) -> None:
    at_terminal(ledger)("allow-phones", "judge")
    at_terminal(ledger)("call-judge", "Cy")
    tiles = re.findall(r'class="tile" data-state="(\w+)"[^>]* href="([^"]*)"', browser.get(f"{desk}/rounds").text)
    assert tiles == [("open", "?table=1"), ("call", f"{desk}/phones")]
    at_terminal(ledger)("answer-request", "9")
    assert 'data-state="call"' not in browser.get(f"{desk}/rounds").text


def test_a_pairing_counts_the_players_who_have_not_checked_in(run_cli: RunCli, tmp_path: Path) -> None:
    at = ("--ledger", str(tmp_path / "monday.ledger"))
    for line in ("open Monday -b magic-mtr", "register Ann", "register Bo", "register Cy", "register Di"):
        run_cli(*line.split(), *at)
    absent = "have not checked in, and would be paired"
    assert absent not in run_cli("pair", "--preview", *at).out, "nobody checks in at this event"
    run_cli("check-in", "Ann", *at)
    assert f"3 players {absent}" in run_cli("pair", "--preview", *at).out
    run_cli("drop", "Cy", *at)
    run_cli("check-in", "Bo", *at)
    assert "1 player has not checked in, and would be paired" in run_cli("pair", "--preview", *at).out
    run_cli("pair", *at)
    assert absent not in run_cli("pairings", *at).out


def test_a_judge_and_a_marshal_do_not_run_the_event(ledger: Path) -> None:
    """The phones, the links, the event's page and the news belong to the organizer, also without the forms."""
    sent = (
        ("renew-link", {"player": "2"}),
        ("allow-phones", {"may": "report"}),
        ("describe-event", {"venue": "Hall 9"}),
        ("post-news", {"text": "Lunch"}),
    )
    for role in ("judge", "marshal"):
        settings = Settings(key=KEY, clerk=Clerk("Jo", role, "floor"))
        with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as floor:
            desk = f"{floor.post('/enter', data={'key': KEY}).url.path.partition('/desk')[0]}/desk"
            for kind, fields in sent:
                form = {"kind": kind, "id": kind, "page": "phones", "form": kind} | fields
                answer = floor.post(f"{desk}/do", data=form)
                refused = (
                    "this is not part of a judge's work" if role == "judge" else f"a {role} may not run the event"
                )
                assert refused in text_of(answer)
            pages = [floor.get(f"{desk}/{page}").text for page in ("phones", "event")]
            assert [kind for kind, _ in sent if any(f'value="{kind}"' in page for page in pages)] == []


def test_phones_report_the_blood_points_of_the_loser(tmp_path: Path) -> None:
    """Before the fix, the page had no field for blood points, and each report was refused."""
    path = tmp_path / "ashes.ledger"
    terminal = friday(path, "ashes-2022", "Ann", "Bo")
    terminal("allow-phones", "report", "--role", "organizer", "--reason", "a test")
    terminal("pair", "--table", "Ann/Bo")
    with open_ledger(path) as kept:
        [tournament] = kept.tournaments()
        links = [link_of(tournament, code_of(kept, tournament, player) or "") for player in (1, 2)]
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        pages = []
        for link, outcome in zip(links, ("win", "loss"), strict=True):
            browser.cookies.clear()
            me = browser.post("/enter", data={"key": link}).url.path
            refused = browser.post(me, data={"act": "claim", "outcome": outcome})
            assert "the slip does not give the loser's blood points" in text_of(refused)
            pages.append(text_of(browser.post(me, data={"act": "claim", "outcome": outcome, "blood": "9"})))
    assert "You said: you won · loser 9 blood points" in pages[0]
    assert "Recorded: lost" in pages[1]


def test_no_phone_reports_that_both_lose(phone: PhoneOf) -> None:
    assert "a phone reports only the winner" in phone("Ann").send("claim", outcome="double-loss")


@pytest.mark.finding("B-16")
def test_a_phone_offers_no_draw_in_the_elimination() -> None:
    law = parse_rulebook(rulebook_text("netrunner-2023"))
    assert {choice.won for choice in choices(law)} == {"won", "lost", "drew"}
    assert {choice.won for choice in choices(law, "elimination")} == {"won", "lost"}


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_a_button_of_a_phone_means_what_it_says_and_the_opponent_has_the_same_button(rulebook: str) -> None:
    """Before the fix, "I won, modified loss" was the opponent's win, and no button agreed with a modified win."""
    law = parse_rulebook(rulebook_text(rulebook))
    meant: list[list[Written]] = []
    for side in (0, 1):
        written = [read_outcome(from_side(choice.words.split(), side), law) for choice in choices(law)]
        for choice, one in zip(choices(law), written, strict=True):
            mine = (one.scores or one.games or (0, 0))[side] - (one.scores or one.games or (0, 0))[1 - side]
            won = one.winner == side if one.winner is not None else mine > 0
            lost = one.winner == 1 - side if one.winner is not None else mine < 0
            assert choice.won == ("won" if won else "lost" if lost else "drew")
            assert choice.beside.replace(" ", "-") in ("", one.kind, choice.words)
        meant.append(sorted(written, key=repr))
    assert meant[0] == meant[1]


def test_a_call_for_a_judge_waits_until_it_is_answered(browser: Browser, desk: str, ledger: Path) -> None:
    """The next round is paired before a judge comes. The queue still has the call, with its round."""
    terminal = at_terminal(ledger)
    terminal("allow-phones", "judge")
    terminal("call-judge", "Cy")
    terminal("report", "1", "a", "2", "a")
    terminal("pair")
    page = browser.get(f"{desk}/phones").text
    queue = " ".join(re.sub(r"<[^>]+>", " ", page.split('<ol class="queue">')[1].split("</ol>")[0]).split())
    assert "Table 2 Round 1" in queue
    assert "Cy wants a judge against Di" in queue
    browser.post(f"{desk}/do", data=form_fields(page, "answer-request"))
    assert "No player waits for a judge" in browser.get(f"{desk}/phones").text
