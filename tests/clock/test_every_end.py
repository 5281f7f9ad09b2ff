"""The clock judges a match after any ending. A judge can judge a match only after time is called."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Desk
from tests.clock.conftest import Watch
from tests.clock.test_lateness import points

LOSES = [
    pytest.param("report 1 a", id="slip"),
    pytest.param("report 1 a concession ended=69:00", id="concession on a slip"),
    pytest.param("concede Bo", id="concession"),
    pytest.param("card Bo lost 'Hida Kisada' --during-game", id="lost card"),
    pytest.param("card Bo lost 'Hida Kisada' --not-found", id="card not found in time"),
    pytest.param("penalty Bo game-loss --for notes", id="penalty"),
]


@pytest.mark.finding("L-W2")
@pytest.mark.parametrize("how", LOSES)
@pytest.mark.parametrize(("minutes", "worth"), [(69, 1), (72, 0)])
def test_a_match_lost_after_the_last_call_is_a_modified_loss(
    watch: Watch, four: Desk, how: str, minutes: int, worth: int
) -> None:
    four("start")
    if "--not-found" in how:
        four("card Bo lost 'Hida Kisada'")
        four("retract 9")  # retract the extension, which would delay the last call
    watch.tick(60 * minutes)
    said = four(how)
    assert said.code == 0
    assert ("modified-loss" in "".join(said.lines)) is (worth == 0)
    four("report 2 a slip=10:00")
    assert points(four) == {"Ann": 10, "Cy": 10, "Di": 1, "Bo": worth}


@pytest.mark.finding("L-W4")
@pytest.mark.parametrize(
    "outcome", ["a judgment ended=50:00 slip=51:00", "judgment broken=2-1 honor=3-3 ended=64:59", "a judgment"]
)
def test_no_game_is_judged_before_time_is_called(watch: Watch, four: Desk, outcome: str) -> None:
    four("start")
    watch.tick(60 * 66 if "ended" in outcome else 1)
    refused = four(f"report 1 {outcome}")
    assert refused.code == 3
    assert refused.problem.endswith("and no game is judged before time at 65:00: record who won (L5R-IV.3b-EJ)"), (
        refused.problem
    )
    assert four("report 1 a judgment ended=65:00").code == (0 if "ended" in outcome else 3)


@pytest.mark.finding("L-W4")
@pytest.mark.parametrize(
    "begun",
    [
        pytest.param((), id="clock not started"),
        pytest.param(("report 1 a",), id="correction, clock not started"),
        pytest.param(("start", "no-show Bo"), id="correction of a slip without a time"),
    ],
)
@pytest.mark.parametrize("outcome", ["a judgment", "judgment broken=2-1 honor=3-3"])
def test_a_judgment_without_a_time_asks_when_the_game_ended(
    watch: Watch, four: Desk, begun: tuple[str, ...], outcome: str
) -> None:
    for line in begun:
        assert four(line).code == 0
    watch.tick(60 * 66)
    how, reason = ("correct 1 1", "--reason 'read wrong'") if begun else ("report 1", "")
    assert four(f"{how} {outcome} {reason}").problem == (
        "no game is judged before time at 65:00: give the time when the game ended, ended=65:00 or later "
        "(L5R-IV.3b-EJ)"
    )
    assert four(f"{how} {outcome} ended=65:00 {reason}").code == 0


@pytest.mark.finding("L-W4")
def test_a_table_with_more_time_is_judged_when_its_own_time_is_called(watch: Watch, four: Desk) -> None:
    four("start")
    four("extend 1 3")
    watch.tick(60 * 69)
    assert "before time at 68:00" in four("report 1 a judgment ended=67:59").problem
    assert four("report 1 a judgment ended=68:00").code == 0


@pytest.mark.finding("L-W2")
@pytest.mark.parametrize(
    "how",
    [
        "report 1 a judgment",
        "report 1 a concession",
        "report 1 a game-loss",
        "concede Bo",
        "card Bo lost Dash --during-game",
        "penalty Bo game-loss --for notes",
        "penalty Bo match-loss --for notes",
    ],
)
def test_after_play_stopped_every_result_needs_an_end_time(watch: Watch, four: Desk, how: str) -> None:
    """After 75:00 the program asks when a judgment, a concession or a game loss ended the game."""
    four("start")
    watch.tick(60 * 76 + 25)
    assert four(how).problem == (
        "all play stopped at 75:00: give the time when the game ended, ended=75:00 or earlier (L5R-IV.3a-75)"
    )
    assert four("report 1 a judgment ended=75:00").code == 0
    assert four("report 2 a concession ended=74:00").code == 0
    assert points(four) == {"Ann": 6, "Cy": 10, "Bo": 0, "Di": 0}


def test_a_plain_win_after_play_stopped_is_a_win_by_play_with_a_late_slip(watch: Watch, four: Desk) -> None:
    """Nobody can win by play after 75:00, and a judged game is written as a judgment. The desk sees the reason."""
    four("start")
    watch.tick(60 * 76)
    said = four("report 1 a")
    assert "slip came at 76:00, after last call for slips at 70:00 (L5R-IV.3a-70)" in said.out
    assert four("report 2 a slip=10:00").code == 0
    assert points(four) == {"Ann": 10, "Cy": 10, "Bo": 0, "Di": 1}
    assert four("correct 1 1 a judgment ended=75:00 --reason 'judged at 75:00'").code == 0
    assert points(four) == {"Ann": 6, "Cy": 10, "Bo": 0, "Di": 1}


@pytest.mark.finding("L-W2")
@pytest.mark.parametrize(
    ("outcome", "allowed"),
    [
        ("a judgment ended=75:00", True),
        ("a concession ended=75:00", True),
        ("a game-loss ended=75:00", True),
        ("a concession ended=75:01", False),
        ("a game-loss ended=75:01", False),
        ("a ended=75:00", False),
    ],
)
def test_the_end_that_the_refusal_suggests_is_accepted(
    watch: Watch, four: Desk, outcome: str, allowed: bool
) -> None:
    """Until 75:00 a game can be won by play. After 75:00 a game ends only by concession or by a penalty."""
    four("start")
    watch.tick(60 * 76)
    said = four(f"report 1 {outcome}")
    assert (said.code == 0) is allowed, said
    assert allowed or "no player wins after" in said.problem


@pytest.mark.finding("L-W2")
@pytest.mark.parametrize("penalty", ["warning", "game-loss"])
def test_a_penalty_after_play_stopped_does_not_change_the_judged_result(
    watch: Watch, four: Desk, penalty: str
) -> None:
    """The slip comes first, so the penalty does not cost the match."""
    four("start")
    watch.tick(60 * 76)
    assert four("report 1 b judgment ended=75:00").code == 0
    assert four(f"penalty Bo {penalty} --for notes").code == 0
    assert four("report 2 a ended=60:00 slip=61:00").code == 0
    assert points(four) == {"Bo": 6, "Cy": 10, "Ann": 0, "Di": 1}


@pytest.mark.finding("L-W2")
def test_a_no_show_after_play_stopped_needs_the_time_of_the_absence(watch: Watch, four: Desk) -> None:
    """L5R-IV.3a-75 applies to `no-show` and `report`, for one absent player or two."""
    four("start")
    watch.tick(60 * 77)
    for how in ("no-show Bo", "no-show Ann Bo", "report 1 a no-show", "report 1 double-loss --reason both"):
        assert four(how).problem == (
            "all play stopped at 75:00: give the time when the absence was certain, ended=75:00 or earlier "
            "(L5R-IV.3a-75)"
        )
    assert "no player wins after" in four("no-show Bo --ended 75:01").problem
    assert "is not a time" in four("no-show Bo --ended noon").problem
    assert four("no-show Ann Bo --ended 15:00").code == 0
    assert four("report 2 a no-show ended=10:00").code == 0
    assert points(four) == {"Cy": 10, "Ann": 1, "Bo": 1, "Di": 1}


@pytest.mark.finding("L-W2")
@pytest.mark.parametrize(
    "how",
    ["concede Bo", "card Bo lost Dash --during-game", "penalty Bo game-loss --for notes"],
)
def test_after_play_stopped_a_match_lost_off_the_table_needs_the_time_of_its_end(
    watch: Watch, four: Desk, how: str
) -> None:
    four("start")
    watch.tick(60 * 77)
    assert "no player wins after" in four(f"{how} --ended 75:01").problem
    assert "is not a time" in four(f"{how} --ended noon").problem
    assert four(f"{how} --ended 75:00").code == 0
    assert four("report 2 a ended=60:00 slip=61:00").code == 0
    assert points(four) == {"Ann": 10, "Cy": 10, "Bo": 0, "Di": 1}


@pytest.mark.parametrize("how", ["card Bo lost Dash", "card Bo damaged Dash", "penalty Bo warning --for notes"])
def test_an_end_time_is_refused_if_no_match_ends(watch: Watch, four: Desk, how: str) -> None:
    four("start")
    watch.tick(60)
    assert (
        four(f"{how} --ended 0:30").problem
        == "this decision ends no match: leave out the time when the match ended"
    )


def rules_listed(desk: Desk, fact: str) -> list[list[str]]:
    """Return the rules of every intervention by a kind of fact."""
    items = desk("integrity --json").document["items"]
    return [item["rules"] for item in items if item["fact"]["kind"] == fact]


@pytest.mark.parametrize(
    ("minutes", "rules"), [(70, []), (72, ["L5R-IV.3a-70"]), (76, ["L5R-IV.3a-70", "L5R-IV.3a-75"])]
)
def test_after_its_last_call_a_table_gets_more_time_only_with_a_reason(
    watch: Watch, four: Desk, minutes: int, rules: list[str]
) -> None:
    four("start")
    watch.tick(60 * minutes)
    if not rules:
        assert four("extend 1 10 --reason 'a ruling'").code == 0
    else:
        refused = four("extend 1 10")
        assert refused.code == 3
        assert "last call for slips of table 1 was at 70:00" in refused.problem
        assert "(L5R-IV.3a-70)" in refused.problem
        assert four("extend 1 10 --reason 'a leader read the watch wrong'").code == 0
    listed = rules_listed(four, "time-extended")
    assert listed == ([rules] if rules else [])


def test_more_time_at_a_table_is_compared_with_the_last_call_of_that_table(watch: Watch, four: Desk) -> None:
    four("start")
    four("extend 1 3")
    watch.tick(60 * 72)
    assert four("extend 1 1").code == 0
    assert four("extend 2 1").code == 3


def test_time_to_look_for_a_lost_card_is_given_only_as_a_round_begins(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(60 * 4)
    assert four("card Bo lost Dash").code == 0
    watch.tick(60 * 36)
    refused = four("card Di lost Fury")
    assert refused.code == 3
    assert "round 1 began 40:00 ago" in refused.problem
    assert "(L5R-II.2d-LOST)" in refused.problem
    assert four("card Di lost Fury --reason 'the judge came late'").code == 0
    assert rules_listed(four, "card-incident") == [["L5R-II.2d-LOST"]]
