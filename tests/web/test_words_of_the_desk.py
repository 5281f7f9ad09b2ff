"""Words of the desk that a stranger reads: penalties, refused slips, scores, and rounds of two divisions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.web.conftest import Browser, at_terminal, friday

from matchledger.web.log_lines import parts_weighed, weighed
from matchledger.web.pages import stations


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Two divisions in their finals. The first table of each round has a result."""
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "-b", "pokemon-2009")
    for division in ("junior", "masters"):
        for number in range(1, 5):
            terminal("register", f"{division[0].upper()}{number}", "--division", division)
    plan = "--division-rounds junior=1 --division-rounds masters=1 --division-cut junior=2 --division-cut masters=2"
    terminal("decide-divisions", "--mode", "separated", "--reason", "wanted")
    terminal("announce", *plan.split(), "--reason", "short")
    terminal("penalty", "J1", "warning", "--for", "slow-play")
    for line in ("pair", "report 1 a 2 a 3 a 4 a", "tie --yes", "post", "cut --yes", "pair", "report 1 a"):
        terminal(*line.split())
    return path


@pytest.mark.parametrize(
    ("language", "warned", "refused", "filter_"),
    [
        ("en", "warned for slow play", "a slip saying that", "to settle in this round"),
        ("de", "verwarnt (langsames Spiel)", "ein Zettel mit „", "in dieser Runde zu klären"),
    ],
)
def test_the_desk_names_offences_refusals_and_the_bracket(
    browser: Browser, desk: str, commands: str, *, language: str, warned: str, refused: str, filter_: str
) -> None:
    slip = {"kind": "report-slip", "table": 1, "stage": "elimination", "round": 1, "outcome": "b"}
    assert browser.post(commands, json=slip).status_code == 409
    browser.headers["accept-language"] = language
    log = _words(browser.get(f"{desk}/log").text)
    assert warned in log
    assert refused in log
    assert "slow-play" not in log
    assert filter_ in _words(browser.get(f"{desk}/rounds").text)
    page = browser.get(f"{desk}/corrections", params={"stage": "elimination", "round": 1, "table": 1}).text
    settled, chosen = re.findall(r"Final[^<]* · (Junior|Masters)", page)
    assert settled == chosen


def test_a_line_cannot_end_in_a_score() -> None:
    assert str(weighed("Ann beat Bo 2-0", "en")).endswith('<span class="whole">2-0</span>')
    assert parts_weighed("Ann beat Bo 2-0", "en") == [("Ann beat Bo 2\u2060-\u20600", "")]
    assert "whole" not in weighed("held on 2026-11-28", "en")


def test_the_headings_of_the_links_count_all_players(
    browser: Browser, desk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stations, "NAMED", 2)
    page = _words(browser.get(f"{desk}/stations/players").text)
    assert "Junior 4" in page
    assert "2 of 8 are shown" in page


def _words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


class TestGames:
    """An event that counts games."""

    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Path:
        path = tmp_path / "magic.ledger"
        friday(path, "magic-mtr")("pair", "--reason", "small")
        return path

    def test_keys_show_scores(self, browser: Browser, desk: str) -> None:
        pad = _words(browser.get(f"{desk}/corrections", params={"round": 1, "table": 1}).text)
        assert "Draw 1\N{EN DASH}1\N{EN DASH}1" in pad
        assert " wins 2\N{EN DASH}0 " in pad
        assert {key["name"] for key in browser.get(f"{desk}/state").json()["keys"]} >= {
            "Draw 1\N{EN DASH}1\N{EN DASH}1",
            "2\N{EN DASH}0",
        }

    def test_a_final_has_no_key_for_a_draw_and_is_called_by_its_name(
        self, browser: Browser, desk: str, ledger: Path
    ) -> None:
        at_terminal(ledger)("report", "1", "2-0", "2", "2-1")
        at_terminal(ledger)("post")
        at_terminal(ledger)("cut", "2", "--reason", "small")
        at_terminal(ledger)("pair")
        assert all(key["key"] != "0" for key in browser.get(f"{desk}/state").json()["keys"])
        page = browser.get(f"{desk}/corrections", params={"round": "elimination-1", "table": 1}).text
        assert '<option value="elimination-1" selected>Final</option>' in page
        assert "<h2>Final</h2>" in page
        assert "Draw" not in page.partition("<h3>")[2]
