"""Before a round is paired, players who may not begin it are named. Departures that are allowed are marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from freezegun import freeze_time
from tests.conduct.conftest import Desk
from tests.conduct.test_staff import problems

OPENED = ("open Friday -b l5r-2018", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")))
PAIRED = (*OPENED, "announce", "pair --table Ann/Bo --table Cy/Di")


def marked(desk: Desk) -> dict[str, list[str]]:
    """Return the rules that the log's entries depart from, by the kind of fact."""
    entries = [json.loads(line) for line in desk("log --json").out.splitlines()]
    if len(entries) == 1:
        entries = entries[0]["entries"]
    facts = [entry["fact"] for entry in entries]
    return {fact["kind"]: fact["deviations"] for fact in facts if fact.get("deviations")}


# -- cards and deck lists


@pytest.mark.finding("L-W8")
@pytest.mark.parametrize("step", ["--during-game", "--not-found"])
def test_a_player_who_lacks_a_card_is_named_and_not_paired(desk: Desk, step: str) -> None:
    lost = ["card Bo lost Dash"] if step == "--not-found" else []
    desk(*PAIRED, *lost, f"card Bo lost Dash {step}", "report 2 a")
    why = (
        f"a card of Bo has been missing since entry {8 + 2 * len(lost)}: record that the card was found, "
        "or that the card is still missing, or give a reason and pair"
    )
    assert [said.partition("; ")[0] for said in problems(desk, "pair")] == [why]
    assert desk("pair").refused == f"{why} (L5R-II.2d-LOST); use --reason"
    assert desk("card Bo lost Dash --still-missing").code == 0
    assert problems(desk, "pair") == []
    assert desk("pair").code == 0


@pytest.mark.finding("L-W8")
def test_a_player_whose_card_is_found_is_paired_again(desk: Desk) -> None:
    desk(*PAIRED, "card Bo lost Dash --during-game", "report 2 a", "card Bo found Dash")
    assert problems(desk, "pair") == []


@pytest.mark.finding("L-W8")
def test_pairing_a_player_who_lacks_a_card_is_a_departure(desk: Desk) -> None:
    desk(*PAIRED, "card Bo lost Dash --during-game", "report 2 a", "pair --reason 'a friend brings it'")
    assert marked(desk) == {"round-paired": ["L5R-II.2d-LOST"]}


@pytest.mark.finding("L-M1")
def test_a_missing_deck_list_is_named_before_round_1(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("[dynasty]\n3 Dash\n")
    desk(*OPENED, "announce --deck-lists", "deck submit Ann list.txt", "deck submit Cy list.txt")
    why = "no deck list from Bo and Di: hand the lists in, or give a reason and pair"
    assert [said.partition("; ")[0] for said in problems(desk, "pair")] == [why]
    assert desk("pair").refused == f"{why} (L5R-II.2-PLAYERMAT); use --reason"
    desk("deck submit Bo list.txt")
    assert "no deck list from Di" in desk("pair").refused
    desk("pair --reason 'the printer broke'")
    assert marked(desk) == {"round-paired": ["L5R-II.2-PLAYERMAT"]}
    assert "with deck lists" in desk("structure").out
    desk("report 1 a 2 a")
    assert desk("pair").code == 0, "who played the first round without a list is not asked again"


@pytest.mark.finding("L-M1")
def test_a_late_player_who_was_seated_needs_a_list_before_the_next_round(desk: Desk, tmp_path: Path) -> None:
    """An amendment seated the late player New in the open round, so no `pair` asked for New's list."""
    (tmp_path / "list.txt").write_text("[dynasty]\n3 Dash\n")
    desk(*OPENED, "register Ed", "announce --deck-lists --rounds 3 --structure custom")
    desk(*(f"deck submit {name} list.txt" for name in ("Ann", "Bo", "Cy", "Di", "Ed")), "pair")
    bye = desk("pairings --json").document["byes"][0]
    said = desk("late New").lines
    assert said[0] == "New is in."
    assert f"against {bye}" in said[1]
    assert said[2] == "New has not handed in a deck list."
    desk("report 1 a 2 a 3 a")
    assert desk("pair").refused.startswith("no deck list from New")


@pytest.mark.finding("L-M1")
def test_players_and_integrity_name_a_missing_deck_list(desk: Desk, tmp_path: Path) -> None:
    """Di plays on without a list, for a reason. Before the fix, the late player New was seated, and `pair` did not
    ask for New's list.
    """
    (tmp_path / "list.txt").write_text("[dynasty]\n3 Dash\n")
    desk(*OPENED, "register Ed", "announce --deck-lists --rounds 3 --structure custom")
    desk(*(f"deck submit {name} list.txt" for name in ("Ann", "Bo", "Cy", "Ed")))
    assert [line.split() for line in desk("players").lines if "missing" in line] == [["#4", "Di", "missing"]]
    assert [line["name"] for line in desk("players --json").document if line["lacks_list"]] == ["Di"]
    desk("pair --reason 'the printer broke'", "late New", "start", "report 1 a 2 a 3 a")
    found = [item for item in desk("integrity --json").document["items"] if "L5R-II.2-PLAYERMAT" in item["rules"]]
    assert [(item["kind"], item["over"]) for item in found] == [
        ("departure from a rule", ["no deck list from Di"]),
        ("departure from a rule", ["no deck list from Di and New"]),
    ]
    desk("deck submit New list.txt")
    assert [line.strip() for line in desk("integrity").lines if "no deck list" in line] == [
        "open: no deck list from Di"
    ]


LISTS_LATER = "announce --deck-lists --rounds 4 --structure custom --reason 'prizes arrived'"


def without_lists(desk: Desk) -> list[tuple[int, bool, list[str]]]:
    """The entries that `integrity` lists for a missing or late list: position, whether it counts, what is open."""
    items = desk("integrity --json").document["items"]
    found = [item for item in items if "L5R-II.2-PLAYERMAT" in item["rules"]]
    return [(item["position"], item["counts"], item["over"]) for item in found]


@pytest.mark.finding("L-M1")
def test_lists_announced_after_round_1_are_due_before_round_2(desk: Desk, tmp_path: Path) -> None:
    """Before the fix, `pair` named nobody, and `integrity` listed round 1 for everybody."""
    (tmp_path / "list.txt").write_text("[dynasty]\n3 Dash\n")
    (tmp_path / "late.txt").write_text("[dynasty]\n3 Miss\n")
    desk(*OPENED, "announce --rounds 4 --structure custom", "pair", "start", "report 1 a 2 a", LISTS_LATER)
    assert without_lists(desk) == []
    assert desk("deck submit Ann list.txt").code == 0, "the list is in time for round 2"
    desk("undo --reason 'the wrong list'", "deck submit Ann list.txt")
    assert desk("pair").refused.startswith("no deck list from Bo, Cy and Di: hand the lists in")
    assert [said.partition(":")[0] for said in problems(desk, "pair")] == ["no deck list from Bo, Cy and Di"]
    desk("deck submit Bo list.txt", "deck submit Cy list.txt", "pair --reason 'Di writes'", "start")
    [(second, counts, over)] = without_lists(desk)
    assert (counts, over) == (True, ["no deck list from Di"])
    assert desk("deck submit Di list.txt").refused == (
        "round 2 has begun: record the list of Di as late (L5R-II.2-PLAYERMAT); use --late"
    )
    desk("report 1 a 2 a")
    assert desk("pair").code == 0, "who played round 2 without a list is not asked again"
    desk("report 1 a 2 a", "deck submit Di late.txt --late --reason 'Di was ill'")
    positions = [position for position, *_ in without_lists(desk)]
    assert positions[0] == second
    assert len(positions) == 2, "round 2 began without a list, and the list of Di came late"


@pytest.mark.finding("L-M1")
def test_a_retracted_round_after_the_announcement_asks_for_the_lists_again(desk: Desk) -> None:
    desk(*OPENED, "announce --rounds 4 --structure custom", "pair", "start", "report 1 a 2 a", LISTS_LATER)
    desk("pair --reason habit")
    [second] = [item["position"] for item in desk("integrity --json").document["items"] if item["over"]]
    desk(f"retract {second} --reason early")
    assert desk("pair").refused.startswith("no deck list from Ann, Bo, Cy and Di")


@pytest.mark.finding("L-M1")
def test_lists_that_are_announced_no_more_are_not_due(desk: Desk) -> None:
    """Deck lists are due again only after a new announcement demands them."""
    desk(*OPENED, "announce --deck-lists --rounds 4 --structure custom", "pair --reason habit", "report 1 a 2 a")
    desk("announce --rounds 4 --structure custom --reason 'no printer'")
    assert desk("pair").code == 0
    desk("report 1 a 2 a", LISTS_LATER)
    assert desk("pair").refused.startswith("no deck list from Ann, Bo, Cy and Di")


@pytest.mark.finding("L-M1")
def test_in_an_elimination_event_a_missing_list_is_named_once(desk: Desk, tmp_path: Path) -> None:
    """Before the fix, `pair` asked for the list before each round, and `integrity` did not name the player."""
    (tmp_path / "list.txt").write_text("[dynasty]\n3 Dash\n")
    desk(*OPENED, "announce --style elimination --deck-lists")
    desk(*(f"deck submit {name} list.txt" for name in ("Ann", "Bo", "Cy")))
    assert desk("pair").refused.startswith("no deck list from Di")
    desk("pair --reason 'the printer broke'", "start", "report 1 a 2 a")
    assert [over for *_, over in without_lists(desk)] == [["no deck list from Di"]]
    assert "elimination round 1 has begun" in desk("deck submit Di list.txt").refused
    assert desk("pair").code == 0


@pytest.mark.finding("L-M1")
def test_without_announced_lists_no_list_is_missing(desk: Desk) -> None:
    desk(*OPENED, "announce --deck-lists", "announce")
    assert problems(desk, "pair") == []


@pytest.mark.finding("L-W12")
def test_an_unannounced_round_gets_an_objection(desk: Desk) -> None:
    said = desk(*OPENED, "pair --preview")
    assert said.code == 1
    assert "problem: not announced: tell the players how many rounds there are" in said.out
    assert "note: not announced" in desk("pair").err
    assert "not announced" not in desk("report 1 a 2 a", "pair").err


# -- absent players and rulings


@pytest.mark.finding("L-W9")
def test_an_absent_player_can_stay_for_a_reason(desk: Desk) -> None:
    desk(*PAIRED)
    assert desk("no-show Bo --stays").refused == (
        "a player who does not appear is dropped: give a reason to keep Bo in (L5R-IV.2-NOSHOW); use --reason"
    )
    desk("no-show Bo --stays --reason 'the train was late'")
    assert marked(desk) == {"no-show-recorded": ["L5R-IV.2-NOSHOW"]}
    desk("no-show Di")
    assert marked(desk) == {"no-show-recorded": ["L5R-IV.2-NOSHOW"]}


LED = (
    "open Friday -b l5r-2018",
    "staff add Olga organizer --role organizer",
    "staff add Tom judge --role organizer",
    "register Olga --role organizer",
    "register Bo --role organizer",
    "announce --style swiss --rounds 1 --role organizer --reason short",
    "pair --table Olga/Bo --role organizer",
    "staff add Late judge --role organizer",
)


@pytest.mark.finding("L-W7")
@pytest.mark.parametrize("judge", ["Late", "Stranger"])
def test_an_announced_leader_rules_in_the_matches_of_a_leader_who_plays(desk: Desk, judge: str) -> None:
    desk(*LED)
    assert desk(f"ruling --table 1 Who? Bo --by {judge}").refused == (
        f"Olga leads the event and plays at that table, and {judge} was not announced to rule there: "
        "Tom rules at that table: give a reason to deviate from it (L5R-I.6-LEADERPLAY); use --reason"
    )
    assert desk("ruling --table 1 Who? Bo --by Tom").code == 0
    assert desk(f"ruling 'Is it late?' Yes --by {judge}").code == 0, "of no game"
    desk(f"ruling --table 1 Who? Bo --by {judge} --reason 'Tom is at lunch'")
    assert marked(desk)["ruling-given"] == ["L5R-I.6-LEADERPLAY"]


@pytest.mark.finding("L-W7")
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("penalty-given", "penalty Bo warning --for slow-play --table 1"),
        ("penalty-given", "penalty Bo game-loss --for slow-play"),
        ("card-incident", "card Bo lost Dash --during-game"),
        ("card-incident", "card Bo damaged Dash"),
    ],
)
def test_an_announced_leader_gives_penalties_in_the_matches_of_a_playing_leader(
    desk: Desk, kind: str, words: str
) -> None:
    desk(*LED)
    for judge in ("Late", "Stranger"):
        assert "Tom rules at that table: give a reason" in desk(f"{words} --by {judge}").refused
    assert "Olga plays at that table and cannot rule there" in desk(f"{words} --by Olga").refused
    desk(f"{words} --by Late --reason 'Tom is at lunch'")
    assert marked(desk)[kind] == ["L5R-I.6-LEADERPLAY"]


@pytest.mark.finding("L-W7")
@pytest.mark.parametrize(
    "outcome",
    ["a judgment ended=68:00", "judgment broken=2-1 honor=3-3 ended=68:00", "a modified-win", "a game-loss"],
)
def test_a_leader_does_not_judge_their_own_game(desk: Desk, outcome: str) -> None:
    """A slip and its correction are refused in the same words."""
    desk(*LED)
    refused = "Olga plays at that table and cannot rule there: Tom rules at that table (L5R-I.6-LEADERPLAY)"
    assert desk(f"report 1 {outcome} --actor Olga").refused == refused
    assert desk("report 1 b --actor Olga").code == 0, "who won needs no leader"
    assert desk(f"correct 1 1 {outcome} --reason 'read wrong' --actor Olga").refused == refused
    assert desk(f"correct 1 1 {outcome} --reason 'read wrong' --actor Tom").code == 0


@pytest.mark.finding("L-W7")
def test_a_penalty_by_the_announced_leader_is_no_departure(desk: Desk) -> None:
    desk(*LED)
    assert desk("penalty Bo warning --for slow-play --by Tom").code == 0
    assert desk("card Bo lost Dash --during-game --by Tom").code == 0
    assert marked(desk).keys() == {"structure-announced"}


@pytest.mark.finding("L-W7")
def test_the_marshal_rules_between_two_leaders(desk: Desk) -> None:
    """If both players are leaders, L5R-I.6-LEADERPLAY lets only the marshal rule in their match."""
    desk(
        "open Friday -b l5r-2018",
        *(
            f"staff add {who} --role organizer"
            for who in ("Olga organizer", "Mia judge", "Max marshal", "Tom judge")
        ),
        *(f"register {name} --role organizer" for name in ("Olga", "Mia")),
        "announce --style swiss --rounds 1 --role organizer --reason short",
        "pair --table Olga/Mia --role organizer",
    )
    assert "Max rules at that table" in desk("ruling --table 1 Who? Mia --by Tom").refused
    assert desk("ruling --table 1 Who? Mia --by Max").code == 0


def test_optional_rules_of_the_game_are_announced_by_id(desk: Desk) -> None:
    """The announcement records LEG-OPT-CAVALRY, LEG-OPT-LOBBY and LEG-OPT-FHR."""
    rules = ("LEG-OPT-CAVALRY", "LEG-OPT-LOBBY", "LEG-OPT-FHR")
    options = " ".join(f"--house-rule {rule}" for rule in rules)
    assert desk(*OPENED, "announce --house-rule LEG-BAN").refused.startswith(
        "LEG-BAN is not a house rule: the house rules are"
    )
    desk(f"announce {options}")
    assert json.loads(desk("structure --json").out)["announced"]["house_rules"] == list(rules)


# -- what the report of departures names


def departed(desk: Desk) -> dict[str, list[str]]:
    """Return the rules that the integrity report names, by the kind of departure."""
    return {item["kind"]: item["rules"] for item in json.loads(desk("integrity --json").out)["items"]}


@pytest.mark.finding("L-M2")
@pytest.mark.parametrize(
    ("slip", "start", "listed"),
    [
        ("report 1 a", "start", True),
        ("report 1 a judgment ended=65:00", "start", True),
        ("report 1 a", "start --at 14:00", False),
        ("report 1 a concession", "start", False),
        ("penalty Bo game-loss --for slow-play", "start", False),
        ("no-show Bo", "start", False),
    ],
)
def test_a_start_after_the_first_game_is_listed(desk: Desk, slip: str, start: str, listed: bool) -> None:
    with freeze_time("2026-05-03 14:00:00") as watch:
        desk(*OPENED, "announce --style swiss --rounds 3", "pair")
        watch.tick(600)
        assert desk(slip, start).code == 0
        desk("report 2 a")
    assert (departed(desk).get("departure from a rule") == ["L5R-III.2-START"]) is listed


@pytest.mark.finding("L-M2")
@pytest.mark.parametrize(
    ("rulebook", "slip", "rules"),
    [
        ("street-warriors-2004", "draw", ["SWR-TIME"]),
        ("street-warriors-2004", "a", None),
        ("l5r-2018", "a modified-win", ["L5R-III.2-START", "L5R-IV.3a-75"]),
    ],
)
def test_a_result_by_time_before_the_start_is_listed(
    desk: Desk, rulebook: str, slip: str, rules: list[str] | None
) -> None:
    players = (f"register {name}" for name in ("Ann", "Bo", "Cy", "Di"))
    desk(f"open Friday -b {rulebook}", *players, "announce --style swiss", "pair", f"report 1 {slip}", "start")
    assert departed(desk).get("departure from a rule") == rules


@pytest.mark.finding("L-M2")
@pytest.mark.parametrize(("line", "listed"), [("time-tiebreak 1 --matches 1-0", True), ("report 1 a", False)])
def test_a_bracket_game_that_time_ended_before_the_round_started_is_listed(
    desk: Desk, line: str, listed: bool
) -> None:
    players = (f"register {name}" for name in ("Ann", "Bo", "Cy", "Di"))
    opened = ("open Friday -b street-warriors-2004", *players, "announce --style elimination")
    desk(*opened, "pair", line, "start")
    found = departed(desk).get("departure from a rule", [])
    assert ("SWR-SE-TIME" in found) is listed


@pytest.mark.finding("L-M2")
def test_a_round_that_was_never_started_is_listed(desk: Desk) -> None:
    desk(*OPENED, "announce --style swiss --rounds 3", "pair", "report 1 a 2 a", "pair")
    assert departed(desk).get("round that nobody started") == ["L5R-III.2-START"]
    desk("start", "report 1 a 2 a")
    kinds = [item["kind"] for item in json.loads(desk("integrity --json").out)["items"]]
    assert kinds.count("round that nobody started") == 1, "round 2 was started"


@pytest.mark.finding("L-M2")
@pytest.mark.parametrize(
    "ends", [("concede Ann", "concede Cy"), ("no-show Ann", "no-show Cy"), ("concede Bo", "no-show Di")]
)
def test_a_round_that_nobody_played_needs_no_start(desk: Desk, ends: tuple[str, ...]) -> None:
    """Before the fix, `integrity` listed the unstarted round for ever, because no later entry could remove it."""
    desk(*OPENED, "announce --style swiss --rounds 3", "pair --table Ann/Bo --table Cy/Di", *ends)
    assert json.loads(desk("pairings --outstanding --json").out)["pairings"] == []
    assert "round that nobody started" not in departed(desk)


@pytest.mark.finding("L-M2")
def test_a_round_that_was_started_is_not_listed(desk: Desk) -> None:
    desk(*OPENED, "announce --style swiss --rounds 3", "pair", "start", "report 1 a 2 a")
    assert "round that nobody started" not in departed(desk)


@pytest.mark.finding("L-M3")
@pytest.mark.parametrize(
    ("asked", "departs"), [("--reason habit", True), ("--structure custom --rounds 3 --cut 0", False)]
)
def test_a_premier_event_has_its_own_structure(desk: Desk, asked: str, departs: bool) -> None:
    opened = "open Friday -b l5r-2018 -p POL-L5R-TIER=premier"
    desk(opened, *OPENED[1:])
    assert desk("structure --json").document["proposals"] == []
    assert (
        "a premier event uses no table of the rulebook: announce the structure custom" in desk("announce").refused
    )
    desk(f"announce {asked}")
    assert ("L5R-V.3-CUSTOM" in marked(desk).get("structure-announced", [])) is departs


@pytest.mark.parametrize("tier", ["relaxed", "formal"])
def test_an_event_below_premier_uses_a_structure_of_the_rulebook(desk: Desk, tier: str) -> None:
    desk(f"open Friday -b l5r-2018 -p POL-L5R-TIER={tier}", *OPENED[1:])
    assert [table["structure"] for table in desk("structure --json").document["proposals"]] == ["basic"]


def test_an_amendment_that_gives_an_advantage_is_listed(desk: Desk, tmp_path: Path) -> None:
    """Before the fix, the log recorded --advantageous, but the integrity report did not list it."""
    (tmp_path / "one.txt").write_text("[dynasty]\n3 Dash\n")
    (tmp_path / "two.txt").write_text("[dynasty]\n3 Dash\n1 Miss\n")
    desk(*OPENED, "deck submit Ann one.txt", "announce --style swiss --rounds 3", "pair", "start")
    desk("deck amend Ann two.txt --advantageous --role judge --actor Dee")
    assert "deck list amended to an advantage (L5R-II.2b-LISTFIX)" in desk("integrity").out
    assert "marked as advantageous" in desk("conduct").out
    [line] = json.loads(desk("conduct --json").out)["advantageous"]
    assert (line["player"], line["leader"]) == ("Ann", "Dee")


@pytest.mark.finding("L-W7", "L-W8", "L-W9")
def test_every_marked_departure_is_reported_with_its_rule(desk: Desk) -> None:
    desk(*LED, "ruling --table 1 Who? Bo --by Late --reason 'Tom is at lunch'", "no-show Bo --stays --reason ill")
    rules = {rule for item in json.loads(desk("integrity --json").out)["items"] for rule in item["rules"]}
    assert {"L5R-I.6-LEADERPLAY", "L5R-IV.2-NOSHOW"} <= rules
