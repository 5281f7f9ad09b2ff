"""Questions that are open before a step of the command line: players, calls, contradicting slips, unfinished
stages.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Desk


@pytest.mark.finding("C-D2")
def test_a_round_by_hand_names_the_players_whom_it_leaves_out(desk: Desk) -> None:
    for line in ("open Friday -b l5r-2018", "register Ann", "register Bo", "register Cy"):
        desk(line)
    assert desk("pair --table Ann/Bo").refused == (
        "1 player would have no opponent and no bye (Cy): pair that player too, or give a reason; use --reason"
    )
    assert desk("pair --table Ann/Bo --table Cy").code == 0


def kinds(desk: Desk) -> list[str]:
    return [item["kind"] for item in desk("integrity --json").document["items"]]


CALL = "call 9 about table 1 of round 1 has no answer"
SLIP = "slip 9 contradicts the result of table 1 of round 1"
SETTLE = (
    "answer the calls, report or correct the results, or retract the slip; to go on without that, give a reason"
)
ALSO = {
    "cut 2": "; by the rulebook's table, round 1 is not followed by a cut to 2: give a reason to deviate from it "
    "(L5R-V.1-BASIC)"
}


@pytest.mark.finding("C-D3")
@pytest.mark.parametrize("step", ["pair", "pair --table Ann/Cy --table Bo/Di", "cut 2", "post", "post --pairings"])
@pytest.mark.parametrize(
    ("question", "settled", "said"), [("call Bo", "answer 9", CALL), ("report 1 b", "retract 9", SLIP)]
)
def test_a_step_waits_until_every_question_is_settled(
    played: Desk, step: str, question: str, settled: str, said: str
) -> None:
    played(question)
    played("tie Ann Cy")
    assert played(step).refused == f"{said}: {SETTLE}{ALSO.get(step, '')}; use --reason"
    assert f"problem: {said}" in played("pair --preview").lines
    assert played(f"{step} --reason seen").code == 0
    assert "went on over open questions" in kinds(played)
    assert played("calls").lines[1].startswith("9")
    assert played(settled).code == 0
    assert played("calls").out == "No call waits.\n"


@pytest.mark.parametrize("step", ["pair", "pair --table Ann/Cy"])
def test_a_refusal_names_every_obstacle_that_a_reason_would_override(played: Desk, step: str) -> None:
    """Before the fix, a reason for an open call also allowed a round too many, and no refusal named that round."""
    played("announce --rounds 1 --cut 0 --reason small")
    played("call Bo")
    refused = played(step).refused
    assert "call 10 about table 1 of round 1 has no answer" in refused
    assert "round 2 is beyond the 1 announced rounds" in refused
    assert ("2 players would have no opponent and no bye (Bo, Di)" in refused) == ("--table" in step)
    assert refused.endswith("; use --reason")
    assert played(f"{step} --reason seen").code == 0


@pytest.mark.finding("C-D3")
@pytest.mark.parametrize("step", ["cut 2", "pair", "pair --table Ann/Cy --table Bo/Di"])
def test_a_step_names_both_the_open_tables_and_the_open_questions(desk: Desk, step: str) -> None:
    """Before the fix, the refusal named the contradicting slip only after the last table had a result."""
    for line in ("open Friday -b l5r-2018", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di"))):
        desk(line)
    for line in ("pair --table Ann/Bo --table Cy/Di", "report 1 a", "report 1 b"):
        desk(line)
    assert desk(step).refused == (
        "round 1 is not finished: table 2 has no result; slip 8 contradicts the result of table 1 of round 1"
    )


@pytest.mark.finding("C-D3")
@pytest.mark.parametrize("step", ["cut 2", "pair", "post"])
def test_a_step_waits_after_an_imported_sheet_as_well(desk: Desk, step: str) -> None:
    """Before the fix, commands after an imported sheet did not ask, so a cut was made despite an open call."""
    sheet = "rulebook l5r-2018\nplayers Ann Bo Cy Di\nround 1\n  Ann > Bo\n  Cy > Di\n"
    Path("friday.sheet").write_text(sheet, "utf-8")
    for line in ("import friday.sheet", "tie Ann Cy", "tie Bo Di", "call Bo"):
        assert desk(line).code == 0, line
    called = desk("calls").lines[1].split()[0]
    assert f"call {called} about table 1 of round 1 has no answer" in desk(step).refused
    assert desk(f"answer {called}").code == 0
    assert desk(step).code == 0


@pytest.mark.finding("C-D4")
def test_a_tournament_closes_after_its_final_or_for_a_reason(played: Desk) -> None:
    assert played("tie").code == 0
    assert played("cut 4 --reason short").code == 0
    assert played("pair").code == 0
    assert played("close --yes").refused.startswith(
        "tables 1, 2 of elimination round 1 have no result; places 1 to 4 are not decided: "
    )
    played("report 1 a 2 a")
    assert played("close --yes").refused.startswith("places 1 to 2 are not decided: give a reason")
    assert played("close --yes --reason 'the hall burns'").code == 0
    assert "departure from the structures" in kinds(played)


def test_close_names_everything_that_is_open(played: Desk) -> None:
    """Before the fix, the command named the unplayed cut only after a reason had settled the call and the slip."""
    played("tie")
    assert played("cut 4 --reason short").code == 0
    assert played("call Ann").code == 0
    played("report 1 b --station north")
    refused = played("close --yes").refused
    assert "about table 1 of round 1 has no answer; " in refused
    assert "; no game was played after the cut; " in refused


@pytest.mark.parametrize("step", ["cut 2", "pair"])
def test_undo_retracts_a_departure_and_its_announcement(played: Desk, step: str) -> None:
    played("announce --rounds 1 --cut 0 --prizes 1 --reason late")
    played("tie Ann Cy")
    before = played("structure --json").document["announced"]
    assert played(f"{step} --reason wanted").code == 0
    assert played("undo").code == 0
    assert played("structure --json").document["announced"] == before
    assert played("redo").code == 0
    assert played("undo").code == 0


def test_pair_names_a_player_who_asked_to_be_dropped(played: Desk) -> None:
    """Before the fix, the request waited unseen, and the opponent of the next round sat alone."""
    assert played("allow-phones drop --role organizer").code == 0
    assert played("ask-drop Ann --role player --actor Ann").code == 0
    asked = "Ann asked to be dropped (entry 10): drop the player, or answer the request"
    assert asked in played("pair --preview").out
    assert f"note: {asked}" in played("pair").err
    assert "asked to be dropped" not in played("pairings").err


def test_pair_names_a_player_who_called_a_judge_in_vain(played: Desk) -> None:
    """The call waits until somebody answers it."""
    assert played("allow-phones judge --role organizer").code == 0
    assert played("call-judge Ann --role player --actor Ann").code == 0
    called = "Ann called a judge (entry 10): answer the call"
    assert called in played("pair --preview").out
    assert played("pair").code == 0
    waits = played("calls")
    assert "Ann wants a judge" in " ".join(waits.out.split())
    [request] = played("calls --json").document["requests"]
    assert (request["stage"], request["round"], request["wants"]) == ("swiss", 1, "judge")
    assert played("answer-request 10").code == 0
    assert "No call waits." in played("calls").out
    assert called not in played("pair --preview").out
