"""Results that follow from two times (the end of the game and the arrival of the slip) and from the values on the
slip.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Desk
from tests.clock.conftest import Watch

from matchledger.commands.results import ReportSlip
from matchledger.events import EmperorsJudgment
from matchledger.ledger import Clerk, open_ledger
from matchledger.service.execute import Request, execute
from matchledger_projections.record.judgment import judge_values

A, B = 0, 1


def points(desk: Desk) -> dict[str, int]:
    """Every player's points."""
    return {row["player"]: row["points"] for row in desk("standings --json").document["standings"]}


def scored(desk: Desk, outcome: str) -> tuple[int, int]:
    """Return the points of a slip of table 1, where Ann plays Bo, after table 2 has reported too."""
    said = desk(f"report 1 {outcome} 2 a slip=1:00")
    assert said.code == 0, said.err
    table = points(desk)
    return table["Ann"], table["Bo"]


@pytest.mark.parametrize(
    ("outcome", "worth"),
    [
        pytest.param("a ended=50:00 slip=52:00", (10, 1), id="TV-L5R-TIME-1"),
        pytest.param("a ended=64:00 slip=70:00", (10, 1), id="TV-L5R-TIME-2"),
        pytest.param("a ended=69:59 slip=70:01", (10, 0), id="TV-L5R-TIME-3"),
        pytest.param("a concession ended=65:30 slip=66:00", (10, 1), id="TV-L5R-TIME-4"),
        pytest.param("a judgment ended=68:00 slip=69:00", (10, 1), id="TV-L5R-TIME-5"),
        pytest.param("a judgment ended=72:00", (10, 0), id="TV-L5R-TIME-6"),
        pytest.param("a judgment ended=75:00", (6, 0), id="TV-L5R-TIME-7"),
        pytest.param("a ended=74:59 slip=76:00", (10, 0), id="TV-L5R-TIME-8"),
        pytest.param("a judgment ended=75:00 slip=77:00", (6, 0), id="judged when play stopped, the slip later"),
        pytest.param("a judgment ended=74:59 slip=75:00", (10, 0), id="judged a second before play stopped"),
        pytest.param("a concession slip=72:00", (10, 0), id="a concession whose slip came late"),
        pytest.param("b modified-win", (0, 6), id="the slip's word, where no time is known"),
        pytest.param("a modified-win ended=75:00 slip=78:00", (6, 0), id="the slip's word, as its times have it"),
        pytest.param("a modified-win slip=76:00", (6, 0), id="the slip's word about when the game ended"),
    ],
)
def test_two_times_decide_the_kind_of_result(four: Desk, outcome: str, worth: tuple[int, int]) -> None:
    assert scored(four, outcome) == worth


@pytest.mark.parametrize("ended", [pytest.param("77:30", id="TV-L5R-TIME-9")])
def test_an_extension_moves_the_marks_of_its_table(watch: Watch, four: Desk, ended: str) -> None:
    four("start")
    four("extend 1 3")
    watch.tick(4800)
    assert scored(four, f"a judgment ended={ended}") == (10, 0)


@pytest.mark.parametrize(("at", "worth"), [("77:59", (10, 0)), ("78:00", (6, 0))])
def test_play_stops_later_at_a_table_with_more_time(
    watch: Watch, four: Desk, at: str, worth: tuple[int, int]
) -> None:
    four("start")
    four("extend 1 3")
    watch.tick(4800)
    assert scored(four, f"a judgment ended={at}") == worth


def test_an_extension_recorded_after_the_slip_counts_too(watch: Watch, four: Desk) -> None:
    """When an extension is retracted or restored, the program judges the late slip again."""
    four("start")
    four("extend 1 3")
    watch.tick(4800)
    assert scored(four, "a ended=70:00 slip=72:00") == (10, 1)
    four("retract 8")
    assert points(four) == {"Ann": 10, "Cy": 10, "Di": 1, "Bo": 0}
    four("retract 11")
    assert points(four)["Bo"] == 1


# -- Emperor's Judgment


@pytest.mark.parametrize(
    ("written", "expected", "winner"),
    [
        pytest.param(
            EmperorsJudgment(broken=(3, 4), honor=(5, 10), favor=1), (6, 9), B, id="DV-L5R-EJ: Dan against Emily"
        ),
        pytest.param(EmperorsJudgment(broken=(2, 1), honor=(8, 9), decider=0), (4, 4), A, id="TV-L5R-EJ-1"),
        pytest.param(EmperorsJudgment(broken=(4, 4), honor=(7, 9), favor=0), (7, 8), B, id="TV-L5R-EJ-2"),
        pytest.param(EmperorsJudgment(broken=(0, 0), honor=(11, 11), decider=1), (0, 0), B, id="TV-L5R-EJ-3"),
        pytest.param(EmperorsJudgment(broken=(1, 2), honor=(12, 12), favor=0), (3, 4), B, id="TV-L5R-EJ-4"),
        pytest.param(EmperorsJudgment(broken=(1, 2), honor=(12, 3), favor=0), (5, 4), A, id="TV-L5R-EJ-5"),
        pytest.param(EmperorsJudgment(broken=(5, 0), honor=(9, 1), favor=0), (9, 0), A, id="TV-L5R-EJ-6"),
    ],
)
def test_the_counts_on_a_slip_judge_the_game(
    written: EmperorsJudgment, expected: tuple[int, int], winner: int
) -> None:
    found = judge_values(written)
    assert (found.points, found.winner) == (expected, winner)


def test_a_tied_judgment_goes_to_the_decider_and_not_to_the_first_player(four: Desk) -> None:
    """TV-L5R-EJ-1: Ann decided, and Bo is the first player."""
    assert scored(four, "judgment broken=2-1 honor=8-9 decider=a first=b ended=68:00 slip=69:00") == (10, 1)
    log = four("log").out
    assert "round 1, table 1: Bo is the first player, decided by Ann" in log
    assert "judged 4 to 4, tied: the player who decided the first player wins (L5R-IV.3b-EJ)" in log


def test_an_earlier_entry_can_name_the_decider(four: Desk) -> None:
    four("first-player Ann --decided-by Bo")
    assert scored(four, "judgment broken=0-0 honor=11-11 ended=68:00") == (1, 10)


def test_a_judgment_when_play_stops_is_a_modified_win(four: Desk) -> None:
    """DV-L5R-EJ: the vector calls Ann Dan, and Bo Emily."""
    assert scored(four, "judgment broken=3-4 honor=5-10 favor=b ended=75:00") == (0, 6)
    assert "Bo beat Ann" in four("log").out


@pytest.mark.parametrize(
    ("outcome", "problem"),
    [
        (
            "a judgment broken=1-2 honor=12-12 favor=a",
            "the values give 3 to 4, so Bo wins: correct the values, or leave the winner out (L5R-IV.3b-EJ)",
        ),
        (
            "judgment broken=0-0 honor=11-11",
            (
                "the judgment is tied, 0 to 0: name the player who decided the first player, such as decider=a "
                "(L5R-IV.3b-EJ)"
            ),
        ),
        (
            "judgment broken=0-0",
            "a judgment needs both players' broken provinces and honor: broken=2-1 honor=8-9 (L5R-IV.3b-EJ)",
        ),
        (
            "a broken=1-0 honor=1-1",
            "provinces, honor and favor decide a judgment, not a win: write judgment (L5R-IV.3b-EJ)",
        ),
        ("judgment", "a judgment needs a winner"),
        (
            "a ended=66:00 slip=65:00",
            "the slip came in at 65:00, before the game ended at 66:00: correct one of the times",
        ),
        (
            "a modified-win ended=74:59",
            (
                "the game was over at 74:59, before all play stops at 75:00, so 'modified-win' is not "
                "possible (L5R-IV.3a-75)"
            ),
        ),
        (
            "a modified-loss slip=70:00",
            (
                "the slip came in at 70:00, not after last call for slips at 70:00, so 'modified-loss' is not "
                "possible (L5R-IV.3a-70)"
            ),
        ),
        (
            "a ended=75:00",
            (
                "no player wins after all play stops at 75:00: record a judgment, or first record the "
                "extra time that table 1 got (L5R-IV.3a-75)"
            ),
        ),
        (
            "unfinished",
            (
                "a game without a winner is judged: write judgment broken=2-1 honor=8-9 favor=a decider=a "
                "(L5R-IV.3b-EJ)"
            ),
        ),
        (
            "a slip=@15:12",
            "the clock of round 1 was not started: write times as it would have shown them, such as 69:59",
        ),
        ("a slip=70", "'70' is not a time: write 69:59 as on the round's clock, or @15:12 as on a watch"),
        ("a slip=@noon", "'@noon' is not a time: write 69:59 as on the round's clock, or @15:12 as on a watch"),
        ("a favor=c", "favor is a or b, not 'c'"),
        ("a honor=8", "honor needs a number for each player, such as honor=2-1, not '8'"),
        ("a slip=70:00 slip=71:00", "slip appears twice"),
    ],
)
def test_a_self_contradicting_slip_is_refused(four: Desk, outcome: str, problem: str) -> None:
    assert four(f"report 1 {outcome}").problem == problem
    assert four("log").lines[-1].split(maxsplit=1)[0] == "6"


# -- the moment of recording


def test_while_the_clock_runs_a_slip_arrives_when_it_is_recorded(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4200)
    assert four("report 1 a").lines[0] == "Table 1: Ann - Bo  > Ann (entry 8)"
    watch.tick(1)
    assert four("report 2 a").lines[:2] == [
        "Table 2: Cy - Di  > Cy (modified-loss) (entry 9)",
        "  slip came at 70:01, after last call for slips at 70:00 (L5R-IV.3a-70)",
    ]
    assert points(four) == {"Ann": 10, "Cy": 10, "Bo": 1, "Di": 0}


def test_a_repeated_slip_keeps_its_first_time(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4190)
    first = four("report 1 a --command-id slip-1")
    watch.tick(60)
    again = four("report 1 a --command-id slip-1")
    assert (again.code, again.lines) == (0, first.lines)
    four("report 2 a --slip 69:00")
    assert points(four) == {"Ann": 10, "Cy": 10, "Bo": 1, "Di": 1}
    assert four("concede Bo --command-id slip-1").code == 4


def test_a_slip_from_the_browser_arrives_when_it_is_recorded(watch: Watch, four: Desk, ledger: Path) -> None:
    four("start")
    watch.tick(4230)
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        request = Request(ReportSlip(table=1, outcome="a"), Clerk(), "slip-1")
        [entry] = execute(kept, tournament, request).entries
        watch.tick(5)
        assert execute(kept, tournament, request).entries == [entry]
        latest = kept.record(tournament).latest_round()
        assert latest is not None
        report = latest.report(1, latest.tables[1])
    assert report is not None
    assert report.kind == "modified-loss"


def test_a_concession_after_the_last_call_is_also_late(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4260)
    four("concede Bo")
    four("report 2 a --slip 69:30")
    assert points(four) == {"Ann": 10, "Cy": 10, "Di": 1, "Bo": 0}


def test_without_a_clock_nothing_is_late(watch: Watch, four: Desk) -> None:
    watch.tick(7200)
    four("report 1 a 2 a")
    assert points(four) == {"Ann": 10, "Cy": 10, "Bo": 1, "Di": 1}


def test_an_old_pile_is_entered_with_the_time_when_it_arrived(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4500)
    said = four("desk", typed="slip=69:30\n1\na\nslip=now\n2\nb\nq\n")
    assert said.code == 0
    assert points(four) == {"Ann": 10, "Di": 10, "Bo": 1, "Cy": 0}


def test_a_time_of_day_is_accepted(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4800)
    assert scored(four, "a ended=@15:08 slip=@15:10:01") == (10, 0)
    assert "slip came at 70:01" in four("log").out


def test_a_round_that_runs_past_midnight_keeps_its_clock(watch: Watch, four: Desk) -> None:
    watch.move_to("2026-05-03 23:00:00")
    four("start")
    watch.move_to("2026-05-04 00:20:00")
    assert scored(four, "a ended=@00:05 slip=@00:11") == (10, 0)


def test_moving_the_start_of_a_round_moves_its_slips_too(watch: Watch, four: Desk) -> None:
    """Whether a slip is late depends on the clock, and the start of the clock is an entry too."""
    watch.tick(600)
    four("start")
    watch.tick(3900)
    four("report 1 a")
    assert four("report 2 a").code == 0
    assert points(four)["Bo"] == 1
    four("retract 7")
    four("start --at 14:00")
    assert four("start --at 14:00").problem == "round 1 has started already"


def test_setting_a_watch_back_makes_no_slip_late_or_lost(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4500)
    four("report 1 a slip=69:00")
    watch.move_to("2026-05-03 13:00:00")
    said = four("report 2 b ended=64:00")
    assert said.code == 0
    assert points(four) == {"Ann": 10, "Di": 10, "Bo": 1, "Cy": 1}
    assert [line.split(maxsplit=1)[0] for line in four("log").lines[-2:]] == ["8", "9"]


@pytest.mark.parametrize(
    ("times", "what"),
    [
        ("ended=69:59", "the game cannot have ended at 69:59"),
        ("slip=10:00", "the slip cannot have come in at 10:00"),
        ("ended=@14:30", "the game cannot have ended at 30:00"),
    ],
)
def test_the_clock_refuses_times_in_the_future(watch: Watch, four: Desk, times: str, what: str) -> None:
    """A time in the future was misread, or is on the wrong slip."""
    four("start")
    watch.tick(120)
    ahead = f"{what}: the clock of round 1 shows 2:00"
    assert (four(f"report 1 a {times}").code, four(f"report 1 a {times}").problem) == (3, ahead)
    assert four("report 1 a").code == 0
    assert four(f"correct 1 1 b {times}").problem == ahead
    assert four("report 2 a ended=3:30").code == 0, "the watches of a hall are not the same to the second"


def test_stopping_the_clock_makes_no_slip_late(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(600)
    four("pause")
    watch.tick(1200)
    four("resume")
    watch.tick(3600)
    four("report 1 a")
    watch.tick(1)
    four("report 2 a")
    assert points(four) == {"Ann": 10, "Cy": 10, "Bo": 1, "Di": 0}


# -- corrections


def test_a_correction_of_the_winner_keeps_the_times(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4260)
    four("report 1 a 2 a")
    watch.tick(3600)
    said = four("correct 1 1 b --reason misread")
    assert "slip came at 71:00" in said.out
    assert points(four)["Ann"] == 0


def test_correcting_the_time_removes_the_modification(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4260)
    four("report 1 a 2 a")
    assert four("correct 1 1 a").problem == (
        "table 1 of round 1 has this result already (entry 8); the times on the slip make it a "
        "modified-loss: correct the times"
    )
    assert four("correct 1 1 a slip=69:50").code == 0
    assert points(four) == {"Ann": 10, "Cy": 10, "Bo": 1, "Di": 0}


def test_the_result_of_a_judge_counts_however_late_it_is_recorded(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4800)
    four("report 1 a modified-win 2 a slip=60:00")
    assert points(four) == {"Cy": 10, "Ann": 6, "Di": 1, "Bo": 0}
    assert four("correct 1 2 a modified-loss").code == 0
    assert points(four)["Di"] == 0


# -- other rulebooks


@pytest.fixture
def house(desk: Desk) -> Desk:
    """Ann plays Bo under the Street Warriors rules."""
    for line in ("open Friday -b street-warriors-2004", "register Ann", "register Bo", "pair --table Ann/Bo"):
        assert desk(line).code == 0
    return desk


def test_street_warriors_draws_a_game_that_time_ended(house: Desk) -> None:
    """TV-SWR-TIME-1: time was called during a turn, and the turn ended without a winner."""
    assert house("report 1 unfinished ended=51:30").lines[0] == "Table 1: Ann - Bo  draw (entry 5)"
    assert points(house) == {"Ann": 1, "Bo": 1}


def test_the_turn_in_progress_at_time_is_finished_and_may_win_the_game(house: Desk) -> None:
    house("report 1 a ended=51:30")
    assert points(house) == {"Ann": 3, "Bo": 0}


def test_there_is_no_draw_before_time(house: Desk) -> None:
    assert house("report 1 draw ended=49:59").problem == (
        "the game was over at 49:59, before time at 50:00, so 'draw' is not possible (SWR-TIME)"
    )


def test_before_time_is_called_counts_decide_no_elimination_game(watch: Watch, house: Desk) -> None:
    house("report 1 a")
    for line in ("cut 2 --reason short", "pair", "start"):
        assert house(line).code == 0
    for seconds, shown in ((0, "0:00"), (600, "10:00")):
        watch.tick(seconds)
        assert house("time-tiebreak 1 --matches 2-1").problem == (
            f"the clock of round 1 shows {shown}, and time is called at 50:00: play on (SWR-SE-TIME)"
        )
    watch.tick(2400)
    assert house("time-tiebreak 1 --matches 2-1").code == 0


@pytest.mark.parametrize(
    "line",
    [
        "report 1 a ended={}",
        "concede Bo --ended {}",
        "penalty Bo game-loss --for slow-play --ended {}",
        "no-show Bo --ended {}",
    ],
)
def test_after_time_is_called_only_counts_decide_an_elimination_game(watch: Watch, house: Desk, line: str) -> None:
    """Before the fix, play could win an elimination game at any time, and `integrity` listed nothing."""
    house("report 1 a")
    for typed in ("cut 2 --reason short", "pair", "start"):
        assert house(typed).code == 0
    watch.tick(3600)
    refused = (
        "no player wins an elimination game after time at 50:00: the players' counts decide it; or record first "
        "the extra time that table 1 got (SWR-SE-TIME); use time-tiebreak"
    )
    assert house(line.format("50:01")).problem == refused
    assert house("extend 1 1").code == 0
    # At 51:00 play stops, and after that no player can win by play.
    last = "50:59" if line.startswith("report") else "51:00"
    assert house(line.format(last)).code == 0
    assert house("correct 1 1 b ended=51:01 --elimination --yes").refused.startswith(
        "no player wins an elimination"
    )


def test_from_the_second_when_time_is_called_play_wins_no_elimination_game(watch: Watch, house: Desk) -> None:
    house("report 1 a")
    for typed in ("cut 2 --reason short", "pair", "start"):
        assert house(typed).code == 0
    watch.tick(3600)
    assert house("report 1 a ended=50:00").problem.startswith(
        "no player wins an elimination game after time at 50:00"
    )
    assert house("report 1 a ended=49:59").code == 0


@pytest.mark.parametrize("line", ["concede Bo", "penalty Bo game-loss --for slow-play", "no-show Bo"])
def test_after_time_the_desk_says_when_an_elimination_game_ended(watch: Watch, house: Desk, line: str) -> None:
    house("report 1 a")
    for typed in ("cut 2 --reason short", "pair", "start"):
        assert house(typed).code == 0
    watch.tick(3600)
    refused = house(line)
    assert refused.code == 3
    assert refused.problem.startswith("all play stopped at 50:00: give the time")
    assert house(f"{line} --ended 49:00").code == 0


@pytest.mark.parametrize("outcome", ["draw", "unfinished"])
def test_there_is_no_draw_while_the_clock_runs(watch: Watch, house: Desk, outcome: str) -> None:
    """The program judges a draw without a time by what the clock shows when the slip comes."""
    house("start")
    watch.tick(600)
    refused = (
        "the clock of round 1 shows 10:00 and has not passed time at 50:00, so 'draw' is not possible yet "
        "(SWR-TIME)"
    )
    assert house(f"report 1 {outcome}").problem == refused
    assert house("report 1 a").code == 0
    assert house("correct 1 1 draw").problem == refused
    watch.tick(2400)
    assert house("correct 1 1 draw").code == 0
    assert points(house) == {"Ann": 1, "Bo": 1}


def test_players_may_agree_on_a_draw_of_a_longer_match_at_any_time(watch: Watch, desk: Desk) -> None:
    """An intentional draw needs no time."""
    for line in ("open Friday -b magic-mtr", "register Ann", "register Bo", "pair --table Ann/Bo", "start"):
        assert desk(line).code == 0
    watch.tick(600)
    assert desk("report 1 draw").code == 0


@pytest.mark.parametrize(
    ("outcome", "seconds", "refused"),
    [
        (
            "a modified-win",
            4499,
            (
                "74:59 and has not passed all play stops at 75:00, "
                "so 'modified-win' is not possible yet (L5R-IV.3a-75)"
            ),
        ),
        (
            "a modified-loss",
            4200,
            (
                "70:00 and has not passed last call for slips at 70:00, "
                "so 'modified-loss' is not possible yet (L5R-IV.3a-70)"
            ),
        ),
        (
            "a modified-loss ended=60:00",
            4200,
            (
                "70:00 and has not passed last call for slips at 70:00, "
                "so 'modified-loss' is not possible yet (L5R-IV.3a-70)"
            ),
        ),
    ],
)
def test_a_result_by_time_is_refused_while_the_clock_runs(
    watch: Watch, four: Desk, outcome: str, seconds: int, refused: str
) -> None:
    """The clock checks a result even if no time is given."""
    four("start")
    watch.tick(seconds)
    assert four(f"report 1 {outcome}").problem == f"the clock of round 1 shows {refused}"
    watch.tick(1)
    assert four(f"report 1 {outcome}").code == 0


def test_time_does_not_end_a_game_of_ashes(desk: Desk) -> None:
    for line in ("open Friday -b ashes-2022", "register Ann", "register Bo", "pair --table Ann/Bo"):
        assert desk(line).code == 0
    assert desk("report 1 unfinished").problem == (
        "after time, Sudden Death goes on until somebody has won (ASH-SD)"
    )
    assert desk("report 1 a:9 ended=57:00").code == 0


def test_without_a_clock_time_decides_nothing(desk: Desk) -> None:
    for line in ("open Friday -b pokemon-2009", "register Ann", "register Bo", "pair --table Ann/Bo", "start"):
        assert desk(line).code == 0
    assert desk("report 1 unfinished").problem == ("pokemon-2009 has no result for a game at time: give the result")
    assert desk("report 1 judgment broken=1-1 honor=1-1").problem.startswith("pokemon-2009 has no result")


# -- why


def test_an_explanation_says_why_a_loss_is_modified(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(4300)
    four("report 1 a ended=69:59 2 a slip=60:00")
    assert four("correct 1 1 a slip=70:01").code == 0
    assert (
        "round 1: slip came at 70:01, after last call for slips at 70:00 (L5R-IV.3a-70)" in four("explain Bo").out
    )
    [line] = four("explain Bo --json").document["rounds"]
    assert (line["kind"], line["rule"]) == ("modified-loss", "L5R-IV.3a-70")
    assert line["why"] == [
        {"text": "slip came at 70:01, after last call for slips at 70:00", "rule": "L5R-IV.3a-70"},
    ]
    assert (
        four("log")
        .lines[-1]
        .endswith(
            "Ann beat Bo, a modified-loss: slip came at 70:01, after last call for slips at 70:00 (L5R-IV.3a-70)"
        )
    )
