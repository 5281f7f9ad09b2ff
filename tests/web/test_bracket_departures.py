"""A player leaves one of several brackets. The browser and the API take the departure back whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk import fields

from matchledger.ledger import Clerk
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

LEAVING = {
    "drop": {"kind": "drop-player"},
    "disqualify": {"kind": "disqualify-player"},
}


@pytest.fixture(scope="module")
def semifinals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two divisions of four players, each in its semifinals."""
    path = tmp_path_factory.mktemp("cup") / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "-b", "pokemon-2009")
    for division in ("junior", "masters"):
        for number in range(1, 5):
            terminal("register", f"{division[0].upper()}{number}", "--division", division)
    rounds = "--division-rounds junior=1 --division-rounds masters=1"
    cuts = "--division-cut junior=4 --division-cut masters=4"
    terminal("decide-divisions", "--mode", "separated", "--reason", "wanted")
    terminal("announce", *rounds.split(), *cuts.split(), "--reason", "short")
    for line in ("pair", "report 1 a 2 a 3 a 4 a", "tie --yes", "post", "cut --yes", "pair"):
        terminal(*line.split())
    return path


@pytest.fixture
def ledger(semifinals: Path, tmp_path: Path) -> Path:
    for suffix in ("", ".keys"):
        (tmp_path / f"cup.ledger{suffix}").write_bytes(Path(f"{semifinals}{suffix}").read_bytes())
    return tmp_path / "cup.ledger"


@pytest.fixture
def client(ledger: Path) -> Iterator[Browser]:
    settings = Settings(watch_seconds=0.01, key=KEY, clerk=Clerk("Pat", "organizer", "front"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as client:
        client.cookies.set("matchledger", KEY)
        home = client.get("/", follow_redirects=False).headers["location"]
        client.base_url = client.base_url.join(home)
        yield client


def api(client: Browser) -> str:
    return f"http://localhost/api/tournaments/{str(client.base_url).rstrip('/').rpartition('/')[2]}"


def state(client: Browser) -> list[Any]:
    """Return everything that changes when a player leaves."""
    pages = ("players", "bracket?division=junior", "bracket?division=masters", "pairings?stage=elimination")
    players, *brackets, seats = (client.get(f"{api(client)}/{page}").json() for page in pages)
    return [
        [row["status"] for row in players],
        *(bracket["rounds"] for bracket in brackets),
        seats["byes"],
        seats["pairings"],
    ]


def give(client: Browser, **command: object) -> list[int]:
    """Execute a command by the API. Returns the positions of its entries."""
    done = client.post(f"{api(client)}/commands", json=command, params={"reason": "seen"})
    assert done.status_code == 200, done.text
    return [entry["position"] for entry in done.json()["entries"]]


def take_back(client: Browser, face: str, position: int) -> None:
    if face == "api":
        give(client, kind="retract-entry", position=position)
        return
    form = fields(client.get("desk/log").text, "retract-entry") | {"position": str(position)}
    shown = client.post("desk/do", data=form).text
    done = client.post("desk/do", data=fields(shown, "retract-entry") | {"reason": "seen"}, follow_redirects=False)
    assert done.status_code == 303, done.text


@pytest.mark.parametrize("face", ["browser", "api"])
@pytest.mark.parametrize("leave", sorted(LEAVING))
def test_a_departure_from_one_bracket_is_taken_back_with_its_effects(
    client: Browser, leave: str, face: str
) -> None:
    before = state(client)
    seat = next(row["players"] for row in before[-1] if str(row["players"][0]).startswith("J"))
    number = next(row["number"] for row in client.get(f"{api(client)}/players").json() if row["name"] == seat[0])
    for half in (0, -1):
        entries = give(client, **LEAVING[leave], player=number)
        after = state(client)
        assert len(entries) > 1
        assert after != before
        take_back(client, face, entries[half])
        assert state(client) == before
        give(client, kind="undo-last")
        assert state(client) == after
        give(client, kind="redo-last")
        assert state(client) == before


def test_the_browser_seats_the_right_finalist_and_keeps_the_other_final(client: Browser) -> None:
    """Before the fix, the desk could only take the finals of both divisions back."""
    for table in (1, 2, 3, 4):
        give(client, kind="report-slip", table=table, outcome="a")
    (other, _), (wrong, right) = [
        row["players"] for row in client.get(f"{api(client)}/pairings").json()["pairings"]
    ][:2]
    give(client, kind="pair-round")
    give(client, kind="report-slip", table=2, outcome="a")
    final = client.get(f"{api(client)}/pairings").json()["pairings"][1]
    give(client, kind="correct-slip", stage="elimination", round=1, table=2, outcome="b")
    page = client.get("desk/rounds").text
    assert f"{right} should have a seat, {wrong} should have no seat (seat {other}/{right}: the other" in page
    assert [name for name in re.findall(r'name="games" value="([^"]*)"', page) if name] == [other, right]
    form = fields(page, "amend-pairing") | {"games": [other, right]}
    shown = client.post("desk/do", data=form).text
    done = client.post(
        "desk/do", data=fields(shown, "amend-pairing") | {"games": [other, right]}, follow_redirects=False
    )
    assert done.status_code == 303, done.text
    first, second = client.get(f"{api(client)}/pairings").json()["pairings"]
    assert (first["players"], second) == ([other, right], final)
    assert "does not follow from the bracket" not in client.get("desk/rounds").text


@pytest.mark.parametrize("width", [1280, 360])
def test_the_bar_leads_to_the_sentence_about_a_final_that_does_not_follow(
    station: Page, ledger: Path, width: int
) -> None:
    """Before the fix, the bar covered the sentence."""
    for line in ("report 1 a 2 a 3 a 4 a", "pair", "correct 1 2 b --elimination --reason seen --yes"):
        at_terminal(ledger)(*line.split())
    station.set_viewport_size({"width": width, "height": 800})
    station.goto(f"{station.url}/event")
    station.get_by_role("link", name="Repair the round").click()
    said = station.locator("#repair")
    expect(said).to_contain_text("does not follow from the bracket")
    expect(said).to_be_in_viewport()
    bar, box = station.locator(".next").bounding_box(), said.bounding_box()
    assert bar is not None
    assert box is not None
    assert bar["y"] + bar["height"] <= box["y"], (bar, box)
