"""Extra time for one table has a cause, or `integrity` lists it with the rule about the length of a round."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Desk
from tests.decks.test_l5r import deck

NOTE = "no cause for the extra time of table 1 is recorded"


def listed(desk: Desk) -> list[tuple[str, list[str]]]:
    """Return each extension that the report lists, with the rules."""
    items = desk("integrity --json").document["items"]
    return [(item["kind"], item["rules"]) for item in items if item["fact"]["kind"] == "time-extended"]


def begin(desk: Desk, rulebook: str, length: str = "") -> None:
    """Open an event of four players and start round 1."""
    for line in (
        f"open Friday -b {rulebook}",
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")),
        "pair --table Ann/Bo --table Cy/Di",
        f"start {length}",
    ):
        said = desk(line)
        assert said.code == 0, said.err


@pytest.mark.parametrize(
    ("rulebook", "rule"),
    [
        ("l5r-2018", "L5R-IV.1-CLOCK"),
        ("street-warriors-2004", "SWR-TIME"),
        ("ashes-2022", "ASH-CLOCK"),
        ("magic-mtr", "MTR-B"),
        ("pokemon-2026", "PTR-MATCH"),
    ],
)
def test_extra_time_without_a_cause_departs_from_the_length_of_a_round(
    desk: Desk, rulebook: str, rule: str
) -> None:
    """Before the fix, each table could get an hour more, and the report named no departure."""
    begin(desk, rulebook)
    said = desk("extend 1 60")
    assert said.code == 0
    assert NOTE in said.err
    assert rule in said.err
    assert listed(desk) == [("departure from a rule", [rule])]
    assert f"departure from a rule ({rule})" in desk("integrity").out


@pytest.mark.parametrize("rulebook", ["pokemon-2009", "one-piece", "netrunner-2023"])
def test_extra_time_departs_from_nothing_where_the_document_sets_no_length(desk: Desk, rulebook: str) -> None:
    begin(desk, rulebook, "--minutes 40")
    assert NOTE not in desk("extend 1 60").err
    assert listed(desk) == []


CAUSES = [
    pytest.param("penalty Ann warning --for slow-play", id="penalty"),
    pytest.param("ruling 'May I?' Yes --table 1", id="ruling"),
    pytest.param("card Bo damaged Dash", id="damaged card"),
    pytest.param("card Bo lost Dash", id="lost card"),
    pytest.param("deck check Ann --round 1", id="deck check"),
]


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("first", ["cause", "time"])
def test_a_recorded_cause_at_the_table_explains_extra_time_in_either_order(
    desk: Desk, tmp_path: Path, cause: str, first: str
) -> None:
    """A judge gives the time at once, and writes the ruling down later."""
    begin(desk, "l5r-2018")
    (tmp_path / "ann.txt").write_text(deck())
    assert desk("deck submit Ann ann.txt --late --reason forgotten").code == 0
    notes = []
    for line in [cause, "extend 1 3"] if first == "cause" else ["extend 1 3", cause]:
        said = desk(line)
        assert said.code in (0, 1), said.err  # a check exits with 1 if the deck breaks a rule
        notes += [line] if NOTE in said.err else []
    assert notes == ([] if first == "cause" else ["extend 1 3"])
    assert listed(desk) == []
    desk("extend 2 3")
    assert listed(desk) == [("departure from a rule", ["L5R-IV.1-CLOCK"])], "table 2 has no cause"


@pytest.mark.parametrize(
    "elsewhere", ["penalty Cy warning --for slow-play", "ruling 'May I?' Yes --table 2", "ruling 'May I?' Yes"]
)
def test_a_ruling_or_penalty_elsewhere_explains_no_extra_time(desk: Desk, elsewhere: str) -> None:
    begin(desk, "ashes-2022")
    assert desk(elsewhere).code == 0
    desk("extend 1 3")
    assert listed(desk) == [("departure from a rule", ["ASH-CLOCK"])]


def test_an_earlier_rounds_cause_or_a_retracted_cause_explains_no_extra_time(desk: Desk) -> None:
    begin(desk, "ashes-2022")
    desk("penalty Ann warning --for slow-play")
    desk("report 1 a:9 2 a:9")
    desk("pair --table Ann/Cy --table Bo/Di")
    desk("start")
    desk("extend 1 3")
    assert listed(desk) == [("departure from a rule", ["ASH-CLOCK"])]
    assert desk("ruling 'May I?' Yes --table 1").code == 0
    assert listed(desk) == []
    assert desk("undo").code == 0
    assert listed(desk) == [("departure from a rule", ["ASH-CLOCK"])]


def test_a_reason_is_a_cause_and_extra_time_that_was_taken_back_is_none(desk: Desk) -> None:
    begin(desk, "street-warriors-2004")
    assert desk("extend 1 3 --reason 'a spilt drink'").err == ""
    assert listed(desk) == []
    desk("extend 2 3")
    assert desk("undo").code == 0
    assert listed(desk) == []


def test_players_who_were_seated_after_the_start_get_extra_time_for_it(desk: Desk) -> None:
    begin(desk, "ashes-2022")
    said = desk("amend Ann/Di Bo/Cy")
    assert said.code == 0, said.err
    desk("extend 1 3")
    assert listed(desk) == []


def test_the_final_of_l5r_has_its_length_too(desk: Desk) -> None:
    begin(desk, "l5r-2018")
    desk("report 1 a 2 a")
    assert desk("tie --yes").code == 0
    assert desk("cut 2 --reason early --yes").code == 0
    assert desk("pair").code == 0
    assert desk("start").code == 0
    desk("extend 1 9")
    assert listed(desk) == [("departure from a rule", ["L5R-IV.1-CLOCK"])]


def test_extra_time_of_a_score_sheet_is_not_judged(desk: Desk, tmp_path: Path) -> None:
    sheet = "rulebook ashes-2022\nplayers A B\nround 1\n  A > B (9)\n  extend 1 9\n"
    (tmp_path / "friday.sheet").write_text(sheet)
    assert desk("import friday.sheet").code == 0
    assert listed(desk) == []
