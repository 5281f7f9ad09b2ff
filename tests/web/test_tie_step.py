"""The next step orders the tied players before the cut or the end that depends on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.web.conftest import Browser, at_terminal, friday
from tests.web.test_desk import fields
from tests.web.test_missing_results import bar

from matchledger.ledger import open_ledger
from matchledger.web.desk.steps import next_step

GERMAN = {"accept-language": "de"}
ROUNDS = (
    ("Ann/Bo", "Cy/Di", "Ed/Flo", "Gus/Hal"),
    ("Ann/Cy", "Ed/Gus", "Bo/Di", "Flo/Hal"),
    ("Ann/Ed", "Cy/Gus", "Bo/Flo", "Di/Hal"),
)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Three rounds are played and posted. Bo, Cy and Ed are tied for place 2, and Di, Flo and Gus for place 5."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "magic-mtr", "Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
    terminal("announce", "--rounds", "3", "--cut", "4", "--role", "organizer", "--reason", "small")
    play(terminal, ROUNDS)
    return path


def play(terminal: Callable[..., None], rounds: tuple[tuple[str, ...], ...]) -> None:
    """Play rounds in which the first player of each table wins, and post the standings."""
    for tables in rounds:
        terminal("pair", *(word for table in tables for word in ("--table", table)), "--reason", "small")
        terminal("report", *(word for table in range(1, len(tables) + 1) for word in (str(table), "a")))
    terminal("post")


def play_final(ledger: Path) -> None:
    terminal = at_terminal(ledger)
    terminal("tie", "Bo", "Cy", "Ed")
    terminal("cut", "--role", "organizer", "--yes")
    terminal("pair")
    terminal("report", "1", "2-0", "2", "2-0")
    terminal("pair")
    terminal("report", "1", "2-0")


def test_a_tie_at_the_cut_is_drawn_before_the_cut(browser: Browser, desk: str, ledger: Path) -> None:
    page = browser.get(f"{desk}/event").text
    assert bar(page) == "Round 3 of 3 0 out the top 4 depends on a tie Draw every tie"
    assert '<button class="main">Draw every tie' in page
    refused = browser.post(f"{desk}/do", data=fields(page, "make-cut"))
    assert "Bo, Cy, Ed are tied, and the top 4 depends on their order (draw every tie)" in refused.text
    at_terminal(ledger)("tie", "Bo", "Cy", "Ed")
    page = browser.get(f"{desk}/event").text
    assert bar(page) == "Round 3 of 3 0 out Make the cut", "the tie for place 5 decides nothing yet"
    assert '<button class="main">Draw every tie' not in page


def test_a_tie_after_the_final_is_drawn_before_the_close(
    browser: Browser, desk: str, ledger: Path, run_cli: RunCli
) -> None:
    play_final(ledger)
    for name in ("", "/rounds", "/event"):
        page = browser.get(f"{desk}{name}").text
        assert bar(page) == "Final 0 out places 5 to 7 are not decided Draw every tie"
        assert f'{desk}/event#stages-heading"' in page
    german = browser.get(f"{desk}/event", headers=GERMAN).text
    assert "die Plätze 5 bis 7 sind nicht entschieden Alle Gleichstände auslosen" in bar(german)
    close = fields(page, "close-tournament")
    refused = "places 5 to 7 are not decided (draw every tie): give a reason to deviate from it"
    assert refused in browser.post(f"{desk}/do", data=close).text
    assert (
        f"{refused} (POLICY); use tie or --reason" in run_cli("close", "--yes", "--ledger", str(ledger), code=3).err
    )
    in_german = browser.post(f"{desk}/do", data=close, headers=GERMAN).text
    assert "die Plätze 5 bis 7 sind nicht entschieden (lose alle Gleichstände aus): Gib einen Grund an" in in_german
    browser.post(f"{desk}/do", data=fields(page, "draw-ties"))
    page = browser.get(f"{desk}/event").text
    assert bar(page) == "Final 0 out Close the tournament"
    preview = browser.post(f"{desk}/do", data=fields(page, "close-tournament")).text
    browser.post(f"{desk}/do", data=fields(preview, "close-tournament"))
    assert "Final places" in bar(browser.get(f"{desk}/event").text)


def test_no_step_of_a_round_is_current_once_the_rounds_are_over(browser: Browser, desk: str, ledger: Path) -> None:
    at_terminal(ledger)("tie")
    assert 'aria-current="step"' not in browser.get(f"{desk}/rounds").text, "the cut is next"
    at_terminal(ledger)("undo", "--yes")
    play_final(ledger)
    at_terminal(ledger)("tie")
    assert "Close the tournament" in bar(page := browser.get(f"{desk}/rounds").text)
    assert 'aria-current="step"' not in page


@pytest.mark.parametrize(
    ("cuts", "said"),
    [
        (("--division-cut", "junior=2", "--division-cut", "masters=2"), "the top 2 depends on a tie"),
        ((), "places 1 to 2 are not decided"),
    ],
)
def test_a_tie_in_one_division_is_drawn_first(tmp_path: Path, cuts: tuple[str, ...], said: str) -> None:
    terminal = at_terminal(path := tmp_path / "friday.ledger")
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    for name in ("Ja", "Je", "Jo", "Ju", "Ma", "Mo"):
        terminal("register", name, "--division", "junior" if name.startswith("J") else "masters")
    terminal("decide-divisions", "--mode", "separated", "--reason", "wanted")
    terminal("announce", "--rounds", "1", "--role", "organizer", "--reason", "small", *cuts)
    play(terminal, (("Ja/Je", "Jo/Ju", "Ma/Mo"),))
    with open_ledger(path) as opened:
        record = opened.record(opened.tournaments()[0])
        step = next_step(record)
    assert (step.action, step.tied) == ("draw", said)
    terminal("tie")
    with open_ledger(path) as opened:
        step = next_step(opened.record(opened.tournaments()[0]))
    assert (step.action, step.tied) == ("cut" if cuts else "close", None)
