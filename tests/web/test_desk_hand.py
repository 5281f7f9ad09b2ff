"""The desk's page that pairs a whole round by hand, and shows all objections before recording."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk import fields
from tests.web.test_desk_conduct import facts

from matchledger.events import RoundPaired
from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.settings import Settings


@pytest.fixture
def played(ledger: Path) -> Path:
    """Round 1 is over: Ann beat Bo, and Cy beat Di. Ed came late, so the next round has five players."""
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("late", "Ed")
    return ledger


def check(browser: Browser, desk: str, games: list[str], **more: str) -> tuple[int, str]:
    form = fields(browser.get(f"{desk}/hand").text, "pair-by-hand")
    answer = browser.post(f"{desk}/do", data=form | {"games": games} | more)
    return answer.status_code, answer.text


def post(browser: Browser, desk: str, checked: str, games: list[str], **more: str) -> str:
    form = fields(checked, "pair-by-hand")
    assert form["confirmed"] == "yes"
    return str(browser.post(f"{desk}/do", data=form | {"games": games} | more).text)


def test_a_round_is_checked_and_then_posted(browser: Browser, desk: str, played: Path) -> None:
    games = ["ann", "#3", "", "", "Bo", "Di"]
    before = facts(played)
    status, checked = check(browser, desk, games, byes="Ed")
    assert status == 200
    assert "No objections" in checked
    assert "<td><b>Ann</b></td><td><b>Cy</b></td>" in checked
    assert "<td><b>Ed</b></td><td>bye</td>" in checked
    assert facts(played) == before
    posted = post(browser, desk, checked, games, byes="Ed")
    assert "Round 2: 2 tables are outstanding" in " ".join(posted.split())
    with open_ledger(played) as kept:
        [tournament] = kept.tournaments()
        fact = kept.entry(tournament, kept.head(tournament).size).fact
    assert isinstance(fact, RoundPaired)
    assert ([game.players for game in fact.tables], [bye.player for bye in fact.byes], fact.seed) == (
        [(1, 3), (2, 4)],
        [5],
        None,
    )


@pytest.mark.finding("C-D2")
@pytest.mark.usefixtures("played")
def test_a_round_by_hand_names_an_omitted_player_and_needs_a_reason(browser: Browser, desk: str) -> None:
    games = ["Ann", "Di"]
    status, refused = check(browser, desk, games)
    assert status == 422
    assert "3 players would have no opponent and no bye" in refused
    status, checked = check(browser, desk, games, deviating="yes", reason="they left early")
    assert status == 200
    assert all(f"<td><b>{name}</b></td>" not in checked for name in ("Bo", "Cy", "Ed"))
    posted = post(browser, desk, checked, games, deviating="yes", reason="they left early")
    assert "Round 2: 1 table is outstanding" in " ".join(posted.split())


@pytest.mark.usefixtures("played")
def test_a_refused_round_shows_every_objection_at_once(browser: Browser, desk: str) -> None:
    status, refused = check(browser, desk, ["Ann", "Bo", "Cy", "Ann"])
    assert status == 422
    assert 'id="failed"' in refused
    assert "Ann is paired twice in this round" in refused
    objections = refused.split("Possible objections")[1].split("</ul>")[0]
    assert "Ann would sit in two places" in objections
    assert "Di and Ed would have neither an opponent nor a bye" in objections
    assert "Ann and Bo at table 1 have met in round 1" in objections
    assert 'name="games" value="Bo"' in refused, "what was typed is kept"


@pytest.mark.usefixtures("played")
def test_a_rematch_by_hand_has_its_reason_in_the_log(browser: Browser, desk: str, played: Path) -> None:
    games = ["Ann", "Bo", "Cy", "Di"]
    status, refused = check(browser, desk, games, byes="Ed")
    assert status == 422
    assert "Ann and Bo met in round 1" in refused
    _, checked = check(browser, desk, games, byes="Ed", allow_rematch="yes")
    said = post(browser, desk, checked, games, byes="Ed", allow_rematch="yes")
    assert "a rematch paired by hand needs a reason in the log" in said
    post(browser, desk, checked, games, byes="Ed", allow_rematch="yes", reason="nobody else is left")
    assert facts(played)[-3:] == ["rematch-allowed", "rematch-allowed", "round-paired"]


@pytest.mark.parametrize(
    ("games", "said"),
    [
        (["Ann", "", "", "Bo"], "each table needs two players; a player without a table gets a bye"),
        (["Ann", "Zed"], "there is no player &#39;Zed&#39;"),
        (["Ann", "#9"], "there is no player #9"),
    ],
)
@pytest.mark.usefixtures("played")
def test_invalid_tables_keep_the_typed_rows(browser: Browser, desk: str, games: list[str], said: str) -> None:
    status, refused = check(browser, desk, games)
    assert status == 400
    assert said in refused
    shown = re.findall(r'name="games"(?: value="([^"]*)")?', refused)
    assert shown[: len(games)] == games


@pytest.mark.usefixtures("played")
def test_the_draw_can_fill_the_rows(browser: Browser, desk: str) -> None:
    assert 'name="games" value="Ann"' not in browser.get(f"{desk}/hand").text
    shown = browser.get(f"{desk}/hand", params={"drawn": "true"}).text
    named = {part.split('"')[0] for part in shown.split(' value="')[1:]}
    assert {"Ann", "Bo", "Cy", "Di", "Ed"} <= named


def test_the_draw_waits_for_the_last_result(browser: Browser, desk: str) -> None:
    shown = browser.get(f"{desk}/hand", params={"drawn": "true"}).text
    assert "round 1 is not over, and the draw needs every result" in shown


@pytest.mark.usefixtures("played")
def test_a_new_entry_between_check_and_posting_causes_a_new_check(
    browser: Browser, desk: str, played: Path
) -> None:
    games = ["Ann", "Cy", "Bo", "Di"]
    _, checked = check(browser, desk, games, byes="Ed")
    at_terminal(played)("drop", "Di")
    assert "the log has changed since you looked" in post(browser, desk, checked, games, byes="Ed")
    assert facts(played)[-1] == "player-dropped"


def test_an_elimination_round_can_be_paired_by_hand(browser: Browser, desk: str, ledger: Path) -> None:
    terminal = at_terminal(ledger)
    for line in (
        ("report", "1", "a", "2", "a"),
        ("tie", "Ann", "Cy"),
        ("tie", "Bo", "Di"),
        ("cut", "2", "--reason", "short"),
    ):
        terminal(*line)
    assert "Elimination round 1" in browser.get(f"{desk}/hand").text
    games = ["Ann", "Cy"]
    _, checked = check(browser, desk, games)
    assert "No objections" not in checked, "nothing of the check is about a bracket"
    assert "Elimination round 1" in post(browser, desk, checked, games)
    assert facts(ledger)[-1] == "round-paired"


def test_players_to_be_seated_are_listed_by_division_and_surname(tmp_path: Path) -> None:
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009", "--policy", "POL-PKM-DIVISIONS=separated")
    for name, division in (
        ("Ann Zeh", "masters"),
        ("Zoe Abt", "masters"),
        ("Bo Young", "junior"),
        ("Yan Berg", "junior"),
    ):
        terminal("register", name, "--division", division)
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        home = browser.get("/", follow_redirects=False).headers["location"]
        page = browser.get(f"{home}desk/hand").text
    listed = re.findall(r'<li class="of">(\w+)</li>|<span>(\w+) <b>', page)
    assert [division or name for division, name in listed] == ["Junior", "Yan", "Bo", "Masters", "Zoe", "Ann"]


def test_a_closed_event_offers_no_round_to_pair(browser: Browser, desk: str, played: Path) -> None:
    at_terminal(played)("close", "--yes", "--reason", "the hall closes")
    shown = browser.get(f"{desk}/hand").text
    assert "The tournament is closed" in shown
    assert 'value="pair-by-hand"' not in shown
    assert "round 2" not in shown.casefold()


@pytest.mark.usefixtures("played")
def test_each_field_of_a_bye_has_its_own_label(browser: Browser, desk: str) -> None:
    shown = browser.get(f"{desk}/hand").text
    assert [shown.count(f">{label}</label>") for label in ("has the bye", "has a bye too")] == [1, 1]
