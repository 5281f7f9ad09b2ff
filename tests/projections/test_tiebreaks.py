"""Numeric tiebreakers, compared with a second version of the rules in plain fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName, parse_rulebook, rulebook_text
from matchledger_projections.standings.column import Column
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.standings.standings import standings
from matchledger_projections.standings.tiebreakers import NUMERIC, SETTLED
from matchledger_projections.standings.tiebreaks import Tiebreaks

Replay = Callable[[str], Transcription]


# -- columns


def test_a_column_has_fractions_and_ranks_by_numerators() -> None:
    column = Column([0, 3, 1, 2], denominator=6)
    assert [column.value(player) for player in (1, 2, 3)] == [Fraction(1, 2), Fraction(1, 6), Fraction(1, 3)]
    assert sorted((1, 2, 3), key=column.keys().__getitem__) == [1, 3, 2]


def test_a_column_in_which_less_is_better_ranks_in_reverse() -> None:
    column = Column([0, 1, 0, 1], lower_is_better=True)
    assert sorted((1, 2, 3), key=column.keys().__getitem__) == [2, 1, 3]


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_players_without_a_tiebreaker_can_rank_below_every_number(lower_is_better: bool) -> None:
    column = Column([0, 5, -7, 9], lower_is_better=lower_is_better, behind=frozenset({1}))
    assert max((1, 2, 3), key=column.keys().__getitem__) == 1


# -- exactness: random tournaments, computed again with plain fractions


@dataclass(frozen=True)
class Played:
    """One round of one player, as the author of the sheet noted it."""

    opponent: int | None
    outcome: str
    blood: int


@dataclass(frozen=True)
class Event:
    """A random tournament: its sheet, and the rounds of each player."""

    sheet: str
    lines: dict[int, list[Played]]


def _random_event(seed: int, players: int, rounds: int) -> Event:
    """Pair at random, so that the rules meet unusual cases."""
    chance = Random(seed)  # noqa: S311 - a test event, not a secret
    lines: dict[int, list[Played]] = {number: [] for number in range(1, players + 1)}
    sheet = ["rulebook street-warriors-2004", "players " + " ".join(f"P{number}" for number in lines)]
    for round_ in range(1, rounds + 1):
        order = chance.sample(range(1, players + 1), players)
        sheet.append(f"round {round_}")
        for first, second in zip(order[::2], order[1::2], strict=False):
            met = any(line.opponent == second for line in lines[first])
            blood = chance.randint(0, 24)
            if chance.random() < 0.2:
                sheet.append(f"  P{first} = P{second}{' rematch' * met}")
                lines[first].append(Played(second, "draw", 0))
                lines[second].append(Played(first, "draw", 0))
            else:
                sheet.append(f"  P{first} > P{second} ({blood}){' rematch' * met}")
                lines[first].append(Played(second, "win", 25))
                lines[second].append(Played(first, "loss", blood))
        if players % 2:
            sheet.append(f"  P{order[-1]} bye")
            lines[order[-1]].append(Played(None, "bye", 25))
    return Event("\n".join(sheet) + "\n", lines)


EVENTS = st.builds(_random_event, st.integers(0, 2**32), st.integers(3, 9), st.integers(1, 6))

Values = dict[int, Fraction]
WORTH = {
    "l5r-2018": {"win": 10, "draw": 0, "loss": 1, "bye": 10},
    "street-warriors-2004": {"win": 3, "draw": 1, "loss": 0, "bye": 3},
    "pokemon-tom": {"win": 3, "draw": 1, "loss": 0, "bye": 3},
}


def _points(event: Event, rulebook: str) -> Values:
    worth = WORTH[rulebook]
    return {player: Fraction(sum(worth[line.outcome] for line in lines)) for player, lines in event.lines.items()}


def _mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed) if listed else Fraction(0)


def _over_opponents(event: Event, values: Values) -> Values:
    return {
        player: _mean(values[line.opponent] for line in lines if line.opponent is not None)
        for player, lines in event.lines.items()
    }


def _wins(lines: list[Played], *outcomes: str) -> int:
    return sum(line.outcome in outcomes for line in lines)


def _found(replay: Replay, event: Event, rulebook: str, name: TiebreakName, **choices: str) -> Values:
    record = replay(event.sheet).draft.record
    chosen = {flag.replace("_", "-"): value for flag, value in choices.items()}
    law = parse_rulebook(rulebook_text(rulebook)).under(chosen)
    column = _tiebreaks(record, law, len(record.rounds())).column(NUMERIC[name])
    return {player: column.value(player) for player in event.lines}


def _tiebreaks(record: Record, law: Rulebook, through: int) -> Tiebreaks:
    return Tiebreaks(crosstable(record, law, through), law, lambda earlier: crosstable(record, law, earlier))


@given(event=EVENTS)
@settings(max_examples=60)
def test_strength_of_schedule_is_the_mean_of_the_points_per_round_of_all_opponents(
    replay: Replay, event: Event
) -> None:
    rounds = {player: len(lines) for player, lines in event.lines.items()}
    paired = {player: _wins(lines, "win", "draw", "loss") for player, lines in event.lines.items()}
    points = _points(event, "l5r-2018")
    for policy, counted in (("all-rounds", rounds), ("paired-rounds", paired)):
        average = {
            player: points[player] / counted[player] if counted[player] else Fraction(0) for player in points
        }
        schedule = _over_opponents(event, average)
        extended = _over_opponents(event, schedule)
        choice = {"POL_L5R_ROUNDS_DENOM": policy}
        assert _found(replay, event, "l5r-2018", "strength_of_schedule", **choice) == schedule
        assert _found(replay, event, "l5r-2018", "extended_strength_of_schedule", **choice) == extended


@given(event=EVENTS)
@settings(max_examples=60)
def test_win_percentages_are_at_least_a_quarter_and_a_policy_decides_about_byes(
    replay: Replay, event: Event
) -> None:
    for policy in ("removed", "win", "numerator"):
        share: Values = {}
        for player, lines in event.lines.items():
            byes = _wins(lines, "bye")
            won = _wins(lines, "win") + Fraction(_wins(lines, "draw"), 2) + (byes if policy == "win" else 0)
            rounds = len(lines) - (byes if policy == "removed" else 0)
            share[player] = max(Fraction(1, 4), Fraction(won) / rounds if rounds else Fraction(0))
        opponents = _over_opponents(event, share)
        choice = {"POL_TOM_BYE_WP": policy}
        assert _found(replay, event, "pokemon-tom", "opponents_win_percentage", **choice) == opponents
        assert _found(
            replay, event, "pokemon-tom", "opponents_opponents_win_percentage", **choice
        ) == _over_opponents(event, opponents)


@given(event=EVENTS)
@settings(max_examples=60)
def test_sums_over_opponents_equal_sums_of_fractions(replay: Replay, event: Event) -> None:
    points = _points(event, "street-warriors-2004")
    for name, outcomes in (
        ("defeated_opponents_points", ("win",)),
        ("undefeated_opponents_points", ("loss", "draw")),
    ):
        expected = {
            player: sum(
                (points[line.opponent] for line in lines if line.opponent is not None and line.outcome in outcomes),
                Fraction(0),
            )
            for player, lines in event.lines.items()
        }
        assert _found(replay, event, "street-warriors-2004", name) == expected  # type: ignore[arg-type] # two of them
    first = {
        player: Fraction(
            next(
                (number for number, line in enumerate(lines, 1) if line.outcome in ("loss", "draw")), len(lines) + 1
            )
        )
        for player, lines in event.lines.items()
    }
    assert _found(replay, event, "street-warriors-2004", "first_loss_or_draw") == first


@given(event=EVENTS)
@settings(max_examples=60)
def test_wins_and_blood_points_of_opponents_are_whole_numbers(replay: Replay, event: Event) -> None:
    wins = {player: _wins(lines, "win", "bye") for player, lines in event.lines.items()}
    opponents = {
        player: Fraction(sum(wins[line.opponent] for line in lines if line.opponent is not None))
        for player, lines in event.lines.items()
    }
    blood = {player: Fraction(sum(line.blood for line in lines)) for player, lines in event.lines.items()}
    assert _found(replay, event, "ashes-2022", "opponents_wins") == opponents
    assert _found(replay, event, "ashes-2022", "blood_points") == blood


D_AND_G_ARE_LEVEL = """
rulebook l5r-2018
players A B C D E F G
round 1
  F > G
  E > A
  D > C
  B bye
round 2
  B > E
  D > F
  G > A
  C bye
round 3
  B > D
  F > C
  G > E
  A bye
round 4
  F > B
  G > D
  C > A
  E bye
round 5
  B > G
  A > F
  E > C
  D bye
"""


def test_a_tie_that_floats_would_break_stays_a_tie(replay: Replay) -> None:
    """D and G both have 32/5. Computed with floats, one of the two numbers would be smaller."""
    record = replay(D_AND_G_ARE_LEVEL).draft.record
    table = crosstable(record, record.rulebook, 5)
    schedule = _tiebreaks(record, record.rulebook, 5).column(NUMERIC["strength_of_schedule"])
    floats = [
        reduce(add, (table.points[other] / 5 for other in table.opponents_of(player)))
        / len(table.opponents_of(player))
        for player in (4, 7)
    ]
    assert floats[0] != floats[1]
    assert schedule.value(4) == schedule.value(7) == Fraction(32, 5)
    assert schedule.keys()[4] == schedule.keys()[7]


# -- single rules


def test_a_player_without_opponents_can_rank_below_a_schedule_of_zero(replay: Replay) -> None:
    """POL-L5R-EMPTY-SOS: C had a bye, and A beat a player without points. The test compares only the schedule."""
    chain = '["strength_of_schedule", "extended_strength_of_schedule", "random_draw"]'
    house = rulebook_text("l5r-2018").replace(chain, '["strength_of_schedule"]')
    record = replay("rulebook l5r-2018\nplayers C A B\nround 1\n A > B modified-loss\n C bye\n").draft.record
    law = parse_rulebook(house)
    assert standings(record, 1, law).groups == ((1, 2), (3,))
    assert standings(record, 1, law.under({"POL-L5R-EMPTY-SOS": "last"})).groups == ((2,), (1,), (3,))


def test_a_frozen_percentage_keeps_its_value_from_the_round_of_leaving(replay: Replay) -> None:
    """POL-TOM-DROPPED: B lost round 1 to A and left. After B had left, A lost too."""
    sheet = "rulebook pokemon-tom\nplayers A B C D\nround 1\n A > B\n C > D\ndrop B\nround 2\n C > A\n D bye\n"
    record = replay(sheet).draft.record
    at_leaving = _tiebreaks(record, record.rulebook, 1).column(NUMERIC["opponents_win_percentage"]).value(2)
    frozen = _tiebreaks(record, record.rulebook, 2).column(NUMERIC["opponents_win_percentage"]).value(2)
    unfrozen = record.rulebook.under({"POL-TOM-DROPPED": "moving"})
    moving = _tiebreaks(record, unfrozen, 2).column(NUMERIC["opponents_win_percentage"]).value(2)
    assert [at_leaving, frozen, moving] == [Fraction(1), Fraction(1), Fraction(1, 2)]


def test_leaving_after_the_last_round_is_not_early(replay: Replay) -> None:
    """PKM-3.1.5.1-WP, reading e: the cap of 3/4 is only for players who left before the end."""
    sheet = "rulebook pokemon-2009\nplayers A B C D\nround 1\n A > B\n C > D\ndrop A\n"
    played_on = "round 2\n C > B\n D bye\n"
    one, two = (replay(text).draft.record for text in (sheet, sheet + played_on))
    assert _tiebreaks(one, one.rulebook, 1).win_percentage.value(1) == 1
    assert _tiebreaks(two, two.rulebook, 2).win_percentage.value(1) == Fraction(3, 4)


def test_before_the_first_round_no_player_has_a_schedule(replay: Replay) -> None:
    record = replay("rulebook l5r-2018\nplayers A B\n").draft.record
    tiebreaks = _tiebreaks(record, record.rulebook, 0)
    assert (
        tiebreaks.column(NUMERIC["strength_of_schedule"]).value(1)
        == tiebreaks.column(NUMERIC["extended_strength_of_schedule"]).value(2)
        == 0
    )


def test_only_a_rulebook_with_a_win_percentage_has_the_tiebreaker(replay: Replay) -> None:
    record = replay("rulebook l5r-2018\nplayers A B\nround 1\n A > B\n").draft.record
    with pytest.raises(LookupError, match=r"^l5r-2018 has no section \[win_percentage\]$"):
        _ = _tiebreaks(record, record.rulebook, 1).win_percentage


@pytest.mark.parametrize(
    "name", ["head_to_head", "standing_of_last_opponent", "random_draw", "rock_paper_scissors"]
)
def test_a_tiebreaker_for_tied_groups_has_no_number(name: TiebreakName, replay: Replay) -> None:
    record = replay("rulebook l5r-2018\nplayers A B\nround 1\n A > B\n").draft.record
    assert name in SETTLED
    assert standings(record, 1).unrounded(name, 1) is None
