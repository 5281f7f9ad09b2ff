"""The desk's page of conduct: penalties, rulings and reviews, cards, and the staff."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from freezegun import freeze_time
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk import fields

from matchledger.commands.registry import COMMANDS
from matchledger.ledger import Clerk, Ledger, open_ledger
from matchledger.web.app import create_app
from matchledger.web.desk.pages import JUDGES_COMMANDS, JUDGES_MENU
from matchledger.web.settings import Settings


def send(browser: Browser, desk: str, kind: str, page: str = "conduct", **filled: str | list[str]) -> str:
    """Fill in a form of a page, send it, and return the next page."""
    form = fields(browser.get(f"{desk}/{page}").text, kind)
    return str(browser.post(f"{desk}/do", data=form | filled).text)


def facts(path: Path) -> list[str]:
    def read(ledger: Ledger) -> list[str]:
        return [entry.fact.kind for entry in ledger.entries(ledger.tournaments()[0])]

    with open_ledger(path) as opened:
        return read(opened)


def test_a_game_loss_decides_an_open_match(browser: Browser, desk: str, ledger: Path) -> None:
    shown = send(browser, desk, "give-penalty", player="Ann", penalty="game-loss", offence="cheating", table="1")
    assert "Ann" in shown
    assert facts(ledger)[-2:] == ["penalty-given", "result-reported"]
    assert browser.get(f"{desk}/state").json()["outstanding"] == [2]


@pytest.mark.parametrize("named", ["Ann", "an", "1", "#1", "#1 Ann"])
def test_a_number_or_a_name_finds_a_player(browser: Browser, desk: str, ledger: Path, named: str) -> None:
    send(browser, desk, "give-penalty", player=named, penalty="warning", offence="notes")
    assert facts(ledger)[-1] == "penalty-given"
    page = browser.get(f"{desk}/conduct", params={"player": 1}).text
    assert "#1 Ann was penalised before" in page


def test_a_refused_form_keeps_its_values_and_shows_the_problem(browser: Browser, desk: str) -> None:
    form = fields(browser.get(f"{desk}/conduct").text, "give-penalty")
    typed = {
        "player": "Ann",
        "penalty": "warning",
        "offence": "notes",
        "table": "2",
        "note": "a sheet under the mat",
    }
    answer = browser.post(f"{desk}/do", data=form | typed)
    assert answer.status_code == 422
    problem, penalty_form = answer.text.index('id="failed"'), answer.text.index('value="give-penalty"')
    assert penalty_form < problem < answer.text.index("</form>", penalty_form)
    assert "Ann sits at table 1, and is not at table 2" in answer.text
    assert 'value="a sheet under the mat"' in answer.text
    assert '<option value="notes" selected>' in answer.text


def test_the_first_step_of_penalties_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "ashes.ledger"
    terminal = at_terminal(path)
    terminal("open", "Ashes", "--rulebook", "ashes-2022")
    for name in ("Ann", "Bo"):
        terminal("register", name)
    settings = Settings(key=KEY, clerk=Clerk("Jo", "judge", "floor"))
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        assert (
            "slow play: a warning comes first, then the game is lost (ASH-SLOW)."
            in browser.get(f"{desk}/conduct").text
        )
        loss = {"player": "Ann", "penalty": "game-loss", "offence": "slow-play"}
        assert "was not warned for slow play before" in send(browser, desk, "give-penalty", **loss)
        assert "needs a reason in the log" in send(browser, desk, "give-penalty", **loss, override="yes")
        send(browser, desk, "give-penalty", **loss | {"penalty": "warning"})
        assert "slow play" in send(browser, desk, "give-penalty", **loss)
    assert facts(path)[-2:] == ["penalty-given", "penalty-given"]


@pytest.mark.parametrize(
    ("kind", "page", "field", "filled"),
    [
        (
            "give-penalty",
            "conduct",
            "penalty-ended",
            {"player": "Bo", "penalty": "game-loss", "offence": "notes"},
        ),
        ("record-no-show", "players?player=2", "absent-ended", {}),
    ],
)
def test_after_play_stopped_a_form_asks_when_the_match_ended(
    browser: Browser, desk: str, ledger: Path, kind: str, page: str, field: str, filled: dict[str, str]
) -> None:
    with freeze_time(datetime.now(UTC) - timedelta(minutes=80), real_asyncio=True):
        at_terminal(ledger)("start")
    assert f'id="{field}" name="ended"' in browser.get(f"{desk}/{page}").text
    assert "give the time" in send(browser, desk, kind, page, **filled)
    send(browser, desk, kind, page, **filled, ended="75:00")
    assert facts(ledger)[-1] != "round-started"


def test_a_ruling_is_recorded_and_reviewed_once(browser: Browser, desk: str) -> None:
    shown = send(browser, desk, "give-ruling", question="May she look?", outcome="No", judge="Jo", table="1")
    assert "May she look?" in shown
    shown = send(browser, desk, "review-ruling", outcome="Yes", judge="Max")
    assert "reviewed in entry 8" in shown
    assert 'value="review-ruling"' not in shown, "a final ruling is not reviewed"


def test_staff_are_assigned_and_go_off_duty(browser: Browser, desk: str) -> None:
    shown = send(browser, desk, "assign-staff", name="Max", role="marshal")
    assert "Final rulings: Max" in shown
    shown = send(browser, desk, "change-duty", duty="spectator")
    assert "No leader on duty may give final rulings" in shown
    shown = send(browser, desk, "change-duty", duty="left")
    assert "No penalty, ruling or staff is noted yet" in shown


def test_a_lost_card_gives_the_table_more_time(browser: Browser, desk: str, ledger: Path) -> None:
    at_terminal(ledger)("start")
    shown = send(browser, desk, "note-card", player="Bo", card="Kitsu Spiritcaller", what="lost", leader="Jo")
    assert "missing" in shown
    assert facts(ledger)[-2:] == ["card-incident", "time-extended"]


def test_an_organizer_disqualifies_on_a_recommendation(browser: Browser, desk: str, ledger: Path) -> None:
    send(browser, desk, "give-penalty", player="Ann", penalty="recommend-disqualification", offence="cheating")
    assert "The organizer decides." in browser.get(f"{desk}/conduct").text
    page = browser.get(f"{desk}/players", params={"player": 1}).text
    form = fields(page, "disqualify-player") | {"recommended_by": "Max"}
    preview = browser.post(f"{desk}/do", data=form).text
    assert "Nothing is recorded yet" in preview
    browser.post(f"{desk}/do", data=fields(preview, "disqualify-player"))
    assert facts(ledger)[-1] == "player-disqualified"
    assert "The organizer decides." not in browser.get(f"{desk}/conduct").text


def test_a_name_in_free_text_gets_the_same_warning_at_the_desk(browser: Browser, desk: str) -> None:
    shown = send(browser, desk, "give-ruling", question="May Ann look?", outcome="No", judge="Jo", table="1")
    said = "entry 7 contains the name Ann, and no erasure can remove it: write #1 instead"
    assert said in shown
    assert said not in browser.get(f"{desk}/conduct").text, "it is said once"
    shown = send(browser, desk, "give-ruling", question="May #1 look?", outcome="No", judge="Jo", table="1")
    assert "no erasure can remove" not in shown


def test_unencrypted_names_cause_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "clear.ledger"
    terminal = at_terminal(path)
    terminal("open", "Clear", "--rulebook", "l5r-2018", "--names-in-clear")
    terminal("register", "Ann")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        shown = send(browser, desk, "give-ruling", question="May Ann look?", outcome="No", judge="Jo")
    assert "May Ann look?" in shown
    assert "no erasure reaches" not in shown


def test_the_desk_of_a_judge_shows_only_tasks_of_judges(ledger: Path) -> None:
    settings = Settings(key=KEY, clerk=Clerk("Jo", "judge", "floor"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as phone:
        page = phone.post("/enter", data={"key": KEY})
        assert page.url.path.endswith("/desk/phones")
    assert "Calls and reports" in page.text
    assert "Players cannot call a judge by phone at this event." in page.text
    assert 'value="allow-phones"' not in page.text
    assert "/waiting" not in page.text
    pages = re.findall(r'accesskey="\d"[^>]*>([^<]*)</a>', page.text)
    assert pages == ["Calls", "Penalties", "Players", "Decks", "Corrections", "Log"]
    assert 'value="assign-staff"' not in page.text
    jobs = re.findall(r'<li role="option"[^>]*data-words="([^"]*)"', page.text)
    assert jobs == [
        "who",
        "penalty",
        "ruling",
        "card",
        "deck",
        "check",
        "extend",
        "correct",
        "history dispute",
        "log",
        "standings",
        "phones check in judge",
    ]
    bar = page.text.split('id="next-step"')[1].split("</section>")[0]
    assert "Round 1" in bar, "a judge sees the round, the time left and the tables that are out"
    assert not re.search('<button|<form|class="(steps|button main)', bar), "the steps of the round are the desk's"


def test_a_judges_link_has_no_form_of_the_desk_and_sends_none(ledger: Path) -> None:
    settings = Settings(key=KEY, clerk=Clerk("Jo", "judge", "floor"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as phone:
        desk = phone.post("/enter", data={"key": KEY}).url.path.removesuffix("/phones")
        length = len(facts(ledger))
        for page in (
            *JUDGES_MENU,
            "players?player=1",
            "conduct?player=1",
            "decks?player=1",
            "match?round=1&table=1",
        ):
            kinds = set(re.findall(r'name="kind" value="([^"]+)"', phone.get(f"{desk}/{page}").text))
            assert kinds <= JUDGES_COMMANDS, page
        for kind in COMMANDS.keys() - JUDGES_COMMANDS:
            form = {"kind": kind, "id": kind, "page": "players", "form": kind, "player": "1", "confirmed": "yes"}
            assert "this is not part of a judge" in phone.post(f"{desk}/do", data=form).text
        assert len(facts(ledger)) == length


def test_a_judge_gives_a_table_more_time_on_the_page_of_penalties(ledger: Path) -> None:
    at_terminal(ledger)("start", "--minutes", "50")
    settings = Settings(key=KEY, clerk=Clerk("Jo", "judge", "floor"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as phone:
        desk = phone.post("/enter", data={"key": KEY}).url.path.removesuffix("/phones")
        given = {"table": "1", "minutes": "5", "reason": "deck check"}
        shown = send(phone, desk, "extend-time", **given)
        assert "5 more minutes" in shown
        assert '<input id="extended" name="table"' in shown
        for page in ("players", "log"):
            assert not re.search('value="(register-player|undo-last)"', phone.get(f"{desk}/{page}").text)


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({"player": "Zed"}, ["player"]),
        ({"player": "Ann", "table": "2"}, ["table"]),
        ({"player": "#1 Ann", "table": "x"}, ["table"]),
        ({"player": "#9"}, ["player"]),
    ],
)
def test_a_refusal_marks_the_wrong_field_only(
    browser: Browser, desk: str, typed: dict[str, str], wrong: list[str]
) -> None:
    given = {"penalty": "warning", "offence": "notes", "note": "late", **typed}
    shown = send(browser, desk, "give-penalty", **given)
    assert re.findall(r'name="(\w+)"[^>]* aria-invalid="true" aria-describedby="failed"', shown) == wrong


def test_a_refusal_keeps_what_was_typed_and_names_the_player(browser: Browser, desk: str) -> None:
    shown = send(browser, desk, "give-penalty", player="#1", table="9", penalty="warning", offence="notes")
    assert 'value="#1 Ann"' in shown
    assert 'name="table" value="9"' in shown


def test_a_refusal_that_demands_a_reason_marks_the_reason(browser: Browser, desk: str, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "a")
    shown = send(browser, desk, "announce-structure", "event", rounds="1", cut="2")
    assert re.findall(r'name="(\w+)"[^>]* aria-invalid', shown) == ["reason"]


def test_a_closed_event_shows_its_penalties_and_offers_no_form(browser: Browser, desk: str, ledger: Path) -> None:
    late = fields(browser.get(f"{desk}/conduct").text, "give-penalty")
    send(browser, desk, "give-penalty", player="Ann", penalty="warning", offence="notes", note="twice")
    send(browser, desk, "assign-staff", name="Max", role="marshal")
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal("close", "--yes", "--reason", "the hall closes")
    shown = browser.get(f"{desk}/conduct", params={"player": 1}).text
    assert "twice" in shown
    kinds = ("give-penalty", "give-ruling", "note-card", "assign-staff", "change-duty")
    assert [kind for kind in kinds if f'value="{kind}"' in shown] == []
    refused = browser.post(
        f"{desk}/do", data=late | {"player": "Bo", "penalty": "warning", "offence": "notes"}
    ).text
    assert "the tournament is closed" in refused, "a form that was open before shows why it is refused"
