"""Typed names: accents, spaces, numbers, and names that resemble other input."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from tests.cli.conftest import Desk


@pytest.fixture
def friday(desk: Desk) -> Desk:
    assert desk("open Friday -b l5r-2018").code == 0
    return desk


@pytest.mark.parametrize("twin", [unicodedata.normalize("NFD", "Zoë Ash"), " zoë  ash ", "ZOË ASH"])
def test_names_that_look_alike_are_the_same_name(friday: Desk, twin: str) -> None:
    friday("register", "Zoë Ash")
    said = friday("register", twin)
    assert said.code == 3
    assert "is registered already: add something to a second player's name" in said.problem
    assert friday("drop", twin).lines == ["Zoë Ash has dropped (entry 3)."]


def test_spaces_around_a_name_are_ignored(friday: Desk) -> None:
    assert friday("register", "  Ann   Lee ").lines == ["Ann Lee is registered (entry 2)."]


def test_an_empty_name_finds_no_player_even_if_there_is_only_one(friday: Desk) -> None:
    friday("register Ann")
    for nobody in ("", " "):
        problem = friday("drop", nobody).problem
        assert problem == "the name is empty: name a player, or write a number such as #7"


def test_a_name_that_looks_like_the_number_of_a_player_is_ambiguous(friday: Desk) -> None:
    friday("register Ann")
    friday("register", "#1")
    assert friday("drop", "#1").problem == "#1 is the number of Ann, and the name of #2: write 'Ann' or #2"
    assert friday("drop", "#2").lines == ["#1 has dropped (entry 4)."]
    assert friday("drop ann").lines == ["Ann has dropped (entry 5)."]


def test_a_late_player_may_have_a_name_that_looks_like_a_player_number(friday: Desk) -> None:
    for name in ("Ann", "Bo"):
        friday("register", name)
    friday("pair")
    friday("report 1 a")
    assert friday("late", "#1").lines == ["#1 is in, charged with 1 loss."]


def test_a_repeated_command_prints_its_first_result_again(friday: Desk) -> None:
    friday("register Ann")
    assert friday("drop Ann --command-id c1").err == ""
    assert friday("drop Ann --command-id c1").err == (
        "note: command c1 is in the log as entry 3 (Ann dropped after round 0 (request)): "
        "nothing was recorded again\n"
    )


def test_using_a_command_id_for_another_command_is_refused_with_the_entry(friday: Desk) -> None:
    for line in ("register Ann", "register Bo", "drop Ann --command-id c1"):
        friday(line)
    said = friday("drop Bo --command-id c1")
    assert (said.code, said.out) == (4, "")
    assert said.problem == ("command id c1 belongs to entry 4 (player-dropped): use another id")


def test_without_a_command_the_program_explains_how_to_use_it(desk: Desk) -> None:
    assert desk("").out == desk("--help").out
    assert desk("").code == 0
    assert desk("deck").problem == "Missing command; matchledger deck --help lists them"


def test_a_file_name_of_invalid_bytes_is_accepted(desk: Desk, tmp_path: Path) -> None:
    sheet = tmp_path / "e\udcffent.sheet"
    try:
        sheet.write_text("rulebook l5r-2018\nplayers A B\n", "utf-8")
    except (OSError, UnicodeError):
        pytest.skip("this system has no such names")
    assert desk("import", str(sheet)).lines == ["e�ent: 2 players, 0 Swiss rounds, 4 entries under l5r-2018."]


def test_a_second_drop_of_a_player_in_a_sheet_is_refused_or_noted(desk: Desk, tmp_path: Path) -> None:
    heading = "rulebook l5r-2018\nplayers A B\n"
    (tmp_path / "twice.sheet").write_text(heading + "drop A\ndrop A\n", "utf-8")
    assert desk("import twice.sheet").problem == "twice.sheet, line 4: A has dropped already"
    (tmp_path / "absent.sheet").write_text(heading + "round 1\nA > B no-show\ndrop B\n", "utf-8")
    assert desk("import absent.sheet").err == "note: B had been dropped already, by not appearing\n"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[]", "event.json: the JSON is an empty list: it names no player"),
        ('{"players": null, "rounds": null}', "event.json: players: nobody is named"),
    ],
)
def test_a_file_without_players_is_not_an_event(desk: Desk, tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "event.json").write_text(content, "utf-8")
    assert desk("import event.json").problem == problem
    assert desk("check event.json").problem == problem


def test_a_sheet_that_lacks_a_slip_names_the_players(desk: Desk, tmp_path: Path) -> None:
    text = "rulebook l5r-2018\nplayers A B C D E F\nround 1\nA > B\nE bye\ndrop F\nround 2\nA > C\nB > D\nE bye\n"
    (tmp_path / "event.sheet").write_text(text, "utf-8")
    assert desk("import event.sheet").err == "note: round 1: no slip and no bye for C, D, F\n"
