"""Repair: the options for a round that was paired from a wrong slip."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Literal

import pytest
from freezegun import freeze_time
from tests.audit.random_events import chance_of, report_all
from tests.conftest import Replay
from tests.desk import RunCli
from tests.event import SECRET, deciding

from matchledger.cli import run
from matchledger.commands import cuts, roster
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands.refusal import Refusal
from matchledger.commands.repairs import ChooseRepair, plan_repair
from matchledger.events import (
    Bye,
    CutMade,
    EntryRetracted,
    PairingAmended,
    Person,
    RepairChosen,
    RoundPaired,
    Seating,
)
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger_projections.narration import tell
from matchledger_projections.pairing.repair import Clock, RepairPlan
from matchledger_projections.record.chance import draw_seed, pairing_purpose, results_digest
from matchledger_projections.record.record import Record, fold

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)
CLOCK = Clock(NOON)

REDRAW = "option POL-PKM-REDRAW=allowed"

TWO_ROUNDS = """
rulebook {rulebook}
event "Repair"
{option}
players A B C D E F G H
round 1
  A > E
  B > F
  C > G
  D > H
round 2
  A > C
  B > D
  E > G
  F > H
"""


def paired(replay: Replay, rulebook: str = "pokemon-2009", option: str = "") -> Draft:
    """TV-PKM-REPAIR up to the posting of round 3. The slip of round 2, table 1 is wrong."""
    draft = replay(TWO_ROUNDS.format(rulebook=rulebook, option=option).strip()).draft
    hand(draft, "AB", "CF", "DE", "GH")
    return draft


def hand(draft: Draft, *tables: str, byes: str = "") -> None:
    games = [Seating(table=table, players=(number(two[0]), number(two[1]))) for table, two in enumerate(tables, 1)]
    draft.decide(partial(rounds.pair_by_hand, games=games, byes=[Bye(player=number(name)) for name in byes]))


def number(name: str) -> int:
    return "ABCDEFGHIJKLMN".index(name) + 1


def correct(draft: Draft, round_: int = 2, table: int = 1, winner: int = 1) -> int:
    [entry] = draft.decide(partial(slips.correct, round_=round_, table=table, written=Written(winner=winner)))
    return entry.position


def choose(draft: Draft, choice: Literal["leave", "minimal", "all"]) -> Sequence[object]:
    entries = draft.decide(deciding(ChooseRepair, choice=choice), reason="said so")
    return [entry.fact for entry in entries]


def plan(draft: Draft, clock: Clock = CLOCK) -> RepairPlan:
    return plan_repair(draft.record, clock=clock)


def tables(record: Record) -> list[str]:
    latest = record.latest_round()
    assert latest is not None
    return ["".join(record.players[player].name for player in two) for two in latest.tables.values()]


# -- TV-PKM-REPAIR


@pytest.mark.vector("TV-PKM-REPAIR")
def test_a_repair_moves_four_of_eight_players(replay: Replay) -> None:
    draft = paired(replay)
    correct(draft)
    minimal = plan(draft).option("minimal")
    assert (minimal.allowed, minimal.recommended, minimal.rule) == (True, True, "PKM-4-REPAIR")
    assert (minimal.players, minimal.tables) == (4, 2)
    assert minimal.reseated is not None
    assert minimal.reseated.is_proven
    assert {frozenset(seating.players) for seating in minimal.reseated.added} == {
        frozenset({number("B"), number("C")}),
        frozenset({number("A"), number("F")}),
    }


@pytest.mark.vector("TV-PKM-REPAIR")
def test_the_repair_option_minimal_keeps_all_other_tables(replay: Replay) -> None:
    draft = paired(replay)
    position = correct(draft)
    chosen, amended = choose(draft, "minimal")
    assert chosen == RepairChosen(round=3, choice="minimal", correction=position, tables=(1, 2))
    assert tell(draft.record, chosen) == (
        f"round 3: as few players as possible were moved after the correction in entry {position}"
    )
    assert isinstance(amended, PairingAmended)
    assert tables(draft.record) == ["AF", "BC", "DE", "GH"]


@pytest.mark.vector("TV-PKM-REPAIR")
def test_the_repair_option_leave_keeps_round_3_as_posted(replay: Replay) -> None:
    draft = paired(replay)
    position = correct(draft)
    assert choose(draft, "leave") == [RepairChosen(round=3, choice="leave", correction=position)]
    assert tables(draft.record) == ["AB", "CF", "DE", "GH"]


def test_a_new_draw_from_the_corrected_results_can_be_checked(replay: Replay) -> None:
    draft = paired(replay, option=REDRAW)
    correct(draft)
    posted = draft.record.latest_round()
    assert posted is not None
    chosen, taken_back, drawn = choose(draft, "all")
    assert isinstance(chosen, RepairChosen)
    assert isinstance(drawn, RoundPaired)
    assert taken_back == EntryRetracted(retracts=posted.position)
    assert drawn.seed == draw_seed(SECRET, pairing_purpose(3), results_digest(draft.record, 2)).hex()
    assert set(chosen.tables) == {
        seating.table for seating in drawn.tables if set(seating.players) != set(posted.tables[seating.table])
    }
    latest = draft.record.latest_round()
    assert latest is not None
    assert latest.seed == drawn.seed


def test_a_chosen_repair_gives_the_same_round_in_a_replay(replay: Replay) -> None:
    for choice in ("leave", "minimal", "all"):
        draft = paired(replay, option=REDRAW)
        correct(draft)
        choose(draft, choice)
        again = fold(draft.entries)
        assert tables(again) == tables(draft.record)
        assert again.repairs == draft.record.repairs


# -- play and clock


def test_the_pokemon_rules_keep_the_pairings_after_play_has_begun(replay: Replay) -> None:
    draft = paired(replay)
    correct(draft)
    draft.decide(clock.start_round)
    options = {option.choice: option for option in plan(draft).options}
    assert [option.allowed for option in options.values()] == [True, False, False]
    assert options["leave"].recommended
    assert options["minimal"].because == options["all"].because == "play has begun"
    with pytest.raises(Refusal, match=r"^round 3 cannot be repaired in this way: play has begun \(PKM-4-REPAIR\)$"):
        choose(draft, "minimal")


def test_with_discretion_tables_without_a_result_can_still_be_moved(replay: Replay) -> None:
    draft = paired(replay, option="option POL-ALL-REPAIR=discretion")
    correct(draft)
    draft.decide(partial(slips.report, table=3, written=Written(winner=0)))
    minimal = plan(draft).option("minimal")
    assert (minimal.allowed, minimal.recommended) == (True, False)
    choose(draft, "minimal")
    assert tables(draft.record) == ["AF", "BC", "DE", "GH"]
    assert plan_needs_nothing(draft)


def test_a_repair_never_moves_a_table_with_a_result(replay: Replay) -> None:
    draft = paired(replay, option="option POL-ALL-REPAIR=discretion")
    correct(draft)
    draft.decide(partial(slips.report, table=1, written=Written(winner=0)))
    with pytest.raises(Refusal, match="the tables that may still change allow no better pairing"):
        choose(draft, "minimal")


def test_a_policy_can_keep_posted_pairings(replay: Replay) -> None:
    draft = paired(replay, option="option POL-ALL-REPAIR=never")
    correct(draft)
    options = {option.choice: option for option in plan(draft).options}
    assert options["leave"].recommended
    assert options["minimal"].because == options["all"].because == "posted pairings stay"


def test_the_table_of_a_player_who_left_is_not_moved(replay: Replay) -> None:
    draft = paired(replay, option="option POL-ALL-REPAIR=discretion")
    draft.decide(partial(roster.drop, player=number("F")))
    correct(draft)
    choose_or_none = plan(draft).option("minimal").reseated
    assert choose_or_none is None or 2 not in choose_or_none.tables


def test_the_repair_clock_counts_from_the_start_of_play() -> None:
    assert Clock(NOON).run is None
    assert Clock(NOON, NOON - timedelta(minutes=7), 50).run == timedelta(minutes=7)
    assert Clock(NOON, NOON + timedelta(minutes=7)).run == timedelta(0)


# -- rounds that can be repaired


def plan_needs_nothing(draft: Draft) -> bool:
    try:
        plan(draft)
    except Refusal as refusal:
        return "no earlier result has changed" in str(refusal)
    return False


def test_without_a_correction_no_repair_is_needed(replay: Replay) -> None:
    with pytest.raises(
        Refusal, match=r"^no result before round 3 has changed since it was paired: there is nothing to repair$"
    ):
        plan(paired(replay))


def test_a_repair_is_chosen_once(replay: Replay) -> None:
    draft = paired(replay)
    correct(draft)
    choose(draft, "leave")
    chosen = draft.record.repairs[0][0]
    with pytest.raises(
        Refusal,
        match=(
            f"^entry {chosen} chose already what happens to round 3, and no earlier result has changed since: "
            "to choose again, retract that entry$"
        ),
    ):
        choose(draft, "minimal")
    draft.decide(partial(slips.retract, entry=draft.entries[chosen - 1]))
    choose(draft, "minimal")
    assert tables(draft.record) == ["AF", "BC", "DE", "GH"]


def test_taking_a_correction_back_after_the_repair_asks_again(replay: Replay) -> None:
    draft = paired(replay)
    position = correct(draft)
    choose(draft, "minimal")
    [taken_back] = draft.decide(partial(slips.retract, entry=draft.entries[position - 1]))
    again = plan(draft)
    assert again.corrections == (taken_back.position,)
    assert not again.sound
    choose(draft, "minimal")
    assert {frozenset(two) for two in tables(draft.record)} >= {frozenset("AB"), frozenset("DE")}


def test_no_repair_is_needed_if_the_correction_is_taken_back_first(replay: Replay) -> None:
    draft = paired(replay)
    position = correct(draft)
    draft.decide(partial(slips.retract, entry=draft.entries[position - 1]))
    with pytest.raises(Refusal, match="there is nothing to repair"):
        plan(draft)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (2, "round 2 is over: only round 3 can be repaired"),
        (7, "round 7 is not paired: the last one is round 3"),
    ],
)
def test_only_the_last_round_can_be_repaired(replay: Replay, wanted: int, message: str) -> None:
    draft = paired(replay)
    correct(draft)
    with pytest.raises(Refusal, match=f"^{message}$"):
        plan_repair(draft.record, clock=CLOCK, number=wanted)


def test_before_the_first_round_no_repair_is_needed(replay: Replay) -> None:
    draft = replay("rulebook pokemon-2009\nplayers A B").draft
    with pytest.raises(Refusal, match=r"^no round is paired: there is nothing to repair$"):
        plan(draft)


def test_a_finished_round_is_not_repaired(replay: Replay) -> None:
    draft = paired(replay)
    report_all(draft, chance_of(1))
    correct(draft)
    options = {option.choice: option for option in plan(draft).options}
    assert options["minimal"].because == "the round is finished"
    assert options["leave"].recommended


def test_no_swiss_round_is_repaired_after_the_cut(replay: Replay) -> None:
    draft = paired(replay)
    report_all(draft, chance_of(1))
    draft.decide(partial(cuts.make_cut, size=2, seeds=(1, 2)))
    correct(draft)
    cut = next(entry for entry in draft.entries if isinstance(entry.fact, CutMade))
    outdated = f"the cut no longer matches the standings (retract entry {cut.position} to cut again)"
    with pytest.raises(Refusal, match=f"^{re.escape(outdated)}$"):
        plan(draft)
    draft.decide(partial(slips.retract, entry=cut))
    draft.decide(partial(cuts.make_cut, size=2))
    with pytest.raises(Refusal, match=r"^the cut matches the standings: there is nothing to repair$"):
        plan(draft)


def test_a_correction_that_changes_no_group_needs_no_repair(replay: Replay) -> None:
    draft = paired(replay)
    draft.decide(partial(slips.correct, round_=2, table=1, written=Written(kind="concession", winner=0)))
    found = plan(draft)
    assert found.sound
    assert found.option("leave").recommended
    assert found.option("leave").because == "the pairings fit the corrected records already"
    assert found.option("minimal").because == "there is nothing to correct"


def test_a_late_player_who_plays_at_once_meets_the_player_with_the_bye(replay: Replay) -> None:
    sheet = """
rulebook pokemon-2009
players A B C D E
round 1
  A > B
  C > D
  E bye
""".strip()
    draft = replay(sheet).draft
    games = [Seating(table=1, players=(1, 3)), Seating(table=2, players=(5, 2))]
    draft.decide(partial(rounds.pair_by_hand, games=games, byes=[opening_bye(4)]))
    draft.decide(partial(roster.arrive_late, person=person("F"), rounds_started=1))
    latest = draft.record.latest_round()
    assert latest is not None
    assert latest.byes == ()
    assert latest.table_between(4, 6) is not None


def opening_bye(player: int) -> Bye:
    return Bye(player=player)


def person(name: str) -> Person:
    return Person(name=name)


# -- the command


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """TV-PKM-REPAIR in a ledger, with the slip corrected at 12:00."""
    sheet = tmp_path / "event.sheet"
    sheet.write_text(TWO_ROUNDS.format(rulebook="pokemon-2009", option=REDRAW).strip(), "utf-8")
    ledger = tmp_path / "event.ledger"
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(ledger))
    with freeze_time(NOON):
        assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
        by_hand = [word for table in ("A/B", "C/F", "D/E", "G/H") for word in ("--table", table)]
        assert run(["pair", *by_hand]) == 0
        assert run(["correct", "2", "1", "b"]) == 0
    return ledger


def test_repair_lists_the_options_with_their_cost(ledger: Path, run_cli: RunCli) -> None:
    assert ledger.is_file()
    assert run_cli("repair").out == (
        "Round 3 was paired before entry 22 changed earlier records.\n"
        "Pairings: no longer right by the corrected records.\n"
        "Play: not begun.\n"
        "\n"
        "leave: allowed (PKM-4-REPAIR); the next pairing uses the corrected results\n"
        "\n"
        "minimal: recommended (PKM-4-REPAIR); no valid pairing moves fewer players\n"
        "  4 players moved (fewest possible):\n"
        "  Table  now    then\n"
        "      1  A - B  A - F\n"
        "      2  C - F  B - C\n"
        "\n"
        "all: allowed (PKM-4-REPAIR); everybody moves; a new draw decides all the tables\n"
        "  up to 8 players at 4 tables moved\n"
    )


def test_the_elapsed_time_is_part_of_the_cost(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ledger.is_file()
    with freeze_time(NOON + timedelta(minutes=1)):
        assert run(["start", "--minutes", "50"]) == 0
    assert run(["report", "4", "a"]) == 0
    capsys.readouterr()
    with freeze_time(NOON + timedelta(minutes=13, seconds=30)):
        assert run(["repair", "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert run(["repair"]) == 0
    assert (document["clock_run"], document["minutes"], document["reported"]) == (750, 50, 1)
    assert [option["allowed"] for option in document["options"]] == [True, False, False]
    assert "Play: begun, 12 of 50 minutes run, 1 result in." in capsys.readouterr().out


def test_the_log_has_the_choice_with_the_clerk_and_the_reason(ledger: Path, run_cli: RunCli) -> None:
    assert ledger.is_file()
    words = ["repair", "--choose", "minimal", "--reason", "slip read upside down"]
    assert run([*words, "--actor", "Kim Ode", "--role", "judge"]) == 0
    entries = [json.loads(line) for line in run_cli("log", "--json").lines]
    chosen, amended = entries[-2:]
    assert chosen["fact"] == {
        "kind": "repair-chosen",
        "round": 3,
        "choice": "minimal",
        "correction": 22,
        "tables": [1, 2],
    }
    assert amended["fact"]["kind"] == "pairing-amended"
    assert chosen["command"] == amended["command"]
    assert {(entry["actor"], entry["role"], entry["reason"]) for entry in (chosen, amended)} == {
        ("Kim Ode", "judge", "slip read upside down")
    }


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--choose", "some", "--reason", "x"], 2, "there is no choice 'some': there are leave, minimal, all"),
        (["--choose", "all"], 2, "a repair needs its reason in the log: give one; use --reason"),
        (["--choose", "all", "--reason", " "], 2, "a repair needs its reason in the log: give one; use --reason"),
        (["--choose", "all", "--reason", "x", "--json"], 2, "--json shows the choices: leave out --choose"),
        (["--round", "1"], 3, "round 1 is over: only round 3 can be repaired"),
    ],
)
def test_an_impossible_repair_is_refused_in_one_line(
    ledger: Path, run_cli: RunCli, words: list[str], code: int, message: str
) -> None:
    assert ledger.is_file()
    assert run_cli("repair", *words, code=code).problem == f"{message}"


def test_the_repaired_round_is_drawn_again_from_the_secret_of_the_ledger(ledger: Path, run_cli: RunCli) -> None:
    assert ledger.is_file()
    assert run(["repair", "--choose", "all", "--reason", "nobody sits yet"]) == 0
    pairings_document = run_cli("pairings", "--round", "3", "--json").document
    assert len(pairings_document["seed"]) == 64
    assert ["B", "C"] in [sorted(table["players"]) for table in pairings_document["pairings"]]
