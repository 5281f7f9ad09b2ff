"""A game of one's own with half points: people read 2½, and programs read 2.5."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.web.conftest import Browser, friday
from tests.web.test_missing_results import words

from matchledger_projections.fractions import as_halves, as_number
from matchledger_projections.rulebook.scoring import points_text, unit_name, unit_of

TIES = "strength_of_schedule,defeated_opponents_points,cumulative_tiebreak"


@pytest.fixture
def ledger(tmp_path: Path, run_cli: RunCli) -> Path:
    """Six players and two rounds. Ann wins and draws, Cy draws twice. The last slip was wrong at first."""
    path, law = tmp_path / "club.ledger", tmp_path / "club.toml"
    scoring = ("--win", "1", "--draw", "1/2", "--loss", "0", "--best-of", "none", "--floor", "0")
    run_cli("rulebook", "new", str(law), *scoring, "--tiebreaks", TIES)
    terminal = friday(path, str(law), "Ann", "Bo", "Cy", "Di", "Ed", "Flo")
    terminal("announce", "--rounds", "2", "--cut", "2", "--role", "organizer", "--reason", "small")
    terminal("pair", "--table", "Ann/Bo", "--table", "Cy/Di", "--table", "Ed/Flo")
    terminal("report", "1", "a", "2", "draw", "3", "a")
    terminal("pair", "--table", "Ann/Cy", "--table", "Ed/Di", "--table", "Bo/Flo")
    terminal("report", "1", "draw", "2", "b", "3", "a")
    terminal("correct", "2", "2", "draw", "--reason", "wrong line", "--yes")
    return path


@pytest.fixture
def said(ledger: Path, run_cli: RunCli) -> Callable[..., str]:
    return lambda *line: run_cli(*line, "--ledger", str(ledger)).out


def test_the_terminal_writes_halves(said: Callable[..., str]) -> None:
    table = [line.split() for line in said("standings").splitlines()[2:]]
    assert table[:4] == [
        ["Player", "points", "SoS", "Beaten", "CTB"],
        ["1", "Ann", "1½", "0.5000", "1", "1.7500"],
        ["2", "Ed", "1½", "0.2500", "0", "1.7500"],
        ["3=", "Cy", "1", "0.6250", "0", "1.1250"],
    ]


def test_a_spreadsheet_can_add_up_the_points(said: Callable[..., str], browser: Browser, home: str) -> None:
    rows = list(csv.DictReader(said("standings", "--csv").splitlines()))
    assert {row["Player"]: float(row["points"]) for row in rows} == {
        "Ann": 1.5,
        "Ed": 1.5,
        "Cy": 1,
        "Di": 1,
        "Bo": 1,
        "Flo": 0,
    }
    public = list(csv.DictReader(browser.get(f"{home}standings.csv").text.splitlines()))
    assert sum(float(row["points"]) for row in public) == 6


def test_a_program_is_told_what_the_numbers_count(said: Callable[..., str]) -> None:
    document = json.loads(said("standings", "--json"))
    assert document["unit"] == "half points"
    assert document["standings"][0]["points"] == 3


def test_an_explanation_adds_up_in_points(said: Callable[..., str]) -> None:
    told = said("explain", "Ann")
    assert "with 1½ points" in told
    assert re.search(r"sum +1½", told)


@pytest.mark.parametrize("page", ["standings", "crosstable", "event", "widget", "wall?show=standings", "player/1"])
def test_no_page_shows_points_twice(page: str, browser: Browser, home: str) -> None:
    shown = words(browser.get(f"{home}{page}").text)
    assert "1½" in shown
    assert "half points" not in shown


def test_the_desk_and_the_cut_preview_write_halves(browser: Browser, desk: str) -> None:
    for page in ("players", "event"):
        shown = words(browser.get(f"{desk}/{page}").text)
        assert "half points" not in shown, page
    assert "1½ points" in shown


def test_half_a_point_is_singular() -> None:
    unit = "half points"
    assert unit_name(unit) == "points"
    assert [f"{points_text(count, unit)} {unit_of(count, unit)}" for count in range(5)] == [
        "0 points",
        "½ point",
        "1 point",
        "1½ points",
        "2 points",
    ]
    assert [as_number(as_halves(Fraction(count, 2))) for count in (-3, -1, 0, 1, 5)] == [
        "-1.5",
        "-0.5",
        "0",
        "0.5",
        "2.5",
    ]
    assert as_number("1½ kg") == "1½ kg"
