"""The desk's page of decks: submitting lists, amending them as a leader, and checking them against the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.desk import RunCli
from tests.web.conftest import KEY, Browser, at_terminal, friday
from tests.web.names import plain
from tests.web.test_desk_conduct import facts, send

from matchledger.ledger import Clerk, now
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, issue
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

LIST = "[dynasty]\r\n3 Hida Guardian\r\n2 Moto Juro\r\n"
DECK = "[phoenixborn]\n1 Aradel Summergaard\n[dice]\n10 Natural\n[deck]\n" + "".join(
    f"3 {name}\n"
    for name in ("Knight", "Anchornaut", "Mist", "Water Blast", "Squall", "Law", "Widows", "Owl", "Bow")
)
CARDS = "title,type,clan\nHida Guardian,character,crab\n"


@contextmanager
def serving(path: Path, settings: Settings) -> Iterator[tuple[Browser, str]]:
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": settings.key})
        yield browser, f"{browser.get('/', follow_redirects=False).headers['location']}desk"


@pytest.fixture
def judge(ledger: Path) -> Iterator[tuple[Browser, str]]:
    with serving(ledger, Settings(key=KEY, clerk=Clerk("Jo", "judge", "floor"))) as came:
        yield came


def test_a_submitted_list_is_shown_as_its_hash(browser: Browser, desk: str, ledger: Path) -> None:
    assert "0 lists are in" in browser.get(f"{desk}/decks").text
    shown = send(browser, desk, "submit-deck", "decks", player="Ann", deck=LIST)
    assert "1 list is in · 3 are missing" in shown
    assert facts(ledger)[-1] == "deck-submitted"
    shown = browser.get(f"{desk}/decks", params={"player": 1}).text
    assert "5 cards" in shown
    assert "3 Hida Guardian" in shown
    again = send(browser, desk, "submit-deck", "decks", player="Ann", deck=LIST)
    assert "Ann has handed in a list already: a leader can amend the list (L5R-II.2b-LISTFIX)" in again


def test_missing_lists_are_counted_before_the_list_is_cut(
    browser: Browser, desk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the fix, the heading and the chip counted 265 missing lists, and the groups below counted 178."""
    monkeypatch.setattr("matchledger.web.desk.decks.LISTED", 2)
    page = browser.get(f"{desk}/decks").text
    assert "<h2>Missing <small>4</small>" in page
    assert page.count('href="?player=') == 2
    assert "2 of 4 are shown" in page


def test_the_log_page_folds_deck_lists_and_shortens_their_hashes(browser: Browser, desk: str) -> None:
    """Before the fix, each list was a line, and its hash filled three lines of a phone."""
    for name in ("Ann", "Bo", "Cy", "Di"):
        send(browser, desk, "submit-deck", "decks", player=name, deck=LIST)
    page = " ".join(browser.get(f"{desk}/log").text.split())
    assert "4 deck lists handed in</b>" in page
    assert len(re.findall(r'SHA-256 <abbr title="([0-9a-f]{12})[0-9a-f]{52}">\1…</abbr>', page)) >= 4


def test_an_invalid_list_is_returned_as_typed(browser: Browser, desk: str) -> None:
    shown = send(browser, desk, "submit-deck", "decks", player="Ann", deck="[dynasty]\nthree guardians")
    assert "is neither a part such as [dynasty] nor a card such as 3 Name" in shown
    assert 'id="failed"' in shown
    assert ">[dynasty]\nthree guardians</textarea>" in shown


def test_a_list_after_the_start_needs_the_late_option(browser: Browser, desk: str, ledger: Path) -> None:
    at_terminal(ledger)("start")
    typed = {"player": "Ann", "deck": LIST}
    assert "as late (L5R-II.2-PLAYERMAT)" in send(browser, desk, "submit-deck", "decks", **typed)
    assert "needs a reason" in send(browser, desk, "submit-deck", "decks", **typed, late="yes")
    send(browser, desk, "submit-deck", "decks", **typed, late="yes", reason="ill")
    assert facts(ledger)[-1] == "deck-submitted"


def test_a_leader_may_amend_a_list_and_a_scorekeeper_may_not(
    browser: Browser, desk: str, judge: tuple[Browser, str]
) -> None:
    send(browser, desk, "submit-deck", "decks", player="Ann", deck=LIST)
    page = "decks?player=1"
    amended = LIST.replace("2 Moto Juro", "1 Moto Juro")
    refused = send(browser, desk, "amend-deck", page, deck=amended)
    assert (
        "a scorekeeper cannot amend a list: only a leader can (organizer, marshal, judge) (L5R-II.2b-LISTFIX)"
        in refused
    )
    shown = send(*judge, "amend-deck", page, deck=amended, advantageous="yes")
    shown = judge[0].get(f"{desk}/{page}").text
    assert "by Jo · marked as advantageous" in shown
    assert "- 1 Moto Juro" in shown


def test_a_deck_is_checked_against_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "ashes.ledger"
    terminal = at_terminal(path)
    terminal("open", "Ashes", "--rulebook", "ashes-2022")
    for name in ("Ann", "Bo"):
        terminal("register", name)
    with serving(path, Settings(key=KEY)) as (browser, desk):
        assert "no deck list was submitted yet: submit one first" in send(browser, desk, "check-decks", "decks")
        send(browser, desk, "submit-deck", "decks", player="Ann", deck=DECK)
        send(browser, desk, "submit-deck", "decks", player="Bo", deck=DECK + "3 Hammer\n")
        send(browser, desk, "check-decks", "decks")
        fails = "27 cards in the deck, 30 are needed"
        assert fails in browser.get(f"{desk}/decks", params={"player": 1}).text
        bo = browser.get(f"{desk}/decks", params={"player": 2}).text
        assert fails not in bo
        assert "ASH-DECK" in bo
        one = {"first_five": "[first-five]\n1 Hammer\n1 Mist\n1 Law\n1 Owl\n1 Bow\n", "sleeves": "none"}
        assert "needs one player: name the player" in send(browser, desk, "check-decks", "decks", **one)
        shown = send(browser, desk, "check-decks", "decks", **one, players="Bo")
        done = shown.split('class="done"')[1].split("</ul>")[0]
        assert "ASH-FF" in done
        assert "ASH-SLEEVE" in done
        assert "cards of the deck can be told apart" in browser.get(f"{desk}/decks", params={"player": 2}).text


def test_deck_checks_use_the_card_data_of_the_server(ledger: Path) -> None:
    with serving(ledger, Settings(key=KEY, cards=CARDS)) as (browser, desk):
        send(browser, desk, "submit-deck", "decks", player="Ann", deck=LIST)
        send(browser, desk, "check-decks", "decks", players="Ann")
        shown = browser.get(f"{desk}/decks", params={"player": 1}).text
        assert "Moto Juro" in shown.split("Findings")[1], "it is not among the cards"


def test_a_server_refuses_invalid_card_data(ledger: Path, tmp_path: Path, run_cli: RunCli) -> None:
    file = tmp_path / "cards.csv"
    file.write_text("name\nHida Guardian\n")
    assert (
        "card data: line 1: there is no column 'title'"
        in run_cli("serve", "--ledger", str(ledger), "--cards", str(file), code=2).err
    )


def test_a_visitor_who_may_only_look_sees_hashes_and_no_cards(browser: Browser, desk: str, ledger: Path) -> None:
    send(browser, desk, "submit-deck", "decks", player="Ann", deck=LIST)
    key, start = SigningKey.generate("organizer"), now()
    said = {"actor": "Bo", "station": "phone", "issued": start, "not_before": start}
    at_terminal(ledger)("token", "trust", str(key.verification), "--role", "organizer")
    token = StationToken.model_validate(said | {"role": "read-only", "expires": start + timedelta(days=1)})
    browser.cookies.clear()
    browser.cookies.set("matchledger", issue(key, token))
    shown = browser.get(f"{desk}/decks", params={"player": 1}).text
    assert "SHA-256" in shown
    assert "Hida Guardian" not in shown


def test_the_deck_page_is_in_german(browser: Browser, desk: str) -> None:
    shown = browser.get(f"{desk}/decks", headers={"accept-language": "de"}).text
    assert "Liste annehmen" in shown
    assert "Gegen die Regeln prüfen" in shown


def test_filters_above_the_players_show_only_active_or_dropped_or_late_players(
    browser: Browser, desk: str, ledger: Path
) -> None:
    at_terminal(ledger)("late", "Zoe")
    at_terminal(ledger)("drop", "Di")
    page = browser.get(f"{desk}/players").text
    assert [unescape(one) for one in re.findall(r'class="button filter" href="([^"]*)"', page)] == [
        "?",
        "?show=active",
        "?show=dropped",
        "?show=late",
    ]
    for chip, shown in (("dropped", ["Di"]), ("late", ["Zoe"]), ("active", ["Ann", "Bo", "Cy", "Zoe"])):
        page = browser.get(f"{desk}/players", params={"show": chip}).text
        assert re.findall(r'<th scope="row">(?:<span class="whom">)?<a [^>]*>([^<]+)</a>', plain(page)) == shown
        assert re.search(rf'href="\?show={chip}" aria-current="true"', page)


def test_filters_above_the_decks_show_the_missing_or_the_handed_in(browser: Browser, desk: str) -> None:
    send(browser, desk, "submit-deck", "decks", player="Ann", deck=LIST)
    page = browser.get(f"{desk}/decks").text
    assert re.findall(r'"button filter" href="([^"]*)"', page) == ["?", "?show=missing", "?show=handed-in"]
    page = browser.get(f"{desk}/decks", params={"show": "handed-in"}).text
    assert re.findall(r"<small>\d+</small> <span>([^<]+)</span>", plain(page)) == ["Ann"]


def test_missing_lists_are_named_once_and_by_division(tmp_path: Path) -> None:
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    for name, born in (("Ann", "2013"), ("Bo", "1990"), ("Cy", "1991")):
        terminal("register", name, "--born", born)
    with serving(path, Settings(key=KEY)) as (browser, desk):
        page = plain(browser.get(f"{desk}/decks").text)
        assert page.count("<h2>Missing</h2>") == 1
        assert re.findall(r"<h3>(\w+) <small>(\d+)</small></h3>", page) == [("Junior", "1"), ("Masters", "2")]


@pytest.mark.parametrize(
    ("rulebook", "hint"),
    [
        ("l5r-2018", "under headings such as [dynasty]"),
        ("ashes-2022", "under headings such as [phoenixborn]"),
        ("pokemon-2026", "as deck builders export a list"),
    ],
)
def test_the_hint_about_a_list_fits_the_game(tmp_path: Path, rulebook: str, hint: str) -> None:
    friday(tmp_path / "friday.ledger", rulebook)
    with serving(tmp_path / "friday.ledger", Settings(key=KEY)) as (browser, desk):
        shown = browser.get(f"{desk}/decks").text
    assert hint in shown
    assert ("[dynasty]" in shown) == (rulebook == "l5r-2018")
