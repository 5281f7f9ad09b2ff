"""While a result is contested, no page shows a green light: each page says that the result is being settled."""

from __future__ import annotations

import csv
import re
import time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pypdfium2
import pytest
from tests.web.conftest import KEY, Browser, friday

from matchledger.cli import run
from matchledger.ledger import open_ledger

SETTLED = "1 result is being settled."


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Round 1 is reported, and a second slip of table 1 says the opposite."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "pokemon-2009")
    terminal("announce", "--rounds", "2", "--cut", "2", "--role", "organizer", "--reason", "small")
    terminal("pair", "--reason", "small")
    terminal("report", "1", "a", "2", "a")
    _contest(path)
    return path


def test_the_wall_keeps_the_tables_while_a_result_is_contested(browser: Browser, home: str, ledger: Path) -> None:
    wall = browser.get(f"{home}wall").text
    assert 'class="screen names"' in wall
    assert 'class="screen standings"' not in wall
    assert SETTLED in _words(wall)
    assert "Every table has reported." not in wall
    _settle(browser, home, ledger)
    wall = browser.get(f"{home}wall").text
    assert 'class="screen standings' in wall
    assert SETTLED not in _words(wall)
    assert "Every table has reported." in wall


def test_a_contested_result_is_not_recorded_on_the_phone_and_has_no_check_at_the_desk(
    browser: Browser, home: str, ledger: Path
) -> None:
    for player in range(1, 5):
        shown = _words(browser.get(f"{home}player/{player}").text)
        assert ("Your result is being settled." in shown) is not ("Recorded:" in shown)
    browser.post("/enter", data={"key": KEY})
    assert browser.get(f"{home}desk/corrections").text.count('title="won"') == 1
    _settle(browser, home, ledger)
    assert browser.get(f"{home}desk/corrections").text.count('title="won"') == 2
    assert all("Recorded:" in _words(browser.get(f"{home}player/{player}").text) for player in range(1, 5))


def test_the_standings_are_provisional_while_a_result_is_contested(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marked = f"Provisional: {SETTLED}"
    for face in ("standings", "widget", "event"):
        assert marked in _words(browser.get(home + face).text), face
    assert SETTLED in _words(browser.get(f"{home}wall?show=standings").text)
    page = browser.get(f"{_api(home)}standings").json()
    assert page["unsettled"] == {"missing": [], "contested": [{"round": 1, "table": 1}]}
    assert run(["standings", "--ledger", str(ledger)]) == 0
    assert "PROVISIONAL: contested result of table 1." in capsys.readouterr().out
    execute(browser, home, ledger, "post --reason small")
    for language, words in (("en", marked), ("de", "Vorläufig: 1 Ergebnis wird noch geklärt.")):
        for sheet in ("standings", "places"):
            paper = ledger.with_name(f"{sheet}-{language}.pdf")
            printing = ["print", sheet, "--language", language, "--out", str(paper)]
            assert run([*printing, "--ledger", str(ledger)]) == 0
            text = "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(paper))
            assert words in text, (sheet, language)
    execute(browser, home, ledger, "retract 10 --yes")
    for face in ("standings", "widget", "event"):
        assert "Provisional" not in _words(browser.get(home + face).text), face


def test_the_tables_mark_a_contested_and_a_corrected_result(browser: Browser, home: str, ledger: Path) -> None:
    rows = _words(browser.get(f"{home}tables").text).split("Players")[-1]
    assert rows.count("being settled") == 1
    assert browser.get(f"{home}wall?show=tables").text.count('<span class="unseen"> won</span>') == 1
    assert _winners(browser.get(f"{home}tables").text) == 1
    _settle(browser, home, ledger)
    assert browser.get(f"{home}wall?show=tables").text.count('<span class="unseen"> won</span>') == 2
    assert _winners(browser.get(f"{home}tables").text) == 2
    assert "being settled" not in _words(browser.get(f"{home}tables").text)
    assert 'class="tag contested"' not in browser.get(f"{home}tables/swiss/1").text
    execute(browser, home, ledger, "correct 1 2 b --reason misread")
    page = browser.get(f"{home}tables/swiss/1").text
    assert re.findall(r'<a class="tag contested" href="[^"]*match/swiss/1/(\d+)">Correction</a>', page) == ["2"]
    execute(browser, home, ledger, "retract 12 --yes")
    assert 'class="tag contested"' not in browser.get(f"{home}tables/swiss/1").text


def test_the_standings_are_provisional_while_an_earlier_round_has_an_open_table(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _settle(browser, home, ledger)
    execute(browser, home, ledger, "pair --reason small", "report 1 a 2 a", "retract 9 --yes")
    marked = "Provisional: 1 table is still to come."
    for face in ("standings", "widget", "event"):
        assert marked in _words(browser.get(home + face).text), face
    assert 'class="screen names"' in browser.get(f"{home}wall").text
    assert run(["standings", "--ledger", str(ledger)]) == 0
    assert "PROVISIONAL: no result from table 2 of round 1." in capsys.readouterr().out


def test_no_place_is_certain_while_a_result_is_contested(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _settle(browser, home, ledger)
    execute(browser, home, ledger, "pair --reason small", "report 1 a 2 a")
    table = f"{home}crosstable"
    assert "out of the race" in _words(browser.get(table).text)
    known = browser.get(f"{_api(home)}standings").json()["position"]
    _contest(ledger)
    _wait(browser, home, known + 1)
    assert "out of the race" not in _words(browser.get(table).text)
    assert f"Provisional: {SETTLED}" in _words(browser.get(table).text)
    capsys.readouterr()
    assert run(["clinch", "--ledger", str(ledger)]) == 2
    said = capsys.readouterr()
    assert "no place is certain while a result is contested: first settle table 1 of round 2" in said.err
    assert not said.out
    _settle(browser, home, ledger)
    assert "out of the race" in _words(browser.get(table).text)
    assert "Provisional" not in _words(browser.get(table).text)
    assert run(["clinch", "--ledger", str(ledger)]) == 0


def test_the_slips_page_says_what_is_to_settle(browser: Browser, desk: str) -> None:
    page = _words(browser.get(desk).text)
    assert "Round 1, table 1: two slips differ" in page
    assert browser.get(f"{desk}/state").json()["contested_tables"] == 1


@pytest.mark.parametrize("by", ["a slip", "a call"])
def test_nobody_is_crowned_while_the_final_is_contested(
    browser: Browser, home: str, ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], by: str
) -> None:
    _settle(browser, home, ledger)
    rounds = ("pair --reason small", "report 1 a 2 a", "post", "cut --reason small", "pair", "report 1 a")
    execute(browser, home, ledger, *rounds)
    assert "Champion" in browser.get(f"{home}overlay").text
    wall = browser.get(f"{home}wall").text
    subtitle = wall.split('<p id="subtitle" class="wall-title" data-live>')[1].split("</p>")[0]
    assert subtitle == "Friday · 4 players", "an open wall gets the subtitle of the end"
    assert "Find your table" not in wall
    known = _contest_the_final(browser, home, ledger, by)
    for face in ("", "podium"):
        assert f"Final: {SETTLED}" in _words(browser.get(home + face).text), face
    for face in ("", "podium", "overlay", "event", "standings", "widget", "crosstable"):
        assert "Champion" not in browser.get(home + face).text, face
    for face in ("wall", "bracket"):
        assert "crown won" not in browser.get(home + face).text, face
    found = browser.get(f"{_api(home)}places").json()
    assert not any(place["decided"] and place["first"] == 1 for place in found["places"])
    capsys.readouterr()
    for crowned in (False, True):
        assert run(["places", "--ledger", str(ledger)]) == 0
        assert ("1?" not in capsys.readouterr().out) is crowned
        paper = tmp_path / f"{crowned}.pdf"
        assert run(["print", "places", "--out", str(paper), "--ledger", str(ledger)]) == 0
        text = "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(paper))
        assert ("Champion" in text) is crowned
        if not crowned and by == "a call":
            assert run(["answer", str(known + 1), "--ledger", str(ledger)]) == 0
            _wait(browser, home, known + 2)
        elif not crowned:
            _settle(browser, home, ledger)
    for face in ("", "podium", "overlay", "event", "standings", "widget", "crosstable"):
        assert "Champion" in browser.get(home + face).text, face


@pytest.mark.parametrize("by", ["a slip", "a call"])
def test_no_bracket_shows_the_winner_of_a_contested_game(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str], by: str
) -> None:
    _settle(browser, home, ledger)
    rounds = ("pair --reason small", "report 1 a 2 a", "post", "cut --reason small", "pair", "report 1 a")
    execute(browser, home, ledger, *rounds)
    faces = ("wall?show=bracket", "bracket", "overlay", "tables", "match/elimination/1/1")
    pages = [f"{home}{face}" for face in faces]
    assert {_winners(browser.get(page).text) for page in pages} == {1}
    known = _contest_the_final(browser, home, ledger, by)
    for page in pages:
        assert _winners(browser.get(page).text) == 0, page
        assert "being settled" in _words(browser.get(page).text), page
    drawn = browser.get(f"{_api(home)}bracket").json()
    assert drawn["contested"] == [{"round": 1, "table": 1}]
    assert drawn["rounds"][-1]["games"][0]["winner"] is None
    assert "Provisional: 1 result is being settled." in _told("bracket", ledger, capsys)
    if by == "a call":
        assert run(["answer", str(known + 1), "--ledger", str(ledger)]) == 0
        _wait(browser, home, known + 2)
    else:
        _settle(browser, home, ledger)
    assert {_winners(browser.get(page).text) for page in pages} == {1}
    assert "Provisional" not in _told("bracket", ledger, capsys)


def test_a_contested_swiss_result_marks_the_event_but_not_the_winner_of_the_final(
    browser: Browser, home: str, ledger: Path
) -> None:
    _settle(browser, home, ledger)
    rounds = ("pair --reason small", "report 1 a 2 a", "post", "cut --reason small", "pair", "report 1 a")
    execute(browser, home, ledger, *rounds)
    execute(browser, home, ledger, "call Ann --round 2 --claim other")
    known = browser.get(f"{_api(home)}standings").json()["position"]
    assert run(["close", "--role", "organizer", "--reason", "late", "--yes", "--ledger", str(ledger)]) == 0
    _wait(browser, home, known + 1)
    mark = "Closed with 1 contested result."
    for face in ("standings", "event"):
        assert mark in _words(browser.get(home + face).text), face
    for face in ("podium", "bracket", "overlay", "wall?show=podium", "match/elimination/1/1"):
        assert mark not in _words(browser.get(home + face).text), face


def test_a_champion_of_an_event_that_closed_over_a_contested_final_is_marked(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _settle(browser, home, ledger)
    rounds = ("pair --reason small", "report 1 a 2 a", "post", "cut --reason small", "pair", "report 1 a")
    execute(browser, home, ledger, *rounds)
    _contest(ledger)
    known = browser.get(f"{_api(home)}standings").json()["position"]
    assert run(["close", "--role", "organizer", "--reason", "late", "--yes", "--ledger", str(ledger)]) == 0
    _wait(browser, home, known + 1)
    mark = "Closed with 1 contested result."
    faces = ("", "podium", "bracket", "wall", "overlay", "event", "standings", "widget", "crosstable")
    [champion] = {place["player"] for place in browser.get(f"{_api(home)}places").json()["places"][:1]}
    with open_ledger(ledger) as opened:
        [record] = map(opened.record, opened.tournaments())
        [number] = [one.number for one in record.players.values() if one.name == champion]
    crowned = (*faces, "match/elimination/1/1", f"player/{number}")
    for face in crowned:
        assert mark in _words(browser.get(home + face).text), face
    assert {row["Provisional"] for row in _rows(browser.get(f"{home}places.csv").text)} == {mark}
    assert browser.get(f"{_api(home)}places").json()["contested_at_close"] == 1
    capsys.readouterr()
    assert run(["places", "--ledger", str(ledger)]) == 0
    assert mark in capsys.readouterr().out
    paper = ledger.with_name("places.pdf")
    assert run(["print", "places", "--out", str(paper), "--ledger", str(ledger)]) == 0
    assert mark in "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(paper))
    at_close = browser.get(f"{_api(home)}standings").json()["position"]
    execute(browser, home, ledger, f"retract {at_close} --role organizer --reason again --yes")
    for face in crowned:
        assert mark not in _words(browser.get(home + face).text), face
    assert f"Final: {SETTLED}" in _words(browser.get(home).text)


def test_the_files_say_which_results_they_wait_for(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marked = f"Provisional: {SETTLED}"
    standings = _rows(browser.get(f"{home}standings.csv").text)
    assert list(standings[0])[-2:] == ["Status", "Provisional"]
    assert {row["Provisional"] for row in standings} == {marked}
    assert {row["Provisional"] for row in _rows(browser.get(f"{home}places.csv").text)} == {marked}
    for command in ("standings", "places"):
        capsys.readouterr()
        assert run([command, "--csv", "--ledger", str(ledger)]) == 0
        assert {row["Provisional"] for row in _rows(capsys.readouterr().out)} == {marked}, command
    _settle(browser, home, ledger)
    assert list(_rows(browser.get(f"{home}standings.csv").text)[0])[-1] == "Status"
    assert list(_rows(browser.get(f"{home}places.csv").text)[0])[-1] == "Champion"


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize("played", [False, True], ids=["before the final", "after it"])
def test_the_pages_say_that_nobody_won(browser: Browser, home: str, ledger: Path, played: bool) -> None:
    _settle(browser, home, ledger)
    rounds = ("pair --reason small", "report 1 a 2 a", "post", "cut --reason small", "pair")
    execute(browser, home, ledger, *rounds, *(["report 1 a"] if played else []))
    for face in ("podium", "bracket"):
        assert "No champion" not in _words(browser.get(home + face).text), face
    finalists = [line["player"] for line in browser.get(f"{_api(home)}places").json()["places"][:2]]
    execute(browser, home, ledger, *(f"disqualify {name} --role marshal --reason x --yes" for name in finalists))
    known = browser.get(f"{_api(home)}standings").json()["position"]
    closing = ["close", "--role", "organizer", "--reason", "nobody", "--yes"]
    assert run([*closing, "--ledger", str(ledger)]) == 0
    _wait(browser, home, known + 1)
    for face in ("", "podium", "bracket", "wall", "standings", "event"):
        page = _words(browser.get(home + face).text)
        assert "No champion: nobody can win." in page, face
        assert "Not decided yet." not in page, face


def test_the_podium_says_that_a_finalist_was_disqualified(browser: Browser, home: str, ledger: Path) -> None:
    _settle(browser, home, ledger)
    execute(browser, home, ledger, "pair --reason small", "report 1 a 2 a", "post", "cut --reason small", "pair")
    second = browser.get(f"{_api(home)}places").json()["places"][1]["player"]
    execute(browser, home, ledger, f"disqualify {second} --role marshal --reason x --yes")
    known = browser.get(f"{_api(home)}standings").json()["position"]
    for command in (
        "close --role organizer --reason x --yes",
        f"retract {known + 1} --role organizer --reason x --yes",
    ):
        for face in ("podium", "wall"):
            page = _words(browser.get(home + face).text)
            assert f"champion after the disqualification of {second}" in page, (face, command)
            assert "won the final against" not in page, (face, command)
        assert run([*command.split(), "--ledger", str(ledger)]) == 0
        known += 1
        _wait(browser, home, known)


def _contest(path: Path) -> None:
    assert run(["report", "1", "b", "--ledger", str(path)]) != 0


def _contest_the_final(browser: Browser, home: str, ledger: Path, by: str) -> int:
    """Contest the result of the final by a slip or a call, and return the length of the log before it."""
    known: int = browser.get(f"{_api(home)}standings").json()["position"]
    if by == "a call":
        second = browser.get(f"{_api(home)}places").json()["places"][1]["player"]
        execute(browser, home, ledger, f"call {second} --elimination --round 1 --claim won")
    else:
        _contest(ledger)
    _wait(browser, home, known + 1)
    return known


def _settle(browser: Browser, home: str, path: Path) -> None:
    """Take the last entry, the contradicting slip, back."""
    position = browser.get(f"{_api(home)}standings").json()["position"]
    execute(browser, home, path, f"retract {position} --yes")


def execute(browser: Browser, home: str, path: Path, *commands: str) -> None:
    """Execute commands as another process, and wait until the server has read their entries."""
    said = StringIO()
    with redirect_stdout(said):
        for words in commands:
            assert run([*words.split(), "--ledger", str(path)]) == 0, words
    _wait(browser, home, max(map(int, re.findall(r"[Ee]ntry (\d+)", said.getvalue()))))


def _wait(browser: Browser, home: str, position: int) -> None:
    end = time.monotonic() + 10
    while browser.get(f"{_api(home)}standings").json()["position"] < position:
        assert time.monotonic() < end
        time.sleep(0.01)


def _api(home: str) -> str:
    return f"/api{home.replace('/t/', '/tournaments/')}"


def _words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def _winners(page: str) -> int:
    """Count the players whom a page about matches shows as winners."""
    return len(re.findall(r'<(?:p class="side|li class="|div class=")[^"]*\bwon\b[^"]*">', page))


def _told(command: str, ledger: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert run([command, "--ledger", str(ledger)]) == 0
    return capsys.readouterr().out
