"""Flights on public pages: each page marks the players whom the cut takes, and names each player's flight."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.web.conftest import Browser, at_terminal, two_flights
from tests.web.test_missing_results import words

from matchledger.ledger import open_ledger
from matchledger_projections.stages.cut import top_of


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = two_flights(tmp_path, 2)
    at_terminal(path)("tie")
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
