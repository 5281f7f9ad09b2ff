"""Public pages besides pairings: places of many players, the crosstable, and pages for other sites."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from starlette.testclient import TestClient
from tests.benchmarks.events import TOURNAMENT, Played
from tests.web.conftest import KEY, Browser, at_terminal, fresh
from tests.web.names import plain

from matchledger.cli import run
from matchledger.service.redaction import Discretion
from matchledger.web.app import create_app
from matchledger.web.public import pages
from matchledger.web.public.hall import Hall
from matchledger.web.public.links import ServerLinks
from matchledger.web.public.pages import Face
from matchledger.web.settings import Settings

LARGE, ROUNDS = 300, 9
MOST = 100_000  # the most bytes of a page

TWO_FINALS = """\
rulebook pokemon-2009
event Regional
player Ann division=junior
player Bo division=junior
player Cy division=masters
player Di division=masters
round 1
  Ann > Bo
  Cy > Di
cut junior=2 masters=2
elimination 1
  Ann > Bo
  Cy > Di
"""


@pytest.fixture(scope="module")
def regional() -> Hall:
    """300 players after nine rounds."""
    played = Played("pokemon-2009", LARGE, keep=True)
    played.play(ROUNDS)
    return Hall(played.record, lambda: played.entries, Discretion.about([]))


@pytest.fixture
def face() -> Face:
    return Face("en", ServerLinks(TOURNAMENT))


def test_the_standings_page_for_three_hundred_players_has_at_most_a_hundred_kilobytes(
    regional: Hall, face: Face
) -> None:
    page = pages.standings_page(face, regional)
    assert page.count('<th scope="row">') == LARGE
    assert len(page.encode()) < MOST


def test_the_crosstable_of_three_hundred_players_is_small_and_names_opponents_by_line(
    regional: Hall, face: Face
) -> None:
    page = pages.crosstable_page(face, regional)
    assert len(page.encode()) < MOST
    winner = next(row for row in regional.rows.values() if row.rank == 1)
    numbers = {row.player: number for one in regional.ranked for number, row in enumerate(one.rows, 1)}
    met = [numbers[other] for other in regional.standings.table.opponents[winner.player]]
    assert "".join(f"<td class=W>W{number}" for number in met) in page


CUT_OF_TWO = """\
rulebook pokemon-2009
event "Friday"
players "Eva Lee" Bo Cy Di Ed Flo Gus Hal
round 1
  "Eva Lee" > Bo
  Cy > Di
  Ed > Flo
  Gus > Hal
round 2
  "Eva Lee" > Cy
  Ed > Gus
  Bo > Di
  Flo > Hal
"""


@pytest.fixture
def friday(tmp_path: Path) -> Iterator[Browser]:
    """Eight players after two of three rounds. Two of the players make the cut."""
    sheet, path = tmp_path / "friday.sheet", tmp_path / "friday.ledger"
    sheet.write_text(CUT_OF_TWO, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(path)]) == 0
    at_terminal(path)("announce", "--rounds", "3", "--cut", "2", "--reason", "a short evening")
    settings = Settings(watch_seconds=0.01, key=KEY, initials=("all",))
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as client:
        client.base_url = client.base_url.join(client.get("/", follow_redirects=False).headers["location"])
        yield client


def fates_in(page: str) -> list[tuple[str, str]]:
    """The fate and the points of each line of a crosstable."""
    return re.findall(r'</a>(?: <small>([\w ]+)</small>)?</th>.*<td class="pts">(\d)</td><td', page)


def test_the_crosstable_says_who_can_no_longer_reach_the_cut(friday: Browser) -> None:
    page = friday.get("crosstable").text
    lines = fates_in(page)
    assert lines == [("", "2"), ("", "2"), *[("", "1")] * 4, *[("out of the race", "0")] * 2]
    assert page.index("E. #5") < page.index("Top 2") < page.index("G. #7"), "a line is below the places of the cut"


def test_the_crosstable_follows_a_correction_and_no_round_in_progress(friday: Browser, tmp_path: Path) -> None:
    """Cy lost the match after all: Di has a point, and Cy is out of the race in Di's place."""
    terminal = at_terminal(tmp_path / "friday.ledger")
    before = friday.get("crosstable").text.replace("</b>", "")
    assert re.search(r"D\. #4</a> <small>out of the race", before)
    terminal("correct", "1", "2", "b", "--yes", "--reason", "the slip was read upside down")
    corrected = fresh(friday, "crosstable").replace("</b>", "")
    assert re.search(r"C\. #3</a> <small>out of the race", corrected)
    assert not re.search(r"D\. #4</a> <small>", corrected)
    terminal("pair", "--reason", "too late to repair")
    terminal("report", "1", "a")
    assert fates_in(fresh(friday, "crosstable")) == fates_in(corrected) != []


def test_the_crosstable_names_the_opponents_of_players_who_share_a_place_by_their_own_lines(
    friday: Browser,
) -> None:
    page = friday.get("crosstable").text
    lines = re.findall(
        r'line-of">(\d)</td>.*?>([\w.]+ (?:L\. )?#\d)<.*?placed">([\d=]+)<',
        page.replace("<b>", "").replace("</b>", ""),
    )
    assert [number for number, _, _ in lines] == list("12345678")
    assert len({place for _, _, place in lines}) < len(lines), "some share a place"
    met = re.findall(r"<span>(\d)</span></span>", page)
    assert sorted(met) == sorted(2 * list("12345678")), "each player is met in each of two rounds"


def test_the_standings_can_be_downloaded_as_csv_and_json_with_public_names(friday: Browser) -> None:
    assert friday.get("standings").text.count("download>CSV<") == 1
    table = friday.get("standings.csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    first = next(csv.DictReader(io.StringIO(table.text)))
    assert (first["Player"], first["MP"]) in {("E. L. #1", "2"), ("E. #5", "2")}
    assert "Eva" not in table.text


@pytest.mark.parametrize("again", [1, 2], ids=["made", "from the shelf"])
def test_only_the_widget_may_be_in_a_frame_and_it_sets_no_cookie(friday: Browser, again: int) -> None:
    for _ in range(again):
        widget = friday.get("widget?top=3&lang=de")
    assert "frame-ancestors *" in widget.headers["content-security-policy"]
    assert "x-frame-options" not in widget.headers
    assert "set-cookie" not in widget.headers
    assert widget.text.count('<th scope="row">') == 3
    for other in ("", "standings", "overlay", "widget/", "../../enter"):
        for _ in range(again):
            answer = friday.get(other, follow_redirects=False)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], other
        assert answer.headers["x-frame-options"] == "DENY", other


def test_the_overlay_shows_one_table_with_both_records(friday: Browser) -> None:
    page = friday.get("overlay?table=2").text.replace("\N{EN DASH}", " ")
    rivals = re.findall(r"<li class=\"(\w*)\"><span [^>]*>([^<]*)</span> <span [^>]*>([^<]*)</span>", plain(page))
    assert rivals == [("won", "E. #5", "W L D 2 0 0"), ("lost", "G. #7", "W L D 1 1 0")]
    assert "Table 2" in page
    assert '<p class="shown-event"><span>Friday</span>' in page


def test_a_match_shows_both_players_with_their_earlier_opponents(tmp_path: Path) -> None:
    sheet, path = tmp_path / "friday.sheet", tmp_path / "friday.ledger"
    third = 'round 3\n  "Eva Lee" > Di\n  Bo > Cy\n  Ed > Hal\n  Gus > Flo\n'
    sheet.write_text(CUT_OF_TWO + third, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(path)]) == 0
    with TestClient(create_app(str(path)), base_url="http://localhost") as client:
        page = client.get(f"{client.get('/').url}match/swiss/2/1").text
    start = page.index('class="sheet compared"')
    table = page[start : page.index("</table>", start)].replace("\N{EN DASH}", "-")
    rows = re.findall(
        r"<tr><td(?: class=\"course\")?>(.*?)</td><th scope=\"row\">(.*?)</th><td.*?>(.*?)</td></tr>", plain(table)
    )
    cells = {name: re.sub(r"<[^>]+>", " ", f"{first} {second}").split() for first, name, second in rows}
    assert cells["W-L-D"] == ["3-0-0", "1-2-0"]
    assert cells["MP"] == ["3", "1"]
    assert cells["Place"][0] == "1"
    assert cells["Rounds"] == ["W", "W", "W", "W", "L", "L"]
    common = page[page.index('class="sheet common"') :]
    common = plain(common[: common.index("</table>")])
    met = re.findall(r'<th scope="row"><a [^>]*>(.*?)</a></th>(.*?)</tr>', common)
    assert [(name, re.sub(r"<[^>]+>", " ", letters).split()) for name, letters in met] == [
        ("Bo", ["W", "L"]),
        ("Di", ["W", "W"]),
    ]
    assert re.findall(r"<li class=\"(\w+)\"><span><a [^>]*>(.*?)</a>", plain(page)) == [
        ("won", "Eva Lee"),
        ("lost", "Cy"),
    ]
    assert 'class="plain"' not in page, "they met once"


def test_the_log_is_grouped_by_round_and_shows_one_kind_of_entries(friday: Browser) -> None:
    page = friday.get("log").text
    heads = r"<h2>(.*?)</h2> <small>(.*?)</small>"
    assert [name for name, _ in re.findall(heads, page)] == ["Round 2", "Round 1", "Before round 1"]
    first = page[page.index("<h2>Round 1") : page.index("<h2>Before round 1")]
    assert first.count("organizer, desk") == 1, "the heading says once who recorded the entries"
    numbers = re.compile(r'<li id="entry-(\d+)"')
    kinds = {kind: numbers.findall(friday.get(f"log?kind={kind}").text) for kind in get_args(pages.Kind)}
    shown = [number for found in kinds.values() for number in found]
    assert sorted(shown) == sorted(numbers.findall(page)), "each entry has one kind"
    assert len(kinds["results"]) == 8
    found = friday.get("log?kind=results&q=round+2,").text
    assert [name for name, _ in re.findall(heads, found)] == ["Round 2"]
    assert friday.get("log?kind=secrets").status_code == 422


def test_the_event_page_shows_the_announced_structure(friday: Browser) -> None:
    page = friday.get("event").text
    table = page[page.index('class="sheet plan"') : page.index("</table>")]
    assert re.findall(r"<td[^>]*>(.*?)</td>", table) == ["8", "3", "Top 2"]


@pytest.fixture
def decided(tmp_path: Path) -> Iterator[Browser]:
    """A tournament whose finals are played, and another tournament. Juniors appear as initials."""
    sheet, path = tmp_path / "regional.sheet", tmp_path / "regional.ledger"
    sheet.write_text(TWO_FINALS, "utf-8")
    assert run(["import", str(sheet), "--ledger", str(path)]) == 0
    at_terminal(path)("close", "--yes", "--reason", "the end")
    at_terminal(path)("open", "Saturday", "--rulebook", "ashes-2022")
    with TestClient(create_app(str(path), Settings(initials=("junior",))), base_url="http://localhost") as client:
        yield client


def test_the_public_log_uses_the_names_of_rounds_and_counts_rules(tmp_path: Path) -> None:
    path = tmp_path / "cup.ledger"
    said = at_terminal(path)
    said("open", "Cup", "-b", "pokemon-2009", "-p", "POL-PKM-DIVISIONS=separated")
    for name, division in (("Ann", "junior"), ("Bo", "junior"), ("Cy", "masters"), ("Di", "masters")):
        said("register", name, "--division", division)
    both = ("--division-cut", "junior=2", "--division-cut", "masters=2", "--division-rounds", "junior=1")
    said("announce", *both, "--division-rounds", "masters=1", "--reason", "a short day")
    for venue in ("Hall 1", "Hall 2"):
        said("describe", "--venue", venue)
    for step in (("pair",), ("report", "1", "a", "2", "a"), ("post",), ("cut", "--yes"), ("pair",)):
        said(*step, *(("--reason", "a short day") if step[0] in ("pair", "cut") else ()))
    said("report", "1", "a", "2", "a")
    said("close", "--yes", "--reason", "the end")
    with TestClient(create_app(str(path)), base_url="http://localhost") as client:
        page = client.get(f"{client.get('/').url}log").text
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "PKM-" not in text
    assert "Cup opened under Pokémon TCG Tournament Operation, with 1 chosen policy" in text
    assert re.search(r"departs from \d rules?", text, re.IGNORECASE)
    assert "The event page was updated 2 times" in text
    assert "Final paired by the bracket, 2 tables" in text
    assert "tournament closed after the final" in text


def test_a_match_names_the_winner_first_and_the_final_names_its_champion(decided: Browser) -> None:
    home = re.findall(r'href="(/t/[^"]+/)">Regional', decided.get("/").text)[0]

    def rivals(match: str) -> str:
        page = plain(decided.get(f"{home}match/{match}").text)
        return " ".join(re.sub(r"<[^>]+>", " ", page.split('class="rivals')[1].split("</ul>")[0]).split()[1:])

    assert rivals("elimination/1/1") == "A. #1 Champion B. #2 lost"
    assert rivals("swiss/1/1") == "A. #1 won B. #2 lost"


def test_the_list_of_tournaments_shows_the_champions_under_their_public_names(decided: Browser) -> None:
    lines = plain(decided.get("/").text).split("<li")[1:]
    [won] = [line for line in lines if "Regional" in line]
    found = re.findall(r"Champion</span> <small>(\w+)</small> <span>([^<]*)</span>", won)
    assert found == [("Junior", "A. #1"), ("Masters", "Cy")]
    assert "Champion" not in "".join(line for line in lines if line != won)


def test_the_list_of_tournaments_names_the_game(decided: Browser) -> None:
    lines = decided.get("/").text.split("<li")[1:]
    [begun] = [line for line in lines if "Saturday" in line]
    assert re.search(r'class="about">.*<span>[^<]*Ashes[^<]*</span></p>', begun)


@pytest.mark.parametrize("asked", ["entry=9", "round=1&clock=as-known"])
def test_an_earlier_moment_says_so_and_names_no_champion(decided: Browser, asked: str) -> None:
    home = re.findall(r'href="(/t/[^"]+/)">Regional', decided.get("/").text)[0]
    assert 'class="champions"' in decided.get(f"{home}standings").text
    page = decided.get(f"{home}standings?{asked}").text
    assert "You are looking back, not at the standings now." in page
    assert 'class="champions"' not in page
    assert re.findall(r'aria-current="true">(As [a-z ]+)</a>', page) == ["As known then"]


def test_the_standings_now_do_not_look_back(friday: Browser) -> None:
    assert "You are looking back" not in friday.get("standings").text
    assert "You are looking back" in friday.get("standings?round=1").text


def test_a_search_without_a_match_suggests_names_and_leads_back_to_everybody(regional: Hall, face: Face) -> None:
    page = plain(pages.seating_page(face, regional, "Playr 17"))
    assert "No player is called \N{LEFT DOUBLE QUOTATION MARK}Playr 17\N{RIGHT DOUBLE QUOTATION MARK}." in page
    assert ">Player 17</a>" in page.split("Did you mean:")[1]
    assert re.search(r'<a class="button" href="[^"]*">Show everybody</a>', page)


def test_before_round_1_the_pages_offer_no_standings(decided: Browser) -> None:
    home = re.findall(r'href="(/t/[^"]+/)">Saturday', decided.get("/").text)[0]
    pages_of = re.findall(
        r'<a href="[^"]+"[^>]*>([^<]+)</a>', decided.get(home).text.split('id="pages"')[1].split("</nav>")[0]
    )
    assert pages_of == ["Players", "Log"]


def test_the_widget_finally_shows_the_final_places(decided: Browser) -> None:
    home = re.findall(r'href="(/t/[^"]+/)">Regional', decided.get("/").text)[0]
    page = plain(decided.get(f"{home}widget?top=1").text)
    assert "<h1>Final places</h1>" in page
    rows = re.findall(
        r'<td class="pts">(\d)</td><th scope="row">([^<]*?) <span class="tag accent">.*?(\w+)</span>', page
    )
    assert rows == [("1", "A. #1", "Champion"), ("1", "Cy", "Champion")]
    assert "Standings after round" not in page


def test_a_long_list_of_names_has_letters_to_jump_to(regional: Hall, face: Face, friday: Browser) -> None:
    page = plain(pages.seating_page(face, regional))
    letters = re.findall(r'<a href="#(p\d+)">(\w)</a>', page)
    assert [letter for _, letter in letters] == sorted({letter for _, letter in letters})
    names = dict(re.findall(r'id="(p\d+)" data-name="([^"]*)"', page))
    assert all(f" {letter.lower()}" in f" {names[row]}" for row, letter in letters), "each leads to such a name"
    assert 'class="initials"' not in friday.get("").text, "a short list needs none"
