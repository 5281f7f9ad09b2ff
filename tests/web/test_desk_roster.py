"""A roster pasted at the desk: each line is checked, then all players are registered or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk import fields
from tests.web.test_desk_conduct import facts
from tests.web.test_german import GERMAN

from matchledger.commands.registration import LONGEST_ROSTER, MOST_ON_ROSTER
from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.security import LARGEST_COMMAND, LARGEST_FORM
from matchledger.web.settings import Settings


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A tournament with divisions by age. Ann is registered."""
    path = tmp_path / "cup.ledger"
    at_terminal(path)("open", "Cup", "--rulebook", "pokemon-2009")
    at_terminal(path)("register", "Ann", "--born", "1980")
    return path


def check(browser: Browser, desk: str, roster: str, **more: str) -> tuple[int, str]:
    """Paste a roster and let the desk check each line."""
    form = fields(browser.get(f"{desk}/players").text, "register-roster")
    answer = browser.post(f"{desk}/do", data=form | {"roster": roster} | more)
    return answer.status_code, answer.text


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of the form that registers the checked roster."""
    form = next(form for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if 'name="confirmed"' in form)
    return {name: unescape(value) for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', form, re.DOTALL)}


def rows(page: str) -> list[list[str]]:
    """Return the roster's lines on the page: their number, the player, and the result."""
    table = page.split("What follows</th>")[1].split("</table>", maxsplit=1)[0]
    cells = (re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in table.split("<tr")[1:])
    return [[" ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split()) for cell in row] for row in cells]


def problems(page: str) -> list[str]:
    """Return the page's messages about wrong lines."""
    listed = page.split('<div class="warning"><ul>')[1].split("</ul>", maxsplit=1)[0]
    return [unescape(line) for line in re.findall(r"<li>(.*?)</li>", listed)]


def test_pasted_names_are_checked_and_registered(browser: Browser, desk: str, ledger: Path) -> None:
    before = facts(ledger)
    status, shown = check(browser, desk, "Bo\r\n\r\nLee, Cy\r\n  Di  ")
    assert (status, facts(ledger)) == (200, before)
    assert "3 players will be registered" in shown
    assert rows(shown) == [["1", "Bo", "becomes #2"], ["3", "Lee, Cy", "becomes #3"], ["4", "Di", "becomes #4"]]
    done = browser.post(f"{desk}/do", data=hidden(shown)).text
    assert facts(ledger) == [*before, *["player-registered"] * 3]
    assert all(f"{name} registered as number" in done for name in ("Bo", "Lee, Cy", "Di"))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_pasted_spreadsheet_can_be_read(browser: Browser, desk: str, home: str, separator: str) -> None:
    lines = (("Name", "born", "e-mail"), ("Bo", "2003", "bo@example.org"), ("Cy", "1980", ""))
    _, shown = check(browser, desk, "\n".join(separator.join(line) for line in lines))
    assert rows(shown) == [["2", "Bo", "becomes #2 junior"], ["3", "Cy", "becomes #3 masters"]]
    browser.post(f"{desk}/do", data=hidden(shown))
    entry = browser.get(f"/api/tournaments/{home.split('/')[2]}/entries", params={"after": 2}).json()[0]
    assert entry["fact"]["person"]["details"] == {"e-mail": "bo@example.org"}


WRONG = "name,born,division\nBo,soon,\nann,1980,\n,1990,\nCy,1980,junior\nDi,1,2,3\nEd,1980,\ned,,\n"


def test_every_wrong_line_is_shown_at_once_and_none_is_registered(
    browser: Browser, desk: str, ledger: Path
) -> None:
    before = facts(ledger)
    status, shown = check(browser, desk, WRONG)
    assert (status, facts(ledger)) == (400, before)
    assert "6 lines are wrong, so no player was registered." in shown
    said = problems(shown)
    assert shown.count("this is not a whole number") == 1
    assert [line.split(":")[0] for line in said] == [
        "Line 2, Bo",
        "Line 3, ann",
        "Line 4",
        "Line 5, Cy",
        "Line 6, Di",
        "Line 8, ed",
    ]
    assert "ann is registered already: add something to a second player's name to tell them apart" in said[1]
    assert "the name is empty" in said[2]
    assert "more cells than columns" in said[4]
    assert "ed is in line 7 too" in said[5]
    assert "Bo,soon," in shown, "what was pasted is kept"
    assert 'name="confirmed"' not in shown


def test_a_roster_line_may_name_a_division_against_the_year_of_birth(
    browser: Browser, desk: str, ledger: Path
) -> None:
    roster = "name,born,division\nBo,1980,\nCy,1980,junior\n"
    before = facts(ledger)
    status, shown = check(browser, desk, roster)
    assert (status, "give a reason to deviate" in shown) == (422, True)
    status, shown = check(browser, desk, roster, deviating="yes")
    assert (status, facts(ledger)) == (400, before)
    assert "a departure from a rule needs a reason in the log" in shown
    status, shown = check(browser, desk, roster, deviating="yes", reason="asked to")
    assert status == 200
    assert rows(shown) == [
        ["2", "Bo", "becomes #2 masters"],
        ["3", "Cy", "becomes #3 junior , although the year of birth gives another division"],
    ]
    assert browser.post(f"{desk}/do", data=hidden(shown)).status_code == 200
    assert facts(ledger) == [*before, *["player-registered"] * 2]
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        *_, bo, cy = kept.entries(tournament)
    assert [getattr(entry.fact, "deviations", None) for entry in (bo, cy)] == [(), ("PKM-3.1.1-POD",)]
    assert cy.reason == "asked to"


def test_every_wrong_line_is_explained_in_german(browser: Browser, desk: str) -> None:
    browser.headers.update(GERMAN)
    _, shown = check(browser, desk, WRONG)
    assert "6 Zeilen sind falsch. Niemand wurde angemeldet." in shown
    said = problems(shown)
    assert said[1].startswith("Zeile 3, ann: ann ist schon angemeldet")
    assert said[2] == "Zeile 4: der Name ist leer"
    assert said[4] == "Zeile 6, Di: mehr Zellen als Spalten: Setz eine Zelle mit einem Komma in Anführungszeichen"
    assert said[5].startswith("Zeile 8, ed: ed steht schon in Zeile 7")


@pytest.mark.parametrize(
    ("roster", "english", "german"),
    [
        (
            "Bo\nCy, 1990",
            "line 2: this line has more than a name",
            "Zeile 2: diese Zeile enthält mehr als einen Namen",
        ),
        (
            "Bo\tjunior",
            "line 1: this line has more than a name",
            "Zeile 1: diese Zeile enthält mehr als einen Namen",
        ),
        ("name\n", "the roster is empty; no player was registered", "in der Liste steht niemand; niemand wurde"),
        (" \n", "roster: this is missing", "Liste: fehlt"),
        ("name,name\nBo,Cy", "line 1: a column appears twice", "Zeile 1: eine Spalte steht zweimal da"),
        (
            'name,born\n"Bo,1990\nCy,1991',
            "a quotation mark is opened and never closed",
            "Ein Anführungszeichen wird geöffnet und nie geschlossen",
        ),
        (
            "\n".join(map(str, range(MOST_ON_ROSTER + 1))),
            "there are more than 5000 players: send them in parts, or register them",
            "es sind mehr als 5000 Spieler: Schick sie in Teilen, oder melde sie aus einer Datei",
        ),
        (
            "x" * (LONGEST_ROSTER + 1),
            "roster: this is too long: 100000 or less",
            "Liste: ist zu lang: höchstens 100000",
        ),
    ],
)
def test_an_invalid_roster_is_refused_in_one_sentence(
    browser: Browser, desk: str, ledger: Path, roster: str, english: str, german: str
) -> None:
    before = facts(ledger)
    status, shown = check(browser, desk, roster)
    assert status == 400
    assert english in unescape(shown)
    browser.headers.update(GERMAN)
    assert german in unescape(check(browser, desk, roster)[1])
    assert facts(ledger) == before


def test_registered_players_are_skipped_on_request(browser: Browser, desk: str, ledger: Path) -> None:
    before = facts(ledger)
    status, shown = check(browser, desk, "Bo\nANN\nCy", skip_registered="yes")
    assert status == 200
    assert "1 is registered already and is left out" in shown
    assert rows(shown)[1] == ["2", "ANN", "registered already as #1: left out masters"]
    browser.post(f"{desk}/do", data=hidden(shown))
    assert len(facts(ledger)) == len(before) + 2
    status, again = check(browser, desk, "Bo\nANN\nCy", skip_registered="yes")
    assert (status, "no player added: every player of the roster is registered already" in again) == (400, True)


def test_only_the_roster_that_was_checked_is_registered(browser: Browser, desk: str, ledger: Path) -> None:
    """Another desk registers one of the names meanwhile. The desk then checks the roster again and registers
    nobody.
    """
    _, shown = check(browser, desk, "Bo\nCy")
    at_terminal(ledger)("register", "Cy")
    before = facts(ledger)
    answer = browser.post(f"{desk}/do", data=hidden(shown))
    assert (answer.status_code, facts(ledger)) == (409, before)
    assert "the log has changed since you looked" in answer.text
    assert "Line 2, Cy: Cy is registered already" in answer.text


def test_a_form_that_is_sent_twice_registers_once(browser: Browser, desk: str, ledger: Path) -> None:
    _, shown = check(browser, desk, "name,byes\n" + "\n".join(f"Player {at},{at % 2}" for at in range(20)))
    done = [browser.post(f"{desk}/do", data=hidden(shown)) for _ in range(2)]
    assert [answer.status_code for answer in done] == [200, 200]
    assert "3-32 · 20 players registered" in done[0].text
    assert facts(ledger).count("player-registered") == 21


def test_after_round_1_a_roster_registers_nobody(browser: Browser, desk: str, ledger: Path) -> None:
    """A roster that was checked before round 1 was paired comes back with its lines and advice."""
    form = fields(browser.get(f"{desk}/players").text, "register-roster")
    for name in ("Bo", "Cy", "Di"):
        at_terminal(ledger)("register", name, "--born", "1980")
    at_terminal(ledger)("pair")
    assert "register-roster" not in browser.get(f"{desk}/players").text
    answer = browser.post(f"{desk}/do", data=form | {"roster": "Ed\nFay"})
    assert answer.status_code == 422
    assert "line 1: round 1 is paired: enter Ed as a late arrival; no player was registered" in answer.text
    assert "\nEd\nFay</textarea>" in answer.text.replace("\r", "")


def test_each_division_is_listed_once_however_it_was_typed(tmp_path: Path) -> None:
    """Before the fix, the roster's "Masters" and the form's "masters" were two divisions on the desk."""
    path = tmp_path / "cased.ledger"
    at_terminal(path)("open", "Friday", "--rulebook", "pokemon-2026")
    at_terminal(path)("allow-phones", "sign-up", "--role", "organizer")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        home = browser.get("/", follow_redirects=False).headers["location"]
        browser.post(f"{home}sign-up", data={"name": "Di", "division": "Masters"})
        browser.post("/enter", data={"key": KEY})
        desk = f"{home}desk"
        browser.post(f"{desk}/do", data=hidden(check(browser, desk, "name;division\nAnn;Masters\nBo;Senior")[1]))
        for name, division in (("Cy", "masters"), ("Ed", "SENIOR")):
            form = fields(browser.get(f"{desk}/players").text, "register-player")
            browser.post(f"{desk}/do", data=form | {"name": name, "division": division})
        browser.post(f"{desk}/waiting", data={"act": "accept-all"})
        page = browser.get(f"{desk}/players").text
    assert sorted(re.findall(r'href="[^"]*show=division(?:%3A|:)(\w+)', page)) == ["masters", "senior"]
    [choice] = re.findall(r'<select[^>]* name="division".*?</select>', page, re.DOTALL)
    assert re.findall(r'<option value="(\w+)"', choice) == ["junior", "senior", "masters"]
    with open_ledger(path) as opened:
        [record] = map(opened.record, opened.tournaments())
        found = {player.name: player.division for player in record.entered()}
    assert found == {"Ann": "masters", "Bo": "senior", "Cy": "masters", "Ed": "senior", "Di": "masters"}


def test_a_program_can_send_a_roster(browser: Browser, commands: str, ledger: Path) -> None:
    command = {"kind": "register-roster", "roster": "name;born\nBo;1980\nCy;2003"}
    preview = browser.post(commands.replace("commands", "preview"), json=command)
    assert len(preview.json()["consequences"]["facts"]) == 2
    done = browser.post(commands, json=command).json()
    assert [entry["fact"]["division"] for entry in done["entries"]] == ["masters", "junior"]
    before = facts(ledger)
    refused = browser.post(commands, json=command | {"roster": "Di\nBo"})
    assert (refused.status_code, refused.json()["title"]) == (422, "refused-by-the-rules")
    assert refused.json()["detail"].startswith("line 2: Bo is registered already")
    assert facts(ledger) == before


@pytest.mark.parametrize("announced", [True, False])
def test_an_oversized_form_is_not_read_to_the_end(
    browser: Browser, desk: str, commands: str, ledger: Path, announced: bool
) -> None:
    before = facts(ledger)
    largest = {f"{desk}/do": LARGEST_FORM, f"{desk}/verify": LARGEST_FORM, commands: LARGEST_COMMAND}
    browser.headers.update(GERMAN)
    for address, most in largest.items():
        kind = "application/json" if "/api/" in address else "application/x-www-form-urlencoded"
        content = b"x" * (most + 1) if announced else iter([b"x" * 1_000_000] * (most // 1_000_000 + 1))
        answer = browser.post(address, content=content, headers={"content-type": kind})
        assert answer.status_code == 413, address
        assert f"dies sind mehr als {most // 1_000_000} MB: Nichts wurde eingetragen" in answer.text
    assert facts(ledger) == before


def test_a_refused_roster_line_cites_its_rule(browser: Browser, commands: str) -> None:
    refused = browser.post(
        commands, json={"kind": "register-roster", "roster": "name,born,division\nCy,1980,junior"}
    )
    assert refused.json()["rule"] is not None
    assert refused.json()["rule"] in refused.json()["detail"]


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[tuple[Browser, str]]:
    """A desk in a tournament without divisions."""
    path = tmp_path / "marked.ledger"
    at_terminal(path)("open", "Friday", "--rulebook", "l5r-2018")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        yield browser, f"{browser.get('/', follow_redirects=False).headers['location']}desk"


def test_names_on_a_roster_are_never_markup(marked: tuple[Browser, str]) -> None:
    browser, desk = marked
    _, shown = check(browser, desk, '<script>alert(1)</script>\n"><img src=x>')
    assert "<script>alert" not in shown
    assert "<img" not in shown
    assert rows(shown)[1][2] == "becomes #2"
    done = browser.post(f"{desk}/do", data=hidden(shown)).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; registered as number 1" in done
