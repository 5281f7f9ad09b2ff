"""A command names at once what it leaves open, and whom it concerns."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Desk
from tests.cli.test_taken_back_whole import done, semifinals

SLIP = "note: slip 9 contradicts the result of table 1 of round 1"


@pytest.mark.finding("C-D3")
@pytest.mark.parametrize(
    "step", ["pair", "pair --table Ann/Cy --table Bo/Di", "cut 2 --yes", "post", "close --yes"]
)
def test_a_reason_to_go_on_is_followed_by_a_note_of_each_open_question(played: Desk, step: str) -> None:
    """Before the fix, only `pair` named open questions."""
    played("report 1 b")
    played("tie Ann Cy")
    said = played(f"{step} --reason seen")
    assert (said.code, said.err.splitlines().count(SLIP)) == (0, 1)


def test_pairing_an_elimination_round_with_a_reason_notes_each_open_question(played: Desk) -> None:
    done(played, "tie Ann Cy", "cut 2 --reason short --yes", "call Bo")
    assert "note: call 11 about table 1 of round 1 has no answer" in played("pair --reason seen").err
    assert "note: call 11 about table 1 of round 1 has no answer" not in played("report 1 a").err


def returning(desk: Desk, players: int) -> Desk:
    """The first player drops after round 1, and round 2 is paired."""
    names = [f"P{number}" for number in range(1, players + 1)]
    done(desk, "open Friday -b l5r-2018", *(f"register {name}" for name in names), "pair")
    done(desk, *(f"report {table} a" for table in range(1, players // 2 + 1)), "drop P1", "pair")
    return desk


def test_rejoin_says_that_the_current_round_is_missed_and_charged(desk: Desk) -> None:
    said = returning(desk, 6)("rejoin P1")
    assert "note: P1 sits out round 2, which counts as a loss; before its first result, retract entry " in said.err
    paired = said.err.partition("retract entry ")[2].split()[0]
    done(desk, f"retract {paired} --yes", "pair")
    pairings = desk("pairings --json").document
    assert "P1" in [*pairings["byes"], *(name for row in pairings["pairings"] for name in row["players"])]


def test_rejoin_names_no_new_pairing_once_the_round_has_a_result(desk: Desk) -> None:
    returning(desk, 6)
    done(desk, "report 1 a")
    assert "note: P1 sits out round 2, which counts as a loss\n" in desk("rejoin P1").err


def test_a_player_who_returns_to_an_open_table_misses_no_round(four: Desk) -> None:
    done(four, "drop Ann")
    assert "sits out" not in four("rejoin Ann").err


@pytest.mark.finding("C-D14")
@pytest.mark.parametrize("rulebook", ["l5r-2018", "pokemon-2009"])
def test_a_drop_in_the_elimination_names_the_opponent_who_advances(desk: Desk, rulebook: str) -> None:
    """Before the fix, the preview did not list the opponent among the people to inform."""
    seats = semifinals(desk, rulebook)
    leaver, opponent = seats[2]
    done(desk, "report 1 a")
    told = {one["player"]: one["walkover"] for one in desk(f"drop {leaver} --preview --json").document["to_tell"]}
    assert told[opponent]
    assert not told.get(leaver, False)
    assert any(
        line.startswith(f"  {opponent}: ") and line.endswith("would go on without playing")
        for line in desk(f"drop {leaver} --preview").lines
    )
    done(desk, "report 2 a", "pair")
    first, second = desk("pairings --json").document["pairings"][0]["players"]
    named = desk(f"drop {first} --preview --json").document["to_tell"]
    assert [one["player"] for one in named if one["walkover"]] == [second]


@pytest.mark.finding("C-D11")
def test_the_same_slip_twice_in_a_line_is_recorded_once(four: Desk) -> None:
    said = four("report 1 a 2 b 1 a")
    assert said.code == 0
    assert "Table 1: the same slip is there already (entry 7)." in said.lines
    assert four("report 1 a 1 b").problem == (
        "table 1 is in the line with two results: nothing was recorded, check the line"
    )


@pytest.mark.finding("C-D11")
def test_the_first_line_says_why_a_pile_of_slips_stopped(played: Desk) -> None:
    refused = played("report 9 a 1 a 2 a").refused
    assert refused == "round 1 has no table 9: its tables are 1 to 2; not recorded after table 9: table 1, 2"
    assert played("report 1 b 2 a").problem.endswith("; not recorded after table 1: table 2")


def test_extra_columns_of_a_roster_are_in_the_list_of_players(desk: Desk) -> None:
    Path("field.csv").write_text("name,clan,dci,status\nAnn,Crane,11,guest\nBo,Lion,12,\n", "utf-8")
    done(desk, "open Friday -b l5r-2018", "register --csv field.csv")
    listed = {row["name"]: row for row in desk("players --json").document}
    assert (listed["Ann"]["clan"], listed["Ann"]["dci"], listed["Ann"]["status"]) == ("Crane", "11", "active")
    assert list(listed["Ann"])[-2:] == ["dci", "clan"]
    heads, *rows = desk("players --csv").lines
    assert heads.endswith("dci,clan,status")
    assert rows[0].endswith("11,Crane,guest")
    assert "Crane" in desk("players").out


TAKEN = "Cy would have the number 11 of Ann (#1): correct one of them"


@pytest.mark.parametrize("line", ["register --csv more.csv", "correct-player Cy --set dci=11"])
def test_a_membership_number_belongs_to_one_player(desk: Desk, line: str) -> None:
    Path("field.csv").write_text("name,dci\nAnn,11\nBo,12\n", "utf-8")
    Path("more.csv").write_text("name,dci\nCy,11\n", "utf-8")
    done(desk, "open Friday -b l5r-2018", "register --csv field.csv")
    if line.startswith("correct"):
        done(desk, "register Cy", "correct-player Ann --set dci=11 --set pop=4")
    assert TAKEN in desk(line).problem
    assert desk("correct-player Bo --set dci=13").code == 0


def test_swapped_tables_are_no_departure(four: Desk) -> None:
    done(four, "swap-tables 1 2 --yes")
    assert "amended pairing" not in [item["kind"] for item in four("integrity --json").document["items"]]


def test_the_preview_of_a_pairing_shows_the_next_elimination_round(desk: Desk) -> None:
    """Before the fix, the preview said that the Swiss rounds are over."""
    seats = semifinals(desk)
    assert "no result" in desk("pair --preview").refused
    done(desk, "report 1 a", "report 2 b")
    said = desk("pair --preview")
    assert (said.code, said.lines[0]) == (0, "PREVIEW of elimination round 2: nothing is recorded.")
    final = desk("pair --preview --json").document
    assert (final["stage"], final["round"], final["recorded"]) == ("elimination", 2, False)
    assert [row["players"] for row in final["pairings"]] == [[seats[1][0], seats[2][1]]]
    assert len(desk("pairings --json").document["pairings"]) == 2
    done(desk, "pair")
    assert desk("pairings --json").document["pairings"] == final["pairings"]


def test_an_elimination_round_by_hand_is_previewed_as_it_is_recorded(desk: Desk) -> None:
    """Before the fix, the preview said that the Swiss rounds are over."""
    seats = semifinals(desk)
    done(desk, "report 1 a", "report 2 a")
    final, other = (f"pair --table {seats[1][0]}/{seats[2][place]}" for place in (0, 1))
    assert desk(f"{final} --preview").code == 0
    assert desk(f"{other} --preview").refused == desk(other).refused
    assert desk(f"{other} --reason agreed --preview").code == 0
    assert len(desk("pairings --json").document["pairings"]) == 2


def test_the_preview_of_a_drop_gives_the_leaver_no_new_seat(desk: Desk) -> None:
    seats = semifinals(desk)
    leaver, opponent = seats[1]
    told = {one["player"]: one for one in desk(f"drop {leaver} --preview --json").document["to_tell"]}
    assert told[opponent]["reseated"]
    assert not told.get(leaver, {"reseated": False})["reseated"]
    assert f"  {leaver}: would sit elsewhere" not in desk(f"drop {leaver} --preview").lines


def test_one_open_table_is_named_in_the_singular(four: Desk) -> None:
    done(four, "report 1 a")
    assert "problem: unreported: round 1 has no result from table 2" in four("pair --preview").lines


NUMBER_TWICE = "Bo would have the number 11 of Ann (#1): correct one of them"


def test_an_imported_sheet_gives_a_membership_number_to_one_player(desk: Desk) -> None:
    sheet = Path("friday.sheet")
    sheet.write_text("rulebook l5r-2018\nplayer Ann dci=11\nplayer Bo dci=11\n", "utf-8")
    assert desk("import friday.sheet").problem == f"friday.sheet, line 3: {NUMBER_TWICE}"
    sheet.write_text("rulebook l5r-2018\nplayer Ann dci=11\nplayer Bo dci=12\n", "utf-8")
    done(desk, "import friday.sheet")
