"""Why two players meet: their group, the odd player, earlier opponents, and the draw."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.pairing.conftest import Event, Play

from matchledger.cli import run
from matchledger.events import RoundPaired
from matchledger_projections.pairing.explanation import PairingExplanation, Unexplained, explain_pairing
from matchledger_projections.record.record import fold
from matchledger_projections.rulebook.rulebook import shipped_rulebooks


def explained(played: Event, round_: int) -> list[PairingExplanation]:
    """Return every table and bye of a round with its explanation."""
    entries = played.draft.entries
    position, paired = next(
        (entry.position, fact)
        for entry in entries
        if isinstance(fact := entry.fact, RoundPaired) and fact.round == round_
    )
    before = fold(entries[: position - 1])
    seats = [seating.players for seating in paired.tables] + [(bye.player,) for bye in paired.byes]
    return [explain_pairing(before, paired, players) for players in seats]


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
@pytest.mark.parametrize("chance", range(4))
def test_each_player_who_was_passed_over_has_a_reason(event: Play, rulebook: str, chance: int) -> None:
    played = event(rulebook, chance=chance)
    played.enter(11)
    played.play(5)
    for round_ in range(1, 6):
        for why in explained(played, round_):
            first = why.sides[0].player
            for passed in why.passed_over:
                met = [
                    number
                    for number in range(1, round_)
                    if (found := played.record.round(number)) is not None
                    and found.table_between(first, passed.player) is not None
                ]
                assert (passed.because == "met") == (bool(met) and len(why.sides) > 1)
                assert passed.because != "met" or list(passed.rounds) == met
            assert bool(why.went_down) == (len(why.sides) > 1 and why.sides[0].group != why.sides[1].group)


def test_a_player_who_was_paired_down_can_be_second_at_the_table(event: Play) -> None:
    """POL-SWR-DOUBLE-DOWN = any: a player paired down can be anywhere in the drawn pile, whose first player gets
    an opponent.
    """
    stood_behind = 0
    for chance in range(6):
        played = event("street-warriors-2004", chance=chance, POL_SWR_DOUBLE_DOWN="any")
        played.enter(11)
        played.play(5)
        for round_ in range(1, 6):
            found = played.record.round(round_)
            assert found is not None
            whys = [why for why in explained(played, round_) if len(why.sides) > 1]
            assert [{side.player for side in why.sides} for why in whys] == [*map(set, found.tables.values())]
            stood_behind += sum(why.sides[0].group > why.sides[1].group for why in whys)
    assert stood_behind


@pytest.mark.parametrize("sizes", [(3, 5, 4), (5, 5, 1), (2, 9, 0)])
def test_each_age_modified_division_has_its_own_odd_player(event: Play, sizes: tuple[int, int, int]) -> None:
    """PKM-3.1.2-MOD."""
    down = []
    for chance in range(4):
        played = event("pokemon-2009", chance=chance)
        for division, size in zip(("junior", "senior", "masters"), sizes, strict=True):
            played.enter(size, division)
        played.play(4)
        down += [left for round_ in range(1, 5) for why in explained(played, round_) for left in why.went_down]
    assert any(left.because == "odd" for left in down)
    assert all(left.pile % 2 for left in down if left.because == "odd")
    assert {left.division for left in down} <= {"junior", "senior", "masters"}


def test_explain_says_that_the_odd_player_goes_down(event: Play) -> None:
    played = event("street-warriors-2004")
    played.enter(10)
    played.play_plainly(2)
    down = [why for why in explained(played, 2) if why.went_down]
    assert [(left.group, left.pile, left.because) for why in down for left in why.went_down] == [(1, 5, "odd")]
    (why,) = down
    assert [side.points for side in why.sides] == [3, 0]
    assert why.went_down[0].player == why.sides[0].player
    assert why.purpose == "pairing/2"


def test_without_earlier_rounds_neighbours_in_the_draw_meet(event: Play) -> None:
    played = event("ashes-2022")
    played.enter(7)
    played.pair()
    *tables, bye = explained(played, 1)
    assert [[side.place for side in why.sides] for why in tables] == [[2, 3], [4, 5], [6, 7]]
    assert [side.place for side in bye.sides] == [1]
    assert not any(why.passed_over for why in [*tables, bye])


def test_a_round_that_differs_from_its_draw_is_not_explained(event: Play) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    played.pair()
    entry = played.draft.entries[-1]
    assert isinstance(entry.fact, RoundPaired)
    forged = entry.fact.model_copy(update={"seed": "0" * 64})
    before = fold(played.draft.entries[:-1])
    with pytest.raises(Unexplained, match="gives other tables: compare the pairings with the draws"):
        [explain_pairing(before, forged, seating.players) for seating in forged.tables]


def test_explain_prints_the_groups_and_the_draw_of_a_table(event: Play, tmp_path: Path, run_cli: RunCli) -> None:
    played = event("street-warriors-2004")
    played.enter(10)
    played.play_plainly(2)
    ledger = played.keep(tmp_path / "event.ledger")
    number = next(index for index, why in enumerate(explained(played, 2), 1) if why.went_down)
    (why,) = [why for why in explained(played, 2) if why.went_down]
    upper, lower = why.sides
    met = f"Player {lower.player}"
    paired = played.record.round(2)
    assert paired is not None
    assert run_cli("explain", "--pairing", str(number), "--round", "2", "--ledger", ledger).lines == [
        f"Round 2, table {number}: Player {upper.player} - Player {lower.player}",
        f"Drawn: entry {paired.position}, purpose pairing/2, seed {paired.seed}",
        f"  Player {upper.player}: 3 TP, group 1 of 5 players, place {upper.place} of 10 in the draw",
        f"  Player {lower.player}: 0 TP, group 2 of 5 players, place {lower.place} of 10 in the draw",
        (
            f"Group 1 had 5 players to pair, an odd number: Player {upper.player} was over and went down "
            "(SWR-SWISS-PAIRDOWN)"
        ),
        (
            f"In the order of the draw Player {upper.player} met the first who was free and possible: {met} "
            "(SWR-SWISS-PILES)"
        ),
        *(
            f"  passed over: Player {passed.player}, met in round 1 (SWR-SWISS-NOREMATCH)"
            for passed in why.passed_over
        ),
        "The draw rests on the organizer's secret, committed to in entry 1, and on the results before it",
        "The organizer alone could choose it",
    ]


def said_of(sheet: str, wanted: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """Return the explanation of a table or the bye, in the round drawn after a score sheet."""
    (folder / "event.sheet").write_text(sheet, "utf-8")
    ledger = str(folder / "event.ledger")
    assert run(["import", str(folder / "event.sheet"), "--ledger", ledger]) == 0
    assert run(["pair", "--ledger", ledger, *options]) == 0
    capsys.readouterr()
    assert run(["explain", "--pairing", wanted, "--ledger", ledger]) == 0
    return capsys.readouterr().out.splitlines()


def test_only_a_player_who_is_due_for_the_bye_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ASH-BYE: E had the bye but has won since, so E would not get the next bye."""
    sheet = (
        "rulebook ashes-2022\nplayers A B C D E F G\n"
        "round 1\n  A > B (9)\n  C > D (9)\n  F > G (9)\n  E bye\n"
        "round 2\n  E > C (9)\n  A > F (9)\n  D > G (9)\n  B bye\n"
        "round 3\n  A > C (9)\n  E > F (9)\n  D > B (9)\n  G bye\n"
    )
    lines = said_of(sheet, "bye", tmp_path, capsys)
    (given,) = [line for line in lines if line.startswith("The bye")]
    assert given == "The bye goes to a player with the weakest record who has had none (ASH-BYE)"
    passed = {line.split()[2].rstrip(",") for line in lines if "passed over" in line}
    assert passed <= {"B", "G"}
    assert lines[0] in ("Round 4, bye: C", "Round 4, bye: F")


@pytest.mark.parametrize(
    ("rulebook", "slip", "who"),
    [
        ("l5r-2018", "", "the lowest ranked player; everybody has had one, so it goes round again (L5R-IV.2a-BYE)"),
        (
            "ashes-2022",
            " (9)",
            "a player with the weakest record; everybody has had one, so it goes round again (ASH-BYE)",
        ),
    ],
)
def test_explain_says_when_second_byes_begin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rulebook: str, slip: str, who: str
) -> None:
    sheet = (
        f"rulebook {rulebook}\nplayers A B C D E\n"
        f"round 1\n  A > D{slip}\n  B > E{slip}\n  C bye\n"
        f"round 2\n  C > D{slip}\n  A > E{slip}\n  B bye\n"
        f"round 3\n  B > D{slip}\n  C > E{slip}\n  A bye\ndrop D\ndrop E\n"
    )
    lines = said_of(sheet, "bye", tmp_path, capsys)
    assert lines[3] == f"The bye goes to {who}"
    assert not any(line.startswith("  passed over") for line in lines)


def test_the_draw_for_a_tie_about_the_bye_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """L5R-IV.2a-BYE: B and D are tied for the lowest place. A separate draw decides between the tied players,
    before the draw of the pairing.
    """
    sheet = "rulebook l5r-2018\nplayers A B C D E\nround 1\n  A > B\n  C > D\n  E bye\n"
    lines = said_of(sheet, "bye", tmp_path, capsys)
    assert run(["explain", "--pairing", "bye", "--json", "--ledger", str(tmp_path / "event.ledger")]) == 0
    (document,) = json.loads(capsys.readouterr().out)["byes"]
    tie = document["draw"]["bye"]["tie"]
    assert tie["order"][-1:] == document["players"]
    assert (sorted(tie["order"]), tie["entry"], tie["purpose"]) == (["B", "D"], 12, "tie/1/2,4")
    assert lines[-4] == (
        f"They were level after round 1: {', '.join(tie['order'])}, in the order of entry 12 "
        f"(drawn, purpose tie/1/2,4, seed {tie['seed']})"
    )


def test_explain_names_a_rematch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = "rulebook pokemon-2009\nplayers A B\nround 1\n  A > B\n"
    lines = said_of(sheet, "1", tmp_path, capsys, "--allow-rematch")
    assert "They met in round 1: no pairing without a rematch was possible (PKM-3.1-NOREMATCH)" in lines


def test_explain_names_the_clerk_and_the_reason_of_a_table_by_hand(
    event: Play, tmp_path: Path, run_cli: RunCli
) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    ledger = played.keep(tmp_path / "event.ledger")
    by_hand = ["pair", "--table", "Player 1/Player 2", "--table", "Player 3/Player 4", "--reason", "draw by cards"]
    assert run([*by_hand, "--actor", "Ann", "--ledger", ledger]) == 0
    amend = ["amend", "Player 1/Player 3", "Player 2/Player 4", "--reason", "brothers", "--actor", "Bo"]
    said = run_cli("explain", "--pairing", "1", "--ledger", ledger).lines
    assert said[1].startswith("Paired by hand: entry 6, Ann (scorekeeper, desk) ")
    assert said[2] == "draw by cards"
    assert run([*amend, "--ledger", ledger]) == 0
    document = run_cli("explain", "--pairing", "1", "--json", "--ledger", ledger).document
    assert (document["players"], document["seated"], document["actor"], document["reason"], document["draw"]) == (
        ["Player 1", "Player 3"],
        "by amendment",
        "Bo",
        "brothers",
        None,
    )


def test_a_missing_table_cannot_be_explained(event: Play, tmp_path: Path, run_cli: RunCli) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    played.pair()
    ledger = played.keep(tmp_path / "event.ledger")
    for wanted, problem in (
        (["--pairing", "9"], "round 1 has no table 9: give the number of a table, or bye"),
        (["--pairing", "bye"], "round 1 has no bye"),
        ([], "name one thing: a PLAYER, or --pairing TABLE"),
    ):
        assert run_cli("explain", *wanted, "--ledger", ledger, code=2).problem == f"{problem}"
