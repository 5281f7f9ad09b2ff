"""L5R-IV.2-DQ on every page: a disqualified player has no rank, no place and no title."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pypdfium2
import pytest
from starlette.testclient import TestClient
from tests.web.conftest import Browser, at_terminal, friday

from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.pages.public import _seated
from matchledger.web.public.places import Edge, cut_line, ranked, structure_of
from matchledger.web.settings import Settings
from matchledger_projections.stages.placing import places_by_division

# A table row or a list item, in which a page names a player among other players.
LINES = re.compile(r"<tr.*?</tr>|<li.*?</li>", re.DOTALL)


@pytest.fixture
def ended(ledger: Path) -> Path:
    """Ann won the final against Cy and was disqualified. Di was disqualified in round 1."""
    terminal = at_terminal(ledger)
    for line in (
        "report 1 a 2 a",
        "disqualify Di --role organizer --yes",
        "tie",
        "cut 2 --yes --reason short",
        "pair --reason short",
        "report Ann win",
        "disqualify Ann --role organizer --yes",
    ):
        terminal(*line.split())
    return ledger


@pytest.mark.parametrize(
    "face", ["standings", "crosstable", "podium", "widget", "wall?show=standings", "wall?show=auto"]
)
@pytest.mark.parametrize("name", ["Ann", "Di"])
@pytest.mark.usefixtures("ended")
def test_a_disqualified_player_is_listed_as_disqualified_and_has_no_rank(
    browser: Browser, home: str, face: str, name: str
) -> None:
    lines = [_words(line) for line in LINES.findall(browser.get(f"{home}{face}").text)]
    own = [line for line in lines if re.match(rf"\S+ {name}\b", line)]
    assert own
    for line in own:
        place, *said = line.split() if face != "crosstable" else [line.split()[-1], *line.split()[1:-1]]
        assert (place, said[:2]) == ("\N{EN DASH}", [name, "disqualified"]), (face, line)


@pytest.mark.usefixtures("ended")
def test_the_places_name_the_champion_after_the_disqualification_of_the_winner(browser: Browser, home: str) -> None:
    [row, *_] = csv.DictReader(browser.get(f"{home}places.csv").text.splitlines())
    assert (row["Place"], row["Player"], row["Champion"]) == ("1", "Cy", "champion")
    assert row["Why"].endswith(", champion after the disqualification of Ann")


@pytest.mark.parametrize("face", ["bracket", "wall?show=auto"])
@pytest.mark.usefixtures("ended")
def test_the_bracket_says_who_is_disqualified(browser: Browser, home: str, face: str) -> None:
    sides = re.findall(r'<p class="side.*?</p>', browser.get(f"{home}{face}").text, re.DOTALL)
    assert {_words(side)[2:] for side in sides} == {"Ann disqualified won", "Cy"}


@pytest.mark.parametrize("face", ["", "tables", "wall?show=names", "wall?show=tables"])
@pytest.mark.usefixtures("ended")
def test_pairings_say_who_is_disqualified(browser: Browser, home: str, face: str) -> None:
    assert "Ann disqualified" in _words(browser.get(f"{home}{face}").text)


def test_posted_pairings_mark_a_player_as_soon_as_the_player_is_disqualified(ledger: Path) -> None:
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        before = _seated(kept.record(tournament))
        at_terminal(ledger)("disqualify", "Di", "--role", "organizer", "--yes")
        assert _seated(kept.record(tournament)) != before


@pytest.mark.usefixtures("ended")
def test_the_file_of_the_standings_says_who_left(browser: Browser, home: str, ledger: Path) -> None:
    at_terminal(ledger)("drop", "Bo")
    rows = csv.DictReader(browser.get(f"{home}standings.csv").text.splitlines())
    assert rows.fieldnames is not None
    assert rows.fieldnames[-1] == "Status"
    assert {row["Player"]: (row["Place"], row["Status"]) for row in rows} == {
        "Cy": ("1", ""),
        "Bo": ("2", ""),
        "Ann": ("-", "disqualified"),
        "Di": ("-", "disqualified"),
    }


@pytest.mark.parametrize("player", [1, 4], ids=["in the final", "in round 1"])
@pytest.mark.usefixtures("ended")
def test_the_page_of_a_disqualified_player_says_that_the_event_is_over(
    browser: Browser, home: str, player: int
) -> None:
    page = _words(browser.get(f"{home}player/{player}").text)
    assert "No final place All final places" in page
    assert "No table in this round" not in page
    assert re.search(r"table \d opponent ended \d", page)
    assert not re.search(r"table \d now \d", page)


@pytest.mark.usefixtures("ended")
def test_the_files_below_the_final_places_are_of_the_final_places(browser: Browser, home: str) -> None:
    """The event page links the files of the places, and the page of the standings those of the Swiss standings."""
    files = {
        page: re.findall(r'href="([^"]+)"(?: download)?>(?:CSV|JSON)<', browser.get(home + page).text)
        for page in ("event", "standings")
    }
    api = f"/api/tournaments/{home.split('/')[2]}"
    assert files["event"] == [f"{home}places.csv", f"{api}/places"]
    assert files["standings"] == [f"{home}standings.csv", f"{api}/standings"]
    file, page = (browser.get(address) for address in files["event"])
    assert file.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(file.text.splitlines()))
    assert [(row["Player"], row["Champion"]) for row in rows] == [
        (name, "champion" if name == "Cy" else "") for name in ("Cy", "Bo", "Ann", "Di")
    ]
    assert [line["player"] for line in page.json()["places"]] == [row["Player"] for row in rows]


@pytest.mark.usefixtures("ended")
def test_every_page_counts_the_players_who_entered(browser: Browser, home: str, ledger: Path) -> None:
    """A disqualified player is among the players of the event."""
    at_terminal(ledger)("open", "Saturday", "--rulebook", "l5r-2018")  # with two events, / lists both
    for page in (f"{home}event", f"{home}standings", f"{home}podium", f"{home}wall", "/"):
        assert "4 players" in _words(browser.get(page).text), page


@pytest.mark.parametrize("face", ["", "podium", "wall", "bracket", "desk/event"])
@pytest.mark.usefixtures("ended", "desk")
def test_no_page_names_a_disqualified_winner_of_the_final_as_champion(
    browser: Browser, home: str, face: str
) -> None:
    page = _words(browser.get(f"{home}{face}").text)
    crowned = re.findall(r"(?:Champions?|Winner:?)(?: Friday)?(?: · 4 players)? (Ann|Cy)\b", page)
    crowned += re.findall(r"(Ann|Cy) has won the event", page)
    assert set(crowned) == {"Cy"}


@pytest.mark.usefixtures("ended")
def test_the_overlay_and_the_terminal_name_the_champion_after_a_disqualification(
    browser: Browser, home: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = browser.get(f"{home}overlay").text
    sides = re.findall(r'<li class="(\w+)"><span class="shown-name"><b>(\w+).*?shown-record">([^<]+)<', page)
    assert sorted(sides) == [("disqualified", "Ann", "disqualified"), ("won", "Cy", "Champion")]
    capsys.readouterr()
    at_terminal(ledger)("bracket")
    assert capsys.readouterr().out.splitlines()[-1] == "Champion: Cy, after the disqualification of Ann"


def _words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def cup_before_the_finals(folder: Path) -> tuple[Path, dict[str | None, list[str]]]:
    """Play a cup of two divisions to their finals. Return its ledger and the finalists of each division."""
    path, roster = folder / "cup.ledger", folder / "roster.csv"
    names = [*(f"M{n},masters" for n in range(1, 13)), *(f"J{n},junior" for n in range(1, 9))]
    roster.write_text("\n".join(["name,division", *names]))
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    terminal("register", "--csv", str(roster))
    cuts = ("--division-cut", "masters=2", "--division-cut", "junior=2")
    terminal("announce", "--rounds", "3", *cuts, "--role", "organizer", "--reason", "ok")
    for _ in range(3):
        terminal("pair", "--reason", "ok")
        terminal("report", *(word for table in range(1, 11) for word in (str(table), "a")))
        terminal("post")
    for line in ("cut --reason ok", "pair"):
        terminal(*line.split())
    with open_ledger(path) as opened:
        [record] = map(opened.record, opened.tournaments())
        return path, {
            division: [record.players[place.player].name for place in found[:2]]
            for division, found in places_by_division(record)
        }


def test_a_division_without_a_winner_says_so_and_the_other_names_its_champion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both finalists of the masters are disqualified, and the winner of the juniors' final after it."""
    path, finalists = cup_before_the_finals(tmp_path)
    terminal = at_terminal(path)
    winner, second = finalists["junior"]
    terminal("report", winner, "win")
    for name in (*finalists["masters"], winner):
        terminal("disqualify", name, "--role", "marshal", "--reason", "x", "--yes")
    terminal("close", "--role", "organizer", "--reason", "x", "--yes")
    with open_ledger(path) as opened:
        [record] = map(opened.record, opened.tournaments())
        closing = record.position
    for again in (False, True):
        if again:
            terminal("retract", str(closing), "--role", "organizer", "--reason", "x", "--yes")
        with TestClient(create_app(str(path), Settings()), base_url="http://localhost") as visitor:
            home = visitor.get("/", follow_redirects=False).headers["location"]
            for face in ("", "podium", "bracket", "wall", "standings", "event", "tables"):
                page = _words(visitor.get(home + face).text)
                assert "No champion: nobody can win." in page, (face, again)
                assert "Not decided yet." not in page, (face, again)
            podium = _words(visitor.get(f"{home}podium").text)
        assert f"Champion {second} champion after the disqualification of {winner}" in podium
        capsys.readouterr()
        terminal("places")
        printed = capsys.readouterr().out
        assert printed.count("No champion: nobody can win.") == 1
        assert f"champion after the disqualification of {winner}" in printed
        paper = path.with_name(f"{again}.pdf")
        terminal("print", "places", "--out", str(paper))
        text = "".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(paper))
        assert "Masters: No champion: nobody can win." in text
        assert f"Champion, Junior: {second}" in text


def test_the_line_of_the_cut_leaves_out_who_left_and_is_not_drawn_below_others(tmp_path: Path) -> None:
    """A won every round, and D none. A leaves before the cut, and a qualifier after it."""
    path = tmp_path / "cup.ledger"
    terminal = friday(path, "magic-mtr", "A", "B", "C", "D")
    terminal("announce", "--rounds", "2", "--cut", "2", "--role", "organizer", "--reason", "small")
    for tables in (("A/C", "B/D"), ("A/B", "C/D")):
        terminal("pair", *(word for table in tables for word in ("--table", table)), "--reason", "small")
        terminal("report", "1", "2-0", "2", "2-0")

    def line() -> Edge | None:
        with open_ledger(path) as opened:
            [record] = map(opened.record, opened.tournaments())
        return cut_line(record, ranked(record)[0])

    assert line() == Edge(places=2, last=2, players=3), "B and C are tied below A"
    terminal("drop", "A")
    assert line() == Edge(places=2, last=2, players=2), "A is above the line, and takes no place"
    terminal("tie")
    terminal("cut", "--role", "organizer", "--reason", "small", "--yes")
    assert line() == Edge(places=2, last=3, players=2), "B and C are the qualifiers"
    terminal("disqualify", "B", "--role", "organizer", "--yes")
    assert line() == Edge(places=2, last=2, players=2), "A, who dropped, and C are ranked above the line"


def test_a_division_without_a_cut_has_no_line(tmp_path: Path) -> None:
    path = tmp_path / "cup.ledger"
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    for name in ("Ja", "Je", "Sa", "Se", "So", "Su"):
        terminal("register", name, "--division", "junior" if name.startswith("J") else "senior")
    terminal("decide-divisions", "--mode", "separated", "--reason", "wanted")
    cuts = ("--division-cut", "junior=2", "--division-cut", "senior=0")
    terminal(
        "announce", "--structure", "custom", "--rounds", "1", *cuts, "--role", "organizer", "--reason", "small"
    )
    with open_ledger(path) as opened:
        [record] = map(opened.record, opened.tournaments())
    assert {one.division: one.cut for one in structure_of(record)} == {"junior": 2, "senior": None}


def test_every_page_crowns_the_champion_of_the_division_that_is_over_first(tmp_path: Path) -> None:
    """The juniors' final is over while the masters play, then a call contests it, and the desk settles it."""
    path, finalists = cup_before_the_finals(tmp_path)
    terminal, (winner, second) = at_terminal(path), finalists["junior"]

    def crowned() -> dict[str, bool]:
        with TestClient(create_app(str(path), Settings()), base_url="http://localhost") as visitor:
            home = visitor.get("/", follow_redirects=False).headers["location"]
            numbers = re.findall(r'player/(\d+)">[^<]*<b>(\w+)</b>', visitor.get(f"{home}standings").text)
            own = next(f"player/{number}" for number, name in numbers if name == winner)
            faces = ("", "standings", "widget", "event", "tables", "crosstable", "podium", "bracket", own)
            pages = {face: _words(visitor.get(home + face).text) for face in (*faces, "wall?show=podium")}
        return {
            face: bool(re.search(rf"Champion\b.*{winner}\b|^{winner}\b.*Champion\b", page))
            for face, page in pages.items()
        }

    assert not any(crowned().values())
    terminal("report", winner, "win")
    assert all(crowned().values()), crowned()
    terminal("call", second, "--elimination", "--round", "1", "--claim", "won")
    assert not any(crowned().values()), crowned()
    terminal("report", finalists["masters"][0], "win")
    terminal("close", "--role", "organizer", "--reason", "late", "--yes")
    with TestClient(create_app(str(path), Settings()), base_url="http://localhost") as visitor:
        home = visitor.get("/", follow_redirects=False).headers["location"]
        for face in ("podium", "bracket", "wall?show=podium"):
            page = _words(visitor.get(home + face).text)
            assert page.count("Closed with 1 contested result.") == 1, face
