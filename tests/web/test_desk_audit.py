"""The audit at the desk: the log with its search, a match's history, verification, the dispute file, sheets,
charts.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal

from matchledger.ledger import Clerk, open_ledger
from matchledger.web.app import create_app
from matchledger.web.desk import log
from matchledger.web.desk.decks import decks_view
from matchledger.web.desk.players import players_view
from matchledger.web.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def disputed(ledger: Path) -> Path:
    """A round with a corrected slip, a penalty, and posted standings."""
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal("correct", "1", "1", "b", "--reason", "both signed the wrong line")
    terminal("penalty", "Cy", "warning", "--for", "slow-play", "--actor", "Jo", "--role", "marshal")
    terminal("post", "--role", "organizer")
    return ledger


def found(browser: Browser, desk: str, **asked: str) -> list[int]:
    """Return the positions of the entries on the log page, the newest first."""
    page = browser.get(f"{desk}/log", params=asked).text
    return [int(position) for position in re.findall(r'<li id="entry-(\d+)"', page)]


@pytest.mark.usefixtures("disputed")
@pytest.mark.parametrize(
    ("asked", "positions"),
    [
        ({}, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        ({"q": "wrong line"}, [9]),
        ({"q": "JO"}, [10]),
        ({"player": "Cy"}, [11, 10, 8, 6, 4]),
        ({"player": "#1"}, [11, 9, 7, 6, 2]),
        ({"round": "1", "table": "1"}, [9, 7, 6]),
        ({"kind": "result-corrected"}, [9]),
        ({"role": "marshal"}, [10]),
        ({"role": "marshal", "kind": "result-corrected"}, []),
        ({"before": "3"}, [2, 1]),
        ({"about": "conduct"}, [10]),
        ({"station": "nowhere"}, []),
        ({"about": "slips", "round": "1", "stage": "elimination"}, []),
    ],
)
def test_the_log_can_be_searched(browser: Browser, desk: str, asked: dict[str, str], positions: list[int]) -> None:
    assert found(browser, desk, **asked) == positions


@pytest.mark.usefixtures("disputed")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"player": "Zed"}, "there is no player &#39;Zed&#39;"),
        ({"table": "1"}, "a table number needs a round: name the round too"),
        ({"q": "nothing says this"}, "No entry fits."),
    ],
)
def test_a_search_without_results_is_reported(
    browser: Browser, desk: str, asked: dict[str, str], said: str
) -> None:
    assert said in browser.get(f"{desk}/log", params=asked).text


@pytest.mark.usefixtures("disputed")
def test_the_search_stays_after_a_preview_and_a_retraction(browser: Browser, desk: str) -> None:
    """Before the fix, the log showed all entries again after the preview."""
    page = browser.get(f"{desk}/log", params={"q": "ann", "role": "scorekeeper"}).text
    [view] = re.findall(r'id="take-back".*?name="view" value="([^"]*)"', page)
    form = {"kind": "retract-entry", "id": "1", "page": "log", "view": unescape(view), "position": "8"}
    shown = browser.post(f"{desk}/do", data=form).text
    assert f'href="{desk}/log?{view}">Record nothing' in shown
    refused = browser.post(f"{desk}/do", data=form | {"position": "1"}).text
    assert f'href="{desk}/log?{view}">Record nothing' in refused
    answer = browser.post(f"{desk}/do", data=form | {"confirmed": "yes", "reason": "wrong"}, follow_redirects=False)
    assert answer.headers["location"] == f"{desk}/log?{unescape(view)}&done=12&form=retract-entry"
    assert 'value="ann"' in browser.get(answer.headers["location"]).text


@pytest.mark.usefixtures("disputed")
def test_a_long_log_has_pages(browser: Browser, desk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LINES", 4)
    monkeypatch.setattr(log, "_STRIDE", 3)
    page = browser.get(f"{desk}/log", params={"q": "ann"}).text
    assert found(browser, desk) == [11, 10, 9, 8]
    assert 'href="?before=8"' in browser.get(f"{desk}/log").text
    assert found(browser, desk, before="8") == [7, 6, 5, 4]
    assert "Older" not in page


@pytest.mark.usefixtures("disputed")
def test_the_history_of_a_match_shows_what_happened_to_each_slip(browser: Browser, desk: str) -> None:
    page = browser.get(f"{desk}/match", params={"round": 1, "table": 1}).text
    assert "replaced by entry 9" in page
    assert "both signed the wrong line" in page
    assert browser.get(f"{desk}/match", params={"round": 1, "table": 9}).status_code == 400


@pytest.mark.usefixtures("disputed")
def test_verify_says_in_words_what_it_checked(browser: Browser, desk: str, disputed: Path) -> None:
    page = browser.post(f"{desk}/verify", data={"draws": "yes"}).text
    assert "No entry was altered" in page
    assert "11 entries have their recorded hashes." in page
    assert "1 posting of standings matches the entries before it" in page
    with open_ledger(disputed) as ledger:
        head = ledger.head(ledger.tournaments()[0])
        earlier = ledger.head(ledger.tournaments()[0], 7)
    assert str(head) in page
    assert (
        "The log continues from the tree head that you gave"
        in browser.post(f"{desk}/verify", data={"head": str(earlier)}).text
    )
    refused = browser.post(f"{desk}/verify", data={"head": "9:nonsense"})
    assert refused.status_code == 400
    assert "is not a tree head" in refused.text


def test_verify_names_the_entry_that_was_altered(browser: Browser, desk: str, disputed: Path) -> None:
    with sqlite3.connect(disputed) as database:
        triggers = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for trigger in triggers:
            database.execute(f'DROP TRIGGER "{trigger}"')
        table = next(
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if "originator_version" in {column[1] for column in database.execute(f'PRAGMA table_info("{name}")')}
        )
        column = "state"
        database.execute(
            f'UPDATE "{table}" SET {column} = CAST(REPLACE(CAST({column} AS TEXT), \'"winner":3\', \'"winner":4\') AS BLOB) '  # noqa: S608, E501
            "WHERE originator_version = 8"
        )
    page = browser.post(f"{desk}/verify").text
    assert "An entry was altered" in page
    assert "entry 8: was altered after it was recorded" in page


def organizer(path: Path) -> TestClient:
    return TestClient(
        create_app(str(path), Settings(clerk=Clerk("Pat", "organizer", "front"), key=KEY)),
        base_url="http://localhost",
    )


def test_the_dispute_file_verifies_without_the_ledger(disputed: Path, tmp_path: Path) -> None:
    with organizer(disputed) as browser:
        browser.post("/enter", data={"key": KEY})
        desk = f"{browser.get('/', follow_redirects=False).headers['location']}desk"
        answer = browser.post(f"{desk}/bundle", data={"round": 1, "table": 1})
        assert 'attachment; filename="bundle-1-1.json"' in answer.headers["content-disposition"]
        assert found(browser, desk, kind="names-handed-out") == [12]
        numbers = browser.post(f"{desk}/bundle", data={"round": 1, "table": 1, "numbers_only": "yes"})
    # Stored bytes are base64, so any row of letters can occur by chance.
    assert re.search(r"\bAnn\b", numbers.text) is None
    file = tmp_path / "bundle.json"
    file.write_text(answer.text)
    assert json.loads(answer.text)["match"]["names"] == ["Ann", "Bo"]
    with open_ledger(disputed) as ledger:
        head = str(ledger.head(ledger.tournaments()[0], 12))  # the wall shows the standings as posted
    said = subprocess.run(  # noqa: S603 - our own verifier
        [sys.executable, str(ROOT / "docs" / "verify.py"), str(file), "--head", head],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr


def test_a_scorekeeper_may_give_out_a_dispute_file(browser: Browser, desk: str, disputed: Path) -> None:
    assert "Download the dispute file" in browser.get(f"{desk}/match", params={"round": 1, "table": 1}).text
    assert browser.post(f"{desk}/bundle", data={"round": 1, "table": 1}).status_code == 200
    with open_ledger(disputed) as ledger:
        assert ledger.head(ledger.tournaments()[0]).size == 12


@pytest.mark.usefixtures("disputed")
def test_every_listed_sheet_is_a_pdf(browser: Browser, desk: str) -> None:
    pytest.importorskip("typst")
    page = browser.get(f"{desk}/print").text
    addresses = [part.split('"')[0].replace("&amp;", "&") for part in page.split(f'href="{desk}/print/')[1:]]
    assert len(addresses) == 9
    for address in addresses:
        answer = browser.get(f"{desk}/print/{address}")
        assert answer.content.startswith(b"%PDF"), address
        assert answer.headers["content-type"] == "application/pdf"


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("riddles.pdf", "there is no sheet"),
        ("standings.pdf?round=7", "post them, then print them"),
        ("slips.pdf?round=7", "that round is not paired"),
        ("bracket.pdf", "no such bracket is drawn"),
    ],
)
def test_an_unavailable_sheet_is_refused(browser: Browser, desk: str, sheet: str, said: str) -> None:
    answer = browser.get(f"{desk}/print/{sheet}")
    assert answer.status_code == 400
    assert said in answer.text


@pytest.mark.usefixtures("disputed")
def test_charts_are_on_their_pages(browser: Browser, desk: str) -> None:
    assert "Slips of round 1 by time" in browser.get(f"{desk}/rounds").text
    assert "Points of all players" in browser.get(f"{desk}/event").text


@pytest.mark.usefixtures("disputed")
def test_every_page_of_the_desk_finds_players_by_membership_number(
    ledger: Path, browser: Browser, desk: str
) -> None:
    at_terminal(ledger)("correct-player", "Cy", "--set", "DCI=4711", "--yes")
    assert (
        found(browser, desk, q="4711") == found(browser, desk, player="4711") == found(browser, desk, player="Cy")
    )
    assert found(browser, desk, q="4711 jo") == [10]
    with open_ledger(ledger) as kept:
        record = kept.record(kept.tournaments()[0])
    assert [line.name for line in players_view(record, "4711", None)["lines"]] == ["Cy"]
    [group] = (decks_view(record, "4711", None)["lacks"] | decks_view(record, "4711", None)["has"]).values()
    assert [line.name for line in group.lines] == ["Cy"]
