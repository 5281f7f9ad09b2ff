"""Games and divisions at the desk: first players, games at time, flights, and the event's papers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk_conduct import facts, send

from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.public.places import cut_line, ranked
from matchledger.web.settings import Settings


def served(path: Path, settings: Settings) -> Iterator[tuple[Browser, str]]:
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": settings.key})
        yield browser, f"{browser.get('/', follow_redirects=False).headers['location']}desk"


@pytest.fixture
def street(tmp_path: Path) -> Path:
    """A Street Warriors event during the final: Ann plays Cy."""
    path = tmp_path / "street.ledger"
    terminal = at_terminal(path)
    terminal("open", "Street", "--rulebook", "street-warriors-2004", "--policy", "POL-SWR-LT8-ROUNDS=host")
    for name in ("Ann", "Bo", "Cy", "Di"):
        terminal("register", name)
    terminal("pair", "--table", "Ann/Bo", "--table", "Cy/Di")
    terminal("report", "1", "a", "2", "a")
    terminal("tie", "Ann", "Cy")
    terminal("tie", "Bo", "Di")
    terminal("cut", "2", "--reason", "a short evening")
    terminal("pair")
    return path


@pytest.fixture
def final(street: Path) -> Iterator[tuple[Browser, str]]:
    yield from served(street, Settings(key=KEY))


def test_the_first_player_and_the_decider_are_noted(browser: Browser, desk: str, ledger: Path) -> None:
    shown = send(browser, desk, "set-first-player", "rounds", player="Ann", decider="Bo")
    assert facts(ledger)[-1] == "first-player-set"
    assert "Ann" in shown.split('class="done"')[1].split("</ul>")[0]
    assert "Di does not sit at table 1" in send(
        browser, desk, "set-first-player", "rounds", player="Ann", decider="Di"
    )


def test_counts_decide_a_game_at_time(final: tuple[Browser, str], street: Path) -> None:
    browser, desk = final
    [[_, _, second]] = browser.get(f"{desk}/state").json()["seating"]  # chance decides the seats
    shown = send(browser, desk, "end-at-time", "rounds", table="1", matches="1-1", power="5-5", faction="20-20")
    assert "the players are tied before step 4: give discard" in shown
    assert "(SWR-SE-TIME)" in shown
    assert 'name="power" value="5-5"' in shown
    assert "is not two numbers in table order" in send(
        browser, desk, "end-at-time", "rounds", table="1", matches="x"
    )
    send(
        browser,
        desk,
        "end-at-time",
        "rounds",
        table="1",
        matches="1-1",
        power="5-5",
        faction="20-20",
        discard="3-3",
        flips="14-14 none-8",
    )
    assert facts(street)[-1] == "result-reported"
    assert f"{second} has won the event" in browser.get(f"{desk}/event").text


def test_rock_paper_scissors_decides_last(final: tuple[Browser, str]) -> None:
    browser, desk = final
    [[_, _, second]] = browser.get(f"{desk}/state").json()["seating"]
    level = {
        "table": "1",
        "matches": "0-0",
        "power": "1-1",
        "faction": "9-9",
        "discard": "2-2",
        "flips": "none-none",
    }
    assert "give the winner of rock-paper-scissors" in send(browser, desk, "end-at-time", "rounds", **level)
    send(browser, desk, "end-at-time", "rounds", **level, rock_paper_scissors="b")
    assert f"{second} has won the event" in browser.get(f"{desk}/event").text


def test_the_form_for_a_game_ended_by_time_appears_only_if_time_can_end_games(browser: Browser, desk: str) -> None:
    assert 'value="end-at-time"' not in browser.get(f"{desk}/rounds").text


def test_sending_the_overview_is_recorded_with_its_day(final: tuple[Browser, str], street: Path) -> None:
    browser, desk = final
    assert 'value="file-overview"' not in browser.get(f"{desk}/event").text, "it is sent when the event is over"
    at_terminal(street)("report", "1", "a")
    at_terminal(street)("close", "--yes", "--ended", "2026-05-02", "--reason", "a short evening")
    refused = send(browser, desk, "file-overview", "event", sent="2026-05-01")
    assert "the event ended on 2026-05-02, so the overview cannot have been sent on 2026-05-01" in refused
    assert "Sent on 2026-05-03 with 3 score cards" in send(
        browser, desk, "file-overview", "event", sent="2026-05-03", cards="3"
    )
    assert facts(street)[-1] == "overview-filed"


def test_a_large_division_is_drawn_into_flights(tmp_path: Path) -> None:
    path, roster = tmp_path / "cup.ledger", tmp_path / "roster.csv"
    roster.write_text(
        "\n".join(["name,division", *(f"M{n},masters" for n in range(64)), *(f"J{n},junior" for n in range(6))])
    )
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    terminal("register", "--csv", str(roster))
    terminal(
        "announce", "--style", "swiss-with-cut", "--rounds", "6", "--cut", "8", "--prizes", "8", "--reason", "ok"
    )
    for browser, desk in served(path, Settings(key=KEY)):
        shown = browser.get(f"{desk}/event").text
        assert "<td>32, 32</td>" in shown
        refused = send(browser, desk, "draw-flights", "event", division="masters", flights="7")
        assert "masters cannot play in 7 flights" in refused
        assert 'name="flights" value="7"' in refused
        shown = send(browser, desk, "draw-flights", "event", division="masters", flights="2")
        assert "Flight 2: 32 players" in shown
        send(browser, desk, "register-player", "players", name="Zed", division="masters")
    assert facts(path)[-3:] == ["flights-drawn", "player-arrived-late", "flight-joined"]
    with open_ledger(path) as ledger:
        [record] = map(ledger.record, ledger.tournaments())
    lines = {one.division: cut_line(record, one) for one in ranked(record)}
    assert lines["junior"] is not None
    assert lines["junior"].places == 8
    assert lines["masters"] is None, "each flight sends its own best players"
