"""Flights on public pages: each page marks the players whom the cut takes, and names each player's flight."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.web.conftest import Browser, at_terminal
from tests.web.test_missing_results import words

from matchledger.ledger import open_ledger
from matchledger_projections.stages.cut import top_of


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """64 masters in two flights have played two rounds, and the first table of each round was a draw."""
    path, roster = tmp_path / "cup.ledger", tmp_path / "roster.csv"
    roster.write_text("\n".join(["name,division", *(f"M{n},masters" for n in range(1, 65))]))
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    terminal("register", "--csv", str(roster))
    terminal("announce", "--rounds", "2", "--cut", "8", "--role", "organizer", "--reason", "ok")
    terminal("draw-flights", "masters", "2", "--role", "organizer", "--reason", "ok")
    for _ in range(2):
        terminal("pair", "--reason", "ok")
        terminal("report", *(word for table in range(1, 33) for word in (str(table), "a")))
    terminal("tie")
    return path


def test_each_page_marks_the_players_whom_the_cut_takes(browser: Browser, home: str, ledger: Path) -> None:
    with open_ledger(ledger) as opened:
        [record] = map(opened.record, opened.tournaments())
        inside = {record.players[player].name for player in top_of(record, "masters", 8, 2)}
        flights = record.flight_numbers
    for face in ("standings", "crosstable", "widget?top=64", "wall?show=standings"):
        page = browser.get(home + face).text
        assert "Top 8" not in page, face
        rows = [words(row) for row in re.findall(r"<(?:tr|li)[ >].*?</(?:tr|li)>", page, re.DOTALL)]
        marked = {match[1] for row in rows if "in the cut" in row and (match := re.search(r"\b(M\d+)\b", row))}
        assert marked == inside, face
        assert "Flight 1" in page
        assert "Flight 2" in page
    for player in (1, 2, 3):
        assert f"Flight {flights[player]}" in browser.get(f"{home}player/{player}").text
