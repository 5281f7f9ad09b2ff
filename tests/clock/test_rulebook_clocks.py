"""The clock of each rulebook: lengths, marks, finals, and Sudden Death."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Desk
from tests.clock.conftest import Watch
from tests.conftest import Replay

from matchledger_projections.record.sudden_death import from_turn, wounds
from matchledger_projections.rulebook.clock import ClockRules, Mark
from matchledger_projections.rulebook.rulebook import RulebookError, parse_rulebook, rulebook_text

FINAL = """\
rulebook {}
{}players A B C D
round 1
  A > B{blood}
  C > D{blood}
draw A C
cut 2
elimination 1
  A - C
"""
FIRST, SECOND = 1, 2


def clock_of_final(replay: Replay, rulebook: str, option: str = "") -> tuple[int | None, list[tuple[str, int]]]:
    blood = " (3)" if rulebook == "ashes-2022" else ""
    sheet = FINAL.format(rulebook, option, blood=blood)
    record = replay(sheet).draft.record
    round_ = record.latest_round("elimination")
    assert round_ is not None
    clock = record.clock(round_)
    return clock.seconds, [(due.mark.name, due.at // 60) for due in clock.due()]


@pytest.mark.parametrize(
    ("rulebook", "seconds", "rule", "marks"),
    [
        (
            "l5r-2018",
            3900,
            "L5R-IV.1-CLOCK",
            [("time", 65, "L5R-IV.3a-65"), ("last-slips", 70, "L5R-IV.3a-70"), ("stop", 75, "L5R-IV.3a-75")],
        ),
        ("street-warriors-2004", 3000, "SWR-TIME", [("time", 50, "SWR-TIME")]),
        ("ashes-2022", 3000, "ASH-CLOCK", [("time", 50, "ASH-SD")]),
        ("pokemon-2009", None, "POLICY", []),
        ("pokemon-tom", None, "POLICY", []),
        ("netrunner-2023", None, "POLICY", []),
    ],
)
def test_the_swiss_rounds_of_every_rulebook_have_their_length(
    replay: Replay, rulebook: str, seconds: int | None, rule: str, marks: list[tuple[str, int, str]]
) -> None:
    record = replay(f"rulebook {rulebook}\nplayers A B\nround 1\n  A - B\n").draft.record
    round_ = record.round(1)
    assert round_ is not None
    clock = record.clock(round_)
    assert (clock.seconds, clock.rule) == (seconds, rule)
    assert [(due.mark.name, due.at // 60, due.mark.rule) for due in clock.due()] == marks


@pytest.mark.usefixtures("watch")
def test_if_the_document_has_no_length_the_leader_sets_one(desk: Desk) -> None:
    for line in ("open Friday -b pokemon-2009", "register Ann", "register Bo", "pair"):
        assert desk(line).code == 0
    assert desk("clock").lines[0] == "Round 1, not started (no time limit, POLICY)"
    assert desk("start --minutes 40").out == "Round 1 has started, 40:00 on the clock.\n"
    assert [mark["at"] for mark in desk("clock --json").document["marks"]] == [2400]


def test_a_final_has_its_own_length(replay: Replay) -> None:
    assert clock_of_final(replay, "l5r-2018") == (6000, [("time", 100), ("last-slips", 105), ("stop", 110)])


def test_a_final_of_ashes_is_as_long_as_its_other_rounds(replay: Replay) -> None:
    assert clock_of_final(replay, "ashes-2022") == (3000, [("time", 50)])


def test_the_marks_of_a_final_are_as_in_the_document(replay: Replay) -> None:
    """POL-L5R-FINAL-CLOCK: the marks stay at 65, 70 and 75 minutes."""
    option = "option POL-L5R-FINAL-CLOCK=literal\n"
    assert clock_of_final(replay, "l5r-2018", option) == (6000, [("time", 65), ("last-slips", 70), ("stop", 75)])


def test_a_semifinal_is_not_a_final(desk: Desk) -> None:
    for line in (
        "open Friday -b l5r-2018",
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")),
        "announce --style elimination",
        "pair",
    ):
        assert desk(line).code == 0
    assert desk("clock --json").document["seconds"] == 3900
    for line in ("report 1 a 2 a", "pair"):
        assert desk(line).code == 0
    assert desk("clock --json").document["seconds"] == 6000


def test_an_elimination_game_of_street_warriors_stops_at_once(replay: Replay) -> None:
    assert clock_of_final(replay, "street-warriors-2004") == (3000, [("time", 50)])
    record = replay(FINAL.format("street-warriors-2004", "", blood="")).draft.record
    final, swiss = record.latest_round("elimination"), record.round(1)
    assert final is not None
    assert swiss is not None
    said = [record.clock(round_).marks[0].rule for round_ in (swiss, final)]
    assert said == ["SWR-TIME", "SWR-SE-TIME"]


@pytest.mark.usefixtures("watch")
def test_a_final_can_be_played_without_its_limit(desk: Desk) -> None:
    """ASH-CUT: the organizer may waive the time limit and Sudden Death in the final."""
    for line in (
        "open Friday -b ashes-2022",
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")),
        "announce --cut 2 --rounds 1 --untimed-final --reason small",
        "pair",
        "report 1 a:3 2 a:4",
        "tie",
        "cut",
        "pair",
        "start",
    ):
        assert desk(line).code == 0, desk(line).err
    document = desk("clock --json").document
    assert (document["seconds"], document["marks"], document["sudden_death"]) == (None, [], [])
    assert desk("clock").lines[0] == "Elimination round 1, 0:00 played, no time limit"


# -- Sudden Death


@pytest.mark.parametrize(
    ("turn", "begins", "free"),
    [
        pytest.param(FIRST, FIRST, SECOND, id="TV-ASH-SD-1"),
        pytest.param(SECOND, FIRST, None, id="TV-ASH-SD-2"),
    ],
)
def test_sudden_death_begins_with_the_next_turn_of_the_first_player(
    turn: int, begins: int, free: int | None
) -> None:
    assert from_turn((FIRST, SECOND), FIRST, turn) == (begins, free)
    assert from_turn((SECOND, FIRST), FIRST, turn) == (begins, free)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        pytest.param(1, 1, id="TV-ASH-SD-3"),
        pytest.param(0, 2, id="TV-ASH-SD-4"),
        pytest.param(2, 0, id="both discarded"),
        pytest.param(30, 0, id="plenty"),
    ],
)
def test_each_discard_that_a_player_cannot_make_is_a_wound(cards: int, expected: int) -> None:
    assert wounds(cards) == expected


def test_tables_that_play_on_get_a_reminder_at_time(watch: Watch, desk: Desk) -> None:
    for line in (
        "open Friday -b ashes-2022",
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di", "Ed", "Fay")),
        "pair --table Ann/Bo --table Cy/Di --table Ed/Fay",
        "first-player Ann",
        "first-player Di",
        "start",
        "extend 3 5",
    ):
        assert desk(line).code == 0
    watch.tick(2999)
    assert desk("clock --json").document["sudden_death"] == []
    watch.tick(1)
    assert desk("mark time --table 1 --turn Ann").lines[-1] == (
        "Table 1: the next turn of Bo is free, then Sudden Death begins with the turn of Ann (ASH-SD)"
    )
    assert desk("clock").lines[-4:-1] == [
        "    3  Ed - Fay   +5  Time at 55:00",
        "Table 1: the next turn of Bo is free, then Sudden Death begins with the turn of Ann (ASH-SD)",
        "Table 2: Sudden Death begins with the turn of Di (ASH-SD)",
    ]
    desk("mark time --table 2 --turn Cy")
    assert desk("clock").lines[-3:-1] == [
        "Table 1: the next turn of Bo is free, then Sudden Death begins with the turn of Ann (ASH-SD)",
        "Table 2: Sudden Death begins with the turn of Di (ASH-SD)",
    ], "each table has its own turn"
    watch.tick(300)
    assert desk("clock").lines[-2] == ("Table 3: Sudden Death begins with the First Player's next turn (ASH-SD)")


# -- house rulebooks


def test_a_mark_names_an_existing_result() -> None:
    law = rulebook_text("l5r-2018").replace('late_slip = "modified-loss"', 'late_slip = "half-loss"')
    with pytest.raises(RulebookError, match="a mark of the clock names half-loss, which is no result of this"):
        parse_rulebook(law)


def test_marks_must_be_in_order() -> None:
    law = rulebook_text("l5r-2018").replace("minutes = 5\n", "minutes = 15\n")
    with pytest.raises(RulebookError, match="the marks are not in order of their minutes"):
        parse_rulebook(law)


def test_two_marks_with_one_name_are_refused() -> None:
    mark = Mark(name="time", title="Time", rule="H", says="Time.")
    with pytest.raises(ValueError, match="two marks have the same name"):
        ClockRules(marks=(mark, mark))
