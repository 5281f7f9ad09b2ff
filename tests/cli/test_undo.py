"""Undo on the command line: the last action of a station, a whole round, and redo."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Desk
from tests.desk import Said

REOPENED = "undo --role organizer --reason slip"
SEATED = ("open Friday -b l5r-2018", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")))


@pytest.fixture
def paired(desk: Desk) -> Desk:
    """Two tables without results. The fixture types several lines, and returns what the last one printed."""

    def typed(*lines: str) -> Said:
        *before, last = lines
        for line in before:
            assert desk(line).code == 0, line
        return desk(last)

    typed(*SEATED, "pair --table Ann/Bo --table Cy/Di --reason paper")
    return typed


def statuses(desk: Desk) -> dict[str, str]:
    return {row["name"]: row["status"] for row in desk("players --json").document}


def open_tables(desk: Desk) -> list[int]:
    return [line["table"] for line in desk("pairings --json").document["pairings"] if line["result"] is None]


def test_undo_takes_back_the_last_slip_and_redo_restores_it(paired: Desk) -> None:
    paired("report 1 a", "report 2 b")
    paired("undo")
    assert open_tables(paired) == [2]
    paired("undo")
    assert open_tables(paired) == [1, 2]
    paired("redo", "redo")
    assert open_tables(paired) == []
    assert paired("redo").problem == "station desk has nothing to redo: its last action was not an undo"


def test_one_undo_takes_back_all_slips_of_one_line(paired: Desk, desk: Desk) -> None:
    """Before the fix, a pile of slips needed one `undo` for each slip. At the desk, `u` takes one slip back."""
    paired("report 1 a", "undo", "report 1 b 2 b --command-id pile")
    seen = paired("undo --preview").lines
    assert [line.partition(" (")[0] for line in seen if line.startswith("Will record")] == [
        "Will record: entry 10 no longer counts: round 1, table 2: Di beat Cy",
        "Will record: entry 9 no longer counts: round 1, table 1: Bo beat Ann",
    ]
    paired("undo")
    assert open_tables(paired) == [1, 2]
    paired("redo")
    assert open_tables(paired) == []
    assert "Table 2 is open again" in desk("desk", typed="u\n").out
    assert open_tables(paired) == [2]
    paired("undo")
    assert open_tables(paired) == [1, 2]
    assert paired("report 1 b 2 b --command-id pile").err.count("nothing was recorded again") == 2


def test_the_log_says_which_entries_undo_and_redo_take_back_or_restore(paired: Desk) -> None:
    """Before the fix, each line named the retraction before it: entry 8 retracted, entry 9 retracted."""
    paired("report 1 a", "undo", "redo", "undo", "redo", "retract 11 --yes", "retract 12 --yes")
    told = [line for line in paired("log").lines if "entry 7 " in line]
    assert [("retracted" in line, "counts again" in line) for line in told] == [(True, False), (False, True)] * 3


def test_undo_takes_back_only_actions_of_its_own_station(paired: Desk) -> None:
    paired("report 1 a --station north", "report 2 b --station south")
    paired("undo --station north")
    assert open_tables(paired) == [1]
    assert paired("undo --station east").problem == "station east has nothing to undo"


def test_undo_in_an_empty_tournament_says_how_to_give_it_up(desk: Desk) -> None:
    assert desk("open Friday -b l5r-2018").code == 0
    assert desk("undo").problem == (
        "station desk has nothing to undo: if this tournament was opened by mistake, close it"
    )


def test_undo_names_the_person_whose_action_it_takes_back(paired: Desk) -> None:
    paired("report 1 a", "report 2 b --actor Bea")
    assert "Di beat Cy (recorded by Bea at station desk)" in paired("undo --preview").out
    assert paired("undo").code == 0
    assert open_tables(paired) == [2]


def test_a_new_action_ends_redo(paired: Desk) -> None:
    paired("report 1 a", "undo", "report 1 b")
    assert paired("redo").code == 3


@pytest.mark.finding("C-D1")
def test_undo_of_a_no_show_brings_the_player_back(paired: Desk) -> None:
    """Retracting a no-show also retracts the drop that it caused."""
    paired("no-show Ann")
    assert statuses(paired)["Ann"] == "dropped"
    paired("undo")
    assert statuses(paired)["Ann"] == "active"


@pytest.mark.finding("C-D1")
@pytest.mark.parametrize("line", ["retract 7", "correct 1 1 a"], ids=["retracted", "corrected"])
def test_undo_of_a_wrong_no_show_leaves_no_player_dropped(paired: Desk, line: str) -> None:
    """`correct` and `retract` both bring the player back."""
    paired("no-show Ann")
    paired(f"{line} --yes")
    assert statuses(paired)["Ann"] == "active"
    paired("report 2 a" if line[0] == "c" else "report 1 a 2 a", "pair")
    assert "Ann" in {name for line in paired("pairings --json").document["pairings"] for name in line["players"]}


def test_a_player_who_dropped_misses_the_round_that_is_paired_again(paired: Desk) -> None:
    """L5R-IV.2-REJOIN: before the fix, the player came back without the loss, because the drop named the round that
    was undone.
    """
    paired("undo --round", "register Ed", "pair")
    paired("drop Ann --station north", "undo --round", "pair --table Bo/Cy --table Di/Ed --reason paper")
    paired("report 1 a 2 a", "rejoin Ann")
    rows = {row["player"]: row["points"] for row in paired("standings --json").document["standings"]}
    assert rows["Ann"] == 1, "one point for an unpaired loss"


@pytest.mark.finding("C-D1")
@pytest.mark.parametrize("line", ["retract 9 --yes", "undo", "retract 10 --yes"])
def test_a_restored_no_show_drops_its_player_again(paired: Desk, line: str) -> None:
    """Before the fix, taking back the correction of a no-show left the absent player in the next pairing."""
    paired("no-show Ann", "correct 1 1 a --yes", line)
    assert statuses(paired)["Ann"] == "dropped"
    assert paired("report 2 a").code == 0
    assert [row["result"]["kind"] for row in paired("pairings --json").document["pairings"]] == ["no-show", "win"]


@pytest.mark.finding("C-D1")
def test_a_no_show_before_a_pairing_without_the_player_is_not_taken_back_silently(paired: Desk) -> None:
    """The refusal says how to bring the player back."""
    paired("no-show Ann", "report 2 a", "register Ed")
    paired("pair")
    said = paired("retract 7 --yes")
    assert said.code == 3
    assert said.problem.endswith(
        "let the player rejoin, or retract entry 7 and override (L5R-IV.2-REJOIN); use rejoin or --override"
    )


@pytest.mark.finding("C-D1")
@pytest.mark.parametrize("line", ["retract 7", "correct 1 1 a"])
def test_a_player_whose_drop_is_taken_back_after_the_next_pairing_is_named(paired: Desk, line: str) -> None:
    paired("no-show Ann", "report 2 a", "late Ed")
    paired("pair")
    said = paired(f"{line} --override --reason seen --yes")
    assert "Round 2 was paired before: matchledger repair lists your options." in said.lines
    assert "note: Ann is in again, and has no seat in round 2; use amend" in said.err.splitlines()
    assert "Ann" not in {name for row in paired("pairings --json").document["pairings"] for name in row["players"]}


def test_one_command_undoes_a_whole_round(paired: Desk) -> None:
    paired("start", "report 1 a", "no-show Cy", "correct 1 1 b --yes")
    paired("undo --round")
    assert paired("pairings").code != 0
    assert set(statuses(paired).values()) == {"active"}
    paired("redo")
    assert open_tables(paired) == []
    assert statuses(paired)["Cy"] == "dropped"


@pytest.mark.finding("C-D6")
@pytest.mark.parametrize("line", ["disqualify Ann", "close"])
def test_an_irreversible_command_needs_yes_without_a_terminal(paired: Desk, line: str) -> None:
    """The rules refuse a command before the command asks."""
    if line == "close":
        assert paired(line).code == 3
        paired("report 1 a 2 a", "tie Ann Cy", "tie Bo Di")
        line += " --reason agreed"  # an event without an announced structure needs a reason
    said = paired(line)
    assert (said.code, "--yes" in said.problem) == (2, True)
    assert paired(f"{line} --yes").code == 0


def test_undo_right_after_the_close_reopens_the_event_and_redo_closes_it(paired: Desk) -> None:
    """Until the organizer takes the close back, every refusal names the entry that closed the event."""
    closing = ("report 1 a 2 a", "tie Ann Cy", "tie Bo Di", "close --yes --reason agreed")
    paired(*closing, "log")
    at = paired("integrity --json").document["position"]
    assert paired("drop Ann").refused == f"the tournament is closed: retract entry {at} to go on"
    assert paired("undo --station north").refused == f"the tournament is closed: retract entry {at} to go on"
    assert paired("undo --role judge").refused.startswith("a judge may not ")
    said = paired(REOPENED).out
    assert said.startswith(f"Entry {at} no longer counts: tournament closed after round 1")
    assert paired("redo --yes").refused.startswith(
        "by the rulebook's table, the event does not end after round 1: give"
    )
    assert paired("redo --reason agreed").problem == "this is asked first: add --yes to do it without a question"
    assert paired("redo --yes --reason agreed").out.startswith(f"Entry {at} counts again: tournament closed")
    assert paired("drop Ann").code == 3
    assert paired(REOPENED, "drop Ann").code == 0


def test_restoring_a_disqualification_asks_first(paired: Desk) -> None:
    """Before the fix, `redo` disqualified the player and did not ask."""
    paired("disqualify Ann --yes", "undo")
    assert paired("redo").code == 2
    assert paired("retract 8").code == 2
    assert statuses(paired)["Ann"] == "active"
    paired("retract 8 --yes")
    assert statuses(paired)["Ann"] == "disqualified"


@pytest.mark.parametrize(
    ("rulebook", "line", "left"),
    [
        ("magic-mtr", "disqualify Ann", "disqualified"),
        ("l5r-2018", "replace Ann", "dropped"),
        ("pokemon-2009", "disqualify Ann", "disqualified"),
    ],
    ids=["bracket taken back", "player replaced", "game lost"],
)
def test_one_undo_restores_a_finalist_and_the_elimination_round(
    desk: Desk, rulebook: str, line: str, left: str
) -> None:
    """Retracting the drop also retracts the replacement.

    Before the fix, `undo` tried to restore the round while the player was still out, and was refused.
    """
    seated = (f"open Friday -b {rulebook}", *SEATED[1:], "pair --table Ann/Bo --table Cy/Di --reason paper")
    for done in (*seated, "report 1 a 2 a", "tie", "cut 2 --reason short"):
        assert desk(done).code == 0, done
    desk("pair")
    drawn = desk("pairings --json").document["pairings"]
    at = desk("integrity --json").document["position"] + 1
    assert desk(f"{line} --yes").code == 0
    for _ in range(2):
        assert desk("undo --yes").code == 0
        assert (statuses(desk)["Ann"], desk("pairings --json").document["pairings"]) == ("active", drawn)
        assert desk("redo --yes").code == 0
        assert statuses(desk)["Ann"] == left
    assert desk(f"retract {at} --yes").code == 0
    assert statuses(desk)["Ann"] == "active"


@pytest.mark.parametrize("back", ["redo", "retract 7"])
def test_a_round_that_lacks_a_new_player_is_restored_only_with_a_reason(paired: Desk, back: str) -> None:
    """Before the fix, the player had no opponent, no bye and no loss, and no message said so."""
    paired("undo", "register Eve --station north")
    said = paired(f"{back} --yes").refused
    assert said.startswith(
        "1 player would have no opponent and no bye (Eve): pair that player too, or give a reason"
    )
    assert paired("pairings").code != 0
    paired(f"{back} --yes --reason agreed")
    listed = [line["kind"] for line in paired("integrity --json").document["items"]]
    assert listed.count("player left out of a round") == 1


def test_a_round_is_restored_with_the_late_player_who_was_seated_in_it(desk: Desk) -> None:
    for line in ("open Friday -b pokemon-tom", *SEATED[1:4], "pair", "late Eve", "undo --round", "redo"):
        assert desk(line).code == 0, line
    assert open_tables(desk) == [1, 2]
    assert "player left out of a round" not in {item["kind"] for item in desk("integrity --json").document["items"]}


@pytest.mark.parametrize("step", ["pair", "cut 2 --yes", "close --yes"])
@pytest.mark.parametrize("back", ["redo", "retract"])
def test_a_step_despite_an_open_call_is_restored_only_with_a_reason(paired: Desk, step: str, back: str) -> None:
    """The open call was recorded after the step. Before the fix, `redo` ignored the call."""
    paired("report 1 a 2 a", "tie Ann Cy", "tie Bo Di", f"{step} --reason short", REOPENED)
    at = paired("integrity --json").document["position"]
    paired("call Ann --station north")
    line = f"{back} --yes" if back == "redo" else f"retract {at} --yes"
    assert "to go on without that, give a reason" in paired(line).refused
    paired(f"{line} --reason agreed")
    listed = paired("integrity --json").document["items"]
    last = [item["kind"] for item in listed if item["position"] == listed[-1]["position"]]
    assert "went on over open questions" in last


def test_undo_and_redo_of_a_merge_restore_a_dropped_player(paired: Desk) -> None:
    """Before the fix, `redo` refused to seat a player who came back only with the next entry."""
    paired("report 1 a 2 a", "drop Ann", "late 'Anne Lee'", "pair", "merge Ann 'Anne Lee' --yes", "undo", "redo")
    assert statuses(paired)["Ann"] == "active"
    assert "Anne Lee" not in statuses(paired)


def test_redo_restores_a_round_after_which_a_player_dropped(paired: Desk) -> None:
    paired("report 1 a", "report 2 b", "drop Bo", "undo --round", "redo")
    assert open_tables(paired) == []
    assert statuses(paired)["Bo"] == "dropped"


def test_redo_refuses_a_round_with_a_player_who_has_left(paired: Desk) -> None:
    paired("undo --round", "drop Bo")
    assert paired("retract 7 --yes").problem.startswith("Bo is dropped")


def test_undo_does_not_skip_a_posting_or_a_merged_copy(paired: Desk, ledger: Path) -> None:
    """Before the fix, `undo` right after `post` took back an older slip and did not say so."""
    for end in ("", ".keys"):
        shutil.copy(f"{ledger}{end}", f"copy.ledger{end}")
    paired("report 1 a 2 a", "late Zoe --ledger copy.ledger", "merge-copy copy.ledger --role organizer --yes")
    before = "The action before it is entry 8 (round 1, table 2: Cy beat Di): retract that entry by its number"
    done = "cannot be taken back"
    assert paired("undo").refused == f"entry 9 (1 entry merged from copy.ledger) {done}. {before}"
    assert paired("post", "undo").refused == f"entry 11 (standings after round 1 posted) {done}. {before}"
    assert paired("integrity --json").document["position"] == 11
    paired("retract 8 --yes")
    assert open_tables(paired) == [2]


def test_redo_after_a_posting_restores_nothing(paired: Desk) -> None:
    paired("report 1 a 2 a", "late Zoe", "undo", "post")
    assert paired("redo").problem.startswith("station desk has nothing to redo: its last action was not an undo")


def test_only_the_organizer_reopens_a_tournament_and_gives_a_reason(paired: Desk) -> None:
    """Before the fix, a scorekeeper could reopen the event after its secret was public, and pair with a draw that
    was known in advance.
    """
    paired("report 1 a 2 a", "tie Ann Cy", "tie Bo Di", "close --yes --reason agreed")
    at = paired("integrity --json").document["position"]
    for line in ("undo --yes", f"retract {at} --yes"):
        assert paired(f"{line} --reason slip").refused == (
            "the closing revealed the secret behind the draws: only the organizer can reopen the tournament"
        )
        assert paired(f"{line} --role organizer").refused.startswith(
            "the closing revealed the secret behind the draws: to reopen the tournament, give a reason"
        )
    paired(REOPENED)
    [listed] = [item for item in paired("integrity --json").document["items"] if item["kind"] == "retraction"]
    assert (listed["position"], listed["reason"]) == (at + 1, "slip")


@pytest.mark.parametrize("step", ["cut 2 --yes", "close --yes"])
def test_a_step_is_restored_only_when_a_late_player_has_a_seat_or_a_loss(desk: Desk, step: str) -> None:
    for line in ("open Friday -b pokemon-tom", *SEATED[1:5], "pair", "late Eve --losses 0", "amend Eve"):
        assert desk(line).code == 0, line
    seated = desk("integrity --json").document["position"]
    for line in (
        "report 1 a 2 a",
        "tie",
        f"{step} --reason short",
        REOPENED,
        f"retract {seated} --yes --station north",
    ):
        assert desk(line).code == 0, line
    assert desk("redo --yes --reason agreed").refused.startswith("Eve came late, and has neither a seat in round 1")


@pytest.mark.parametrize("back", ["redo", "retract 10 --yes"])
def test_a_recorded_tie_order_is_not_restored_after_a_correction(paired: Desk, back: str) -> None:
    paired(
        "report 1 a 2 a",
        "tie Ann Cy",
        "undo",
        "correct 1 1 b --yes --station north",
        "correct 1 1 a --yes --station north",
    )
    assert paired(back).refused == (
        "the results up to round 1 have changed since entry 9 ordered Ann, Cy: order the tie again"
    )


def test_a_round_is_restored_only_after_the_round_before_it(paired: Desk) -> None:
    paired("report 1 a 2 a", "pair", "undo --round", "undo --round --station north")
    missing = "round 2 follows round 1, which is not paired: bring that round back first"
    assert (paired("redo --yes").code, paired("redo --yes").refused) == (3, missing)
    paired("redo --station north", "redo")


def test_a_round_is_restored_only_when_the_round_before_it_is_finished(paired: Desk) -> None:
    paired("report 1 a", "report 2 a --station north", "pair", "undo --round", "undo --station north")
    assert paired("redo --yes").refused == "round 1 is not finished: table 2 has no result"
    paired("redo --station north", "redo")


@pytest.mark.parametrize(
    ("first", "later", "about"),
    [
        ("report 1 a", "report 1 b", "Ann, Bo"),
        ("drop Ann", "drop Ann", "Ann"),
        ("rename Ann Anna", "rename Ann Annika", "Annika"),
        ("fix-table Ann --table 9", "fix-table Bo --table 9", "Bo"),
    ],
    ids=["slip", "presence", "name", "fixed table"],
)
@pytest.mark.parametrize("back", ["redo --station north", "retract 8"])
def test_an_entry_is_not_restored_after_a_newer_entry_about_the_same_thing(
    paired: Desk, first: str, later: str, about: str, back: str
) -> None:
    paired(f"{first} --station north", "undo --station north", later)
    assert paired(f"{back} --yes").refused == (
        f"a later entry, 9, decides the same question about {about}: retract that entry first"
    )
    paired("undo", f"{back} --yes")


@pytest.mark.parametrize(
    ("first", "later", "about"),
    [
        ("start", "start --minutes 40", "the clock of round 1"),
        ("first-player Ann", "first-player Bo", "who goes first at table 1"),
    ],
)
def test_a_clock_entry_is_not_restored_after_a_newer_entry_about_the_same_thing(
    paired: Desk, first: str, later: str, about: str
) -> None:
    paired(f"{first} --station north", "undo --station north", later)
    assert paired("redo --station north --yes").refused == (
        f"a later entry, 9, decides the same question about {about}: retract that entry first"
    )


def test_redo_does_not_stop_a_clock_again_but_restores_extra_minutes(paired: Desk) -> None:
    paired("start", "pause --station north", "undo --station north", "pause", "resume")
    assert paired("redo --station north --yes").refused == (
        "a later entry, 11, decides the same question about the clock of round 1: retract that entry first"
    )
    paired("extend 1 4 --reason late --station west", "undo --station west", "extend 1 5 --reason late")
    paired("redo --station west --yes")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("rename Ann Anna", "Ann: name Anna -> Ann"),
        ("correct-player Ann --contact 555 --yes", "Ann: contact 555 -> -"),
        ("correct-player Ann --born 1990 --yes", "Ann: born 1990 -> -"),
        ("correct-player Ann --division junior --yes", "Ann: division junior -> -"),
        ("correct-player Ann --set DCI=12 --yes", "Ann: DCI 12 -> -"),
    ],
)
def test_the_preview_of_an_undone_correction_shows_both_values(paired: Desk, line: str, shown: str) -> None:
    assert shown in paired(line, "undo --preview").lines


@pytest.mark.parametrize(
    ("first", "later", "about"),
    [
        ("change-policy POL-ALL-REPAIR never", "change-policy POL-ALL-REPAIR discretion", "POL-ALL-REPAIR"),
        ("number-tables junior 50", "number-tables junior 70", "the tables of junior"),
        ("announce --rounds 2 --structure custom", "announce --rounds 3 --structure custom", "the structure"),
        ("describe --venue Hall", "describe --venue Castle", "the event page"),
    ],
    ids=["policy", "tables", "structure", "page"],
)
def test_a_decision_about_the_event_is_not_restored_after_another_replaced_it(
    desk: Desk, first: str, later: str, about: str
) -> None:
    said = "--role organizer --reason agreed"
    opened = ("open Friday -b pokemon-2009", *SEATED[1:])
    for line in (*opened, "correct-player Ann --division junior --yes", f"{first} {said} --station north"):
        assert desk(line).code == 0, line
    for line in (f"undo {said} --station north", f"{later} {said}"):
        assert desk(line).code == 0, line
    refused = f"a later entry, 9, decides the same question about {about}: retract that entry first"
    assert desk(f"redo --station north --yes {said}").refused == refused


def test_an_elimination_round_is_restored_only_with_the_cut_behind_it(paired: Desk) -> None:
    paired("report 1 a 2 a", "tie Ann Cy", "tie Bo Di", "cut 2 --reason short --station north", "pair")
    cut = paired("integrity --json").document["items"][-1]["position"]
    paired("undo", "undo --station north")
    said = paired("redo --yes").refused
    assert f"follows entry {cut} (cut to 2 after round 1: " in said
    assert said.endswith("), which no longer counts: bring that entry back first")
    paired("redo --station north --reason short", "redo")


def test_a_cut_is_restored_only_after_the_round_before_it(paired: Desk) -> None:
    paired("report 1 a 2 a", "tie Ann Cy", "tie Bo Di", "cut 2 --reason short --station north")
    paired("undo --station north", "undo", "undo", "undo --round")
    said = paired("redo --station north --yes --reason short").refused
    assert said.endswith("follows round 1, which is not paired: bring that round back first")


def test_a_swiss_round_is_not_taken_back_before_its_cut(paired: Desk) -> None:
    paired("report 1 a 2 a", "tie Ann Cy", "tie Bo Di", "cut 2 --reason short --station north")
    cut = paired("integrity --json").document["items"][-1]["position"]
    said = paired("undo --round --yes")
    assert said.refused.startswith(f"entry {cut} (cut to 2 after round 1: ")
    assert said.refused.endswith(") builds on round 1: retract that entry first")
    assert open_tables(paired) == []


def test_a_swiss_round_is_not_restored_after_the_cut(paired: Desk) -> None:
    paired(
        "report 1 a 2 a", "tie Ann Cy", "tie Bo Di", "pair", "undo --round", "cut 2 --reason short --station north"
    )
    assert paired("redo --yes").refused.endswith(") was recorded later: retract that entry first")


def last_entry(desk: Desk) -> int:
    position: int = desk("integrity --json").document["position"]
    return position


def test_an_entry_can_be_taken_back_and_restored_again_and_again(paired: Desk) -> None:
    """The button on the log page retracts the last retraction each time."""
    first = paired("pairings").out
    paired("swap-tables 1 2 --yes")
    for back in (True, False, True, False, True):
        paired(f"retract {last_entry(paired)}")
        assert (paired("pairings").out.splitlines()[1:] == first.splitlines()[1:]) is back


@pytest.mark.parametrize("leave", ["drop Ann --yes", "disqualify Ann --reason seen --role organizer --yes"])
def test_a_swap_of_tables_comes_back_although_a_player_has_left(paired: Desk, leave: str) -> None:
    """Before the fix, redo asked to let the player rejoin, although a swap seats nobody anew."""
    paired(leave)
    paired("swap-tables 1 2 --yes")
    swapped = paired("pairings").out.splitlines()[1:]
    paired("undo --yes")
    assert paired("redo --yes").code == 0
    assert paired("pairings").out.splitlines()[1:] == swapped


def test_redo_of_a_round_names_the_entry_that_disqualified_a_player(paired: Desk) -> None:
    """Before the fix, redo advised to let a disqualified player rejoin."""
    paired("undo --round --yes")
    paired("disqualify Ann --reason seen --role organizer --yes --station north")
    out = last_entry(paired)
    assert paired("redo --yes").refused == f"Ann is disqualified: name another, or retract entry {out} first"
    assert paired(f"retract {out} --role organizer --station north").code == 0
    assert paired("redo --yes").code == 0


def test_a_refused_retraction_names_the_entry_that_must_go_first(desk: Desk) -> None:
    for line in (*SEATED, "retract 5", "retract 6", "pair --table Ann/Bo --table Cy/Di --reason paper"):
        assert desk(line).code == 0, line
    assert desk("retract 7").refused == "Di has been paired since: drop the player instead"


def test_the_opening_cannot_be_taken_back_by_its_number(paired: Desk) -> None:
    assert paired("retract 1").refused.endswith(") cannot be taken back")


@pytest.mark.parametrize("half", [6, 7])
def test_both_halves_of_a_transfer_are_taken_back_together(desk: Desk, half: int) -> None:
    for line in (*SEATED, "transfer Ann 'Zoe Lee'"):
        assert desk(line).code == 0, line
    desk(f"retract {half}")
    assert list(statuses(desk)) == ["Ann", "Bo", "Cy", "Di"]
    desk(f"retract {last_entry(desk)}")
    assert list(statuses(desk)) == ["Bo", "Cy", "Di", "Zoe Lee"]


def test_a_restored_qualifier_has_the_old_place_in_the_cut(paired: Desk) -> None:
    paired("report 1 a 2 a", "tie", "cut 2 --reason short", "replace Ann")
    assert statuses(paired)["Ann"] == "dropped"
    paired(f"retract {last_entry(paired)}")
    assert statuses(paired)["Ann"] == "active"


def test_a_no_show_that_undo_cannot_take_back_names_the_right_command(four: Desk) -> None:
    """Before the fix, the refusal named an option that `undo` does not have."""
    for line in ("report 2 a", "no-show Bo", "pair --station north", "undo --yes"):
        said = four(line)
    assert said.code == 3
    assert "Bo missed round 2" in said.problem
    assert "let the player rejoin, or retract entry 8 and override" in said.problem
    assert four("retract 8 --override --reason 'Bo was there'").code == 0
    assert four("rejoin Bo").refused == "Bo has not dropped"


def test_redo_merges_registrations_that_have_a_slip(paired: Desk) -> None:
    """Before the fix, `redo` mistook the merged slip for a later change of the table."""
    paired(
        "report 1 a 2 a",
        "drop Ann",
        "late 'Anne Lee'",
        "pair",
        "report 1 a 2 a",
        "merge Ann 'Anne Lee' --yes --reason twice",
    )
    merged = paired("standings --json").document["standings"]
    paired("undo", "redo", "undo")
    assert paired("redo").code == 0
    assert paired("standings --json").document["standings"] == merged
    assert paired("verify").code == 0


def test_redo_refuses_a_merge_after_the_slip_was_corrected(paired: Desk) -> None:
    paired(
        "report 1 a 2 a",
        "drop Ann",
        "late 'Anne Lee'",
        "pair",
        "report 1 a 2 a",
        "merge Ann 'Anne Lee' --yes --reason twice",
    )
    assert paired("undo").code == 0
    where = next(row for row in paired("pairings --json").document["pairings"] if "Anne Lee" in row["players"])
    won = where["result"]["winner"] == where["players"][0]
    paired(f"correct 2 {where['table']} {'b' if won else 'a'} --station north --yes")
    assert f"table {where['table']} has changed since" in paired("redo --yes").refused


def test_a_slip_does_not_return_to_a_table_that_is_gone(paired: Desk) -> None:
    paired("report 1 a", "undo", "amend Ann/Cy Bo/Di")
    assert paired("redo").code == 3
    assert paired("retract 8 --yes").refused == (
        "entry 7 is the result of a match that is no longer paired: report the tables of the round as they are now"
    )
    paired("undo")
    assert paired("retract 8 --yes").code == 0


def test_a_slip_does_not_return_to_a_round_that_is_paired_anew(paired: Desk) -> None:
    paired("report 1 a", "retract 7 --yes", "undo --round", "pair --table Ann/Di --table Bo/Cy --reason paper")
    assert "is the result of a match that is no longer paired" in paired("retract 8 --yes").refused


@pytest.mark.parametrize(
    "line", ["retract 22 --yes", "retract 21 --yes", "undo"], ids=["round", "announcement", "undo"]
)
def test_an_extra_round_is_taken_back_with_its_announcement(desk: Desk, line: str) -> None:
    """Before the fix, the second announcement stayed in force, and `pair` asked for no reason any more."""
    for command in ("open Friday -b l5r-2018", *(f"register P{number}" for number in range(1, 9))):
        assert desk(command).code == 0
    tables = [
        " ".join(f"--table P{a}/P{b}" for a, b in pairs)
        for pairs in (
            ((1, 2), (3, 4), (5, 6), (7, 8)),
            ((1, 3), (2, 4), (5, 7), (6, 8)),
            ((1, 4), (2, 3), (5, 8), (6, 7)),
        )
    ]
    won = "report 1 a 2 a 3 a 4 a"
    for command in (
        "announce --rounds 2 --cut 4 --reason small",
        f"pair {tables[0]} --reason x",
        won,
        f"pair {tables[1]} --reason x",
        won,
        f"pair {tables[2]} --reason more",
    ):
        assert desk(command).code == 0
    announced = desk("structure --json").document["announced"]["rounds"]
    assert announced == 3
    assert desk(line).code == 0
    assert desk("structure --json").document["announced"]["rounds"] == 2
    assert desk("pair").refused.startswith("round 3 is beyond the 2 announced rounds")
    assert desk("redo").code == (0 if line == "undo" else 3)


def test_undo_of_a_round_keeps_the_penalties_and_rulings_of_the_judges(paired: Desk) -> None:
    """Before the fix, a warning for cheating went away with a round that was paired wrongly."""
    paired("penalty Ann warning --for slow-play --role marshal", "report 1 a")
    said = paired("undo --round")
    assert "note: entry 7 of the judges in round 1 still counts: if it is wrong, retract it" in said.err
    assert "slow-play" in paired("conduct").out.replace(" ", "-")


def test_a_match_loss_of_an_undone_round_is_given_again_for_the_new_match(paired: Desk) -> None:
    """Before the fix, the penalty stayed, the new match was not lost, and no message named the player."""
    paired("report 2 a", "penalty Ann match-loss --for cheating --role marshal")
    said = (
        "note: entry 8 (round 1, table 1: Ann given a match loss for cheating) decided a match of the undone "
        "round 1: for the new match, retract entry 8 and give the penalty again"
    )
    undone = paired("undo --round")
    assert said in undone.err
    assert "of the judges in round 1" not in undone.err
    assert said in paired("pair --table Ann/Cy --table Bo/Di").err
    paired("retract 8 --role marshal", "penalty Ann match-loss --for cheating --role marshal")
    assert open_tables(paired) == [2]
    assert (
        "decided a match"
        not in paired("undo --round", "pair --table Ann/Di --table Bo/Cy --station other", "log").err
    )


def test_one_retraction_takes_back_an_earlier_undo(paired: Desk) -> None:
    """Before the fix, after one more action, the slips of an undone round came back only one by one."""
    paired("report 1 a 2 a", "undo --round", "rename Ann Anna")
    hint = paired("redo").refused
    assert "To take back the station's earlier undo, retract entry " in hint
    entry = hint.rpartition("retract entry ")[2].split()[0]
    assert paired(f"retract {entry} --yes").code == 0
    assert open_tables(paired) == []


def test_undo_takes_back_a_correction_that_overrode_the_window(paired: Desk) -> None:
    """Before the fix, the refusal named --override, which `undo` does not have."""
    paired("report 1 a 2 a", "tie Ann Cy", "tie Bo Di", "cut 2 --yes --reason short", "pair", "report 1 a")
    paired("correct 1 1 b --override --reason late --yes")
    for line in ("undo", "redo", "undo"):
        assert paired(f"{line} --yes").code == 0, line
    first = paired("pairings --round 1 --json").document["pairings"][0]
    assert first["result"]["winner"] == "Ann"


@pytest.fixture
def with_bye(paired: Desk) -> Desk:
    """Round 1 without results: Ann meets Bo, Cy meets Di, and Ed has the bye."""
    paired("retract 6", "register Ed", "pair --table Ann/Bo --table Cy/Di --table Ed --reason paper")
    return paired


def late_against_ed(desk: Desk) -> bool:
    return ["Ed", "Flo"] in [row["players"] for row in desk("pairings --json").document["pairings"]]


@pytest.mark.parametrize("leave", ["drop Ed", "disqualify Ed --role organizer --reason cheated --yes"])
def test_a_player_does_not_leave_again_after_a_late_player_was_seated_opposite(with_bye: Desk, leave: str) -> None:
    """Before the fix, a chain of retractions seated a late player against a player who had left."""
    with_bye(leave, "undo --role organizer", "late Flo --station north")
    assert late_against_ed(with_bye)
    redo = with_bye("redo --role organizer --reason seen")
    assert redo.refused.startswith("Ed got another seat after entry 11 took this back: record the action again")
    assert statuses(with_bye)["Ed"] == "active"
    assert with_bye("drop Ed").code == 0
    with_bye("undo", "undo --station north", "retract 11 --role organizer --reason seen --yes")
    assert statuses(with_bye)["Ed"] != "active"


def test_a_late_player_does_not_come_back_opposite_a_player_who_has_left(with_bye: Desk) -> None:
    with_bye("late Flo", "undo", "drop Ed --station north")
    assert with_bye("redo").refused.startswith("Ed is dropped: rejoin the player first")
    assert not late_against_ed(with_bye)


def test_a_round_is_restored_only_with_the_registrations_of_its_players(paired: Desk) -> None:
    """Before the fix, the round came back with a player who was no longer registered."""
    paired("undo", "retract 5")
    assert paired("retract 7").refused == ("the registration of Di (entry 5) no longer counts: bring it back first")
    paired("retract 8", "retract 7")
    assert open_tables(paired) == [1, 2]


def test_the_retraction_of_a_replaced_slip_asks_for_no_repair(paired: Desk) -> None:
    """Once, the desk was sent to `repair`, although no result had changed."""
    paired("report 1 a", "report 2 a", "correct 1 1 b --reason wrong", "pair")
    said = paired("retract 7 --yes")
    assert "repair" not in said.out
    assert paired("repair").refused.startswith("no result before round 2 has changed")
    assert "repair lists your options" in paired("retract 9 --yes").out
