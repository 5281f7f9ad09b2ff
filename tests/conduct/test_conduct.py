"""Penalties, rulings and cards: what leaders decide, what it costs at once, and who may retract it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from tests.conduct.conftest import Desk
from tests.desk import RunCli
from tests.event import deciding

from matchledger.commands import penalties as conduct
from matchledger.commands import results as slips
from matchledger.commands import rulings
from matchledger.commands.card_incidents import NoteCard
from matchledger.commands.refusal import Refusal
from matchledger.ledger import Clerk, Draft
from matchledger.service.importing import Transcription
from matchledger_projections.conduct.penalties import penalties
from matchledger_projections.conduct.penalties import rulings as rulings_of
from matchledger_projections.record.snapshot import restored, snapshot

Replay = Callable[[str], Transcription]


@pytest.fixture(autouse=True)
def _may_third() -> Iterator[None]:
    with freeze_time("2026-05-03 14:00:00"):
        yield


def seated(desk: Desk, rulebook: str = "l5r-2018") -> None:
    """Ann plays Bo at table 1, and Cy plays Di at table 2. The log has 6 entries."""
    desk(
        f"open Friday -b {rulebook}",
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")),
        "pair --table Ann/Bo --table Cy/Di --role organizer",
    )


def listed(desk: Desk, *of: str) -> Any:
    """Return the JSON output of `conduct`, of one kind if given."""
    said = json.loads(desk("conduct --json").out)
    return said[of[0]] if of else said


def kinds(desk: Desk, after: int = 6) -> list[str]:
    entries = [json.loads(line) for line in desk("log --json").out.splitlines()]
    return [entry["fact"]["kind"] for entry in entries if entry["position"] > after]


# -- penalties


@pytest.mark.parametrize(
    "warned",
    [
        pytest.param(None, id="TV-ASH-SLOW-1"),
        pytest.param("Bo for notes", id="warned for something else"),
        pytest.param("Ann for slow-play", id="somebody else warned"),
    ],
)
def test_a_game_loss_for_slow_play_needs_an_earlier_warning(desk: Desk, warned: str | None) -> None:
    seated(desk, "ashes-2022")
    if warned is not None:
        name, _, offence = warned.partition(" for ")
        desk(f"penalty {name} warning --for {offence}")
    before = kinds(desk)
    assert desk("penalty Bo game-loss --for slow-play").refused == (
        "Bo was not warned for slow play before: give a warning, or override with a reason "
        "(ASH-SLOW); use --override"
    )
    assert kinds(desk) == before


def test_after_a_warning_slow_play_costs_the_game(desk: Desk) -> None:
    seated(desk, "ashes-2022")
    said = desk(
        "penalty Bo warning --for slow-play", "penalty Bo game-loss --for slow-play --table 1 --blood-points 0"
    )
    assert said.out.splitlines() == [
        "Round 1, table 1: Bo given a game loss for slow play (entry 8).",
        "Round 1, table 1: Ann beat Bo (game-loss, loser 0 blood points) (entry 9).",
        "Before: round 1, table 1: Bo warned for slow play (entry 7).",
    ]
    assert kinds(desk) == ["penalty-given", "penalty-given", "result-reported"]
    assert desk("report 2 a:3").code == 0
    table = json.loads(desk("standings --json").out)["standings"]
    assert {row["player"]: row["points"] for row in table if row["player"] in ("Ann", "Bo")} == {"Ann": 1, "Bo": 0}
    assert [given["unwarned"] for given in listed(desk, "penalties")] == [None, None]


def test_a_game_loss_without_a_warning_is_marked(desk: Desk) -> None:
    seated(desk, "ashes-2022")
    said = desk("penalty Cy game-loss --for slow-play --override")
    assert (said.code, said.err) == (
        2,
        "matchledger: a departure from a rule needs a reason in the log: give one; use --reason\n",
    )
    desk("penalty Cy game-loss --for slow-play --override --blood-points 0 --reason 'seen by two judges'")
    [given] = listed(desk, "penalties")
    assert (given["deviations"], given["unwarned"]) == (["ASH-SLOW"], "ASH-SLOW")
    assert "no earlier warning (ASH-SLOW)" in desk("conduct").out
    assert "departs from ASH-SLOW" in desk("history Cy").out


def test_retracting_a_warning_marks_the_game_loss(desk: Desk) -> None:
    seated(desk, "ashes-2022")
    desk("penalty Bo warning --for slow-play", "penalty Bo game-loss --for slow-play --blood-points 0", "retract 7")
    [given] = listed(desk, "penalties")
    assert (given["deviations"], given["unwarned"]) == ([], "ASH-SLOW")


@pytest.mark.parametrize("penalty", ["game-loss", "match-loss"])
def test_a_game_loss_whose_warning_was_retracted_is_listed_with_its_rule(desk: Desk, penalty: str) -> None:
    """Before the fix, the report had one line, about the retraction, and `retract` named no game loss."""
    seated(desk, "ashes-2022")
    desk("penalty Bo warning --for slow-play", f"penalty Bo {penalty} --for slow-play --blood-points 0")
    said = desk("retract 7 --reason 'not slow' --yes")
    assert "entry 8 cost Bo a game after a warning that no longer counts" in said.err
    assert rules_of(desk, 8) == [("departure from a rule", ["ASH-SLOW"])]
    desk("retract 10 --reason 'it was slow' --yes")
    assert rules_of(desk, 8) == []
    desk("retract 11 --reason 'it was not' --yes", "retract 8 --reason 'no warning' --yes")
    assert rules_of(desk, 8) == [], "a penalty that no longer counts needs no warning"


def rules_of(desk: Desk, position: int) -> list[tuple[str, list[str]]]:
    items = json.loads(desk("integrity --json").out)["items"]
    return [(item["kind"], item["rules"]) for item in items if item["position"] == position]


def test_a_match_loss_for_slow_play_needs_an_earlier_warning(desk: Desk) -> None:
    """A match of Ashes is one game. Before the fix, a match loss avoided the warning."""
    seated(desk, "ashes-2022")
    assert "(ASH-SLOW)" in desk("penalty Bo match-loss --for slow-play").refused
    assert desk("penalty Bo match-loss --for unsporting --blood-points 0").code == 0


def test_another_rulebook_needs_no_warning_first(desk: Desk) -> None:
    seated(desk)
    assert desk("penalty Bo game-loss --for slow-play").code == 0
    assert [given["unwarned"] for given in listed(desk, "penalties")] == [None]


@pytest.mark.parametrize(
    ("rulebook", "penalty", "decided"),
    [
        ("magic-mtr", "game-loss", False),
        ("magic-mtr", "match-loss", True),
        ("one-piece", "game-loss", True),
        ("one-piece", "match-loss", True),
    ],
)
def test_a_game_loss_decides_only_a_match_of_one_game(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rulebook: str, penalty: str, decided: bool
) -> None:
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    run_cli("open", "Friday", "--rulebook", rulebook)
    for name in ("Ann", "Bo"):
        run_cli("register", name)
    run_cli("pair")
    run_cli("penalty", "Ann", penalty, "--for", "deck")
    [line] = run_cli("pairings", "--json").document["pairings"]
    assert (line["result"] is not None) == decided
    if decided:
        assert line["result"]["winner"] == "Bo"
    else:
        run_cli("report", "1", "2-1")


def test_each_game_has_its_own_names_for_penalties(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    run_cli("open", "Cup", "--rulebook", "pokemon-2026")
    run_cli("register", "Ann")
    run_cli("penalty", "Ann", "warning", "--for", "deck", "--called", "prize penalty")
    assert "Ann given the penalty Prize Penalty for deck or deck list" in run_cli("log").out
    [line] = run_cli("conduct", "--json").document["penalties"]
    assert (line["penalty"], line["called"]) == ("warning", "Prize Penalty")
    assert run_cli("penalty", "Ann", "warning", "--for", "deck", "--called", "slap", code=3).refused == (
        "pokemon-2026 has no penalty 'slap': there are Caution, Warning, Prize Penalty, Game Loss, Match Loss, "
        "Disqualification"
    )


def test_a_game_loss_keeps_an_existing_result(desk: Desk) -> None:
    seated(desk)
    said = desk("report 1 b", "penalty Bo game-loss --for unsporting")
    assert said.out.splitlines()[-1] == (
        "No result is recorded with it: report or correct the match that it costs."
    )
    assert kinds(desk) == ["result-reported", "penalty-given"]


def test_a_game_loss_decides_no_match_of_several_games(desk: Desk) -> None:
    seated(desk, "netrunner-2023")
    desk("penalty Bo game-loss --for unsporting")
    assert kinds(desk) == ["penalty-given"]


def test_a_penalty_and_its_result_are_retracted_separately(desk: Desk) -> None:
    seated(desk)
    desk("penalty Bo game-loss --for unsporting", "retract 7 --role marshal")
    assert listed(desk, "penalties") == []
    desk("retract 8 --role marshal", "report 1 b")
    desk("retract 9 --role marshal")
    assert [given["position"] for given in listed(desk, "penalties")] == [7]


def test_a_penalty_of_the_wrong_table_is_refused(desk: Desk) -> None:
    seated(desk)
    assert desk("penalty Bo warning --for notes --table 2").refused == "Bo sits at table 1, and is not at table 2"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("penalty Bo slap --for notes", "there is no penalty 'slap': there are warning, game-loss, "),
        ("penalty Bo warning --for yawning", "there is no offence 'yawning': there are slow-play, "),
        ("card Bo eaten X", "there is no word for a card 'eaten': there are lost, found, damaged, proxy"),
        ("card Bo damaged X --not-found", "--not-found is about a card that is lost"),
        ("card Bo lost X --not-found --still-missing", "--not-found and --still-missing exclude each other: "),
        ("card Bo lost X --note torn", "--note says what can no longer be read on a damaged card"),
        ("ruling 'Is it?'", "a ruling needs the question and the outcome, each in quotes"),
        ("ruling 'Is it?' Yes No", "a ruling needs the question and the outcome, each in quotes"),
        ("ruling --review 7 'Is it?' Yes", "a review needs the outcome alone: "),
    ],
)
def test_invalid_words_are_answered_in_one_line(desk: Desk, line: str, problem: str) -> None:
    seated(desk)
    said = desk(line)
    assert said.code == 2
    assert said.err.startswith(f"matchledger: {problem}")
    assert said.err.count("\n") == 1
    assert kinds(desk) == []


def test_a_marshal_recommends_a_disqualification_and_the_organizer_decides(desk: Desk) -> None:
    seated(desk)
    said = desk("penalty Bo recommend-disqualification --for collusion --role marshal")
    assert said.out.splitlines()[-1] == "The organizer decides: disqualify Bo (L5R-I.2-MARSHAL)."
    assert "the organizer decides" in desk("conduct").out
    for role in ("marshal", "judge", "player"):
        refused = desk(f"disqualify Bo --role {role} --actor Bo").refused
        assert "disqualify a player: only the organizer may" in refused
        assert "L5R-IV.2-DQ" in refused
    desk("disqualify Bo --yes --role organizer --recommended-by Max")
    assert desk("conduct").out.splitlines()[1].endswith("collusion  disqualified")
    assert desk("penalty Bo game-loss --for other").refused == "Bo is disqualified already"


@pytest.mark.parametrize("role", ["judge", "player"])
def test_the_marshal_decides_about_unsporting_conduct(desk: Desk, role: str) -> None:
    seated(desk)
    refused = desk(f"penalty Bo warning --for unsporting --role {role} --actor Ann").refused
    assert refused == (
        f"a {role} may not give a penalty: only the organizer or marshal may, or a scorekeeper in the "
        "organizer's name "
        "(L5R-I.2-MARSHAL)"
    )
    assert desk("penalty Bo warning --for unsporting --role marshal --actor Max").code == 0


# -- rulings


def test_a_marshal_reviews_the_ruling_of_a_judge(desk: Desk) -> None:
    seated(desk)
    desk("ruling --table 1 'May Bo use a coin?' Yes --role judge --actor Dee --source 'a spectator'")
    refused = desk("ruling --review 7 No --role judge --actor Dee").refused
    assert refused == (
        "a judge may not give a ruling that is final: only the organizer or marshal may, or a scorekeeper "
        "in the organizer's name (L5R-I.2-MARSHAL)"
    )
    desk("ruling --review 7 No --role marshal --actor Max")
    judged, reviewed = listed(desk, "rulings")
    assert (judged["judge"], judged["source"], judged["final"], judged["reviewed_by"]) == (
        "Dee",
        "a spectator",
        False,
        8,
    )
    assert (reviewed["judge"], reviewed["outcome"], reviewed["reviews"], reviewed["final"]) == (
        "Max",
        "No",
        7,
        True,
    )
    assert [reviewed[key] for key in ("question", "round", "table", "players")] == [
        "May Bo use a coin?",
        1,
        1,
        ["Ann", "Bo"],
    ]


def test_a_final_ruling_is_not_reviewed(desk: Desk) -> None:
    seated(desk)
    desk("ruling 'Is the hall open?' No --role marshal", "ruling --table 1 Who? Ann --role judge")
    assert desk("ruling --review 7 Yes").refused == (
        "the ruling of entry 7 is final and cannot be reviewed (L5R-I.2-MARSHAL)"
    )
    desk("ruling --review 8 Bo")
    assert desk("ruling --review 9 Ann").refused == (
        "the ruling of entry 9 is final and cannot be reviewed (L5R-I.2-MARSHAL)"
    )
    assert desk("ruling --review 8 Ann").refused == (
        "the ruling of entry 8 was reviewed in entry 9, and a review is final (L5R-I.2-MARSHAL)"
    )
    assert desk("ruling --review 6 Ann").refused == "entry 6 is not a ruling in force; see conduct"


def test_the_assigned_staff_decides_whose_ruling_is_final(desk: Desk) -> None:
    desk(
        "open Friday -b l5r-2018",
        "staff add Max marshal --role organizer",
        "staff add Dee judge --role organizer",
        *(f"register {name}" for name in ("Ann", "Bo")),
        "pair --table Ann/Bo --role organizer",
        "ruling --table 1 Who? Ann --by Dee",
        "ruling 'Is the hall open?' No --by Max",
    )
    assert [given["final"] for given in listed(desk, "rulings")] == [False, True]
    assert desk("ruling --review 7 Bo --by Dee").refused == (
        "Dee is a judge and cannot review a ruling: only a marshal can, or the organizer if there is no "
        "marshal (L5R-I.2-MARSHAL)"
    )
    assert desk("ruling --review 7 Bo --by Max").code == 0


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("ruling --table 1 Who? Ann", "L5R-I.3-JUDGE"),
        ("penalty Bo warning --for notes", "L5R-I.3-JUDGE"),
        ("card Bo proxy Dash", "L5R-II.2d-DAMAGED"),
    ],
)
def test_a_decision_by_a_person_outside_the_staff_is_listed(desk: Desk, line: str, rule: str) -> None:
    desk("open Friday -b l5r-2018", "staff add Dee judge --role organizer")
    desk("register Ann", "register Bo", "announce --rounds 1 --structure custom --role organizer", "pair", "start")
    desk(line, f"{line} --by Dee")
    assert desk("integrity").out == "Nothing was done by hand: every entry follows the rulebook.\n"
    desk(f"{line} --by Stranger")
    [item] = desk("integrity --json").document["items"]
    assert (item["kind"], item["rules"]) == ("decision by an unknown leader", [rule])


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("ruling --table 1 Who? Ann --by Max", "L5R-I.2-MARSHAL"),
        ("penalty Bo warning --for notes --by Max", "L5R-I.3-JUDGE"),
        ("card Bo proxy Dash --by Max", "L5R-II.2d-DAMAGED"),
    ],
)
def test_a_decision_of_a_leader_whose_staff_entry_is_retracted_later_is_listed(
    desk: Desk, line: str, rule: str
) -> None:
    """A leader who only left, or who is on the list again, had the right to decide."""
    desk("open Friday -b l5r-2018", "staff add Max marshal --role organizer")
    desk("register Ann", "register Bo", "announce --rounds 1 --structure custom --role organizer", "pair", "start")
    assert desk(line).code == 0
    assert desk("staff leave Max --role organizer").code == 0
    clean = "Nothing was done by hand: every entry follows the rulebook.\n"
    assert desk("integrity").out == clean
    assert desk("undo --role organizer", "retract 2 --role organizer").code == 0
    unknown = {"decision by an unknown leader": [rule]}
    items = desk("integrity --json").document["items"]
    assert {item["kind"]: item["rules"] for item in items if item["kind"] != "retraction"} == unknown
    assert desk("staff add Max marshal --role organizer").code == 0
    assert {item["kind"] for item in desk("integrity --json").document["items"]} <= {"retraction"}


@pytest.mark.parametrize("role", ["organizer", "marshal"])
def test_a_final_ruling_by_the_desk_is_listed_if_the_desk_is_not_on_the_staff(desk: Desk, role: str) -> None:
    desk(
        "open Friday -b l5r-2018", "staff add Dee judge --role organizer", "staff add Max marshal --role organizer"
    )
    desk("register Ann", "register Bo", "announce --rounds 1 --structure custom --role organizer", "pair", "start")
    desk("ruling --table 1 Who? Ann --by Dee", "ruling --table 1 Who? Ann --by Max --role organizer")
    first = next(given["position"] for given in listed(desk, "rulings"))
    assert desk("integrity").out == "Nothing was done by hand: every entry follows the rulebook.\n"
    desk(f"ruling --review {first} Bo --role {role}", f"ruling --table 1 Why? Bo --final --role {role}")
    items = desk("integrity --json").document["items"]
    assert [(item["kind"], item["rules"]) for item in items] == [
        ("decision by an unknown leader", ["L5R-I.2-MARSHAL"])
    ] * 2
    desk(f"ruling --table 1 How? Bo --final --role {role} --actor Max")
    assert len(desk("integrity --json").document["items"]) == 2


def test_a_leader_does_not_rule_in_their_own_game(desk: Desk) -> None:
    desk(
        "open Friday -b l5r-2018 -p POL-L5R-TIER=relaxed",
        "staff add Ann judge --role organizer",
        "staff add Max marshal --role organizer",
        *(f"register {name}" for name in ("Ann", "Bo")),
        "pair --table Ann/Bo --role organizer",
    )
    assert desk("ruling --table 1 Who? Ann --by Ann").refused == (
        "Ann plays at that table and cannot rule there: Max rules at that table (L5R-I.6-LEADERPLAY)"
    )
    assert desk("ruling --table 1 Who? Ann --by Max").code == 0


def test_a_ruling_is_taken_back_only_after_its_review(desk: Desk) -> None:
    seated(desk)
    desk("ruling --table 1 Who? Ann --role judge", "ruling --review 7 Bo")
    assert desk("retract 7").refused == "the ruling has been reviewed since: retract entry 8 first"
    assert "a judge may not give a ruling that is final" in desk("retract 8 --role judge").refused
    desk("retract 8", "ruling --review 7 Di")
    assert desk("retract 9").refused == "the ruling has been reviewed again since: retract entry 10 first"
    desk("retract 10", "retract 7 --role judge")
    assert desk("retract 9").refused == "the ruling of entry 7 has been taken back since"
    assert listed(desk, "rulings") == []


def test_a_ruling_about_a_missing_table_is_refused(desk: Desk) -> None:
    assert desk("open Friday -b l5r-2018", "ruling --table 1 Who? Ann").refused == (
        "no round is paired: leave the table out of the ruling"
    )
    assert desk("ruling 'Are sleeves needed?' Yes").code == 0
    assert listed(desk, "rulings")[0]["round"] is None


# -- cards


def test_a_lost_card_costs_time_and_then_the_game_and_then_the_event(desk: Desk) -> None:
    seated(desk)
    said = desk("card Ann lost 'Hida Kisada' --minutes 4 --role judge --actor Dee")
    assert said.out.splitlines() == [
        "Round 1, table 1: Hida Kisada of Ann lost, missed at the start of the round (noted by Dee) (entry 7).",
        "Round 1, table 1: 4 more minutes for Ann and Bo (entry 8).",
    ]
    assert "L5R-II.2d-LOST" in desk("card Ann lost 'Hida Kisada' --still-missing").refused
    said = desk("card Ann lost 'hida kisada' --not-found --role judge --actor Dee")
    assert said.out.splitlines() == [
        "Round 1, table 1: Hida Kisada of Ann lost, not found in time (noted by Dee) (entry 9).",
        "Round 1, table 1: Ann conceded to Bo (entry 10).",
    ]
    assert desk("card Ann lost 'Hida Kisada' --not-found").refused == (
        "Hida Kisada has cost a game already: next, record that the card is still missing when the next round "
        "starts (L5R-II.2d-LOST)"
    )
    assert [listed(desk)[key] for key in ("missing", "proxies")] == [[9], []]
    said = desk("card Ann lost 'Hida Kisada' --still-missing --role judge --actor Dee")
    missed = "missing when the next round starts"
    assert said.out.splitlines() == [
        f"Round 1, table 1: Hida Kisada of Ann lost, still {missed} (noted by Dee) (entry 11).",
        "Ann dropped after round 1 (lost card) (entry 12).",
    ]
    assert kinds(desk) == [
        "card-incident",
        "time-extended",
        "card-incident",
        "match-conceded",
        "card-incident",
        "player-dropped",
    ]
    assert desk("rejoin Ann").code == 0, "a drop, and no disqualification"


def test_one_command_gives_a_lost_card_the_time_that_the_rulebook_allows(desk: Desk) -> None:
    seated(desk)
    desk("start", "card Ann lost Dash --command-id c1", "card Ann lost Dash --command-id c1")
    assert kinds(desk, 7) == ["card-incident", "time-extended"]
    [table] = json.loads(desk("clock --json").out)["tables"]
    assert (table["table"], table["minutes"], table["reasons"]) == (1, 5, ["lost card"])


def test_a_card_lost_during_a_game_costs_the_game_at_once(desk: Desk) -> None:
    seated(desk)
    desk("card Bo lost Dash --during-game")
    assert kinds(desk) == ["card-incident", "match-conceded"]
    assert desk("card Bo lost Fury --during-game").refused == (
        "Bo is not playing now: record the card as missing at the start of the round"
    )


def test_a_card_that_is_found_costs_nothing_more(desk: Desk) -> None:
    seated(desk)
    desk("card Ann lost Dash")
    assert desk("card Ann lost dash").refused == (
        "Dash of Ann is recorded as lost already (entry 7): record that it was not found, is still "
        "missing, or was found"
    )
    desk("card Ann found Dash")
    assert listed(desk, "missing") == []
    assert (
        desk("card Ann lost Dash --not-found").refused == "Dash of Ann is not recorded as lost: record that first"
    )
    assert desk("card Ann found Dash").refused == "Dash of Ann is not recorded as lost: record that first"


def test_the_lost_cards_of_a_player_are_counted_separately(desk: Desk) -> None:
    seated(desk)
    desk("card Ann lost Dash", "card Ann lost Sake")
    assert listed(desk, "missing") == [7, 9]
    desk("card Ann found Sake")
    assert listed(desk, "missing") == [7]


def test_a_card_that_costs_a_place_in_a_paired_round_leaves_a_table_to_report(desk: Desk) -> None:
    seated(desk)
    desk(
        "card Bo lost Dash --during-game",
        "report 2 a",
        "pair --table Bo/Cy --table Ann/Di --reason 'Bo looks for it'",
    )
    said = desk("card Bo lost Dash --still-missing")
    assert said.out.splitlines()[-1] == "Table 1 is still open: report its result."


def test_a_proxy_has_a_card_a_leader_and_a_date_and_stays_valid(desk: Desk) -> None:
    seated(desk)
    desk("card Bo damaged Dash --by Dee --note 'torn at the cost'")
    said = desk("card Bo proxy Dash --by Dee --note 'cost 2'")
    assert said.out == (
        "Round 1, table 1: Dash of Bo replaced with a proxy by Dee on 2026-05-03, cost 2 (entry 8).\n"
    )
    desk("report 1 a 2 a", "pair --table Ann/Cy --table Bo/Di")
    [damaged, proxy] = listed(desk, "cards")
    assert (damaged["what"], damaged["date"], damaged["note"]) == ("damaged", None, "torn at the cost")
    assert (proxy["card"], proxy["leader"], proxy["date"], proxy["round"]) == ("Dash", "Dee", "2026-05-03", 1)
    assert listed(desk, "proxies") == [8]
    assert "2026-05-03, cost 2, holds for the tournament" in desk("conduct").out
    desk("retract 8")
    assert listed(desk, "proxies") == []
    desk("retract 12")
    assert listed(desk, "proxies") == [8]


def test_a_dropped_player_loses_no_card(desk: Desk) -> None:
    seated(desk)
    assert desk("drop Bo", "card Bo proxy Dash").refused == (
        "Bo is dropped: rejoin the player first, or name another"
    )


# -- views


def test_player_and_table_histories_include_conduct(desk: Desk) -> None:
    seated(desk)
    desk("ruling --table 1 Who? Ann --by Dee", "penalty Bo warning --for notes", "card Bo damaged Dash")
    told = desk("history Bo").out
    for said in ("Dee ruled on 'Who?': Ann", "Bo warned for notes", "Dash of Bo damaged (noted by scorekeeper)"):
        assert said in told
    assert "warned" not in desk("history Ann").out
    assert "Bo warned for notes" in desk("history --table 1 1").out


def test_conduct_can_be_listed_for_a_past_moment(desk: Desk) -> None:
    seated(desk)
    assert desk("conduct").out == "No penalty, no ruling, no card.\n"
    desk("penalty Bo warning --for notes")
    assert desk("conduct --as-of 6").out == "No penalty, no ruling, no card.\n"
    assert desk("conduct").out.splitlines() == [
        "   Round  Table  Player  Penalty  For",
        "7      1      1  Bo      warning  notes",
    ]


def test_a_snapshot_includes_conduct(replay: Replay) -> None:
    sheet = replay("rulebook l5r-2018\nplayers A B\nround 1\nA - B").draft
    draft = Draft(sheet.tournament, sheet.record, Clerk("Max", "marshal"))
    draft.decide(deciding(conduct.GivePenalty, player=1, penalty="game-loss", offence="notes"))
    draft.decide(deciding(rulings.GiveRuling, question="Who?", outcome="B", judge="Max", final=True))
    draft.decide(deciding(NoteCard, player=2, card="Dash", what="damaged", leader="Max"))
    again = restored(snapshot(draft.record))
    assert penalties(again) == penalties(draft.record)
    assert rulings_of(again) == rulings_of(draft.record)
    with pytest.raises(Refusal, match="has a result already"):
        draft.decide(partial(slips.concede, by=2))


def test_a_closed_tournament_takes_no_penalties(desk: Desk) -> None:
    seated(desk)
    desk("report 1 a 2 a", "close --yes --role organizer --reason 'the hall closes'")
    for line in ("penalty Bo warning --for notes", "ruling Who? Ann", "card Bo lost Dash"):
        assert "the tournament is closed" in desk(line).refused
