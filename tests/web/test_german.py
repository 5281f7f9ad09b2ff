"""German at the desk and on phones: refusals are in the reader's language."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal, friday
from tests.web.test_missing_results import words

from matchledger.events import KINDS
from matchledger.web.app import create_app
from matchledger.web.pages.entering import ENTRANCES
from matchledger.web.settings import Settings

GERMAN = {"accept-language": "de-AT,de;q=0.9,en;q=0.5"}
SLIP = {"kind": "report-slip", "table": 1, "outcome": "a"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            {"kind": "report-slip", "table": 9, "outcome": "a"},
            "Runde 1 hat keinen Tisch 9: ihre Tische sind 1 bis 2",
        ),
        ({"kind": "drop-player", "player": 9}, "es gibt keinen Spieler #9: Die Nummern stehen in der Tabelle"),
        ({"kind": "pair-round"}, "Runde 1 ist nicht zu Ende: Die Tische 1, 2 haben kein Ergebnis"),
        ({"kind": "register-player", "name": "ann"}, "ann ist schon angemeldet: Ergänze den Namen eines zweiten"),
        (
            {"kind": "retract-entry", "position": 1},
            "Eintrag 1 (Friday eröffnet nach l5r-2018) lässt sich nicht zurücknehmen",
        ),
        ({"kind": "choose-repair", "choice": "leave"}, "eine Reparatur braucht einen Grund im Protokoll"),
    ],
)
def test_desk_refusals_are_in_german(
    browser: Browser, commands: str, command: dict[str, object], said: str
) -> None:
    answer = browser.post(commands, json=command, headers=GERMAN)
    assert answer.json()["detail"].startswith(said)
    assert answer.headers["content-language"] == "de"


def test_a_program_that_asks_for_no_language_gets_english(browser: Browser, commands: str) -> None:
    answer = browser.post(commands, json=SLIP | {"table": 9})
    assert answer.json()["detail"] == "round 1 has no table 9: its tables are 1 to 2"
    assert answer.headers["content-language"] == "en"


def test_a_rule_is_cited_in_every_language(browser: Browser, commands: str) -> None:
    answer = browser.post(commands, json=SLIP | {"outcome": "draw"}, headers=GERMAN).json()
    assert answer["rule"] in answer["detail"]
    assert answer["detail"].startswith("l5r-2018 hat kein Unentschieden")


def test_an_entry_of_another_station_is_shown_in_german(browser: Browser, commands: str, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a")
    problem = browser.post(commands, json=SLIP | {"outcome": "b"}, headers=GERMAN).json()
    assert problem["detail"].startswith("Tisch 1 der Runde 1 hat schon ein anderes Ergebnis")
    assert problem["other"]["said"] == "Runde 1, Tisch 1: Ann schlug Bo"


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("standings?round=1&clock=as-known", "round=1&amp;clock=as-known"),
        ("log?page=1", "page=1"),
        ("log?q=Ann&page=1", "q=Ann&amp;page=1"),
        ("?q=%C3%84nn+Lee", "q=%C3%84nn+Lee"),
        ("desk/conduct?player=1", "player=1"),
        ("desk/log?q=drop&player=%231", "q=drop&amp;player=%231"),
    ],
)
def test_a_page_can_be_shown_in_another_language(browser: Browser, home: str, page: str, asked: str) -> None:
    """A reader who has found something still sees it after changing the language."""
    browser.cookies.set("matchledger", KEY)
    shown = browser.get(home + page)
    assert shown.status_code == 200
    assert f'href="?{asked}&amp;lang=de"' in shown.text
    german = browser.get(f"{home}{page}{'&' if '?' in page else '?'}lang=de")
    assert f'href="?{asked}&amp;lang=en"' in german.text


def test_a_chosen_language_stays_for_the_next_page(browser: Browser, home: str) -> None:
    for _ in range(2):  # the second visitor would get the page from the shelf, in the wrong language
        browser.cookies.clear()
        assert "Round 1" in browser.get(home).text
        assert "Runde 1" in browser.get(f"{home}?lang=de").text
        assert "Runde 1" in browser.get(home).text
    assert "set-cookie" not in browser.get(f"{home}?lang=tlh").headers, "a language that nobody has a page in"
    assert "Round 1" in browser.get(f"{home}?lang=en").text
    assert "Round 1" in browser.get(home).text


def test_the_answer_to_a_form_has_no_dead_language_link(browser: Browser, desk: str) -> None:
    browser.cookies.set("matchledger", KEY)
    refused = browser.post(f"{desk}/do", data={"kind": "register-player", "name": "", "page": "players"})
    assert refused.status_code == 400
    assert "hreflang" not in refused.text
    assert "hreflang" in browser.get(f"{desk}/players").text


def test_the_page_of_slips_uses_the_chosen_language(browser: Browser, commands: str, desk: str) -> None:
    browser.cookies.set("lang", "de")
    assert browser.post(commands, json=SLIP).json()["said"] == ["Runde 1, Tisch 1: Ann schlug Bo"]
    state = browser.get(f"{desk}/state").json()
    assert "".join(text for text, _ in state["recent"][0]["parts"]) == "Runde 1, Tisch 1: Ann schlug Bo"
    assert "modifizierter Sieg" in {key["name"] for key in state["keys"]}
    compared = browser.get(f"{desk}/compare", params={"table": 1, "outcome": "b"}).json()
    assert (compared["typed"], compared["recorded"]) == ("Bo schlug Ann", "Ann schlug Bo")


def test_a_refused_form_gives_its_reason_in_german(browser: Browser, desk: str) -> None:
    sent = {"kind": "report-slip", "table": "many", "outcome": "a", "page": "rounds", "id": "x"}
    assert "Tisch: ist keine ganze Zahl" in browser.post(f"{desk}/do", data=sent, headers=GERMAN).text


def test_a_wrong_key_is_refused_in_german(browser: Browser) -> None:
    answer = browser.post("/enter", data={"key": "of another door"}, headers=GERMAN)
    assert "dies ist kein Stationstoken" in answer.text


def test_an_unknown_address_is_reported_in_german(browser: Browser, home: str) -> None:
    assert "diese Seite gibt es nicht" in browser.get("/nowhere", headers=GERMAN).text
    assert "diese Nummer gibt es in diesem Turnier nicht" in browser.get(f"{home}player/99", headers=GERMAN).text


def test_too_many_keys_are_refused_in_german(browser: Browser) -> None:
    answers = [browser.post("/enter", data={"key": "x"}, headers=GERMAN) for _ in range(ENTRANCES + 1)]
    assert "zu viele Schlüssel in einer Minute" in answers[-1].text


def test_refused_requests_are_explained_in_german(browser: Browser) -> None:
    named = browser.get("/", headers={**GERMAN, "host": "evil.example"})
    assert (named.status_code, named.text) == (
        421,
        (
            "dieser Server heißt anders: Benutze die Adresse, die serve ausgegeben hat, oder starte ihn mit "
            "serve --name\n"
        ),
    )
    foreign = browser.post("/enter", data={"key": KEY}, headers={**GERMAN, "sec-fetch-site": "cross-site"})
    assert foreign.status_code == 403
    assert foreign.text.startswith("dieses Formular kam von der Seite eines anderen Servers")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            {"kind": "submit-deck", "player": 1, "deck": "[dynasty]\nthree Hida Guardian\n"},
            "die Liste: Zeile 2: 'three Hida Guardian' ist weder ein Teil wie [dynasty] noch eine Karte wie 3 Name",
        ),
        (
            {"kind": "submit-deck", "player": 1, "deck": "[dynastie]\n3 Hida Guardian\n"},
            "die Liste: Zeile 1: ein Deck hat keinen Teil 'dynastie'; meintest du 'dynasty'?",
        ),
        (
            {"kind": "check-decks", "players": [1], "cards": "title,released\nA,2018-02-30\n"},
            "Kartendaten: Zeile 2: released: einen solchen Tag gibt es nicht",
        ),
        (
            {"kind": "check-decks", "players": [1], "cards": 'title\n"A'},
            "Kartendaten: Zeile 2: das ist kein CSV: die Daten enden mitten in einer Zelle",
        ),
    ],
)
def test_file_errors_are_explained_in_german(
    browser: Browser, commands: str, command: dict[str, object], said: str
) -> None:
    answer = browser.post(commands, json=command, headers=GERMAN)
    assert (answer.status_code, answer.json()["detail"]) == (400, said)


def test_objections_to_a_round_are_in_german(browser: Browser, desk: str) -> None:
    shown = browser.get(f"{desk}/rounds", headers=GERMAN).text
    assert "nicht gemeldet: In Runde 1 fehlen die Ergebnisse der Tische 1, 2" in shown
    assert "unreported" not in shown


def test_policies_are_explained_in_german(browser: Browser, desk: str) -> None:
    page = browser.get(f"{desk}/event", headers=GERMAN).text
    assert "<b>Was bekommt ein Spieler, dessen Gegner nicht erscheint?</b>" in page
    assert "Einen Sieg. Der abwesende Spieler verliert und zählt als Gegner.</small>" in page


def test_the_german_log_translates_kinds_and_names_each_round_once(
    browser: Browser, commands: str, home: str, desk: str
) -> None:
    browser.post(commands, json=SLIP)
    shown = unescape(browser.get(f"{desk}/log", headers=GERMAN).text)
    named = re.findall(r'<option value="([a-z-]+)"[^>]*>([^<]+)<', shown[shown.index('id="kind"') :])[: len(KINDS)]
    assert {kind for kind, _ in named} == set(KINDS)
    assert [kind for kind, said in named if said == kind.replace("-", " ")] == []
    assert [said for _, said in named] == sorted(said for _, said in named)
    rows = re.findall(r'<span class="what">(.*?)</span>.*?<p class="more">Eintrag \d+ · (.*?) · ', shown, re.DOTALL)
    assert rows[:2] == [
        ("Tisch 1: <b>Ann</b> schlug <i>Bo</i>", "Ergebnis eingetragen"),
        (rows[1][0], "Runde gepaart"),
    ]
    public = browser.get(f"{home}log", headers=GERMAN).text
    assert '<span class="what">Tisch 1: <b>Ann</b> schlug <i>Bo</i></span>' in public


@pytest.mark.parametrize("wanted", ["schlug", "ergebnis eingetragen", "beat", "runde 1, tisch 1"])
def test_a_search_finds_the_words_of_the_page(
    browser: Browser, commands: str, desk: str, home: str, wanted: str
) -> None:
    browser.post(commands, json=SLIP)
    for page in (f"{desk}/log", f"{home}log"):
        assert (
            "Tisch 1: <b>Ann</b> schlug <i>Bo</i>" in browser.get(page, params={"q": wanted}, headers=GERMAN).text
        ), page


def test_german_pages_write_dates_and_rights_in_german(
    browser: Browser, home: str, desk: str, ledger: Path
) -> None:
    """Before the fix, a page showed "beendet, beendet am 2026-11-28", and players could "accept" a deck list."""
    at_terminal(ledger)("report", "1", "a")
    at_terminal(ledger)("report", "2", "a")
    assert "eine Deckliste abgeben" in browser.get(f"{desk}/phones", headers=GERMAN).text
    at_terminal(ledger)("close", "--yes", "--ended", "2026-11-28", "--reason", "short")
    for address in (f"{desk}/log", f"{home}log"):
        assert "beendet; letzter Tag: 28. November 2026" in browser.get(address, headers=GERMAN).text
        assert "which ended on November 28, 2026" in browser.get(address).text


def test_logging_in_and_signing_up_have_different_words(browser: Browser) -> None:
    """Before the fix, both buttons were called "Anmelden"."""
    page = browser.get("/enter", headers=GERMAN).text
    assert "Als Turnierleitung einloggen" in page
    assert "Anmelden" not in page


def test_the_tables_of_the_rulebook_have_german_names(tmp_path: Path) -> None:
    """Before the fix, "Another structure" offered "recommended" and "custom"."""
    friday(path := tmp_path / "cup.ledger", "magic-mtr", *(f"Player {number}" for number in range(8)))
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        home = browser.get("/", follow_redirects=False).headers["location"]
        page = browser.get(f"{home}desk/event", headers=GERMAN).text
    assert re.findall(r">(empfohlen|eigener Aufbau|recommended|custom)<", page)[:3] == [
        "empfohlen",
        "empfohlen",
        "eigener Aufbau",
    ]
    assert not re.search(r">(recommended|custom)<", page)


def test_the_programs_own_names_of_people_and_stations_are_german(
    browser: Browser, home: str, desk: str, ledger: Path
) -> None:
    at_terminal(ledger)("report", "1", "a")
    for address in (f"{desk}/log", f"{home}match/swiss/1/1", f"{desk}/match?round=1&table=1"):
        assert "Ergebnisdienst, Turnierleitung" in words(browser.get(address, headers=GERMAN).text), address
    assert "Ergebnisdienst · Ergebnisdienst · Server" in words(browser.get(desk, headers=GERMAN).text)
