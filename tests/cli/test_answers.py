"""Answers of the command line: tables as CSV, outstanding tables, the end of the log, short ids."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from tests.cli.conftest import Desk
from tests.cli.test_asked_first import Terminal
from tests.desk import RunCli

from matchledger.formats.csv_tables import safe_cell


def rows(desk: Desk, line: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(desk(line).out)))


def test_standings_pairings_places_and_players_are_available_as_csv(played: Desk) -> None:
    played("drop Di")
    heading, *lines = rows(played, "standings --csv")
    assert (heading[:3], heading[-1]) == (["Place", "Player", "TP"], "Status")
    assert [line[:3] for line in lines[:2]] == [["1=", "Ann", "10"], ["1=", "Cy", "10"]]
    assert rows(played, "pairings --csv")[1] == ["1", "Ann", "Bo", "> Ann"]
    assert rows(played, "players --csv")[-1][:3] == ["#4", "Di", "dropped"]
    assert rows(played, "places --csv")[0] == ["Place", "Player", "Why", "Rule", "Champion"]


def test_players_as_json_end_with_the_membership_numbers_of_the_csv(played: Desk) -> None:
    played("correct-player Bo --set DCI=1234 --yes")
    assert list(played("players --json").document[1].items())[-1] == ("DCI", "1234")
    assert [row["DCI"] for row in played("players --json").document] == ["", "1234", "", ""]
    assert rows(played, "players --csv")[2][-1] == "1234"


@pytest.mark.parametrize("view", ["standings", "pairings", "places", "players", "draw field"])
@pytest.mark.parametrize("form", ["", "--csv", "--json"])
def test_the_option_out_writes_a_table_into_a_file(played: Desk, view: str, form: str) -> None:
    if form == "--csv" and view.startswith("draw"):
        return
    shown = played(f"{view} {form}").out
    assert played(f"{view} {form} --out -").out == shown
    for _ in range(2):  # the second file replaces the first
        assert played(f"{view} {form} --out table.out").out == "table.out is written.\n"
    assert Path("table.out").read_text("utf-8") == shown


def test_a_name_that_looks_like_a_formula_stays_text_in_csv(desk: Desk) -> None:
    names = ("=Ann", "=1+Bo", "-2+Cy", "@Di")
    desk("open Friday -b l5r-2018")
    for name in names:
        desk("register", "--", name)
    assert {row[1] for row in rows(desk, "players --csv")[1:]} == {f"'{name}" for name in names}
    assert [safe_cell(cell) for cell in ("-", "-5", "+1.5")] == ["-", "-5", "+1.5"]
    assert safe_cell("Ed;=1+1") == "Ed; =1+1"  # a spreadsheet in German splits at a semicolon


def test_outstanding_tables_are_listed_with_their_names_and_the_others_are_not(four: Desk) -> None:
    four("report 1 a")
    assert four("pairings --outstanding").lines[1:] == ["Table  Player  Opponent  Result", "    2  Cy      Di"]
    document = four("pairings --outstanding --json").document
    assert [line["players"] for line in document["pairings"]] == [["Cy", "Di"]]
    four("report 2 a")
    assert four("pairings --outstanding").lines == ["Round 1: all 2 tables reported."]
    assert four("pairings --outstanding --csv").lines == ["Table,Player,Opponent,Result"]


def test_open_tables_of_an_earlier_round_are_named_before_the_round_in_play(played: Desk) -> None:
    """Before the fix, the answer was only that all tables of round 2 are reported."""
    assert played("pair").code == 0
    played("retract 8 --yes")
    open_table, done = "Round 1: 1/2 reported, outstanding: 2", "Round 2: all 2 tables reported."
    assert played("report 1 a").lines[1:] == [open_table, "Round 2: 1/2 reported, outstanding: 2"]
    assert played("pairings --outstanding").lines[-1] == open_table
    assert played("report 2 a").lines[1:] == [open_table, done]
    assert played("pairings --outstanding").lines == [open_table, done]
    assert played("report 2 b --round 1").lines[-1] == done
    assert played("pairings --outstanding").lines == [done]


def test_the_log_command_can_show_only_the_last_entries(played: Desk) -> None:
    assert [line.split()[0] for line in played("log --tail 2").lines[1:]] == ["7", "8"]
    assert len(played("log --tail 3 --json").lines) == 3


@pytest.mark.finding("C-D8")
def test_a_second_tournament_of_the_same_name_needs_confirmation_and_gets_a_short_id(
    four: Desk, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    said = run_cli("open", "Friday", "-b", "l5r-2018")
    assert "note: Friday is open in this ledger already (" in said.err
    assert "): name each by its id, and close one that you opened by mistake" in said.err
    assert said.lines[-1].endswith("Nothing was recorded.")
    assert four("players").code == 0
    assert four("open Friday -b l5r-2018").code == 0
    problem = four("players").problem
    short = problem.split("'Friday' (")[1].split(")")[0]
    assert len(short) == 8
    assert four(f"players -t {short}").code == 0
    assert four("players -t Friday").problem.startswith(
        "several tournaments are called 'Friday': name one by its id, "
    )


def test_a_tournament_that_was_opened_by_mistake_can_be_given_up(
    four: Desk, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the fix, each later command asked for the name of the tournament, for ever."""
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    asked = run_cli("open", "Friady", "-b", "l5r-2018").out
    assert "This ledger holds 'Friday'. Open another tournament in it?" in asked
    assert four("players").code == 0
    assert four("open Friady -b l5r-2018").code == 0
    assert four("players").problem.startswith("name one tournament: the ledger holds 'Friday', 'Friady'")
    assert four("close -t Friady --yes --role organizer --reason mistake").code == 0
    assert four("players").code == 0
    assert four("log -t Friady").code == 0


def test_the_name_of_a_tournament_can_be_corrected(four: Desk) -> None:
    """Before the fix, a misspelled name stayed on every page and sheet. Pages of past rounds show the present name
    too.
    """
    assert four("describe --name Friday").code == 2
    assert four("describe --name 'Friday Open' --venue Hall").code == 0
    for line in ("standings", "standings --as-of 6", "standings -t Friday", "standings -t 'Friday Open'"):
        assert four(line).lines[0] == "Friday Open, l5r-2018", line
    assert four("export --format sheet -").lines[1] == 'event "Friday Open"'
    assert four("log").lines[-2].endswith("the event page of Friday Open was updated (Hall)")
    four("describe --venue Barn")
    assert four("standings").lines[0].startswith("Friday Open")
    four("undo")
    assert four("retract 7 --yes").code == 0
    assert four("standings").lines[0] == "Friday, l5r-2018"


@pytest.mark.finding("C-D10")
def test_an_amendment_that_changes_nothing_is_refused(four: Desk) -> None:
    for table in ("Ann/Bo", "Bo/Ann"):
        assert four(f"amend {table}").refused.endswith(" sit like this already: nothing would change")
    assert four("amend").code == 2
    assert four("log --tail 1").lines[1].lstrip().startswith("6 ")


@pytest.mark.finding("C-D16")
def test_players_who_are_tied_before_the_round_ends_need_no_draw(four: Desk) -> None:
    assert "draws the order" not in four("standings").out
    four("report 1 a 2 a")
    assert four("standings").lines[-1] == "= tied; `tie` draws the order."


@pytest.mark.finding("C-D18")
def test_a_sheet_whose_lines_are_out_of_order_gets_a_plain_message(four: Desk) -> None:
    assert "Value error" not in four("print pairings --by last").problem


@pytest.mark.finding("C-D7")
def test_open_names_the_file_with_the_keys(desk: Desk) -> None:
    assert "event.ledger.keys: it belongs to the ledger, copy both together." in desk("open Friday -b l5r-2018").out


def test_an_elimination_round_is_shown_although_no_swiss_round_has_its_number(played: Desk) -> None:
    for line in ("tie", "cut 4 --reason short --yes", "pair --reason short", "report 1 a 2 a", "pair"):
        assert played(line).code == 0, line
    for sheet in ("pairings", "print slips", "draw pace"):
        found = played(f"{sheet} --elimination --round 2 --json").document
        assert (found["stage"], found["round"]) == ("elimination", 2), sheet
        assert played(f"{sheet} --elimination --round 3 --json").problem == (
            "elimination round 3 was not paired at that moment"
        )


def test_by_default_the_latest_played_round_of_the_bracket_is_shown(played: Desk) -> None:
    for line in ("tie", "cut 2 --reason short --yes", "pair --reason short"):
        assert played(line).code == 0, line
    assert [row["table"] for row in played("pairings --outstanding --json").document["pairings"]] == [1]
    assert played("pairings").lines[0].startswith("Elimination round 1, ")
    assert played("clock").lines[0].startswith("Elimination round 1, ")
    assert {played(f"print {sheet} --json").document["stage"] for sheet in ("pairings", "slips")} == {"elimination"}
    assert played("print slips").out == "friday-slips-elimination-1.pdf is written.\n"
    assert played("draw pace --json").document["stage"] == "elimination"
    assert len(played("pairings --round 1 --json").document["pairings"]) == 2, "the Swiss round"
    assert played("report 1 a").code == 0
    assert played("pairings --outstanding --json").document["pairings"] == []


def test_a_posting_is_previewed(played: Desk) -> None:
    """A posting cannot be taken back, so people can preview it."""
    size = len(played("log --json").lines)
    shown = played("post --preview").lines
    assert shown[:2] == ["PREVIEW: nothing is recorded.", "Will record: standings after round 1 posted"]
    assert "Will record: pairings of round 1 posted" in played("post --pairings --preview").lines
    assert played("call Ann").code == 0
    assert "has no answer" in played("post --preview").refused
    assert len(played("log --json").lines) == size + 1


def test_a_count_of_one_entry_or_player_is_in_the_singular(desk: Desk) -> None:
    desk("open Friday -b l5r-2018")
    assert "1 entry," in desk("export one.jsonl").err
    assert "1 entry, none altered." in desk("verify").out
    desk("register Ann")
    assert desk("structure").out.startswith("1 player,")
