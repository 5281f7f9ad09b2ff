"""The desk's pages for the event and its rounds: announcement, ties, cut, replacements, brackets, closing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk import fields
from tests.web.test_desk_conduct import facts, send

from matchledger.cli import run
from matchledger.web.app import create_app
from matchledger.web.settings import Settings


def confirm(browser: Browser, desk: str, kind: str, page: str, **filled: str | list[str]) -> str:
    """Send a form that shows a preview first, and record it."""
    form = fields(browser.get(f"{desk}/{page}").text, kind)
    preview = browser.post(f"{desk}/do", data=form | filled)
    assert "Nothing is recorded yet" in preview.text, preview.text
    shown = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', preview.text)
    every = {name: [value for other, value in shown if other == name] for name, _ in shown}
    return str(browser.post(f"{desk}/do", data=every | {"reason": "as agreed"}).text)


@pytest.fixture
def played(ledger: Path) -> Path:
    """The event of four players after one Swiss round. Ann and Cy have won and are tied."""
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    return ledger


def test_a_structure_is_announced_before_the_first_round(tmp_path: Path) -> None:
    path = tmp_path / "event.ledger"
    at_terminal(path)("open", "Friday", "--rulebook", "l5r-2018")
    for name in ("Ann", "Bo", "Cy", "Di"):
        at_terminal(path)("register", name)
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        refused = send(browser, desk, "announce-structure", "event", rounds="2", cut="2")
        shown = send(
            browser,
            desk,
            "announce-structure",
            "event",
            rounds="2",
            cut="4",
            playoff="yes",
            deviating="yes",
            reason="short",
        )
        lists = send(browser, desk, "announce-structure", "event", deck_lists="yes")
    assert "the rulebook does not give this structure for 4 players: give a reason" in refused
    assert "with deck lists" in lists
    assert "2 Swiss rounds, then the top 4, a match for 3rd and 4th place" in shown
    assert facts(path)[-1] == "structure-announced"


def test_the_desk_announces_house_rules_of_the_legacy_game(tmp_path: Path) -> None:
    path = tmp_path / "event.ledger"
    at_terminal(path)("open", "Friday", "--rulebook", "l5r-2018", "--policy", "POL-ALL-DECKS=legacy")
    for name in ("Ann", "Bo", "Cy", "Di"):
        at_terminal(path)("register", name)
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        send(browser, desk, "announce-structure", "event", rounds="3", house_rules=["LEG-OPT-LOBBY", "LEG-OPT-FHR"])
        told = browser.get(desk.replace("/t/", "/api/tournaments/").removesuffix("desk") + "structure").json()
    assert told["announced"]["house_rules"] == ["LEG-OPT-LOBBY", "LEG-OPT-FHR"]


def test_an_announcement_after_round_1_is_refused_beside_its_form(browser: Browser, desk: str) -> None:
    shown = send(browser, desk, "announce-structure", "event", rounds="3")
    assert "the structure must be announced before round 1 is paired" in shown
    assert "(L5R-IV.2-ANNOUNCE)" in shown
    assert 'name="rounds" value="3"' in shown
    assert "needs a reason in the log" in send(
        browser, desk, "announce-structure", "event", rounds="3", deviating="yes"
    )
    assert "3 Swiss rounds" in send(
        browser, desk, "announce-structure", "event", rounds="3", deviating="yes", reason="one more"
    )


@pytest.mark.usefixtures("played")
def test_the_desk_orders_a_tie_by_hand(browser: Browser, desk: str) -> None:
    page = browser.get(f"{desk}/event").text
    assert "Tied after round 1: Ann, Cy" in page
    form = fields(page, "order-tie")
    refused = browser.post(f"{desk}/do", data=form | {"players": ["#3", "#3"]})
    assert refused.status_code == 422
    assert 'id="failed"' in refused.text
    browser.post(f"{desk}/do", data=form | {"players": ["#3", "#1"]})
    assert "Ann, Cy" not in browser.get(f"{desk}/event").text


def test_the_desk_draws_every_tie(browser: Browser, desk: str, played: Path) -> None:
    assert "No players are tied" in send(browser, desk, "draw-ties", "event")
    assert facts(played)[-1] == "tie-resolved"


def test_the_desk_makes_a_cut_and_a_replacement_and_a_bracket_and_closes(
    browser: Browser, desk: str, played: Path
) -> None:
    send(browser, desk, "draw-ties", "event")
    send(browser, desk, "make-cut", "event", size="2", deviating="true", reason="short")
    shown = confirm(browser, desk, "replace-qualifier", "event", player="#1")
    assert "Bo" in shown.split('class="seeds"')[1].split("</ol>")[0] or "Di" in shown
    assert facts(played)[-2:] == ["player-dropped", "qualifier-replaced"]
    send(browser, desk, "pair-round", "rounds")
    assert "Final:" in browser.get(f"{desk}/rounds").text
    assert browser.get(f"{desk}/state").json()["name"] == "Final"
    at_terminal(played)("report", "1", "a")
    assert "has won the event" in browser.get(f"{desk}/event").text
    closed = confirm(
        browser, desk, "close-tournament", "event", ended="2026-05-02", deviating="true", reason="short"
    )
    assert "The tournament is closed" in closed
    assert "Final places" in closed


def test_after_the_end_the_event_page_has_the_places_once_and_no_form(
    browser: Browser, desk: str, played: Path
) -> None:
    at_terminal(played)("close", "--yes", "--reason", "the hall closes")
    page = browser.get(f"{desk}/event").text
    main = page.split('<main id="main">')[1].split("<dialog")[0]
    assert main.index("How it was played") > main.index("Final places")
    assert [main.count(f"<b>{name}</b></span>") for name in ("Ann", "Bo", "Cy", "Di")] == [1, 1, 1, 1]
    assert re.findall(r'name="kind" value="([a-z-]+)"', main) in ([], ["retract-entry"])


def test_the_rules_that_a_structure_departs_from_stand_apart_from_its_sentence(
    browser: Browser, desk: str, ledger: Path
) -> None:
    at_terminal(ledger)("announce", "--rounds", "9", "--cut", "2", "--reason", "long", "--role", "organizer")
    page = browser.get(f"{desk}/event").text
    [said] = re.findall(r'<p class="soft">Announced: ([^<]*)<', page)
    [rules] = re.findall(r'<p class="flag">departs from ([^<]*)<', page)
    assert "9 Swiss rounds, then the top 2" in said
    assert "L5R" in rules
    assert "L5R" not in said


def test_the_desk_reseats_a_round_by_hand(browser: Browser, desk: str) -> None:
    confirm(browser, desk, "amend-pairing", "rounds", games=["Ann", "Cy", "Bo", "Di"])
    assert browser.get(f"{desk}/state").json()["seating"] == [[1, "Ann", "Cy"], [2, "Bo", "Di"]]


@pytest.mark.parametrize(
    ("games", "said"),
    [
        (["Ann", "Cy", "Bo"], "each table needs two players"),
        (["Ann", "Cy"], "would be left without an opponent"),
        (["Ann", "Zed"], "there is no player &#39;Zed&#39;"),
    ],
)
def test_a_refused_seating_keeps_the_names(browser: Browser, desk: str, games: list[str], said: str) -> None:
    form = fields(browser.get(f"{desk}/rounds").text, "amend-pairing")
    answer = browser.post(f"{desk}/do", data=form | {"games": games})
    assert said in answer.text
    assert all(f'value="{name}"' in answer.text for name in games)


def test_the_desk_notes_a_mark_of_the_clock(browser: Browser, desk: str, ledger: Path) -> None:
    send(browser, desk, "start-round", "rounds", minutes="50")
    page = browser.get(f"{desk}/rounds").text
    assert "50:00" in page or "49:5" in page
    send(browser, desk, "call-mark", "rounds", mark="time")
    assert facts(ledger)[-1] == "mark-called"
    send(browser, desk, "pause-clock", "rounds")
    assert "the clock is stopped" in browser.get(f"{desk}/rounds").text


@pytest.fixture
def juniors(tmp_path: Path) -> Iterator[tuple[Browser, str]]:
    """Eight juniors and eight masters before the start."""
    path = tmp_path / "pokemon.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    for number in range(8):
        terminal("register", f"Junior {number}", "--division", "junior")
        terminal("register", f"Master {number}", "--division", "masters")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        yield browser, f"{browser.get('/', follow_redirects=False).headers['location']}desk"


def test_divisions_have_their_own_rounds_and_cuts(juniors: tuple[Browser, str]) -> None:
    browser, desk = juniors
    send(
        browser,
        desk,
        "decide-divisions",
        "event",
        mode="separated",
        deviating="yes",
        reason="two halls",
    )
    shown = send(
        browser,
        desk,
        "announce-structure",
        "event",
        **{
            "division_rounds.junior": "3",
            "division_rounds.masters": "4",
            "division_cuts.junior": "2",
            "division_cuts.masters": "4",
            "deviating": "yes",
            "reason": "short",
        },
    )
    assert "3 of junior, 4 of masters, then the top 2 of junior and 4 of masters" in shown


def test_before_a_round_is_finished_there_is_no_tie(tmp_path: Path) -> None:
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    for name in ("Ann", "Bo", "Cy", "Di"):
        terminal("register", name)
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        shown = browser.get(f"{desk}/event").text
        assert 'id="stages-heading"' not in shown
        assert "Draw every tie" not in shown
        assert "Tied after round" not in shown


def test_a_cut_at_the_desk_names_the_open_table_and_the_contradicting_slip(
    browser: Browser, desk: str, ledger: Path
) -> None:
    at_terminal(ledger)("report", "1", "a")
    assert run(["report", "1", "b", "--ledger", str(ledger)]) == 4, "kept as a refused slip"
    cut = {"kind": "make-cut", "id": "cut-1", "page": "event", "size": "2"}
    refused = browser.post(f"{desk}/do", data=cut | {"deviating": "true", "reason": "short"}).text
    assert "round 1 is not finished: table 2 has no result; slip 8 contradicts the result of table 1" in refused


def test_the_page_takes_back_the_slips_of_one_division_that_plays_apart(tmp_path: Path) -> None:
    path = tmp_path / "event.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    for name, division in (("Ja", "junior"), ("Jo", "junior"), ("Ma", "masters"), ("Mo", "masters")):
        terminal("register", name, "--division", division)
    terminal("decide-divisions", "--mode", "separated", "--reason", "wanted")
    terminal("pair", "--table", "Ja/Jo", "--table", "Ma/Mo", "--reason", "paper")
    terminal("report", "1", "a", "2", "a")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        page = browser.get(f"{desk}/rounds").text
        assert re.findall(r'<option value="([^"]*)"', page[page.index('name="division"') :]) == [
            "",
            "junior",
            "masters",
        ]
        form = fields(page, "undo-last") | {"division": "junior"}
        browser.post(f"{desk}/do", data=form | {"confirmed": "yes"})
        assert browser.get(f"{desk}/state").json()["outstanding"] == [1]


def test_a_correction_after_the_cut_names_the_cut_that_no_longer_fits(
    browser: Browser, desk: str, commands: str, played: Path
) -> None:
    """Before the fix, only the terminal named the cut."""
    terminal = at_terminal(played)
    terminal("tie", "--yes")
    terminal("cut", "2", "--reason", "short", "--yes")
    correction = {"kind": "correct-slip", "round": 1, "table": 1}
    said = browser.post(commands, json=correction | {"outcome": "b"}).json()["warnings"]
    assert [line.partition(" (")[0] for line in said] == ["the cut no longer matches the standings"]
    assert browser.post(commands, json=correction | {"outcome": "a"}).json()["warnings"] == []
    form = fields(browser.get(f"{desk}/corrections?round=1&table=1").text, "correct-slip")
    page = browser.post(f"{desk}/do", data=form | {"outcome": "b", "reason": "swapped", "confirmed": "yes"}).text
    assert '<p class="warning" data-said>the cut no longer matches the standings' in page
