"""The public pages: what a player finds on a phone, and that private data are left out."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from freezegun import freeze_time
from starlette.testclient import TestClient
from tests.web.conftest import Browser, at_terminal, fresh
from tests.web.names import plain

from matchledger.cli import run
from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.pages.public import _seated
from matchledger.web.settings import Settings

SHEET = """\
rulebook pokemon-2009
event "Sunday Cup"
player "Ann Lee" division=junior born=2016
player "Bo Smit" division=masters born=1990
player "Cy <b>Old" division=masters
player "Żaneta Łoś" division=masters
player "Ed Fox" division=masters
round 1
  "Ann Lee" > "Bo Smit"
  "Cy <b>Old" > "Żaneta Łoś"
  "Ed Fox" bye
round 2
  "Ann Lee" > "Ed Fox"
  "Bo Smit" > "Cy <b>Old"
  "Żaneta Łoś" bye
correct 1 "Bo Smit" > "Ann Lee"
round 3
  "Bo Smit" - "Ed Fox"
  "Ann Lee" - "Żaneta Łoś"
  "Cy <b>Old" bye
"""


MOVES = re.compile(
    r'<td class="place"><b>(\d+).*?</b>(?:<i [^>]*>(.*?)<span.*?)?</td><th scope="row"><a [^>]*>([A-F])</a>'
)


@pytest.fixture
def sunday(tmp_path: Path) -> Path:
    sheet, ledger = tmp_path / "sunday.sheet", tmp_path / "sunday.ledger"
    sheet.write_text(SHEET, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    return ledger


@pytest.fixture
def phone(sunday: Path) -> Iterator[Browser]:
    with TestClient(create_app(str(sunday), Settings(watch_seconds=0.01)), base_url="http://localhost") as client:
        client.headers["accept-language"] = "en"
        client.base_url = client.base_url.join(client.get("/", follow_redirects=False).headers["location"])
        yield client


def words(page: str) -> str:
    """Return the text of a page without its layout."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.finding("C-D18")
def test_players_are_sorted_by_name(phone: Browser) -> None:
    page = phone.get("").text
    names = re.findall(r'<th scope="row"><a [^>]*>([^<]*)</a>', plain(page))
    assert names == ["Cy &lt;b&gt;Old", "Ed Fox", "Ann Lee", "Żaneta Łoś", "Bo Smit"], "by surname"
    wall = phone.get("wall", params={"show": "names"}).text
    bold = re.findall(r'<span class="n">[^<]*<b(?: class="whole")?>([^<]*)</b>', wall)
    assert bold == ["Cy &lt;b&gt;Old", "Fox", "Lee", "Łoś", "Smit"], "the wall shows what it is sorted by"
    by = re.findall(r'data-by="(.*?)"', wall)
    assert by == ["cy &lt;b&gt;old", "fox", "lee", "los", "smit"], "the wall names its pages by surname, too"


@pytest.mark.parametrize("wanted", ["zaneta", "ŁOŚ", "los", "neta l"])
def test_a_name_can_be_found_in_any_spelling(phone: Browser, wanted: str) -> None:
    page = words(phone.get("", params={"q": wanted}).text)
    assert "Żaneta Łoś" in page
    assert "Bo Smit" not in page


def test_an_unknown_name_is_reported(phone: Browser) -> None:
    assert "No player is called \N{LEFT DOUBLE QUOTATION MARK}Zed" in words(phone.get("", params={"q": "Zed"}).text)


def test_a_player_outside_the_round_is_found_too(sunday: Path) -> None:
    at_terminal(sunday)("report", "1", "a", "2", "a")
    at_terminal(sunday)("cut", "2", "--reason", "a short evening")
    at_terminal(sunday)("pair")
    with TestClient(create_app(str(sunday)), base_url="http://localhost") as later:
        page = words(later.get("/").text)
    assert "Final" in page
    assert "Not in this round" in page
    assert "Żaneta Łoś" in page


def test_a_player_sees_the_table_and_the_opponent_and_the_place_and_every_result(phone: Browser) -> None:
    page = words(phone.get("player/1").text)
    assert "Round 3 Table 2 against Żaneta Łoś" in page
    assert "won against Ed Fox Round 2, table 1 opponent now 1\N{EN DASH}1\N{EN DASH}0" in page
    assert "lost against Bo Smit Round 1, table 1 opponent now 2\N{EN DASH}0\N{EN DASH}0" in page
    assert "After round 2 Why this place? Place 3 W\N{EN DASH}L\N{EN DASH}D 1\N{EN DASH}1\N{EN DASH}0 MP 1" in page


def test_a_player_with_a_bye_sees_it(phone: Browser) -> None:
    assert "Round 3 You have the bye" in words(phone.get("player/3").text)


def test_a_name_is_text_and_never_markup(phone: Browser) -> None:
    for address in ("", "tables", "player/3", "player/3/why", "standings", "log", "wall", "match/swiss/1/2"):
        page = phone.get(address).text
        assert "<b>Old" not in page
        assert "Cy &lt;b&gt;Old" in page


@pytest.mark.parametrize("address", ["player/99", "player/99/why", "match/swiss/9/1", "match/swiss/1/9"])
def test_the_page_for_a_missing_address_is_clear(phone: Browser, address: str) -> None:
    answer = phone.get(address)
    assert answer.status_code == 404
    assert "this tournament has nothing with that number" in words(answer.text)
    assert '/event">To the event</a>' in answer.text
    assert re.search(r'class="brand" href="/t/[^"]+/".*Sunday Cup', answer.text), "the event keeps its header"


def test_a_page_explains_a_place(phone: Browser) -> None:
    text = phone.get("player/2/why").text
    page = words(text)
    assert text.count('class="decides"') == 1, "one neighbour below, and the comparison that decided"
    assert "Why is Bo Smit here?" in page
    assert "Place 1 of 5" in page
    assert re.search(r"Neighbours 1 Bo Smit B\.Smi \d ", page), "the table of the neighbours follows the answer"
    assert "PKM-" in page, "the rule is named"


# -- time travel


def test_the_standings_show_both_clocks(phone: Browser) -> None:
    known = phone.get("standings", params={"round": 1, "clock": "as-known"}).text
    corrected = phone.get("standings", params={"round": 1, "clock": "as-corrected"}).text
    assert _points(known)["Ann Lee"] == 1
    assert _points(corrected)["Ann Lee"] == 0
    assert _points(corrected)["Bo Smit"] == 1


def _points(page: str) -> dict[str, int]:
    found = re.findall(
        r'<th scope="row"><a [^>]*>([^<]*)</a>.*?</th>.*?<td class="pts">(\d+)</td>',
        plain(page),
    )
    return {name: int(points) for name, points in found}


def test_a_row_that_a_correction_moved_names_the_entry(phone: Browser) -> None:
    page = phone.get("standings", params={"round": 1, "clock": "as-corrected"}).text
    above, *rows = plain(page).split("<tr")
    [row] = [row for row in rows if "Ann Lee</a>" in row]
    assert row.startswith(' class="moved"')
    assert "was 1" in row
    assert 'class="i' not in row, "the only arrow of a line compares the rounds"
    assert re.search(
        r'Entry <a [^>]*title="[^"]*corrected \(was entry[^>]*>#\d+</a> changed the marked lines.', above
    )
    assert "corrected (was entry" not in row, "the only cause is named once"


def test_a_row_names_its_entry_if_corrections_differ(phone: Browser, sunday: Path) -> None:
    at_terminal(sunday)("correct", "1", "2", "b")
    page = phone.get("standings", params={"round": 1, "clock": "as-corrected"}).text
    moved = [row for row in page.split("<tr") if row.startswith(' class="moved"')]
    assert len({entry for row in moved for entry in re.findall(r">#(\d+)</a>", row)}) == 2
    assert "changed the marked lines" not in page


def test_an_arrow_compares_the_printed_places(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "tied.sheet", tmp_path / "tied.ledger"
    sheet.write_text(
        "rulebook l5r-2018\nplayers A B C D E F\nround 1\n  A > B\n  C > D\n  E > F\n"
        "round 2\n  A > C\n  E > B\n  D > F\nround 3\n  E > A\n  D > B\n  C > F\n",
        "utf-8",
    )
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    with TestClient(create_app(str(ledger), Settings(watch_seconds=0.01)), base_url="http://localhost") as client:
        home = client.get("/", follow_redirects=False).headers["location"]
        pages = [client.get(f"{home}standings", params={"round": round_}).text for round_ in (1, 2, 3)]
    one, two, three = ({row[2]: row[:2] for row in MOVES.findall(plain(page))} for page in pages)
    assert one == dict.fromkeys("ACE", ("1", "")) | dict.fromkeys("BDF", ("4", ""))
    moves = {"A": "", "E": "↓1", "C": "↓2", "D": "", "B": "↓1", "F": "↓2"}
    assert two == {player: (str(place), moves[player]) for place, player in enumerate("AECDBF", 1)}
    assert three["E"] == ("1", "↑1")
    assert three["A"] == ("2", "↓1")


@pytest.mark.parametrize(("language", "lot", "place"), [("en", "Lot", "place"), ("de", "Los", "Platz")])
def test_the_order_of_a_lot_is_called_a_lot(tmp_path: Path, language: str, lot: str, place: str) -> None:
    sheet, ledger = tmp_path / "tied.sheet", tmp_path / "tied.ledger"
    sheet.write_text("rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\n", "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    at_terminal(ledger)("tie", "C", "A")
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as client:
        client.headers["accept-language"] = language
        home = client.get("/", follow_redirects=False).headers["location"]
        standings, player, why = (
            client.get(home + page).text for page in ("standings", "player/1", "player/1/why")
        )
    assert f">{lot}</abbr></th>" in standings
    assert f"<dt>{lot}</dt><dd>{place} 2</dd>" in player
    assert f'<th scope="row">{lot}</th>' in why


def test_the_standings_before_round_1_ended_lead_back_to_now(phone: Browser) -> None:
    page = words(phone.get("standings", params={"entry": 3}).text)
    assert "No round had ended at entry 3." in page
    assert "No round has ended yet" not in page


def test_the_slider_reaches_every_entry(phone: Browser) -> None:
    last = int(re.findall(r'max="(\d+)"', phone.get("standings").text)[0])
    pages = {position: phone.get("standings", params={"entry": position}) for position in range(1, last + 1)}
    assert {answer.status_code for answer in pages.values()} == {200}
    assert "corrected (was entry" in "".join(answer.text for answer in pages.values())
    assert phone.get("standings", params={"entry": last + 1}).status_code == 404


# -- the log


def test_words_find_entries_in_the_log(phone: Browser) -> None:
    page = words(phone.get("log", params={"q": "corrected smit"}).text)
    assert "1 entry found." in page
    assert "Bo Smit beat Ann Lee" in page


def test_a_match_has_its_own_history(phone: Browser) -> None:
    page = words(phone.get("match/swiss/1/1").text)
    assert "paired: Ann Lee against Bo Smit" in page
    assert "Ann Lee beat Bo Smit no longer counts replaced by entry" in page


# -- what is private


def test_every_page_shows_juniors_as_initials(sunday: Path) -> None:
    settings = Settings(initials=("junior",))
    with TestClient(create_app(str(sunday), settings), base_url="http://localhost") as client:
        home = client.get("/", follow_redirects=False).headers["location"]
        for address in (
            "",
            "tables",
            "player/1",
            "player/2",
            "player/1/why",
            "player/2/why",
            "standings",
            "standings?round=1",
            "standings?entry=20",
            "log",
            "match/swiss/1/1",
            "wall",
            "wall?show=tables",
            "wall?show=standings",
        ):
            page = client.get(home + address).text
            assert "Ann" not in page, address
            assert "lee" not in page.casefold(), address
        assert "A. L. #1" in client.get(home).text


def test_no_page_shows_a_year_of_birth(phone: Browser) -> None:
    for address in ("", "player/1", "player/1/why", "standings", "log", "match/swiss/1/1"):
        page = phone.get(address).text
        assert "2016" not in words(page)
        assert "1990" not in words(page)


# -- the wall


def test_the_wall_shows_every_line_once_over_several_screens(phone: Browser) -> None:
    whole = _lines(phone.get("wall").text)
    parts = [_lines(phone.get("wall", params={"part": part, "of": 2}).text) for part in (1, 2)]
    assert len(whole) == 5
    assert parts[0] + parts[1] == whole


def test_the_wall_shows_small_brackets_together_and_explains_the_letters_of_divisions(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "regional.sheet", tmp_path / "regional.ledger"
    six = "".join(f"player M{number} division=masters\n" for number in range(6))
    played = "".join(f"  M{number} > M{number + 1}\n" for number in range(0, 6, 2))
    text = DIVISIONS.replace("round 1\n", f"{six}round 1\n{played}").replace("masters=2", "masters=4")
    text = text.replace("cut ", "draw Ann Cy M0 M2 M4\ndraw Bo Di M1 M3 M5\ncut ")
    sheet.write_text(text, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    at_terminal(ledger)("pair")
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as hall:
        home = hall.get("/").url
        brackets, pairings = hall.get(f"{home}wall?show=bracket").text, hall.get(f"{home}wall?show=names").text
    assert brackets.count('<section class="screen bracket several"') == 1
    assert re.findall(r'<span class="whose">(\w+)</span>', brackets) == ["Junior", "Masters"]
    assert "J Junior · M Masters" in words(pairings)


def test_the_wall_lists_byes_after_the_tables_of_the_round(phone: Browser) -> None:
    seated = _lines(phone.get("wall", params={"show": "tables"}).text)
    assert (seated[:-1], seated[-1]) == (["Bo Smit", "Ed Fox", "Ann Lee", "Żaneta Łoś"], "Cy &lt;b&gt;Old")


def _lines(page: str) -> list[str]:
    return re.findall(r"<span class=\"n\">(.*?)(?: <small>|</span>)", plain(page))


def test_the_wall_shows_a_code_for_phones(sunday: Path) -> None:
    settings = Settings(address="http://192.168.1.7:8080/")
    with TestClient(create_app(str(sunday), settings), base_url="http://localhost") as client:
        page = client.get(client.get("/", follow_redirects=False).headers["location"] + "wall").text
    assert "<title>http://192.168.1.7:8080/</title>" in page


def test_the_wall_has_no_code_without_a_reachable_address(phone: Browser) -> None:
    assert "<figure" not in phone.get("wall").text


# -- the clock


def test_every_screen_says_when_time_is_called_and_which_tables_have_more_time(sunday: Path) -> None:
    with freeze_time("2026-05-03 10:00:00", tick=False):
        at_terminal(sunday)("start", "--minutes", "30")
        at_terminal(sunday)("extend", "1", "5", "--reason", "Bo Smit felt faint")
    with TestClient(create_app(str(sunday)), base_url="http://localhost") as client:
        home = client.get("/", follow_redirects=False).headers["location"]

        def ends(address: str) -> list[str]:
            return re.findall(r'data-ends="2026-05-03T10:([^:]*):', client.get(home + address).text)

        assert [ends(address) for address in ("", "wall", "wall?show=tables")] == [["30", "35"]] * 3
        players = [ends(f"player/{number}") for number in range(1, 6)]
        assert sorted(players) == [["30"]] * 3 + [["35"]] * 2, "a player sees the time of no other table"
        assert "Bo Smit felt faint" not in client.get(home + "log").text


def test_a_stopped_clock_shows_the_remaining_time(sunday: Path) -> None:
    with freeze_time("2026-05-03 10:00:00", tick=False) as time:
        at_terminal(sunday)("start", "--minutes", "30")
        time.tick(600)
        at_terminal(sunday)("pause")
    with TestClient(create_app(str(sunday)), base_url="http://localhost") as client:
        page = client.get(client.get("/", follow_redirects=False).headers["location"]).text
    assert 'data-left="1200"' in page
    assert "Time left, stopped 20:00" in words(page)


def test_before_its_start_a_clock_shows_the_length(browser: Browser, home: str) -> None:
    assert "Time, not started 65:00" in words(browser.get(home).text)


def test_a_round_without_a_limit_has_no_clock(phone: Browser) -> None:
    assert 'class="hand"' not in phone.get("").text


# -- keeping pages


@pytest.mark.parametrize("address", ["", "tables", "player/1", "standings", "log", "wall"])
def test_an_unchanged_page_is_not_sent_again(phone: Browser, address: str) -> None:
    first = phone.get(address)
    assert phone.get(address, headers={"if-none-match": first.headers["etag"]}).status_code == 304


def test_german_pages_are_completely_german(phone: Browser) -> None:
    page = words(phone.get("player/1", headers={"accept-language": "de"}).text)
    assert "Tisch 2 gegen Żaneta Łoś" in page
    assert "Runde 1, Tisch 1 Gegner jetzt" in page


def test_a_german_page_has_decimal_commas_and_a_file_has_points(phone: Browser) -> None:
    """Before the fix, a German page showed 66.67."""
    german = phone.get("standings", headers={"accept-language": "de"}).text
    shares = re.findall(r'class="tb">(\d+),(\d\d)<', german)
    assert shares
    assert re.findall(r'class="tb">(\d+)\.(\d\d)<', phone.get("standings").text) == shares
    assert not re.search(r'class="tb">\d+\.', german)


DIVISIONS = """\
rulebook pokemon-2009
event "Regional"
player Ann division=junior
player Bo division=junior
player Cy division=masters
player Di division=masters
round 1
  Ann > Bo
  Cy > Di
cut junior=2 masters=2
"""


def test_each_division_has_its_tables(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "regional.sheet", tmp_path / "regional.ledger"
    sheet.write_text(DIVISIONS, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    at_terminal(ledger)("pair")
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as hall:
        page = hall.get(f"{hall.get('/').url}tables").text
    _, junior, masters = page.split('<h2 class="division"')
    assert "Junior <small>1 table is still playing." in junior
    assert "Masters <small>" in masters
    assert 'class="tag div"' not in page, "the heading names the division"


def test_the_tables_have_the_divisions_in_the_order_of_the_standings(tmp_path: Path) -> None:
    ledger = tmp_path / "regional.ledger"
    command = at_terminal(ledger)
    command("open", "Regional", "-b", "pokemon-2009", "-p", "POL-PKM-DIVISIONS=separated")
    for name, division in (("Ann", "masters"), ("Bo", "masters"), ("Cy", "senior"), ("Di", "senior")):
        command("register", name, "--division", division)
    command("pair")
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as hall:
        page = hall.get(f"{hall.get('/').url}tables").text
    assert re.findall(r'<h2 class="division"[^>]*>(\w+)', page) == ["Senior", "Masters"]


def test_tables_where_divisions_meet_name_the_division_of_each_player(phone: Browser) -> None:
    page = phone.get("tables").text
    assert 'class="division"' not in page
    assert re.search(r'Ann <b>Lee</b></a> <span class="tag div">J</span>', page)


def test_each_division_has_its_bracket(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "regional.sheet", tmp_path / "regional.ledger"
    sheet.write_text(DIVISIONS, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    at_terminal(ledger)("pair")
    at_terminal(ledger)("report", "1", "b")
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as hall:
        page = hall.get(f"{hall.get('/').url}bracket").text
    assert re.findall(r'<h2 class="division">(\w+)</h2>', page) == ["Junior", "Masters"]
    assert "Winner: Bo" in words(page)
    assert len(set(re.findall(r'id="([^"]+)"', page))) == len(re.findall(r'id="([^"]+)"', page))


def test_a_phone_in_german_shows_no_english(sunday: Path) -> None:
    at_terminal(sunday)("report", "1", "a", "2", "a")
    with TestClient(create_app(str(sunday)), base_url="http://localhost") as phone:
        phone.headers["accept-language"] = "de"
        home = str(phone.get("/").url)
        log, why = (words(phone.get(home + page).text) for page in ("log", "player/2/why"))
        match = words(phone.get(home + "match/swiss/1/1").text)
        refused = words(phone.get(home + "standings?entry=999").text)
    assert "Tisch 1: Bo Smit schlug Ed Fox" in log
    assert "Runde 3 gepaart von Hand, 2 Tische, Freilos: Cy" in log
    assert "Ann Lee angemeldet als Nummer 1" in log
    assert "berichtigt (war Eintrag" in match
    assert "es gibt keinen Eintrag 999" in refused
    assert "gepaart: Ann Lee gegen Bo Smit" in match
    english = {"against", "round", "table", "registered", "beat", "entry", "floor", "missed", "opponent", "won"}
    for page in (log, why, match, refused):
        assert english & set(re.findall(r"[a-z]+", page.lower())) == set()


@pytest.mark.parametrize(
    "page",
    [
        *("", "?q=ann", "tables", "player/1", "player/1/why", "standings", "standings?entry=9"),
        *("standings?round=2&clock=as-known", "bracket", "log", "log?q=ann", "match/swiss/1/1", "wall"),
    ],
)
def test_an_unchanged_public_page_is_not_sent_again_and_no_page_contains_a_script(
    phone: Browser, page: str
) -> None:
    first = phone.get(page)
    again = phone.get(page, headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    policy = again.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert re.findall(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", first.text) == []


def test_a_new_player_before_round_1_is_on_the_cached_page(tmp_path: Path) -> None:
    ledger = tmp_path / "friday.ledger"
    terminal = at_terminal(ledger)
    terminal("open", "Friday", "--rulebook", "l5r-2018")
    with TestClient(create_app(str(ledger), Settings(watch_seconds=0.01)), base_url="http://localhost") as client:
        home = client.get("/", follow_redirects=False).headers["location"]
        for name in ("Ann Lee", "Bo Smit"):
            terminal("register", name)
            deadline = time.monotonic() + 10
            # Wait until the server notices the entries that the other process recorded.
            while name not in plain(client.get(home).text):
                assert time.monotonic() < deadline, f"{name} is not on the page"


@pytest.mark.parametrize(
    ("page", "command", "text"),
    [
        ("", ("rename", "Bo", "Robert", "--reason", "misread"), "Robert"),
        ("wall?show=names", ("rename", "Bo", "Robert", "--reason", "misread"), "Robert"),
        ("", ("news", "Pizza is here", "--role", "organizer"), "Pizza is here"),
        ("wall?show=names", ("describe", "--name", "Saturday", "--role", "organizer"), "Saturday"),
    ],
)
def test_a_page_of_pairings_follows_every_entry_that_changes_it(
    browser: Browser, home: str, ledger: Path, page: str, command: tuple[str, ...], text: str
) -> None:
    """Before the fix, the page kept the old name and the old news until the next round."""
    at_terminal(ledger)("news", "Lunch is here", "--role", "organizer")
    assert text not in fresh(browser, f"{home}{page}", home)
    at_terminal(ledger)(*command)
    assert text in fresh(browser, f"{home}{page}", home)


def test_slips_do_not_change_the_version_of_the_pairings(ledger: Path) -> None:
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        before = _seated(kept.record(tournament))
        at_terminal(ledger)("report", "1", "a")
        assert _seated(kept.record(tournament)) == before


def test_the_file_of_the_standings_is_the_table_of_the_terminal(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the fix, the file counted the slips of the round in play, and ranked players who are tied."""
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal("pair")
    terminal("report", "1", "b")
    capsys.readouterr()
    terminal("standings", "--csv")
    assert fresh(browser, f"{home}standings.csv", home).splitlines() == capsys.readouterr().out.splitlines()
