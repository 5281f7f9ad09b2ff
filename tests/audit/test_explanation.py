"""The reasons for a place, from the slips to the tiebreaker that decides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.audit.random_events import RandomEvent, events
from tests.desk import RunCli
from tests.tv_x import SCORED, tv_x

from matchledger.cli import run
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import TiebreakName, parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.explanation import Comparison, Derivation, Explanation, Measure, explain

Replay = Callable[[str], Transcription]


def explained(record: Record, name: str, round_: int | None = None) -> Explanation:
    number = next(player.number for player in record.entered() if player.name == name)
    return explain(record, standings(record, round_), record.rulebook, number)


def tiebreak(explanation: Explanation, name: TiebreakName) -> Derivation:
    return next(derivation for derivation in explanation.tiebreaks if derivation.name == name)


def side(explanation: Explanation, where: str) -> Comparison:
    return next(comparison for comparison in explanation.neighbours if comparison.side == where)


def test_points_are_explained_line_by_line_with_their_entries(replay: Replay) -> None:
    record = replay(tv_x(SCORED, "l5r-2018")).draft.record
    lines = explained(record, "A").rounds
    assert [(line.round, line.table, line.outcome, line.points, line.entry, line.rule) for line in lines] == [
        (1, 4, "loss", 1, 15, "L5R-IV.4-POINTS"),
        (2, 3, "win", 10, 19, "L5R-IV.4-POINTS"),
        (3, 3, "win", 10, 24, "L5R-IV.4-POINTS"),
    ]


def test_strength_of_schedule_is_explained_opponent_by_opponent(replay: Replay) -> None:
    # TV-X-L5R: A met F (30 points in 3 rounds), H (12) and G (12).
    derivation = tiebreak(explained(replay(tv_x(SCORED, "l5r-2018")).draft.record, "A"), "strength_of_schedule")
    assert [(term.opponent, term.made_of, term.value) for term in derivation.terms] == [
        (6, (Fraction(30), 3), Fraction(10)),
        (8, (Fraction(12), 3), Fraction(4)),
        (7, (Fraction(12), 3), Fraction(4)),
    ]
    assert (derivation.total, derivation.value) == (Fraction(18), Fraction(6))


def test_an_opponent_raised_to_the_floor_is_named(replay: Replay) -> None:
    # TV-X-PKM: E won no match, so E counts as 1/4 in B's mean.
    derivation = tiebreak(
        explained(replay(tv_x(SCORED, "pokemon-2009")).draft.record, "B"), "opponents_win_percentage"
    )
    assert [(term.value, term.notes) for term in derivation.terms] == [
        (Fraction(1, 3), ()),
        (Fraction(1, 4), ("raised to the floor 1/4 (PKM-3.1.5.1-WP)",)),
        (Fraction(1, 3), ()),
    ]
    assert derivation.value == Fraction(11, 36)


def test_an_explanation_names_byes_and_caps_and_frozen_percentages(replay: Replay) -> None:
    first = "rulebook pokemon-tom\nplayers A B C D E\nround 1\n A > B\n C > D\n E bye\ndrop A\n"
    sheet = first + "round 2\n C > E\n B > D\n"
    record = replay(sheet).draft.record
    assert tiebreak(explained(record, "C"), "opponents_win_percentage").terms[1].notes == (
        "bye left out of wins and rounds (POL-TOM-BYE-WP=removed)",
        "raised to the floor 1/4 (TOM)",
    )
    assert tiebreak(explained(record, "B"), "opponents_win_percentage").terms[0].notes == (
        "left after round 1 (participated = on-record)",
        "capped at 3/4 because the player dropped (TOM)",
    )
    assert tiebreak(explained(record, "A"), "opponents_win_percentage").notes == (
        "frozen after round 1, when the player left (POL-TOM-DROPPED=frozen)",
    )
    assert tiebreak(explained(record, "B"), "opponents_opponents_win_percentage").terms[0].notes == (
        "frozen after round 1 (POL-TOM-DROPPED=frozen)",
    )


def test_an_explanation_says_which_rounds_without_an_opponent_count(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B C\nround 1\n A > B\n C bye\nround 2\n A > C\n B bye\n"
    explanation = explained(replay(sheet).draft.record, "A")
    derivation = tiebreak(explanation, "strength_of_schedule")
    note = "1 round without an opponent counted (POL-L5R-ROUNDS-DENOM=all-rounds)"
    assert [term.notes for term in derivation.terms] == [(note,), (note,)]


def test_a_bye_is_explained_by_its_rule_and_pairing(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B C\nround 1\n A > B\n C bye\n"
    (line,) = explained(replay(sheet).draft.record, "C").rounds
    assert (line.outcome, line.points, line.rule, line.entry) == ("bye", 10, "L5R-IV.2a-BYE", 6)


def test_a_charged_round_is_explained_by_the_late_arrival(replay: Replay) -> None:
    sheet = "rulebook pokemon-2009\nplayers A B\nround 1\n A > B\nlate C 1\nlate D 1\nround 2\n A > C\n B > D\n"
    line = explained(replay(sheet).draft.record, "C").rounds[0]
    assert (line.round, line.outcome, line.rule, line.entry) == (1, "absence", "PKM-3.1.4-LATE", 7)


def test_an_explanation_names_the_tiebreaker_between_two_neighbours(replay: Replay) -> None:
    # TV-X-ASH: A and C have equal wins and equal opponents' wins (5). C ranks higher, with 67 blood points against
    # 66 of A.
    above = side(explained(replay(tv_x(SCORED, "ashes-2022")).draft.record, "A"), "above")
    assert (above.player, above.decided) == (3, Measure("blood_points", Fraction(66), Fraction(67)))
    assert above.equal == (
        Measure("points", Fraction(2), Fraction(2)),
        Measure("opponents_wins", Fraction(5), Fraction(5)),
    )


def test_head_to_head_names_the_round_of_the_match(replay: Replay) -> None:
    # TV-ASH-A: C and E have two wins each. C won their match, and so ranks higher despite fewer blood points.
    sheet = """\
rulebook ashes-2022
players A B C D E
round 1
  A > B (9)
  C > D (12)
  E bye
round 2
  A > C (14)
  E > B (18)
  D bye
round 3
  A > D (7)
  C > E (20)
  B bye
"""
    below = side(explained(replay(sheet).draft.record, "C"), "below")
    assert below.decided == Measure("head_to_head", Fraction(1), Fraction(0))
    assert (below.player, below.met) == (5, (3,))


def test_tied_players_are_marked_until_their_order_is_recorded(replay: Replay) -> None:
    level = side(explained(replay(tv_x(SCORED, "l5r-2018")).draft.record, "A"), "level")
    assert (level.player, level.rank, level.decided) == (3, 2, None)
    ordered = explained(replay(tv_x(SCORED, "l5r-2018") + "draw C A\n").draft.record, "A")
    above = side(ordered, "above")
    assert above.decided is not None
    assert (ordered.rank, above.player, above.decided.step, above.entry) == (3, 3, "random_draw", 26)


def test_an_explanation_cites_the_standing_of_the_last_opponent(replay: Replay) -> None:
    # TV-X-PKM: A and C are equal in both opponents' percentages, and never met. The last opponent of C was F, who
    # is first. The last opponent of A was G.
    above = side(explained(replay(tv_x(SCORED, "pokemon-2009")).draft.record, "A"), "above")
    assert above.decided == Measure("standing_of_last_opponent", Fraction(5), Fraction(1))


def test_a_disqualified_player_has_no_place_and_no_neighbours(replay: Replay) -> None:
    explanation = explained(replay(tv_x(SCORED, "l5r-2018") + "disqualify F\n").draft.record, "F")
    assert (explanation.rank, explanation.of, explanation.status) == (None, 7, "disqualified")
    assert explanation.neighbours == ()


@settings(max_examples=60)
@given(events())
def test_explained_numbers_always_add_up_to_the_standings(event: RandomEvent) -> None:
    for law in (parse_rulebook(rulebook_text(rulebook)) for rulebook in shipped_rulebooks()):
        table = standings(event.record, None, law)
        for row in table.rows:
            explanation = explain(event.record, table, law, row.player)
            assert (explanation.rank, explanation.points) == (row.rank, row.points)
            assert sum(line.points for line in explanation.rounds) == row.points
            for derivation in explanation.tiebreaks:
                assert derivation.value == row.tiebreaks.get(derivation.name)
                if derivation.method != "own":
                    total = sum((term.value for term in derivation.terms), Fraction())
                    assert derivation.total == total
                    if derivation.divisor is None:
                        assert derivation.value == total
                    elif derivation.divisor:
                        decimals = law.decimals(derivation.name)
                        least = 0 if decimals is None else Fraction(1, 2 * 10**decimals)
                        assert abs((derivation.value or 0) - total / derivation.divisor) <= least
                    else:
                        assert not derivation.terms


@settings(max_examples=60)
@given(events())
def test_the_first_different_tiebreaker_decides_between_neighbours(event: RandomEvent) -> None:
    table = standings(event.record)
    for player in table.order:
        for comparison in explain(event.record, table, event.record.rulebook, player).neighbours:
            together = any(player in group and comparison.player in group for group in table.groups)
            assert (comparison.decided is None) == together == (comparison.side == "level")
            assert all(measure.mine == measure.theirs for measure in comparison.equal)
            if comparison.decided is not None:
                assert comparison.decided.mine != comparison.decided.theirs


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    sheet = tmp_path / "event.sheet"
    sheet.write_text(tv_x(SCORED, "l5r-2018"))
    path = str(tmp_path / "event.ledger")
    assert run(["import", str(sheet), "--ledger", path, "--actor", "Ann"]) == 0
    return path


def test_explain_shows_everything_behind_a_place(ledger: str, run_cli: RunCli) -> None:
    assert run(["correct", "1", "4", "b", "modified-win", "--ledger", ledger]) == 0
    assert run(["correct", "1", "4", "a", "--ledger", ledger, "--actor", "Dee", "--role", "judge"]) == 0
    shown = run_cli("explain", "B", "--ledger", ledger).lines
    assert shown[3] == "B: place 4 of 8 with 21 TP"
    assert "Strength of schedule (L5R-IV.4a-SOS): mean over opponents" in shown
    assert "  sum 9 over 3 opponents: 3" in shown
    assert shown[-3:] == [
        "  above: 2 C, by strength of schedule (L5R-IV.4a-SOS): C 6, B 3",
        "    equal in TP 21",
        "  below: 5 G, by TP: G 12, B 21",
    ]
    corrected = run_cli("explain", "A", "--ledger", ledger).lines[7]
    assert "27  Dee (judge, desk)" in corrected
    assert corrected.endswith("15, 26 no longer count")


def test_the_json_document_has_stable_keys(ledger: str, run_cli: RunCli) -> None:
    document = run_cli("explain", "A", "--ledger", ledger, "--json", "--round", "2").document
    assert list(document) == [
        "tournament", "rulebook", "unit", "hypothetical", "round", "clock", "position", "player", "number", "rank",
        "of", "tied", "status", "points", "rounds", "tiebreaks", "neighbours",
    ]  # fmt: skip
    assert (document["round"], document["clock"], document["rank"]) == (2, "as-corrected", 4)
    assert document["rounds"][0]["entry"]["actor"] == "Ann"
    extended = document["tiebreaks"][1]
    assert (extended["name"], extended["value"], extended["total"]) == (
        "extended_strength_of_schedule",
        "53/8",
        "53/4",
    )


def test_explanations_under_another_rulebook_are_marked_as_hypothetical(ledger: str, run_cli: RunCli) -> None:
    assert (
        "HYPOTHETICAL: the tournament was played under l5r-2018."
        in run_cli("explain", "A", "--ledger", ledger, "--rulebook", "pokemon-2009").out
    )


def test_an_unknown_player_is_refused_in_one_line(ledger: str, run_cli: RunCli) -> None:
    assert (
        run_cli("explain", "Zoe", "--ledger", ledger, code=2).err
        == "matchledger: there is no player 'Zoe'; see players\n"
    )
