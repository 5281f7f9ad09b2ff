"""A departure from a rule needs a reason in the API too. The examples come from audits."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, at_terminal
from tests.web.test_desk import fields

from matchledger.ledger import Clerk
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

FOUR = ("register A", "register B", "register C", "register D")
FIVE = (*FOUR, "register E")
PAIRED = ("pair --table A/B --table C/D",)
ANNOUNCED = "announce --structure custom --rounds 2 --reason short"

EXAMPLES = [
    pytest.param(
        "l5r-2018",
        (*FOUR, "announce --structure custom --rounds 2 --deck-lists --reason short"),
        {"kind": "pair-round"},
        "L5R-II.2-PLAYERMAT",
        id="no deck lists",
    ),
    pytest.param(
        "l5r-2018",
        (*FOUR, "staff add Q marshal", "staff add A judge", ANNOUNCED, *PAIRED),
        {"kind": "give-ruling", "table": 1, "judge": "Stranger", "question": "May I?", "outcome": "No"},
        "L5R-I.6-LEADERPLAY",
        id="ruling by a stranger",
    ),
    pytest.param(
        "l5r-2018",
        (*FOUR, *PAIRED),
        {"kind": "record-no-show", "players": [2], "stays": True},
        "L5R-IV.2-NOSHOW",
        id="absent player stays",
    ),
    pytest.param(
        "l5r-2018",
        (*FOUR,),
        {"kind": "announce-structure", "structure": "custom", "rounds": 2, "cut": 3},
        "L5R-IV.2b-CUT",
        id="cut to 3",
    ),
    pytest.param(
        "ashes-2022",
        (*FIVE, "register F", "register G", "register H", "pair", "report 1 a:5 2 a:4 3 a:3 4 a:2", "tie"),
        {"kind": "make-cut", "size": 2},
        "ASH-ROUNDS",
        id="cut too early",
    ),
    pytest.param(
        "pokemon-2009",
        (*FOUR, "announce --rounds 3 --prizes 1 --style swiss --reason small", *PAIRED, "report 1 a 2 a"),
        {"kind": "close-tournament"},
        "PKM-2-ANNOUNCE",
        id="end too early",
    ),
    pytest.param(
        "street-warriors-2004",
        (*FIVE, "announce --prizes 1", "pair --table A/B --table C/D --table E", "report 1 a 2 a"),
        {"kind": "pair-by-hand", "games": [[1, 3], [2, 4]], "byes": [5]},
        "SWR-SWISS-ONEPASS",
        id="bye by hand",
    ),
    pytest.param(
        "ashes-2022",
        (*FOUR, *PAIRED),
        {"kind": "give-penalty", "player": 2, "penalty": "game-loss", "offence": "slow-play", "blood_points": 3},
        "ASH-SLOW",
        id="game loss without a warning",
    ),
]


@pytest.mark.finding("L-M1", "L-W7", "L-W9", "L-W10", "S-W3", "S-W7", "S-W8")
@pytest.mark.parametrize(("rulebook", "lines", "command", "rule"), EXAMPLES)
def test_a_departure_needs_a_reason_and_is_listed(
    tmp_path: Path, rulebook: str, lines: tuple[str, ...], command: dict[str, Any], rule: str
) -> None:
    path = tmp_path / "event.ledger"
    terminal = at_terminal(path)
    for line in (f"open Friday --rulebook {rulebook}", *lines):
        terminal(*line.split())
    settings = Settings(clerk=Clerk("Pat", "organizer", "front"), key=KEY)
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as browser:
        home = browser.get("/", follow_redirects=False).headers["location"]
        event = f"/api/tournaments/{home.split('/')[2]}"
        browser.post("/enter", data={"key": KEY})

        flag = "override" if command["kind"] == "give-penalty" else "deviating"
        refused = browser.post(f"{event}/commands", json=command)
        assert (refused.status_code, refused.json()["rule"]) == (422, rule)
        unsaid = browser.post(f"{event}/commands", json=command | {flag: True})
        assert (unsaid.status_code, "needs a reason" in unsaid.json()["detail"]) == (400, True)
        agreed = browser.post(f"{event}/commands", json=command | {flag: True}, params={"reason": "agreed"})
        assert agreed.status_code == 200, agreed.json()
        listed = browser.get(f"{event}/integrity").json()["items"]
        assert [one for one in listed if rule in one["rules"] and one["reason"] == "agreed"]


@pytest.mark.finding("S-M1")
def test_each_face_warns_if_divisions_send_unequal_shares_into_the_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warning = "6 of 8 junior go on, but only 2 of 8 senior: the shares should be about the same (PKM-3.3-CUT)"
    path, roster = tmp_path / "event.ledger", tmp_path / "roster.csv"
    lines = [f"{division}{number},{division}" for division in ("junior", "senior") for number in range(8)]
    roster.write_text("\n".join(["name,division", *lines]), "utf-8")
    terminal = at_terminal(path)
    terminal("open", "Friday", "--rulebook", "pokemon-2009")
    terminal("register", "--csv", str(roster))
    settings = Settings(clerk=Clerk("Pat", "organizer", "front"), key=KEY)
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as browser:
        home = browser.get("/", follow_redirects=False).headers["location"]
        browser.post("/enter", data={"key": KEY})
        command = {"kind": "announce-structure", "division_cuts": {"junior": 6, "senior": 2}, "deviating": True}
        event = f"/api/tournaments/{home.split('/')[2]}"
        done = browser.post(f"{event}/commands", json=command, params={"reason": "agreed"}).json()
        page = browser.get(f"{home}desk/event?done={done['position']}").text
    assert done["warnings"] == [warning]
    assert f'<p class="warning" data-said>{warning}</p>' in page
    capsys.readouterr()
    terminal(
        "announce",
        "--division-cut",
        "junior=6",
        "--division-cut",
        "senior=2",
        "--prizes",
        "3",
        "--reason",
        "agreed",
    )
    assert capsys.readouterr().err == f"note: {warning}\n"


def test_each_face_pairs_a_division_only_while_it_has_rounds(tmp_path: Path) -> None:
    path, roster = tmp_path / "event.ledger", tmp_path / "roster.csv"
    lines = [f"{division}{number},{division}" for division, size in (("j", 6), ("m", 9)) for number in range(size)]
    roster.write_text(
        "\n".join(["name,division", *lines]).replace(",j", ",junior").replace(",m", ",masters"), "utf-8"
    )
    terminal = at_terminal(path)
    terminal("open", "Friday", "--rulebook", "pokemon-2009")
    terminal("register", "--csv", str(roster))
    for _ in range(3):
        terminal("pair")
        terminal("report", *" ".join(f"{table} a" for table in range(1, 8)).split())
        terminal("post")
    settings = Settings(clerk=Clerk("Pat", "organizer", "front"), key=KEY)
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as browser:
        home = browser.get("/", follow_redirects=False).headers["location"]
        event = f"/api/tournaments/{home.split('/')[2]}"
        browser.post("/enter", data={"key": KEY})
        met = {frozenset(two["players"]) for number in (1, 2, 3) for two in _pairings(browser, event, number)}
        two = next(
            list(two) for two in combinations([f"j{one}" for one in range(6)], 2) if frozenset(two) not in met
        )
        command = {"kind": "pair-by-hand", "games": [[int(name[1]) + 1 for name in two]]}
        refused = browser.post(f"{event}/commands", json=command)
        assert (refused.status_code, refused.json()["rule"]) == (422, "PKM-3.1.3-ROUNDS")
        page = browser.get(f"{home}desk/rounds").text
        assert "No objections" in page
        browser.post(f"{home}desk/do", data=fields(page, "pair-round"))
        assert {name[0] for two in _pairings(browser, event, 4) for name in two["players"]} == {"m"}


def _pairings(browser: TestClient, event: str, number: int) -> list[dict[str, Any]]:
    page: dict[str, Any] = browser.get(f"{event}/pairings", params={"round": number}).json()
    pairings: list[dict[str, Any]] = page["pairings"]
    return pairings
