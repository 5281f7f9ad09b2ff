"""Results: slips from the command line and from the desk, corrections, and drops."""

from __future__ import annotations

import json
import os
import pty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Desk

# -- slips


def test_one_line_can_have_several_slips(four: Desk) -> None:
    assert four("report 1 a 2 b modified-win").lines == [
        "Table 1: Ann - Bo  > Ann (entry 7)",
        "Table 2: Cy - Di  < Di (modified-win) (entry 8)",
        "Round 1: all 2 tables reported.",
    ]


def test_report_always_shows_the_outstanding_tables(four: Desk) -> None:
    assert four("report 2 A").lines[-1] == "Round 1: 1/2 reported, outstanding: 1"


def test_a_line_of_slips_sent_twice_is_recorded_once(four: Desk) -> None:
    line = "report 1 a 2 b --command-id pile-1"
    assert four(line).lines == four(line).lines
    assert four("log --json").out.count("\n") == 8


@pytest.mark.parametrize("line", ["report 1 a 1 b", "report 1 a 2 b 1 b"])
def test_a_line_with_two_results_for_a_table_records_nothing(four: Desk, line: str) -> None:
    """One person typed both slips, so they do not come from two stations. Neither is recorded."""
    said = four(line)
    assert (said.code, said.problem) == (
        2,
        "table 1 is in the line with two results: nothing was recorded, check the line",
    )
    assert len(four("log --json").lines) == 6
    assert four("report 1 a 2 b").code == 0


def test_slips_before_a_refused_slip_are_recorded(four: Desk) -> None:
    said = four("report 1 a 9 b 2 a")
    assert said.code == 3
    assert said.lines == ["Table 1: Ann - Bo  > Ann (entry 7)"]
    assert said.problem == "round 1 has no table 9: its tables are 1 to 2; not recorded after table 9: table 2"


def test_a_missing_table_gets_the_numbers_of_the_tables_in_the_round(desk: Desk) -> None:
    for line in ("open Friday -b magic-mtr", "register Ann", "register Bo", "register Cy", "register Di"):
        assert desk(line).code == 0
    assert desk("fix-table Ann --table 9").code == 0
    assert desk("pair").code == 0
    assert desk("report 2 a").problem == "round 1 has no table 2: its tables are 1, 9"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("concede Bo", "Round 1, table 1: Bo conceded to Ann (entry 7)."),
        ("no-show Bo", "Bo did not appear, and has dropped."),
        ("no-show Bo --stays --reason ill", "Bo did not appear, and is still in."),
        ("no-show Ann Bo Ann", "Ann did not appear, and has dropped."),
        ("report 1 double-loss --reason left", "Table 1: Ann - Bo  double-loss (entry 7)"),
    ],
)
def test_report_confirms_every_special_outcome(four: Desk, line: str, says: str) -> None:
    said = four(line)
    assert said.lines[0] == says
    assert said.lines[-1] == "Round 1: 1/2 reported, outstanding: 2"


def test_a_correction_and_its_retraction_name_the_entries_that_they_replace(played: Desk) -> None:
    assert played("correct 1 1 b").lines == ["Round 1, table 1: Ann - Bo  < Bo (entry 9 replaces entry 7)"]
    assert played("retract 9").lines == [
        "Entry 9 no longer counts: round 1, table 1 corrected (was entry 7): Bo beat Ann (entry 10)."
    ]
    assert played("standings --json").document["standings"][0]["player"] == "Ann"
    assert [line.endswith("no longer counts") for line in played("log").lines[-2:]] == [True, False]


def test_a_correction_after_pairing_suggests_a_repair(played: Desk) -> None:
    led = "Round 2 was paired before: matchledger repair lists your options."
    played("pair")
    assert played("correct 1 1 b").lines[1:] == [led]
    assert played("retract 10").lines[1:] == []  # the results are the same as when round 2 was paired
    assert played("retract 7").lines[1:] == [led]
    assert played("report 1 b --round 1").code == 0
    assert played("report 1 a").code == 0
    assert led not in played("correct 2 1 b").lines
    assert played("report 2 a").code == 0
    assert played("correct 1 1 b").lines[1:] == []  # the round is over, and its pairing does not change


def test_a_correction_of_an_elimination_match_shows_the_match(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "event.sheet").write_text(
        "rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\ndraw A C\ncut 2\nelimination 1\n  A > C\n",
        "utf-8",
    )
    desk("import event.sheet")
    assert desk("correct 1 1 b").problem.startswith(
        "an elimination game was played, so the Swiss results are final"
    )
    assert desk("correct 1 1 b --elimination").lines == [
        "Elimination round 1, table 1: A - C  < C (entry 14 replaces entry 13)"
    ]
    assert desk("correct 1 1 b --override --reason late").lines == [
        "Round 1, table 1: A - B  < B (entry 15 replaces entry 8)"
    ]


def test_a_correction_after_the_cut_names_the_entry_of_a_cut_that_no_longer_fits(played: Desk) -> None:
    """Before the fix, the correction named no next step, and no message named the entry to retract."""
    assert played("tie").code == 0
    assert played("cut 2 --reason short --yes").code == 0
    cut = next(line.split()[0] for line in reversed(played("log").lines) if "cut to" in line)
    outdated = f"the cut no longer matches the standings (retract entry {cut} to cut again)"
    assert f"note: {outdated}" in played("correct 1 1 b --reason swapped --yes").err.splitlines()
    assert played("pair").refused.startswith(outdated)
    assert played("cut 2 --yes").refused.startswith(f"the cut has been made: retract entry {cut} to make another")
    assert outdated not in played("undo --yes").err


def test_no_match_is_in_progress_between_the_cut_and_the_bracket(played: Desk) -> None:
    """Before the fix, a no-show of a qualifier was recorded as a contradicting slip of the last Swiss round."""
    for line in ("tie", "cut 4 --reason short --yes"):
        assert played(line).code == 0, line
    before = played("log").lines
    for line in ("no-show Ann", "concede Ann"):
        said = played(line)
        assert said.refused == "the cut is made, and no match is in progress: pair the elimination round first"
    assert played("log").lines == before


def test_a_player_dropped_by_mistake_after_the_cut_comes_back_by_retracting_the_drop(played: Desk) -> None:
    for line in ("tie", "cut 4 --reason short --yes", "drop Ann --yes"):
        assert played(line).code == 0, line
    drop = next(line.split()[0] for line in played("log").lines if "Ann dropped" in line)
    assert played("rejoin Ann").refused.startswith(
        "the stage that Ann left is over: no player rejoins after the cut; to take back a mistaken drop, retract "
        f"entry {drop}"
    )
    assert played(f"retract {drop} --yes").code == 0
    assert played("players --json").document[0]["status"] == "active"


def test_an_undone_drop_brings_the_player_back(played: Desk) -> None:
    assert played("drop Di --cause lost-card").lines == ["Di has dropped (entry 9)."]
    assert played("retract 9").lines == [
        "Entry 9 no longer counts: Di dropped after round 1 (lost-card) (entry 10)."
    ]
    assert played("drop Di").lines == ["Di has dropped (entry 11)."]
    assert played("rejoin Di").lines == ["Di is back (entry 12)."]


def test_the_open_table_of_a_player_who_dropped_can_still_be_reported(four: Desk) -> None:
    assert four("drop Di").lines == ["Di has dropped (entry 7).", "Table 2 is still open: report its result."]


def test_a_number_or_the_beginning_of_a_name_finds_a_player(four: Desk) -> None:
    assert four("drop '#2'").lines[0] == "Bo has dropped (entry 7)."
    assert four("drop di").lines[0] == "Di has dropped (entry 8)."
    four("late Anna")
    assert four("drop ann").lines[0] == "Ann has dropped (entry 10)."
    four("late Annabel")
    assert four("drop anna").lines[0] == "Anna has dropped (entry 12)."


def test_an_ambiguous_beginning_of_a_name_is_refused(desk: Desk) -> None:
    desk("open Friday -b l5r-2018")
    desk("register 'Ann Lee'")
    desk("register 'Ann Moore'")
    assert desk("drop Ann").problem == "'Ann' can be Ann Lee, Ann Moore: write the whole name"


def test_seats_can_be_changed_before_play(four: Desk) -> None:
    assert four("amend Ann/Cy Bo/Di").lines == [
        "Round 1: 2 tables (entry 7)",
        "Table  Player  Opponent  Result",
        "    1  Ann     Cy",
        "    2  Bo      Di",
    ]


def test_an_imported_export_verifies_against_the_original_tree_head(played: Desk, tmp_path: Path) -> None:
    head = played("verify").lines[0].rpartition(" ")[2]
    assert played("export event.jsonl").code == 0
    assert played("import event.jsonl --ledger copy.ledger").code == 0
    assert played(f"verify --ledger copy.ledger --head {head}").code == 0
    assert (tmp_path / "event.jsonl").exists()


# -- the desk


def test_slips_are_entered_one_by_one(four: Desk) -> None:
    said = four("desk", typed="1\na\n\n2 b modified-win\nq\n")
    assert (said.code, said.err) == (0, "")
    assert said.lines[0].startswith(
        "Table, Enter, outcome, Enter. An outcome is a or b (the winner), a modified-win"
    )
    assert said.lines[-8:] == [
        "Round 1: 0/2 reported, outstanding: 1, 2",
        "table>   a Ann - b Bo  ",
        "table 1> Table 1: Ann - Bo  > Ann (entry 7)",
        "Round 1: 1/2 reported, outstanding: 2",
        "table> table>   a Cy - b Di  ",
        "Table 2: Cy - Di  < Di (modified-win) (entry 8)",
        "Round 1: all 2 tables reported.",
        "table> ",
    ]


@pytest.mark.finding("C-D12")
def test_the_desk_reports_a_mistake_and_asks_for_the_next_slip(four: Desk) -> None:
    """A missing table is named before the desk asks for an outcome. Each error uses this rulebook's words."""
    typed = "x\n9\n1\n\n1\nz\n1 draw\n1 a\n1 a\nu\nu\n1 b\n"
    said = four("desk", typed=typed)
    assert said.code == 3
    problems = said.err.splitlines()
    assert [problem[:40] for problem in problems] == [
        "! there is no player 'x'; see players",
        "! round 1 has no table 9: its tables are",
        "! table 1: nothing entered, nothing reco",
        "! 'z' is not an outcome: write a or b (t",
        "! l5r-2018 has no draws: write a or b (t",
        "! there is no slip to take back: this st",
    ]
    assert max(map(len, problems)) < 200
    assert "Table 1: the same slip is there already (entry 7)." in said.out
    assert "Table 1 is open again: entry 7 no longer counts." in said.out
    assert four("standings --as-of 9 --json").code == 0
    assert "Table 1 is open again: entry 9 no longer counts." in four("desk", typed="u\nu\n1 b\n").out
    assert [report["result"] and report["result"]["winner"] for report in _tables(four)] == ["Bo", None]


@pytest.mark.finding("C-D12")
def test_the_desk_has_keys_for_undo_and_for_a_second_pass(four: Desk) -> None:
    """The key `u` undoes one slip at a time, Escape leaves a table, and `check` compares the pile with the log."""
    said = four("desk", typed="1 1\nbo\n\x1b\ndi\nwin\nu\nu\n?\n1 2\n2 1\ncheck\n1 b\n2 b\ncheck\nq\n")
    assert [line for line in said.lines if "open again" in line] == [
        "table> Table 2 is open again: entry 8 no longer counts.",
        "table> Table 1 is open again: entry 7 no longer counts.",
    ]
    assert sum("Keys for the outcome: 1 a, 2 b, 3 a modified-win" in line for line in said.lines) == 2
    assert "Table 1 agrees." in said.out
    assert "table 2 differs: this slip says Di beat Cy, the log says Cy beat Di (entry 12)" in said.err
    assert "Second pass ended. Not compared: none." in said.out
    assert [report["result"]["winner"] for report in _tables(four)] == ["Bo", "Cy"]


@pytest.mark.parametrize(("typed", "again"), [("1 9", "1 9"), ("1\n9", "9")], ids=["one line", "two lines"])
def test_the_desk_asks_for_the_reason_of_a_double_loss(
    four: Desk, typed: str, again: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the fix, the refusal named --reason, which nobody can type at the prompt of the desk. Escape goes
    back.
    """
    keyboard, terminal = pty.openpty()
    with os.fdopen(terminal) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        os.write(keyboard, f"{typed}\n\x1b{again}\nBoth Left\n2 a\nq\n".encode())
        said = four("desk", typed=None)
    os.close(keyboard)
    assert said.err.count("give a reason") == 2
    assert "--reason" not in said.err
    assert [table["result"]["kind"] for table in _tables(four)] == ["double-loss", "win"]
    assert [entry["reason"] for entry in map(json.loads, four("log --json --tail 2").lines)] == ["Both Left", None]


@pytest.mark.finding("C-D12")
def test_keys_after_a_name_at_the_desk_mean_players_a_and_b_as_printed(four: Desk) -> None:
    said = four("desk", typed="bo\n?\n2\ndi\na\nq\n")
    assert sum("Keys for the outcome: " in line for line in said.lines) == 2
    assert [report["result"]["winner"] for report in _tables(four)] == ["Bo", "Cy"]
    assert four("desk", typed="bo 2\nq\n").err.startswith("! '2' is not an outcome"), (
        "the sides are not printed yet"
    )


@pytest.mark.parametrize(
    ("words", "winner"),
    [
        ("ann win", "Ann"),
        ("bo loss", "Ann"),
        ("bo modified-win", "Bo"),
        ("bo win:9", "Bo"),
        ("#1 modified-loss", "Bo"),
    ],
)
def test_a_slip_by_name_is_written_from_the_side_of_that_player(four: Desk, words: str, winner: str) -> None:
    assert four("report", *words.split(), "di", "loss").code == 0
    assert [report["result"]["winner"] for report in _tables(four)] == [winner, "Cy"]
    assert four("report ann a").problem == "a and b are the players of a table: after a name, write win or loss"
    four("late Eve")
    assert four("report Eve win").problem == "Eve has no table in this round: give the table's number"


def test_games_by_name_are_written_from_the_side_of_that_player(desk: Desk) -> None:
    for line in ("open Friday -b magic-mtr", "register 'Ann Lee'", "register Bo", "pair --table 'Ann Lee/Bo'"):
        assert desk(line).code == 0
    assert desk("report bo 2-1").lines[0] == "Table 1: Ann Lee - Bo  < Bo 2-1 (entry 5)"
    desk("undo")
    assert desk("report", "Ann Lee", "2-0").code == 0
    assert _tables(desk)[0]["result"]["winner"] == "Ann Lee"


@pytest.mark.finding("C-D11")
def test_report_goes_on_after_a_slip_that_was_already_recorded(four: Desk) -> None:
    assert four("report 1 a").code == 0
    said = four("report 1 a 2 b")
    assert (said.code, said.lines[0]) == (0, "Table 1: the same slip is there already (entry 7).")
    assert four("report 1 b 2 b").code == 4


@pytest.mark.finding("C-D13")
def test_a_message_lists_only_the_outcomes_of_this_rulebook(four: Desk) -> None:
    assert four("report 1 win").problem == "'win' names no winner: write a or b, or the player's name first"
    said = four("report 1 x").problem
    assert said.startswith("'x' is not an outcome: write a or b (the winner), a modified-win, ")
    assert "draw" not in said


def test_a_and_b_are_printed_on_the_slip(four: Desk) -> None:
    assert [line.split()[:4] for line in four("slip 1").lines[2:4]] == [
        ["a", "[", "]", "Ann"],
        ["b", "[", "]", "Bo"],
    ]


def _tables(desk: Desk) -> list[Any]:
    tables: list[Any] = desk("pairings --json").document["pairings"]
    return tables


def test_the_end_of_the_pipe_ends_the_desk(four: Desk) -> None:
    assert four("desk", typed="").code == 0
    said = four("desk", typed="1")
    assert said.code == 2
    assert said.err == "! table 1: nothing entered, nothing recorded\n"
    assert said.lines[-3:] == ["table 1> ", "Round 1: 0/2 reported, outstanding: 1, 2", "table> "]
    assert said.out.endswith("table> \n"), "the prompt of a shell stands on a line of its own"
    assert four("desk", typed="1 a").code == 0
    assert _tables(four)[0]["result"]["winner"] == "Ann"


@pytest.mark.parametrize("word", ["q", "quit"])
def test_the_word_that_ends_the_desk_is_not_read_as_an_outcome(four: Desk, word: str) -> None:
    said = four("desk", typed=f"1\n{word}\n2 a\n")
    assert said.err == "! table 1: nothing entered, nothing recorded\n"
    assert [table["result"] for table in _tables(four)] == [None, None]


@pytest.mark.finding("C-D12")
def test_the_desk_undoes_a_refused_slip_and_otherwise_names_the_last_action(four: Desk) -> None:
    """Before the fix, `u` after a refused slip took back another table's slip."""
    for typed in ("1 1\n2 1\n1 2\nu\nq\n", "1 2\nq\n", "u\nq\n"):
        said = four("desk", typed=typed)
    assert "Table 1 loses its refused slip: entry 11 no longer counts." in said.out
    assert [report["result"]["winner"] for report in _tables(four)] == ["Ann", "Cy"]
    four("drop Di")
    assert four("desk", typed="u\n").err == (
        "! there is no slip to take back: this station's last action is entry 13 "
        "(Di dropped after round 1 (request))\n"
    )


def test_the_desk_undoes_its_own_slip_although_another_station_recorded_a_later_one(four: Desk) -> None:
    four("report 1 a")
    four("report 2 a --station north")
    assert "Table 1 is open again: entry 7 no longer counts." in four("desk", typed="u\n").out
    assert [report["result"] and report["result"]["winner"] for report in _tables(four)] == [None, "Cy"]


@pytest.mark.parametrize(
    ("meanwhile", "problem", "winners"),
    [
        (("swap-tables 1 2",), "! table 1 of round 1 now has Cy as a, Di as b: check the slip", [None, None]),
        (
            ("report 1 a 2 a", "pair --table Ann/Cy --table Bo/Di"),
            "Table 1: the same slip is there already (entry 7).",
            [None, None],
        ),
    ],
)
def test_the_desk_records_a_slip_only_for_the_match_that_it_showed(
    four: Desk, monkeypatch: pytest.MonkeyPatch, meanwhile: tuple[str, ...], problem: str, winners: list[str | None]
) -> None:
    """Before the fix, a slip was recorded for the players who sat at the table when Enter was pressed, even in a
    later round.
    """

    def lines() -> Iterator[str]:
        yield "1\n"
        for line in meanwhile:
            assert four(f"{line} --station north").code == 0
        yield "a\n"

    @contextmanager
    def typed_lines() -> Iterator[Iterator[str]]:
        yield lines()

    monkeypatch.setattr("matchledger.cli.desk.typed_lines", typed_lines)
    said = four("desk")
    assert problem in said.err + said.out
    assert [report["result"] and report["result"]["winner"] for report in _tables(four)] == winners


def test_the_desk_undoes_a_no_show_together_with_its_drop(four: Desk) -> None:
    said = four("desk", typed="1 a no-show\nu\nq\n")
    assert said.err == ""
    assert "Table 1 is open again: entry 7 no longer counts." in said.out
    assert _tables(four)[0]["result"] is None
    assert {row["status"] for row in four("standings --json").document["standings"]} == {"active"}
