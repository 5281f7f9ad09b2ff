"""Divisions and flights on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from freezegun import freeze_time
from tests.cli.conftest import Desk


@pytest.fixture
def regionals(desk: Desk, tmp_path: Path) -> Desk:
    """Six juniors and 64 masters, by year of birth. Swiss with a cut to 8 is announced."""
    rows = [f"Jun{number},2010" for number in range(1, 7)] + [f"Mas{number},1990" for number in range(1, 65)]
    (tmp_path / "roster.csv").write_text("\n".join(["name,born", *rows]), "utf-8")
    assert desk("open Regionals -b pokemon-2009 --division-from junior=2009 --division-from senior=2005").code == 0
    assert desk("register --csv roster.csv").code == 0
    assert desk("announce --style swiss-with-cut --rounds 6 --cut 8 --prizes 8 --reason one-hall").code == 0
    return desk


def test_years_of_birth_from_the_opening_give_the_divisions(regionals: Desk) -> None:
    assert regionals("divisions").lines == [
        "Regionals, pokemon-2009, entry 72",
        "Division  Born       Players  Leads",
        "junior    from 2009        6  6 players are level",
        "masters   to 2004         64  64 players are level",
        "They play separately (Age Separated): as the sizes ask for, decided when round 1 is paired",
    ]
    assert regionals("register Bo --born 2006").lines == ["Bo is registered in senior (entry 73)."]
    assert regionals("register Cy --born 2006 --division masters").problem == (
        "Cy was born in 2006 and plays in senior, not masters: give a reason to deviate "
        "(PKM-3.1.1-POD); use --reason"
    )
    said = regionals("register Cy --born 2006 --division masters --reason 'asked to, and the organizer agreed'")
    assert said.lines == ["Cy is registered in masters (entry 74)."]
    assert "division other than by birth" in regionals("integrity").out
    assert regionals("divisions --json").document["first_years"] == {"junior": 2009, "senior": 2005}
    assert regionals("open Other -b pokemon-2009 --division-from junior").problem == (
        "'junior' is not a division and a year: write junior=1999"
    )


@pytest.mark.parametrize("line", ["register --csv typo.csv", "register Bo --division juniour"])
def test_a_misspelled_division_is_named(regionals: Desk, tmp_path: Path, line: str) -> None:
    """Before the fix, one misspelled division turned an Age Separated event into one field, without a word."""
    (tmp_path / "typo.csv").write_text("name,division\nAl,masters\nBo,juniour\n", "utf-8")
    assert "note: Bo: pokemon-2009 has no division juniour, but junior, senior, masters" in regionals(line).err


def test_a_division_that_is_misspelled_in_a_correction_is_named(desk: Desk, tmp_path: Path) -> None:
    """Before the fix, only a registration warned of an unknown division, without the name of the player."""
    desk("open Regionals -b pokemon-2009")
    desk("register Bo --division junior")
    said = "note: Bo: pokemon-2009 has no division juniour, but junior, senior, masters; if it is misspelled"
    assert said in desk("correct-player Bo --division juniour").err
    assert desk("correct-player Bo --division Senior").err == ""
    names = [f"P{number}" for number in range(1, 9)]
    (tmp_path / "typo.csv").write_text(
        "\n".join(["name,division", *(f"{name},juniour" for name in names)]), "utf-8"
    )
    assert "note: P1, P2, P3, P4, P5, and 3 more: pokemon-2009" in desk("register --csv typo.csv").err


def test_the_divisions_count_late_players_beside_their_sizes(regionals: Desk) -> None:
    """Before the fix, `divisions` did not show a late player at all. The sizes still decide the structure."""
    assert regionals("pair").code == 0
    assert regionals("late Zed --born 2010").code == 0
    junior = regionals("divisions").lines[2]
    assert " ".join(junior.split()).startswith("junior from 2009 6 and 1 late ")
    page = regionals("divisions --json").document
    assert (page["sizes"], page["late"]) == ({"junior": 6, "masters": 64}, {"junior": 1})


def test_sizes_decide_nothing_while_a_player_has_no_division(regionals: Desk) -> None:
    assert regionals("register Bo").code == 0
    assert regionals("divisions").lines[-1].endswith(": not decided while a player has no division")
    assert regionals("pair").refused.startswith("Bo has no division: ")
    assert regionals("correct-player Bo --born 1990").code == 0
    assert regionals("divisions").lines[-1].endswith(": as the sizes ask for, decided when round 1 is paired")


def test_with_a_reason_the_divisions_on_a_roster_count(regionals: Desk, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("name,born,division\nBo,2006,\nCy,2006,masters\n", "utf-8")
    assert regionals("register --csv more.csv").problem == (
        "more.csv, line 3: Cy was born in 2006 and plays in senior, not masters: give a reason to deviate "
        "(PKM-3.1.1-POD); no player was registered; use --reason"
    )
    said = regionals("register --csv more.csv --reason 'asked to, and the organizer agreed'")
    assert said.lines == ["2 players registered, 1 in another division than the year of birth gives."]
    assert regionals("integrity").out.count("division other than by birth") == 1


def test_the_mode_of_the_divisions_can_be_set_with_a_reason(regionals: Desk) -> None:
    assert regionals("decide-divisions --mode mixed").problem == (
        "there is no mode 'mixed': there are none, separated, modified"
    )
    assert regionals("decide-divisions --mode modified").code == 3
    said = regionals("decide-divisions --mode modified --reason 'two tables are missing'")
    assert said.lines == ["The divisions play together (Age Modified); departs from PKM-3.1.1-POD (entry 73)."]
    assert regionals("divisions").lines[-1] == (
        "They play together (Age Modified): decided; departs from PKM-3.1.1-POD"
    )


def test_flights_are_proposed_then_drawn_then_shown_and_checked(regionals: Desk) -> None:
    lines = regionals("flights").lines
    assert lines[:3] == [
        "junior: 6 players, Top 8",
        "  no flights: the division has 6 players, and needs 64 (PKM-3.3.3.1-RESTRICT)",
        "masters: 64 players, Top 8",
    ]
    assert [" ".join(line.split()) for line in lines[4:]] == [
        "2 32, 32 5 4 possible",
        "4 16, 16, 16, 16 4 2 a flight would have 16 players, and needs 32 (PKM-3.3.3.1-RESTRICT)",
        "8 8 x 8 3 1 a flight would have 8 players, and needs 32 (PKM-3.3.3.1-RESTRICT)",
        "16 16 x 4 2 0 a flight would have 4 players, and needs 32 (PKM-3.3.3.1-RESTRICT)",
    ]
    assert regionals("draw-flights masters 2").lines == ["masters plays in 2 flights of 32, 32 (entry 73)."]
    assert regionals("late Zed --born 1980").lines[1] in ("Zed plays in flight 1.", "Zed plays in flight 2.")
    lines = regionals("flights masters").lines
    assert lines[0].startswith("masters: 2 flights, entry 73, seed ")
    assert min(line for line in lines if line.startswith("Flight")).startswith("Flight 1: 32")
    assert sum(line.startswith("  Mas") for line in lines) == 64
    assert regionals("flights seniors").problem == "there is no division 'seniors': there are junior, masters"
    assert regionals("pair").code == 0
    assert "Flights of masters: as derived" in regionals("verify --pairings").lines
    assert regionals("flights --json").document["divisions"][1]["drawn"]["original_sizes"] == [32, 32]


@pytest.mark.finding("S-W6")
def test_drawing_flights_names_an_announcement_that_no_longer_fits(desk: Desk, tmp_path: Path) -> None:
    rows = [f"Mas{number},masters" for number in range(1, 65)]
    (tmp_path / "roster.csv").write_text("\n".join(["name,division", *rows]), "utf-8")
    assert desk("open Regionals -b pokemon-2009").code == 0
    assert desk("register --csv roster.csv").code == 0
    assert desk("announce --cut 8 --rounds 6 --prizes 8").code == 0
    assert desk("draw-flights masters 2").lines[1:] == [
        "The announced structure does not fit these flights: announce it again (PKM-3.3.5-TABLE)."
    ]
    assert desk("announce --cut 8 --prizes 8").lines[0].startswith("Announced: 5 Swiss rounds")


def test_rulebooks_without_divisions_and_flights_say_so(four: Desk) -> None:
    assert four("divisions").lines[1] == "The rulebook has no divisions."
    assert four("number-tables junior 100").refused == "l5r-2018 has no divisions: everybody plays in one field"
    assert four("flights").problem == "l5r-2018 has no flights"
    assert four("standings --division junior").problem == "there is no division 'junior': there are none"


def test_divisions_that_play_apart_have_separate_standings(desk: Desk) -> None:
    desk("open Cup -b pokemon-2009")
    for number in range(1, 7):
        desk(f"register J{number} --born 2000")
        desk(f"register M{number} --born 1980")
    assert desk("pair").code == 0
    assert desk("report 1 a 2 a 3 a 4 a 5 a 6 a").code == 0
    lines = desk("standings").lines
    assert lines[1] == "Standings after round 1, as known, entry 21"
    assert (lines[2], lines[10], lines[11]) == ("junior", "", "masters")
    assert [line.split()[0] for line in lines[13:16]] == ["1=", "1=", "1="]
    one = desk("standings --division Masters")
    assert [line[4:5] for line in one.lines[4:10]] == ["M"] * 6
    document = desk("standings --division masters --json").document
    assert document["divisions"] == [{"division": "masters", "round": 1}]
    assert {row["division"] for row in document["standings"]} == {"masters"}
    assert len(desk("standings --division all --json").document["standings"]) == 12
    assert len(desk("standings --json").document["standings"]) == 12


def test_standings_are_posted_before_pairings_and_both_have_a_time(desk: Desk) -> None:
    with freeze_time("2026-05-02 10:00"):
        desk("open Cup -b pokemon-2009")
        for number in range(1, 5):
            desk(f"register P{number}")
        assert desk("announce --style swiss --rounds 2 --reason short").code == 0
        assert desk("pair").err == ""
        assert desk("post --pairings").lines == ["The pairings of round 1 are posted as entry 8."]
        assert desk("report 1 a 2 a").code == 0
    assert desk("pair --preview").lines[-1] == (
        "problem: not posted: the standings after round 1, so players cannot check them"
    )
    with freeze_time("2026-05-02 10:50"):
        desk("post")
    assert desk("pair").err == ""
    with freeze_time("2026-05-02 11:02"):
        assert desk("post --pairings").lines == [
            "The pairings of round 2 are posted as entry 13.",
            "The standings after round 1 have hung for 12 minutes.",
        ]
    assert desk("post --pairings --key k").problem == (
        "standings are signed for, pairings are not: leave --key out"
    )


def test_a_repeated_decision_about_the_divisions_is_not_recorded(regionals: Desk) -> None:
    assert regionals("decide-divisions").code == 0
    size = len(regionals("log").lines)
    assert regionals("decide-divisions").problem == (
        "the divisions are decided like this already: nothing would change"
    )
    assert len(regionals("log").lines) == size
    assert regionals("decide-divisions --mode modified --reason small").code == 0


def test_cutting_one_more_division_is_refused_with_the_way_to_cut_all(desk: Desk) -> None:
    """Before the fix, the refusal did not say that one `cut` can include all divisions."""
    players = [
        f"register {name} --division {division}"
        for division in ("junior", "masters")
        for name in (f"{division[0]}{number}" for number in range(4))
    ]
    for line in ("open Cup -b pokemon-2009", *players, "pair", "report 1 a 2 a 3 a 4 a", "tie --yes", "post"):
        assert desk(line).code == 0, line
    assert desk("cut --division junior=2 --reason short --yes").code == 0
    at = desk("log --json").out.count("\n")
    assert desk("cut --division masters=2 --reason short --yes").refused == (
        f"the cut of junior has been made: retract entry {at}, and give all divisions in one cut"
    )


def test_a_cut_that_names_one_division_keeps_the_announced_cuts_of_the_others(desk: Desk) -> None:
    """Before the fix, `cut 2 --division junior=4` left the masters without a cut and without a word."""
    players = [
        f"register {name} --division {division}"
        for division in ("junior", "masters")
        for name in (f"{division[0]}{number}" for number in range(8))
    ]
    lines = ("decide-divisions --mode separated --reason x", "announce --rounds 1 --cut 2 --reason small", "pair")
    for line in ("open Cup -b pokemon-2009", *players, *lines):
        assert desk(line).code == 0, line
    for line in ("report " + " ".join(f"{table} a" for table in range(1, 9)), "tie --yes", "post"):
        assert desk(line).code == 0, line
    for size in ("2", ""):
        said = desk(f"cut {size} --division junior=4 --reason y --preview").out
        assert "cut to 4 of junior" in said
        assert "2 of masters" in said
    assert desk("cut --division junior=4 --division masters=0 --reason y --yes").code == 0


@pytest.fixture
def apart(desk: Desk) -> Desk:
    """Two divisions that play apart, each with two tables in round 1: table 4 has no slip."""
    lines = ["open Cup -b pokemon-2009"]
    lines += [f"register {name} --division junior" for name in ("Ja", "Jo", "Ju", "Jy")]
    lines += [f"register {name} --division masters" for name in ("Ma", "Mo", "Mu", "My")]
    lines += ["decide-divisions --mode separated --reason wanted", "pair --table Ja/Jo --table Ju/Jy --table Ma/Mo"]
    lines[-1] += " --table Mu/My --reason paper"
    lines += ["report 1 a 3 a", "no-show Jy --station north"]
    for line in lines:
        assert desk(line).code == 0, line
    return desk


def results(desk: Desk) -> list[bool]:
    """Return for each table whether it has a result."""
    return [line["result"] is not None for line in desk("pairings --json").document["pairings"]]


def test_undo_takes_back_the_round_of_one_division_and_redo_restores_it(apart: Desk) -> None:
    """Before the fix, an undo of the round took back the slips of all divisions."""
    assert results(apart) == [True, True, True, False]
    assert apart("undo --round --division Junior").code == 0
    assert results(apart) == [False, False, True, False]
    assert {row["status"] for row in apart("players --json").document} == {"active"}
    assert apart("redo").code == 0
    assert results(apart) == [True, True, True, False]
    assert apart("undo --round --division junior", "--preview").code == 0


def test_undo_of_a_round_asks_for_a_division_or_a_reason_if_several_divisions_have_slips(apart: Desk) -> None:
    assert apart("undo --round").refused == (
        "junior, masters play apart, and each has slips in round 1: name one division, or give a reason to take "
        "all slips back; use --reason or --division"
    )
    assert apart("undo --round --reason 'wrong list'").code == 0
    assert apart("pairings").code != 0


def test_undo_of_a_round_needs_no_division_if_only_one_division_has_slips(apart: Desk) -> None:
    assert apart("undo --round --division junior").code == 0
    assert apart("undo --round --yes").code == 0
    assert apart("pairings").code != 0


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("undo --round --division senior", "round 1 has only the divisions junior, masters"),
        ("undo --division junior", "a division is only named to undo a whole round"),
    ],
)
def test_undo_names_the_mistake_in_a_division(apart: Desk, line: str, problem: str) -> None:
    assert apart(line).problem == problem


def test_undo_of_a_division_without_slips_leaves_the_posted_pairing(apart: Desk) -> None:
    apart("undo --round --division masters")
    assert apart("undo --round --division masters").refused == (
        "no table of masters has a slip in round 1: to move its players, amend the pairing"
    )
    assert results(apart) == [True, True, False, False]


def test_divisions_that_play_together_have_no_round_of_their_own(desk: Desk) -> None:
    for line in (
        "open Cup -b pokemon-2009",
        "register Ja --division junior",
        "register Ma --division masters",
        "pair --table Ja/Ma --reason paper",
        "report 1 a",
    ):
        assert desk(line).code == 0, line
    said = desk("undo --round --division junior")
    assert said.refused == "the divisions of round 1 do not play apart: undo the round without a division"
