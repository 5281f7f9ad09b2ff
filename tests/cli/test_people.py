"""People: a name or a division can be corrected at any time, and every page shows the correction."""

from __future__ import annotations

import csv
import json
import re
import runpy
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.cli.conftest import Desk
from tests.web.names import plain

from matchledger.events import Person
from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.settings import Settings
from matchledger_projections.record.surnames import list_order

PAST_AND_PRESENT = (
    "players",
    "standings",
    "standings --round 1",
    "standings --round 1 --as-known",
    "standings --as-of 7",
    "pairings --round 1 --as-known",
    "log",
    "log --as-of 4",
    "history '#2'",
    "explain '#2'",
    "replay",
    "diff 7@1 now@1",
    "integrity",
)


@pytest.fixture
def event(desk: Desk) -> Desk:
    """Four players, one with a misspelled name, and a round with posted and signed standings."""
    Path("roster.csv").write_text("name,born,contact,DCI\nZoro,1999,zoro@example.org,1234567\n", "utf-8")
    done(
        desk,
        "open Friday -b l5r-2018",
        "register Ann",
        "register --csv roster.csv",
        "register Cy",
        "register Di",
        "pair --table Ann/Zoro --table Cy/Di",
        "report 1 b 2 a",
        "key org.key",
        "post --key org.key",
    )
    return desk


def done(desk: Desk, *lines: str) -> None:
    for line in lines:
        assert (said := desk(line)).code == 0, (line, said.err)


def rows(ledger: Path) -> list[tuple[object, ...]]:
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        return [tuple(row) for row in kept.recorder.entry_rows(tournament)]


def test_a_renamed_player_has_the_new_name_on_every_page_and_in_every_round(event: Desk, ledger: Path) -> None:
    before = rows(ledger)
    done(event, "rename Zoro 'Diego de la Vega'")
    for line in PAST_AND_PRESENT:
        said = event(line)
        assert said.code == 0, (line, said.err)
        assert "Zoro" not in said.out, line
    assert "Diego de la Vega" in event("standings --as-of 7").out
    assert rows(ledger)[: len(before)] == before, "what was recorded and signed keeps its bytes"
    assert "Zoro" in event("log --json").out, "the log keeps the earlier name"
    assert event("verify").code == 0
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
    with TestClient(create_app(str(ledger), Settings()), base_url="http://localhost") as web:
        for page in ("/", "/standings?round=1", "/log", "/wall", "/tables", "/match/swiss/1/1", "/player/2/why"):
            shown = web.get(f"/t/{tournament}{page}")
            assert shown.status_code == 200, page
            assert "Zoro" not in shown.text, page
        assert "Diego" in web.get(f"/t/{tournament}/").text


def test_a_corrected_name_is_encrypted_and_an_erasure_reaches_every_version(event: Desk, ledger: Path) -> None:
    done(event, "rename Zoro 'Diego Vega'", "rename 'Diego Vega' 'Diego Vega Lopez'")
    assert not any(b"Diego" in bytes(state) for *_, state in rows(ledger) if isinstance(state, bytes))
    done(event, "erase '#2' --role organizer --yes --reason asked --out done.txt")
    for line in (*PAST_AND_PRESENT, "log --json", "players --json"):
        out = event(line).out
        assert not any(name in out for name in ("Zoro", "Diego")), line
    assert "entries 3, 11, 12" in Path("done.txt").read_text("utf-8")
    assert "Diego" not in Path("done.txt").read_text("utf-8")
    assert event("rename '#2' Diego").refused == ("player 2 was erased: nothing more is recorded about the person")
    done(event, "retract 12 --yes")
    assert "Diego" not in event("players").out


def test_undoing_a_rename_restores_the_earlier_name_unless_it_is_taken(event: Desk) -> None:
    done(event, "rename Zoro Zorro", "undo --yes")
    assert "Zoro" in event("standings --as-of 6").out
    done(event, "redo", "late Zoro")
    assert event("retract 11 --yes").refused == "Zoro is now the name of #5"
    assert event("rename Zorro ann").refused.startswith("ann is registered already")
    assert event("rename Zorro Zorro").code == 2, "nothing would change"


def test_a_name_can_be_corrected_after_the_close_and_the_places_do_not_change(event: Desk) -> None:
    done(event, "close --yes --reason 'one round'")
    places = event("standings --json").document["standings"]
    done(event, "rename Zoro Zorro", "correct-player Zorro --born 2000 --contact z@example.org --yes")
    after = event("standings --json").document["standings"]
    assert [{**row, "player": ""} for row in after] == [{**row, "player": ""} for row in places]
    assert "Zorro" in event("standings").out
    assert "closed" in event("correct-player Zorro --division junior --yes").refused
    assert event("verify").code == 0


ERASED = "player 3 was erased: nothing more is recorded about the person"
CLOSED = "the tournament is closed: retract entry 11 to go on"


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("rename '#3' Zed", ERASED),
        ("correct-player '#3' --born 1990 --set DCI=1 --yes", ERASED),
        ("deck submit '#3' list.txt --late --reason lost", ERASED),
        ("merge '#3' Eve --yes", ERASED),
        ("merge Eve '#3' --yes", ERASED),
        ("transfer '#3' Zed --yes", ERASED),
        ("correct-player '#3' --division junior --yes", ERASED),
        ("erase '#3' --role organizer --reason again --out done.txt", "player 3 was erased already (entry 12)"),
    ],
)
def test_nothing_about_an_erased_person_is_recorded_again(event: Desk, line: str, refused: str) -> None:
    """Before the fix, a merge gave the number of an erased player, which has no name, to an active player."""
    done(event, "late Eve", "erase Cy --role organizer --yes --reason asked --out done.txt")
    Path("list.txt").write_text("[dynasty]\n3 Hida Guardian\n")
    said = event(line)
    assert said.refused == refused
    assert "Eve" in event("players").out
    for page in PAST_AND_PRESENT:
        assert not re.search(r"\bCy\b", event(page).out), page  # the log's commitments contain letters at random


def test_even_before_round_1_nothing_is_recorded_about_an_erased_person(desk: Desk) -> None:
    done(desk, "open Friday -b l5r-2018", "register Ann", "register Bo")
    done(desk, "erase Ann --role organizer --yes --reason asked")
    for line in ("transfer '#1' Zed --yes", "correct-player '#1' --division junior --yes"):
        assert desk(line).refused == "player 1 was erased: nothing more is recorded about the person"


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("rename Di Dina", ""),
        ("correct-player Di --born 1990 --set DCI=1 --contact d@example.org --yes", ""),
        ("correct-player Di --division junior --yes", CLOSED),
        ("merge Di Cy --yes", CLOSED),
        ("transfer Di Zed --yes", CLOSED),
        ("late Zed", CLOSED),
        ("fix-table Di --table 4", CLOSED),
        ("erase Di --role organizer --yes --reason asked", ""),
    ],
)
def test_after_the_close_people_can_still_be_corrected_and_erased(event: Desk, line: str, refused: str) -> None:
    done(event, "close --yes --reason 'one round'")
    said = event(line)
    assert (said.code, refused in said.err) == (3 if refused else 0, True)
    assert event("verify").code == 0


def test_a_membership_number_is_corrected_and_an_empty_value_removes_the_number(event: Desk) -> None:
    done(event, "correct-player Zoro --set DCI=7654321 --set POP=99 --set contact= --yes")
    done(event, "correct-player Zoro --set POP= --yes")
    said = [entry["fact"] for entry in map(json.loads, event("log --json").lines)]
    people = [fact["person"] for fact in said if fact["kind"] == "person-corrected"]
    assert [person["details"] for person in people] == [{"DCI": "7654321", "POP": "99"}, {"DCI": "7654321"}]
    assert [person["contact"] for person in people] == [None, None]
    assert event("correct-player Zoro --set name=X --yes").code == 2


POKEMON = (
    "name,born\n" + "".join(f"J{n},2001\n" for n in range(1, 9)) + "".join(f"M{n},1980\n" for n in range(1, 9))
)


@pytest.fixture
def divided(desk: Desk) -> Desk:
    """Eight juniors and eight masters, who play apart, after the pairing of round 1."""
    Path("field.csv").write_text(POKEMON, "utf-8")
    done(
        desk,
        "open Cup -b pokemon-2009",
        "register --csv field.csv",
        "announce --rounds 3 --prizes 4 --reason short",
        "pair",
    )
    return desk


@pytest.mark.finding("B-3")
def test_a_corrected_year_of_birth_moves_the_player_to_another_division(divided: Desk) -> None:
    """A command can change a division, and divisions never mix."""
    tables = len(divided("pairings --json").document["pairings"])
    done(divided, "report " + " ".join(f"{table} a" for table in range(1, tables + 1)), "post")
    before = divided("standings --round 1 --as-known --json").document
    done(divided, "correct-player J1 --born 1981 --yes")
    sizes = {part["division"]: part["players"] for part in divided("divisions --json").document["divisions"]}
    assert (sizes["junior"], sizes["masters"]) == (7, 9)
    assert divided("standings --round 1 --as-known --json").document == before, "the wall keeps its divisions"
    done(divided, "pair")
    assert divided("divisions --json").document["mode"] == "separated"
    players = {line["name"]: line["division"] for line in divided("players --json").document}
    seats = divided("pairings --round 2 --json").document
    met = next((two for table in seats["pairings"] if "J1" in (two := table["players"])), ["J1", *seats["byes"]])
    assert players["J1"] == "masters"
    assert all(players[name] == "masters" for name in met if name == "J1" or name.startswith("M"))
    assert not any(name.startswith("J") for name in met if name != "J1")
    done(divided, "undo --yes", "undo --yes")
    assert {line["name"]: line["division"] for line in divided("players --json").document}["J1"] == "junior"


def test_a_division_changed_by_a_corrected_year_of_birth_is_listed_after_round_1(divided: Desk) -> None:
    """Before the fix, `integrity` did not list a player whose corrected year of birth changes the division between
    rounds.
    """
    done(divided, "correct-player J2 --contact j@example.org --yes")
    kind = "division changed during the event"
    assert kind not in divided("integrity").out
    done(divided, "correct-player J1 --born 1981 --yes")
    found = [item for item in divided("integrity --json").document["items"] if item["kind"] == kind]
    assert [(item["rules"], item["counts"]) for item in found] == [(["PKM-3.1.1-POD"], True)]
    done(divided, "correct-player J2 --born 2002 --yes")
    assert divided("integrity").out.count(kind) == 1, "J2 stays a junior"
    done(divided, "undo --yes", "undo --yes")
    assert [item["counts"] for item in divided("integrity --json").document["items"] if item["kind"] == kind] == [
        False
    ]


def test_a_division_before_round_1_is_corrected_without_a_mark(desk: Desk) -> None:
    Path("field.csv").write_text(POKEMON, "utf-8")
    done(desk, "open Cup -b pokemon-2009", "register --csv field.csv", "correct-player J1 --born 1981 --yes")
    assert "division changed" not in desk("integrity").out


def test_a_division_against_the_year_of_birth_needs_a_reason_and_is_listed(divided: Desk) -> None:
    assert divided("correct-player J1 --division masters --yes").refused.endswith("(PKM-3.1.1-POD); use --reason")
    done(divided, "correct-player J1 --division masters --yes --reason 'plays up'")
    assert "division other than by birth" in divided("integrity").out
    assert "J1 moved to masters" in divided("log").out
    assert divided("correct-player J1 --born 2002 --yes").code == 0, "the division was chosen, and stays"
    assert {line["name"]: line["division"] for line in divided("players --json").document}["J1"] == ("masters")


def test_a_division_changed_after_round_1_needs_a_reason_and_is_listed(desk: Desk) -> None:
    """Before the fix, a player without a year of birth changed divisions during the event, and no page mentioned
    it.
    """
    names = "".join(f"J{n},junior\nS{n},senior\n" for n in range(6))
    Path("field.csv").write_text("name,division\n" + names, "utf-8")
    done(
        desk,
        "open Cup -b pokemon-2009",
        "register --csv field.csv",
        "announce --prizes 4",
        "correct-player J1 --division senior --yes",
        "correct-player J1 --division junior --yes",
        "pair",
    )
    assert desk("correct-player J0 --division senior --yes").refused == (
        "round 1 is paired, and J0 plays in another division: give a reason to deviate from it (PKM-3.1.1-POD); "
        "use --reason"
    )
    assert "division other than by birth" not in desk("integrity").out
    done(desk, "correct-player J0 --division senior --yes --reason mistyped")
    assert "division other than by birth" in desk("integrity").out
    assert "PKM-3.1.1-POD" in desk("integrity").out


def test_a_dispute_file_has_the_corrected_name_and_verifies(event: Desk) -> None:
    done(
        event,
        "rename Zoro Zero",
        "rename Zero Zorro",
        "rename Zorro Zoran",
        "undo --yes",
        "checkpoint --key org.key",
    )
    done(event, "bundle 1 1 --out match.bundle")
    text = Path("match.bundle").read_text("utf-8")
    said = json.loads(text)["explanation"]
    assert any("Zorro is registered as player 2" in line for line in said)
    assert not any("Zoran" in line or "Zero" in line for line in said)
    page = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "verify.py"))
    lines = page["verify"](text, [], None, None, [])
    assert any("Everything in this file holds" in line for line in lines)


def test_a_membership_number_finds_its_player_and_is_exported(event: Desk) -> None:
    done(event, "drop 1234567 --yes")
    assert "dropped" in next(line for line in event("players").lines if "Zoro" in line)
    done(event, "rejoin 1234567 --yes", "export out.csv --format tcg-plus")
    assert any("1234567" in line and "Zoro" in line for line in Path("out.csv").read_text("utf-8").splitlines())
    done(event, "export out.tdf --format tom")
    assert 'userid="1234567"' in Path("out.tdf").read_text("utf-8")


@pytest.mark.finding("C-D18")
def test_a_list_by_name_sorts_by_surname_if_it_is_known(desk: Desk, ledger: Path) -> None:
    """Before the fix, the list by name was sorted by first name."""
    names = ["Ann Zander", "Berta", "Cem Çelik", "Dana Abel", "Van der Berg, Jan", "Eva #2"]
    assert sorted(names, key=lambda name: list_order(Person(name=name))) == [
        "Dana Abel",
        "Berta",
        "Cem Çelik",
        "Eva #2",
        "Van der Berg, Jan",
        "Ann Zander",
    ]
    done(desk, "open Friday -b l5r-2018", *(f"register '{name}'" for name in names), "pair")
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
    with TestClient(create_app(str(ledger), Settings()), base_url="http://localhost") as web:
        page = web.get(f"/t/{tournament}/").text
    places = [plain(page).index(f">{name}<") for name in ("Dana Abel", "Berta", "Cem Çelik", "Ann Zander")]
    assert places == sorted(places)


def test_a_list_by_name_sorts_by_the_surname_column_of_the_roster(desk: Desk, ledger: Path) -> None:
    """A name does not show which part is the surname. `Li Wei` is sorted under L if the roster says so."""
    Path("roster.csv").write_text("name,Surname\nLi Wei,Li\nAnn Kos,\nJan van Aal,van Aal\nBo Moe,Moe\n", "utf-8")
    done(desk, "open Friday -b l5r-2018")
    assert desk("register --csv roster.csv").err == "", "the column is known"
    done(desk, "pair")

    def lists() -> list[list[str]]:
        names = ("Li Wei", "Ann Kos", "Jan van Aal", "Jan Zoll", "Bo Moe")
        with open_ledger(ledger) as kept:
            [tournament] = kept.tournaments()
        with TestClient(create_app(str(ledger), Settings()), base_url="http://localhost") as web:
            page = web.get(f"/t/{tournament}/").text
        told = desk("pairings --by-name").lines[2:]
        return [
            re.findall(r'<th scope="row"><a href="[^"]*">([^<]+)<', plain(page)),
            [next(name for name in names if line.startswith(name)) for line in told],
        ]

    for listed in lists():
        assert listed == ["Ann Kos", "Li Wei", "Bo Moe", "Jan van Aal"]
    done(desk, "rename 'Jan van Aal' 'Jan Zoll'", "correct-player 'Bo Moe' --set surname= --set Surname=Aa --yes")
    for listed in lists():
        assert listed == ["Bo Moe", "Ann Kos", "Li Wei", "Jan Zoll"], "the surname of the old name is gone"
    done(desk, "erase 'Bo Moe' --reason asked --yes --role organizer")
    assert "Aa" not in desk("players --csv").out


def test_the_csv_of_players_has_columns_for_membership_numbers(event: Desk) -> None:
    rows = {row["Player"]: row["DCI"] for row in csv.DictReader(event("players --csv").lines)}
    assert rows.pop("Zoro") == "1234567"
    assert set(rows.values()) == {""}
    assert "1234567" not in event("players").out
    done(event, "erase Zoro --reason asked --yes --role organizer")
    assert event("players --csv").out.count("1234567") == 0


def test_importing_a_roster_again_recognizes_renamed_players(desk: Desk) -> None:
    """Before the fix, the old name was registered as another player with the same membership number."""
    Path("r.csv").write_text("name,dci\nMispeled Nam,111\nBo,\n", "utf-8")
    for line in ("open Cup -b magic-mtr", "register --csv r.csv", "rename #1 'Misspelled Name'", "rename Bo Bob"):
        assert desk(line).code == 0
    Path("r.csv").write_text("name,dci\nMispeled Nam,111\nM. Name,111\nBo,\nCy,333\n", "utf-8")
    assert desk("register --csv r.csv --skip-registered").code == 0
    names = [row["name"] for row in desk("players --json").document]
    assert sorted(names) == ["Bob", "Cy", "Misspelled Name"]


def test_the_membership_number_distinguishes_two_players_of_the_same_earlier_name(desk: Desk) -> None:
    Path("r.csv").write_text("name,dci\nAnn,111\n", "utf-8")
    for line in ("open Cup -b magic-mtr", "register --csv r.csv", "rename Ann Anna"):
        assert desk(line).code == 0
    Path("r.csv").write_text("name,dci\nAnna,111\nAnn,222\n", "utf-8")
    assert desk("register --csv r.csv --skip-registered").code == 0
    assert sorted(row["name"] for row in desk("players --json").document) == ["Ann", "Anna"]


def test_a_transferred_late_registration_is_as_late_as_before(desk: Desk) -> None:
    for line in ("open Cup -b magic-mtr", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di"))):
        assert desk(line).code == 0
    for line in ("announce --rounds 3", "pair", "report 1 2-0", "late Lisa"):
        assert desk(line).code == 0
    assert "charged with round 1" in desk("transfer Lisa Lara --yes").out
    assert desk("report 2 2-0").code == 0
    assert desk("pair").code == 0
    assert "absent" in desk("explain Lara").out


@pytest.mark.parametrize(
    ("ended", "left"),
    [
        ("transfer Ann Zoe --yes", ["Bo", "Cy", "Zoe"]),
        ("merge Bo Ann --yes", ["Bo", "Cy"]),
        ("retract 2 --yes", ["Bo", "Cy"]),
    ],
)
def test_importing_a_roster_again_does_not_revive_an_ended_registration(
    desk: Desk, ended: str, left: list[str]
) -> None:
    """Before the fix, the old name was registered as another player, and no message said so."""
    Path("r.csv").write_text("name\nAnn\nBo\n", "utf-8")
    for line in ("open Cup -b magic-mtr", "register Ann", "register Bo", ended):
        assert desk(line).code == 0
    assert "no player added; Ann is left out, because entry" in desk("register --csv r.csv --skip-registered").err
    Path("r.csv").write_text("name\nAnn\nBo\nCy\n", "utf-8")
    said = desk("register --csv r.csv --skip-registered")
    assert (said.code, said.lines) == (0, ["1 player registered."])
    assert "line 2: Ann is left out, because entry" in said.err
    assert sorted(row["name"] for row in desk("players --json").document) == left
    assert desk("register Ann").code == 0


def test_a_roster_can_be_imported_again_after_undo(desk: Desk) -> None:
    Path("r.csv").write_text("name\nAnn\nBo\n", "utf-8")
    for line in ("open Cup -b magic-mtr", "register --csv r.csv", "undo --yes"):
        assert desk(line).code == 0
    assert desk("register --csv r.csv --skip-registered").lines == ["2 players registered."]


@pytest.mark.parametrize("option", ["", " --skip-registered"])
def test_a_membership_number_that_occurs_twice_in_a_roster_registers_nobody(desk: Desk, option: str) -> None:
    Path("r.csv").write_text("name,dci\nAnn,111\nBo,\nCy,\nAnn Lee,111\n", "utf-8")
    assert desk("open Cup -b magic-mtr").code == 0
    said = desk(f"register --csv r.csv{option}")
    problem = "Ann Lee has the number 111 of line 2 too: correct one of the lines; no player was registered"
    assert (said.code, said.problem) == (2, f"r.csv, line 5: {problem}")
    assert desk("players --json").document == []


def test_a_name_that_is_not_utf_8_gets_one_plain_line(desk: Desk) -> None:
    """Before the fix, the message was that of the library that checks the fields."""
    desk("open Cup -b magic-mtr")
    said = desk("register", "J\udcf6rg")
    assert (said.code, said.problem) == (2, "name: this is not UTF-8: write it in UTF-8")
