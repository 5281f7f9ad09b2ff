"""A table of an earlier round without a result: each page names the table, and the desk takes its slip."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.web.conftest import Browser, friday
from tests.web.test_desk import fields


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Both announced rounds are played. Then the slip of round 1, table 2 is retracted."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "pokemon-2009")
    terminal("announce", "--rounds", "2", "--cut", "2", "--role", "organizer", "--reason", "small")
    for _ in range(2):
        terminal("pair", "--reason", "small")
        terminal("report", "1", "a", "2", "a")
    terminal("retract", "9", "--yes")
    return path


def test_a_missing_result_of_an_earlier_round_is_the_next_step(browser: Browser, home: str, desk: str) -> None:
    missing = "Table 2 of round 1 has no result"
    address = f"{desk}/corrections?round=1&stage=swiss&table=2"
    for name in ("", "/rounds", "/event"):
        page = browser.get(f"{desk}{name}").text
        assert bar(page) == "Round 2 of 2 0 out 1 out, Round 1 Round 1, table 2: enter the result"
        assert address.replace("&", "&amp;") in page
        assert missing in words(page), name
    assert "The cut waits for a result" in page
    assert browser.get(f"{desk}/state").json()["missing"] == 1
    for face in ("event", "tables", "wall?show=standings"):
        page = words(browser.get(f"{home}{face}").text)
        assert "1 result of an earlier round is missing." in page, face
        assert "Every table has reported." not in page, face
    page = browser.get(address).text
    browser.post(f"{desk}/do", data=fields(page, "report-slip") | {"outcome": "b"})
    page = browser.get(f"{desk}/event").text
    assert missing not in words(page)
    assert bar(page) == "Round 2 of 2 0 out Post the standings", "a round with all its results is not repaired"
    assert "Every table has reported." in words(browser.get(f"{home}event").text)


def bar(page: str) -> str:
    """Return the words of the next step, without the steps of the round."""
    [bar] = re.findall(r'<section class="next".*?</section>', page, re.DOTALL)
    return words(re.sub(r'<ol class="steps".*?</ol>', "", bar, flags=re.DOTALL))


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())
