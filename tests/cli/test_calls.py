"""Calls to the desk on the command line."""

from __future__ import annotations

from tests.cli.conftest import Desk


def test_a_call_waits_until_it_is_answered(played: Desk) -> None:
    assert played("calls").out == "No call waits.\n"
    assert played("call Bo --claim won").out == "The desk is called (entry 9).\n"
    said = played("calls")
    assert " ".join(said.lines[1].split()) == "9 1 1 Ann - Bo Bo: entry 7 is wrong, won open"
    assert played("calls --json").document["calls"] == [
        {
            "position": 9,
            "state": "open",
            "stage": "swiss",
            "round": 1,
            "table": 1,
            "players": ["Ann", "Bo"],
            "by": "Bo",
            "claim": "won",
            "disputes": 7,
            "answer": None,
        }
    ]
    assert played("answer 9 --answer stands").out == "Answered: stands. No calls left.\n"
    assert played("calls").out == "No call waits.\n"
    assert "answered: stands" in played("calls --all").out


def test_an_impossible_call_is_refused_in_one_line(played: Desk) -> None:
    assert played("call Bo --claim loud").problem == "there is no claim 'loud': there are won, lost, drew, other"
    assert played("answer 7").problem == "entry 7 is not a call to the desk; see calls"
    assert played("answer 7 --answer no").problem == (
        "there is no answer 'no': there are stands, corrected, settled"
    )


def test_before_the_first_round_there_is_nothing_to_call_about(desk: Desk) -> None:
    desk("open Friday -b l5r-2018")
    desk("register Ann")
    assert desk("call Ann").problem == "no round is paired: there is no result to be wrong"
