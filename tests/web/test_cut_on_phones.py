"""After the cut, the wall shows the bracket, and each player reads who goes on and who is out. News is on both."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, at_terminal, friday
from tests.web.names import plain
from tests.web.test_desk import fields as form_fields

from matchledger.web.app import create_app
from matchledger.web.settings import Settings


def page(ledger: Path, path: str, language: str = "en") -> str:
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as client:
        client.headers["accept-language"] = language
        return plain(client.get(f"{client.get('/').url}{path}").text)


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


@pytest.fixture(name="cut")
def made_cut(tmp_path: Path) -> Callable[..., None]:
    """Round 1 of four players is played, and two of them are in the cut."""
    terminal = friday(tmp_path / "cup.ledger", "pokemon-2009")
    terminal("pair", "--reason", "small")
    terminal("report", "1", "a", "2", "a")
    terminal("tie")
    terminal("cut", "2", "--reason", "small", "--yes")
    return terminal


def test_each_player_reads_on_the_phone_whether_the_cut_is_made(cut: Callable[..., None], tmp_path: Path) -> None:
    ledger = tmp_path / "cup.ledger"
    shown = [words(page(ledger, f"player/{number}")) for number in range(1, 5)]
    assert sum("You are in the top 2" in one for one in shown) == 2
    assert sum("seed 1" in one for one in shown) == 1
    out = [one for one in shown if "Your event is over." in one]
    assert len(out) == 2
    assert all("after the Swiss rounds" in one for one in out)
    inside = next(number for number, one in enumerate(shown, 1) if "You are in the top 2" in one)
    assert "Du bist in den Top 2" in words(page(ledger, f"player/{inside}", "de"))
    cut("pair")
    again = [words(page(ledger, f"player/{number}")) for number in range(1, 5)]
    assert not any("No table in this round" in one for one in again)
    assert sum("Your event is over." in one for one in again) == 2


@pytest.mark.usefixtures("cut")
def test_the_wall_shows_the_bracket_from_the_cut_on(tmp_path: Path) -> None:
    wall = page(tmp_path / "cup.ledger", "wall?show=bracket")
    assert 'class="screen bracket' in wall
    assert "appears here after the cut" not in wall
    assert 'class="screen bracket' in page(tmp_path / "cup.ledger", "wall")
    assert "No bracket is drawn." not in page(tmp_path / "cup.ledger", "bracket")


def test_news_is_on_the_wall_by_turns_and_on_the_pages_of_players(tmp_path: Path) -> None:
    ledger = tmp_path / "cup.ledger"
    terminal = friday(ledger, "pokemon-2009")
    terminal("pair", "--reason", "small")
    terminal("news", "Lunch until one")
    assert 'class="screen news' in page(ledger, "wall")
    for path in ("", "player/1", "wall"):
        assert "Lunch until one" in words(page(ledger, path)), path
    at_terminal(ledger)("report", "1", "a")
    assert 'class="screen news' in page(ledger, "wall")


def test_who_is_out_of_a_bracket_without_a_cut_reads_so_on_the_phone(tmp_path: Path) -> None:
    ledger = tmp_path / "cup.ledger"
    terminal = friday(ledger, "pokemon-2009")
    terminal("announce", "--style", "elimination", "--reason", "small")
    terminal("pair")
    shown = [words(page(ledger, f"player/{number}")) for number in range(1, 5)]
    assert not any("Your event is over." in one for one in shown)
    terminal("report", "1", "a", "2", "a")
    terminal("pair")
    shown = [words(page(ledger, f"player/{number}")) for number in range(1, 5)]
    assert not any("No table in this round" in one for one in shown)
    out = [one for one in shown if "Your event is over." in one]
    assert len(out) == 2
    assert all("Semifinals" in one and "after the Swiss rounds" not in one for one in out)


def test_after_the_final_the_desk_asks_for_no_pairing(cut: Callable[..., None], tmp_path: Path) -> None:
    to_pair = "Pair the elimination rounds under Rounds"
    with TestClient(
        create_app(str(tmp_path / "cup.ledger"), Settings(key=KEY, watch_seconds=0.01)), base_url="http://localhost"
    ) as client:
        home = client.post("/enter", data={"key": KEY}, follow_redirects=False).headers["location"]
        assert to_pair in client.get(f"{home}/event").text
        answer = client.post(f"{home}/do", data=form_fields(client.get(f"{home}/rounds").text, "pair-round"))
        assert "Final, 1 table" in words(answer.text)
        cut("report", "1", "a")
        client.get(f"{home}/state")
        event = client.get(f"{home}/event").text
        assert "has won the event" in event
        assert to_pair not in event
