"""The clock on the command line: starts, stops, extensions, calls, and its display."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Desk
from tests.clock.conftest import Watch

L5R_MARKS = [("time", 3900), ("last-slips", 4200), ("stop", 4500)]


def marks(desk: Desk) -> list[tuple[str, int]]:
    return [(mark["name"], mark["at"]) for mark in desk("clock --json").document["marks"]]


def test_a_started_round_counts_down(watch: Watch, four: Desk) -> None:
    assert four("start").out == "Round 1 has started, 65:00 on the clock.\n"
    watch.tick(600)
    document = four("clock --json").document
    assert (document["elapsed"], document["remaining"], document["next"]) == (600, 3300, "time")
    assert document["started_at"] == "2026-05-03T14:00:00+00:00"
    assert [mark["moment"] for mark in document["marks"]] == [
        "2026-05-03T15:05:00+00:00",
        "2026-05-03T15:10:00+00:00",
        "2026-05-03T15:15:00+00:00",
    ]
    assert four("clock --once").lines == [
        "Round 1, 10:00 played, 55:00 left",
        "       at        mark",
        "65:00  15:05:00  Time                 in 55:00  L5R-IV.3a-65",
        "70:00  15:10:00  Last call for slips  in 60:00  L5R-IV.3a-70",
        "75:00  15:15:00  All play stops       in 65:00  L5R-IV.3a-75",
        "0 of 2 tables reported.",
    ]


def test_a_mark_is_reached_at_its_exact_second(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(3899)
    assert not four("clock --json").document["marks"][0]["reached"]
    watch.tick(1)
    document = four("clock --json").document
    assert document["marks"][0]["reached"]
    assert (document["remaining"], document["next"]) == (0, "last-slips")


def test_a_start_can_be_recorded_late_with_its_earlier_time(watch: Watch, four: Desk) -> None:
    watch.tick(180)
    assert four("start --at 14:00:30").code == 0
    assert four("clock --json").document["elapsed"] == 150
    assert "round 1 started at 2026-05-03T14:00:30+00:00" in four("log").lines[-1]


def early(desk: Desk) -> list[list[str]]:
    """The rules of the starts that `integrity` lists."""
    items = desk("integrity --json").document["items"]
    return [item["rules"] for item in items if item["fact"]["kind"] == "round-started"]


def test_a_round_does_not_start_before_it_is_paired(watch: Watch, four: Desk) -> None:
    """Before the fix, `start --at 4:05` for 14:05 gave a clock of ten hours, and every slip was late."""
    watch.tick(330)
    assert four("start --at 13:58:59").refused == (
        "round 1 was paired at 14:00:00: it cannot have started before: give a reason to deviate from it "
        "(L5R-III.2-START); use --reason"
    )
    assert four("start --at 13:59:30").code == 0, "the clock of the hall is half a minute behind"
    assert early(four) == []
    four("undo --yes --reason typo")
    four("start --at 13:40 --reason 'paired on paper, entered after the start'")
    assert four("clock --json").document["elapsed"] == 1530
    assert early(four) == [["L5R-III.2-START"]]


@pytest.mark.parametrize(("rulebook", "rule"), [("street-warriors-2004", "SWR-TIME"), ("ashes-2022", "ASH-CLOCK")])
def test_an_elimination_round_does_not_start_before_it_is_paired(
    watch: Watch, desk: Desk, rulebook: str, rule: str
) -> None:
    desk(f"open Friday -b {rulebook}")
    for name in ("Ann", "Bo", "Cy", "Di"):
        desk(f"register {name}")
    desk("announce --style elimination --prizes 1 --reason short")
    watch.tick(600)
    assert desk("pair").code == 0
    assert desk("start --at 14:05").refused.startswith("elimination round 1 was paired at 14:10:00: it cannot have")
    assert desk("start --at 14:05 --reason 'entered late'").code == 0
    assert early(desk) == [[rule]]


def test_only_a_running_clock_stops_and_only_a_stopped_one_resumes(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(600)
    ran = "matchledger: the clock of round 1 cannot have stopped before it ran: give the time when it stopped\n"
    stood = "matchledger: the clock of round 1 cannot resume before it stopped: give the time when it resumed\n"
    assert (four("pause --at 13:59").code, four("pause --at 13:59").err) == (3, ran)
    assert four("pause --at 14:05").code == 0
    assert (four("resume --at 14:04").code, four("resume --at 14:04").err) == (3, stood)
    assert four("resume --at 14:08").code == 0
    assert (four("pause --at 14:07").code, four("pause --at 14:07").err) == (3, ran)
    assert four("clock --json").document["elapsed"] == 420
    assert "round 1: clock went on at 2026-05-03T14:08:00+00:00" in four("log").lines[-1]


@pytest.mark.usefixtures("watch")
def test_a_round_of_a_different_length_has_its_marks_at_other_times(four: Desk) -> None:
    four("start --minutes 50")
    assert marks(four) == [("time", 3000), ("last-slips", 3300), ("stop", 3600)]
    assert four("clock --json").document["rule"] == "POLICY"


def test_a_table_with_more_time_has_later_marks(watch: Watch, four: Desk) -> None:
    four("start")
    said = four("extend 2 3 --reason 'deck check'")
    assert said.out == (
        "Table 2 has 3 minutes more: time 68:00, last call for slips 73:00, all play stops 78:00 (entry 8).\n"
    )
    watch.tick(3960)
    document = four("clock --json").document
    assert marks(four) == L5R_MARKS
    [table] = document["tables"]
    assert (table["table"], table["players"], table["minutes"]) == (2, ["Cy", "Di"], 3)
    assert (document["remaining"], table["remaining"]) == (-60, 120)
    assert table["reasons"] == ["deck check"]
    assert four("clock --once").lines[-3:-1] == [
        "Table  Players  Min",
        "    2  Cy - Di   +3  Time at 68:00  deck check",
    ]
    four("report 2 a")
    assert four("clock --json").document["tables"] == []


@pytest.mark.usefixtures("watch")
def test_extensions_add_up_and_can_be_taken_back(four: Desk) -> None:
    four("start")
    four("extend 1 3")
    four("extend 1 4")
    assert four("clock --json").document["tables"][0]["minutes"] == 7
    four("retract 8")
    assert four("clock --json").document["tables"][0]["minutes"] == 4


@pytest.mark.usefixtures("watch")
def test_reseated_players_lose_their_extension(four: Desk) -> None:
    four("start")
    four("extend 1 3")
    assert four("amend Ann/Cy Bo/Di").code == 0
    assert four("clock --json").document["tables"] == []


def test_a_stopped_clock_gives_every_table_more_time(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(600)
    assert four("pause --reason 'fire alarm'").out == "The clock is stopped at 10:00 (entry 8).\n"
    watch.tick(420)
    document = four("clock --json").document
    assert (document["elapsed"], document["paused_since"]) == (600, "2026-05-03T14:10:00+00:00")
    assert document["marks"][0]["moment"] is None
    assert four("clock --once").lines[0] == "Round 1, 10:00 played, 55:00 left, stopped"
    assert four("resume").out == "The clock goes on at 10:00 (entry 9).\n"
    watch.tick(60)
    document = four("clock --json").document
    assert (document["elapsed"], document["marks"][0]["moment"]) == (660, "2026-05-03T15:12:00+00:00")


def test_a_clock_that_jumps_back_neither_loses_nor_reorders_anything(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(600)
    four("pause")
    watch.move_to("2026-05-03 13:50:00")
    assert four("resume").code == 0
    assert four("clock --json").document["elapsed"] == 0
    assert four("extend 1 3").code == 0
    watch.move_to("2026-05-03 14:30:00")
    document = four("clock --json").document
    assert (document["elapsed"], document["tables"][0]["minutes"]) == (1800, 3)
    log = four("log").lines[-4:]
    assert [line.split(maxsplit=1)[0] for line in log] == ["7", "8", "9", "10"]
    assert four("verify").code == 0


def test_the_log_records_that_a_mark_was_called(watch: Watch, four: Desk) -> None:
    four("start")
    watch.tick(3908)
    assert four("mark time").out.startswith("Time: no new dynasty phase.")
    assert four("clock --json").document["marks"][0]["called_at"] == ["2026-05-03T15:05:08+00:00"]
    assert "round 1: time called" in four("log").lines[-1]
    assert "round 1: time called" in four("history --table 1 2").out
    assert four("history --table 1 9").problem == "the log has no entry about table 9 of round 1"


@pytest.mark.parametrize(
    ("seconds", "line", "listed"),
    [
        (0, "mark time", ["L5R-IV.3a-65"]),
        (3839, "mark time", ["L5R-IV.3a-65"]),
        (3840, "mark time", None),
        (3900, "mark time --table 1", ["L5R-IV.3a-65"]),
        (4080, "mark time --table 1", None),
        (4080, "mark stop", ["L5R-IV.3a-75"]),
        (4500, "mark stop", None),
    ],
)
def test_integrity_lists_a_mark_that_was_called_more_than_a_minute_early(
    watch: Watch, four: Desk, seconds: int, line: str, listed: list[str] | None
) -> None:
    four("start")
    four("extend 1 3 --reason ruling")
    watch.tick(seconds)
    assert four(line).code == 0
    found = {item["kind"]: item["rules"] for item in four("integrity --json").document["items"]}
    assert found.get("departure from a rule") == listed


def test_the_log_has_the_first_player_and_who_chose_the_first_player(four: Desk) -> None:
    assert four("first-player Bo --decided-by Ann").out == "Table 1: Bo is the first player (entry 7).\n"
    assert four("log").lines[-1].endswith("round 1, table 1: Bo is the first player, decided by Ann")
    assert four("first-player Ann --decided-by Cy").refused == "Cy does not sit at table 1"


def test_a_slip_without_the_decider_does_not_say_who_decided(four: Desk) -> None:
    assert four("first-player Bo").code == 0
    assert four("log").lines[-1].endswith("round 1, table 1: Bo is the first player")


EXTEND = "write matchledger extend [OPTIONS] TABLE MINUTES, --help says more"


@pytest.mark.usefixtures("watch")
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "extend 1 0",
            f"Invalid value for 'minutes': Input should be greater than or equal to 1; {EXTEND}",
        ),
        ("extend 7 3", "round 1 has no table 7: its tables are 1 to 2"),
        ("start --at noon", "'noon' is not a time of day: write 14:05, 14:05:30 or 2026-05-03T14:05"),
        ("start --at 23:00", "23:00 is in the future: it is 14:00:00 now"),
        ("pause", "the clock of round 1 was not started: start it first"),
        ("resume", "the clock of round 1 was not started: start it first"),
        ("mark time", "the clock of round 1 was not started: start it first"),
        ("mark time --turn Ann", "a turn belongs to a table: name the table"),
        ("first-player Ann --decided-by Cy", "Cy does not sit at table 1"),
    ],
)
def test_clock_refusals_give_a_reason(four: Desk, line: str, problem: str) -> None:
    assert four(line).problem == problem


@pytest.mark.usefixtures("watch")
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("start", "round 1 has started already"),
        ("resume", "the clock of round 1 is running"),
        ("mark half-time", "round 1 has no mark 'half-time': it has time, last-slips, stop (L5R-IV.1-CLOCK)"),
        ("mark time --table 2 --turn Ann", "Ann does not sit at table 2"),
    ],
)
def test_a_running_clock_refuses_these_commands(four: Desk, line: str, problem: str) -> None:
    four("start")
    assert four(line).problem == problem


def test_a_reported_table_gets_no_more_time(four: Desk) -> None:
    four("report 1 a")
    assert four("extend 1 3").problem == "table 1 has a result already (entry 7): it needs no more time"


@pytest.mark.usefixtures("watch")
def test_a_clock_can_be_started_after_the_first_slip(four: Desk) -> None:
    four("no-show Bo")
    assert four("start").code == 0
    four("report 2 a")
    four("pair --table Ann/Cy --table Di")
    assert four("clock --json").document["round"] == 2


@pytest.mark.parametrize(
    ("paired", "given", "line", "started"),
    [
        ("22:40", "00:10", "start --at 22:47", "2026-05-03T22:47:00"),
        ("23:45", "23:50", "start --at 00:05", "2026-05-04T00:05:00"),
        ("23:30", "00:10", "start --at 2026-05-03T23:40", "2026-05-03T23:40:00"),
        ("23:55", "00:10", "start --at 23:40 --reason paper", "2026-05-03T23:40:00"),
    ],
    ids=["before midnight", "after midnight", "with a date", "before its pairing"],
)
def test_a_time_of_day_means_the_nearest_moment_of_the_round(
    watch: Watch, desk: Desk, paired: str, given: str, line: str, started: str
) -> None:
    """Before the fix, a start at 22:47 that was typed after midnight was refused as a time in the future."""
    watch.move_to(f"2026-05-03 {paired}")
    for command in ("open Friday -b l5r-2018", "register Ann", "register Bo", "pair --table Ann/Bo --reason x"):
        assert desk(command).code == 0
    watch.move_to(f"2026-05-{'03' if given > '12' else '04'} {given}")
    assert desk(line).code == 0
    assert started in desk("log").lines[-1]
    if given < "12":
        assert len(desk("log --as-of 23:59").lines) == 5, "the last 23:59 was before the start was recorded"
