"""Starting a tournament in a ledger: rosters, openings, imports, and choosing one of several tournaments."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.conftest import Desk

# -- the roster


def roster(folder: Path, content: bytes) -> str:
    path = folder / "roster.csv"
    path.write_bytes(content)
    return path.name


def test_a_roster_is_registered_with_all_its_columns(desk: Desk, tmp_path: Path) -> None:
    desk("open Friday -b l5r-2018")
    name = roster(
        tmp_path,
        "\ufeffname,born,division,contact,clan,byes\n"
        '"Lee, Ann",1990,senior,ann@example.org,Crab\nBo,,,,,1\n'.encode(),
    )
    assert desk(f"register --csv {name}").lines == ["2 players registered."]
    log = desk("log").out
    assert "Lee, Ann registered as number 1" in log
    assert "ann@example.org" not in log
    ann = json.loads(desk("log --json").lines[1])["fact"]
    assert ann["person"] == {
        "name": "Lee, Ann",
        "born": 1990,
        "contact": "ann@example.org",
        "details": {"clan": "Crab"},
    }
    assert (ann["division"], ann["attributes"]) == ("senior", {})
    assert [row["player"] for row in desk("standings --json").document["standings"]] == ["Lee, Ann", "Bo"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            b"name\nAnn\nBo\nann\n",
            "roster.csv, line 4: ann is in line 2 too: add something to one of the names ",
        ),
        (b"name\nAnn\nCy\nCy\n", "roster.csv, line 4: Cy is in line 3 too: "),
        (b"name,born\nAnn,soon\n", "roster.csv, line 2: year of birth: this is not a whole number"),
        (b"name,born\n,1990\n", "roster.csv, line 2: the name is empty; no player was registered"),
        (b"name,born\nLee, Ann,1990\n", "roster.csv, line 2: more cells than columns; put a cell with a comma in "),
        (
            b"player\nAnn\n",
            "roster.csv: there is no column 'name': the first line names the columns; no player was ",
        ),
        (b"", "roster.csv: there is no column 'name': the first line names the columns; no player was registered"),
        (b"name,Name\nAnn,Bo\n", "roster.csv, line 1: a column appears twice; no player was registered"),
        (b"name,clan\nAnn,Cr\x1bab\n", "roster.csv, line 2: 'clan': a character cannot be printed; remove it; "),
        (b"name\n", "roster.csv: the roster is empty; no player was registered"),
        ("name\nZoë\n".encode("latin-1"), "roster.csv, line 2: byte 8 of the file (0xeb) is not UTF-8; save the"),
        (
            b'name,clan\n"Ann,Crab\n',
            "roster.csv, line 2: this is not CSV: a quotation mark is opened and never closed; no player ",
        ),
        (
            b'name,clan\n"Ann" Lee,Crab\n',
            "roster.csv, line 2: this is not CSV: put a cell with a quotation mark in quotes, and double the ",
        ),
        (
            b"name\nA\x00nn\n",
            "roster.csv, line 2: byte 7 of the file is NUL, so it is not a text file; no player ",
        ),
        (
            b"name\n" + b"x" * 200_000 + b"\n",
            "roster.csv, line 2: this is not CSV: a cell has more than 131072 characters; no player ",
        ),
        (
            b"name\n" + b"x" * 201 + b"\n",
            "roster.csv, line 2: the name 'xxxxxxxxxxxxxxxxxxxx'... has 201 characters",
        ),
    ],
)
def test_a_roster_with_one_mistake_registers_nobody(
    desk: Desk, tmp_path: Path, content: bytes, problem: str
) -> None:
    desk("open Friday -b l5r-2018")
    said = desk(f"register --csv {roster(tmp_path, content)}")
    assert said.code == 2
    assert said.problem.startswith(problem)
    assert desk("standings --json").document["standings"] == []


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_roster_from_a_spreadsheet_can_be_read(desk: Desk, tmp_path: Path, separator: str) -> None:
    desk("open Friday -b l5r-2018")
    lines = (separator.join(cells) for cells in (("Name", "clan, house"), ("Lee, Ann", "Crab"), ("Bo", "")))
    assert desk(f"register --csv {roster(tmp_path, chr(10).join(lines).encode())}").lines == [
        "2 players registered."
    ]
    ann = json.loads(desk("log --json").lines[1])["fact"]["person"]
    assert (ann["name"], ann["details"]) == ("Lee, Ann", {"clan, house": "Crab"})


def test_a_roster_can_skip_players_who_are_registered(desk: Desk, tmp_path: Path) -> None:
    desk("open Friday -b l5r-2018")
    desk("register Ann")
    name = roster(tmp_path, b"name\nBo\nANN\nCy\n")
    said = desk(f"register --csv {name}")
    assert (said.code, said.problem.partition(": add")[0]) == (2, "roster.csv, line 3: ANN is registered already")
    assert desk(f"register --csv {name} --skip-registered").lines == ["2 players registered."]
    again = desk(f"register --csv {name} --skip-registered")
    assert again.problem == "no player added: every player of the roster is registered already"


def test_a_roster_sent_twice_is_registered_once(desk: Desk, tmp_path: Path) -> None:
    desk("open Friday -b l5r-2018")
    line = f"register --csv {roster(tmp_path, b'name' + bytes([10]) + b'Ann' + bytes([10]))} --command-id roster"
    assert desk(line).lines == desk(line).lines == ["1 player registered."]
    assert len(desk("standings --json").document["standings"]) == 1


# -- the start of a tournament


def test_a_refused_opening_leaves_no_file_behind(desk: Desk, ledger: Path) -> None:
    assert desk("open Friday -b l5r-2018 -p POL-X=1").code == 3
    assert not ledger.exists()


def test_an_import_is_complete_or_has_no_effect(desk: Desk, ledger: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "event.sheet"
    sheet.write_text("rulebook l5r-2018\nplayers A B\nround 1\n  A > B\ndrop C\n", "utf-8")
    said = desk("import event.sheet")
    assert (said.code, said.problem) == (2, "event.sheet, line 5: 'C' is not registered")
    assert not ledger.exists()
    sheet.write_text("rulebook l5r-2018\nplayers A B\nround 1\n  A > B\n", "utf-8")
    assert desk("import event.sheet").lines == ["event: 2 players, 1 Swiss round, 6 entries under l5r-2018."]
    again = desk("import event.sheet")
    assert again.code == 2
    assert again.problem.endswith(" holds a tournament already: import into a new ledger")


def test_the_desk_learns_what_to_tell_the_late_player(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "event.sheet").write_text("rulebook pokemon-2009\nplayers A B\nround 1\n  A > B\n", "utf-8")
    desk("import event.sheet")
    assert desk("late Zed").lines == ["Zed is in, charged with 1 loss, and ranks below players on time."]


def test_check_says_that_a_file_has_no_official_numbers(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "event.sheet").write_text("rulebook l5r-2018\nplayers A B\nround 1\n  A > B\n", "utf-8")
    said = desk("check event.sheet")
    assert (said.code, said.out) == (0, "event.sheet holds no official number: there is nothing to compare with.\n")


def test_the_error_lists_the_tournaments_of_a_ledger(desk: Desk) -> None:
    desk("open Morning -b l5r-2018")
    desk("open Evening -b ashes-2022")
    assert (
        desk("register Ann").problem
        == "name one tournament: the ledger holds 'Morning', 'Evening'; use --tournament"
    )
    assert desk("register Ann -t Evening").code == 0
    assert desk("standings -t Evening --json").document["rulebook"] == "ashes-2022"
    assert desk("standings -t Morning --json").document["standings"] == []


def test_tournaments_with_the_same_name_are_listed_with_ids(desk: Desk) -> None:
    for _ in range(2):
        desk("open Friday --rulebook l5r-2018")
    problem = desk("standings").problem
    listed = re.findall(r"'Friday' \(([0-9a-f-]{8})\)", problem)
    assert len(set(listed)) == 2
    assert desk(f"standings --tournament {listed[1]}").code == 0
    assert (
        "several tournaments are called 'Friday': name one by its id"
        in desk("standings --tournament Friday").problem
    )


def test_a_tournament_is_found_by_its_present_name_before_an_earlier_one(desk: Desk) -> None:
    """The names were mixed up at opening. Before the fix, `-t` went on to mean the earlier name."""
    for name, rulebook in (("Modern", "l5r-2018"), ("Legacy", "ashes-2022")):
        desk(f"open {name} -b {rulebook} --yes")
    desk("describe --name Legacy -t Modern --role organizer")
    [listed] = re.findall(r"'Legacy' \(([0-9a-f-]{8})\)", desk("standings").problem)[1:] or [""]
    desk(f"describe --name Modern -t {listed} --role organizer")
    assert desk("standings -t Legacy --json").document["rulebook"] == "l5r-2018"
    assert desk("standings -t Modern --json").document["rulebook"] == "ashes-2022"


def test_an_id_distinguishes_tournaments_with_the_same_name(desk: Desk) -> None:
    desk("open Friday -b l5r-2018")
    desk("open Friday -b ashes-2022")
    problem = desk("standings -t Friday").problem
    assert problem.startswith("several tournaments are called 'Friday': name one by its id, ")
    first, second = problem.rpartition("by its id, ")[2].split(", ")
    assert desk(f"standings -t {first} --json").document["rulebook"] == "l5r-2018"
    assert desk(f"standings -t {second} --json").document["rulebook"] == "ashes-2022"


def test_a_command_says_that_a_ledger_has_no_tournament(desk: Desk, ledger: Path) -> None:
    ledger.touch()
    assert desk("standings").problem == "the ledger holds no tournament: open or import one first"


def test_verify_checks_every_tournament_and_exits_with_the_worst_result(desk: Desk, ledger: Path) -> None:
    for name, players in (("Morning", "AB"), ("Evening", "CD")):
        desk(f"open {name} -b l5r-2018")
        for player in players:
            desk(f"register {player} -t {name}")
    said = desk("verify --all")
    assert said.code == 0
    assert [line.split(" (")[0] for line in said.lines[::2]] == ["Morning", "Evening"]
    assert all(line.startswith("  3 entries, none altered. Tree head 3:") for line in said.lines[1::2])
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute("DROP TRIGGER stored_events_no_update")
        for position in (1, 2):  # without its first entry, the first tournament has no name
            connection.execute(
                "UPDATE stored_events SET state = x'00' WHERE originator_version = ? AND originator_id = "
                "(SELECT originator_id FROM stored_events ORDER BY rowid LIMIT 1)",
                (position,),
            )
        connection.commit()
    said = desk("verify --all")
    assert (said.code, said.err) == (1, "")
    assert said.lines[0].startswith("without a name that can be read (")
    assert [line[:11] for line in said.lines[1:-2]] == ["  entry 1: ", "  entry 2: "]
    assert said.lines[-2].startswith("Evening (")
    assert said.lines[-1].startswith("  3 entries, none altered.")
    documents = json.loads(desk("verify --all --json").out)["tournaments"]
    assert [(one["name"], [found["position"] for found in one["findings"]]) for one in documents] == [
        (None, [1, 2]),
        ("Evening", []),
    ]
