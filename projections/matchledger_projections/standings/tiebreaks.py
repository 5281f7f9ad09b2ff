"""Tiebreakers that are a number for each player: one function each, with the rule it carries out.

Values are exact. A column holds integers over one common denominator, so that ten thousand players are compared
without making a fraction for each; `Column.value` gives the fraction. Tiebreakers that order the members of one
tied group, such as head-to-head, are in `standings`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.rulebook.scoring import WinPercentage
from matchledger_projections.standings.crosstable import Crosstable


@dataclass(frozen=True, slots=True)
class Column:
    """One number per player, as `numerators[player] / denominator`; higher is better unless `lower_is_better`.

    `behind` are players who rank after all others in this column, whatever their number.
    """

    numerators: Sequence[int]
    denominator: int = 1
    lower_is_better: bool = False
    behind: frozenset[int] = frozenset()

    def value(self, player: int) -> Fraction:
        return Fraction(self.numerators[player], self.denominator)

    def keys(self) -> Sequence[int]:
        """Sort keys, ascending from the best."""
        if not self.lower_is_better and not self.behind:
            return [-numerator for numerator in self.numerators]
        sign = 1 if self.lower_is_better else -1
        worst = max((sign * numerator for numerator in self.numerators), default=0) + 1
        return [
            worst if player in self.behind else sign * numerator for player, numerator in enumerate(self.numerators)
        ]


class Tiebreaks:
    """The numeric tiebreakers of one crosstable under one rulebook, each computed when first asked for."""

    def __init__(self, table: Crosstable, rulebook: Rulebook, earlier: Callable[[int], Crosstable]) -> None:
        """`earlier(round)` is the crosstable through a round before this one, for percentages that froze."""
        self._table = table
        self._rulebook = rulebook
        self._earlier = earlier
        # How many opponents each player has met.
        self._met = [len(others) - others.count(0) for others in table.opponents]
        # Every mean below divides by a number of rounds or of opponents, each a divisor of this.
        self._whole = lcm(*range(1, table.through + 1))

    @property
    def table(self) -> Crosstable:
        """The crosstable that everything here is computed from."""
        return self._table

    def column(self, name: TiebreakName) -> Column:
        """The column of a numeric tiebreaker. Raises KeyError for one that is settled per tied group."""
        return NUMERIC[name](self)

    # -- means over opponents' points

    @cached_property
    def strength_of_schedule(self) -> Column:
        """L5R-IV.4a-SOS: the mean over one's opponents of their points per round.

        POL-L5R-EMPTY-SOS decides where a player without opponents stands.
        """
        base = self.points_per_round
        return self._last_if_nobody_met(self._mean_over_opponents(base))

    @cached_property
    def points_per_round(self) -> Column:
        """Each player's points per round, as they enter the opponents' strength of schedule."""
        whole = self._whole
        averages = [
            points * whole // count if count else 0
            for points, count in zip(self._table.points, self.rounds_counted, strict=True)
        ]
        return Column(averages, whole)

    @property
    def rounds_counted(self) -> list[int]:
        """POL-L5R-ROUNDS-DENOM: how many rounds each player's points are divided by."""
        on_record = self._table.rounds_on_record
        match self._rulebook.readings.denominator:
            case "all-rounds":
                return on_record
            case "paired-rounds":
                return self._met
            case "attended-rounds":
                missed = [outcomes.count("absence") for outcomes in self._table.outcomes]
                return [rounds - absent for rounds, absent in zip(on_record, missed, strict=True)]

    @cached_property
    def extended_strength_of_schedule(self) -> Column:
        """L5R-IV.4a-EXT: the mean over one's own opponents of their strength of schedule."""
        base = self.strength_of_schedule
        return self._last_if_nobody_met(self._mean_over_opponents(base))

    def _mean_over_opponents(self, base: Column, *, missed_at: int = 0) -> Column:
        """The mean of a number over one's opponents; `missed_at` is the numerator of those one did not come for."""
        whole = self._whole
        sums, counts = self._sums_over_opponents(base.numerators), self._met
        if missed_at and (missed := self.missed_as_opponents):
            sums = [total + missed_at * extra for total, extra in zip(sums, missed, strict=True)]
            counts = [count + extra for count, extra in zip(counts, missed, strict=True)]
        means = [total * whole // count if count else 0 for total, count in zip(sums, counts, strict=True)]
        return Column(means, base.denominator * whole)

    def _last_if_nobody_met(self, column: Column) -> Column:
        if self._rulebook.readings.empty_schedule != "last":
            return column
        return replace(column, behind=frozenset(player for player in self._table.players if not self._met[player]))

    def _sums_over_opponents(self, numerators: Sequence[int]) -> list[int]:
        """For each player, the sum of a number over the opponents; 0 stands for no opponent and adds nothing."""
        numbers = list(numerators)
        numbers[0] = 0
        per_round = [map(numbers.__getitem__, column.opponents) for column in self._table.columns]
        return [sum(parts) for parts in zip(*per_round, strict=True)] if per_round else [0] * self._table.size

    # -- means over opponents' win percentages

    @cached_property
    def win_percentage(self) -> Column:
        """PKM-3.1.5.1-WP: each player's own percentage, as it enters the means of the opponents.

        Floored for everybody, capped for those who left before the end; POL-PKM-BYE-WP decides what byes do to
        it, POL-PKM-PARTICIPATED which rounds a player who left is measured by.
        """
        rule = self._win_percentage_rule
        unit = self._whole * lcm(rule.floor.denominator, rule.cap_if_dropped.denominator, rule.draw.denominator)
        floor, cap = int(rule.floor * unit), int(rule.cap_if_dropped * unit)
        draw = int(rule.draw * unit)
        numerators = [0] * self._table.size
        for player in self._table.players:
            wins, draws, rounds = self.won_drawn_and_rounds(player)
            share = (wins * unit + draws * draw) // rounds if rounds else 0
            has_left = player in self._table.left_after
            numerators[player] = max(floor, min(share, cap) if has_left else share)
        return Column(numerators, unit)

    @property
    def _win_percentage_rule(self) -> WinPercentage:
        if self._rulebook.win_percentage is None:
            raise LookupError(f"{self._rulebook.id} has no section [win_percentage]")
        return self._rulebook.win_percentage

    def won_drawn_and_rounds(self, player: int) -> tuple[int, int, int]:
        """The wins, the draws and the rounds that a player's percentage is made of."""
        table, readings = self._table, self._rulebook.readings
        outcomes = table.outcomes[player]
        wins, byes = outcomes.count("win"), outcomes.count("bye")
        if player in table.left_after:
            only_paired = readings.participated == "paired"
            rounds = table.rounds_on_record[player] - (outcomes.count("absence") if only_paired else 0)
        elif self._win_percentage_rule.rounds == "tournament":
            rounds = table.through
        else:
            rounds = table.rounds_on_record[player]
        match readings.bye_in_win_percentage:
            case "removed":
                return wins, outcomes.count("draw"), rounds - byes
            case "win":
                return wins + byes, outcomes.count("draw"), rounds
            case "numerator":
                return wins, outcomes.count("draw"), rounds

    @cached_property
    def opponents_win_percentage(self) -> Column:
        """PKM-3.1.5.1-OWP: the mean over one's opponents of their win percentage."""
        base = self.win_percentage
        return self._frozen(
            "opponents_win_percentage", self._mean_over_opponents(base, missed_at=self._floor(base))
        )

    @cached_property
    def opponents_opponents_win_percentage(self) -> Column:
        """PKM-3.1.5.1-OOWP: the mean over one's opponents of their opponents' win percentage."""
        base = self.opponents_win_percentage
        return self._frozen(
            "opponents_opponents_win_percentage", self._mean_over_opponents(base, missed_at=self._floor(base))
        )

    @property
    def percentage_floor(self) -> Fraction:
        """The least that any win percentage counts."""
        return self._win_percentage_rule.floor

    def _floor(self, column: Column) -> int:
        return int(self.percentage_floor * column.denominator)

    @cached_property
    def missed_as_opponents(self) -> list[int] | None:
        """POL-TOM-MISSED: how many missed rounds count as opponents at the floor, where any do."""
        if self._rulebook.readings.missed_rounds == "nobody":
            return None
        return [outcomes.count("absence") for outcomes in self._table.outcomes]

    def _frozen(self, name: TiebreakName, column: Column) -> Column:
        """POL-TOM-DROPPED: a player who left keeps the percentage of the moment of leaving."""
        if self._rulebook.readings.dropped_percentages != "frozen" or not self._table.left_after:
            return column
        numerators = list(column.numerators)
        for player, round_ in self._table.left_after.items():
            then = self.as_of(round_).column(name)
            numerators[player] = then.numerators[player] * column.denominator // then.denominator
        return replace(column, numerators=numerators)

    def frozen_after(self, player: int) -> int | None:
        """POL-TOM-DROPPED: the round after which the percentages that rank a player stay as they were."""
        if self._rulebook.readings.dropped_percentages != "frozen":
            return None
        return self._table.left_after.get(player)

    def as_of(self, round_: int) -> Tiebreaks:
        """The same tiebreakers at the end of an earlier round."""
        if round_ not in self._moments:
            self._moments[round_] = Tiebreaks(self._earlier(round_), self._rulebook, self._earlier)
        return self._moments[round_]

    @cached_property
    def _moments(self) -> dict[int, Tiebreaks]:
        return {}

    # -- sums

    @cached_property
    def defeated_opponents_points(self) -> Column:
        """SWR-TB, first: the points of the opponents one defeated; a PASS defeats nobody."""
        return self._points_of_opponents(DEFEATED)

    @cached_property
    def undefeated_opponents_points(self) -> Column:
        """SWR-TB, second: the points of the opponents one lost to or drew with."""
        return self._points_of_opponents(UNDEFEATED)

    @property
    def points(self) -> Column:
        """Each player's points."""
        return Column(self._table.points)

    def _points_of_opponents(self, outcomes: frozenset[str]) -> Column:
        points = self._table.points
        return Column(
            [
                sum(points[other] for other, got in zip(others, results, strict=True) if other and got in outcomes)
                for others, results in zip(self._table.opponents, self._table.outcomes, strict=True)
            ]
        )

    @cached_property
    def first_loss_or_draw(self) -> Column:
        """SWR-TB, third: the round of one's first loss or draw; the round after the last for those without one."""
        never = self._table.through + 1
        return Column(
            [
                next((number for number, got in enumerate(outcomes, 1) if got in _NOT_WON), never)
                for outcomes in self._table.outcomes
            ]
        )

    @cached_property
    def opponents_wins(self) -> Column:
        """ASH-TB2-OW: the sum of the wins of everybody one faced, their byes included."""
        return Column(self._sums_over_opponents(self.wins.numerators))

    @cached_property
    def wins(self) -> Column:
        """Each player's wins, byes included (ASH-BYE)."""
        return Column([got.count("win") + got.count("bye") for got in self._table.outcomes])

    @cached_property
    def blood_points(self) -> Column:
        """ASH-TB3-BP: one's blood points over all rounds."""
        return Column(self._table.blood_points)

    @cached_property
    def tardiness(self) -> Column:
        """PKM-3.1.5.1-TARDY: 1 for a player who came late, who ranks below those on time."""
        late = self._table.late
        return Column([int(number in late) for number in range(self._table.size)], lower_is_better=True)


_NOT_WON = frozenset({"loss", "draw", "absence"})
DEFEATED = frozenset({"win"})
UNDEFEATED = frozenset({"loss", "draw"})

NUMERIC: dict[TiebreakName, Callable[[Tiebreaks], Column]] = {
    "strength_of_schedule": lambda tiebreaks: tiebreaks.strength_of_schedule,
    "extended_strength_of_schedule": lambda tiebreaks: tiebreaks.extended_strength_of_schedule,
    "tardiness": lambda tiebreaks: tiebreaks.tardiness,
    "opponents_win_percentage": lambda tiebreaks: tiebreaks.opponents_win_percentage,
    "opponents_opponents_win_percentage": lambda tiebreaks: tiebreaks.opponents_opponents_win_percentage,
    "defeated_opponents_points": lambda tiebreaks: tiebreaks.defeated_opponents_points,
    "undefeated_opponents_points": lambda tiebreaks: tiebreaks.undefeated_opponents_points,
    "first_loss_or_draw": lambda tiebreaks: tiebreaks.first_loss_or_draw,
    "opponents_wins": lambda tiebreaks: tiebreaks.opponents_wins,
    "blood_points": lambda tiebreaks: tiebreaks.blood_points,
}
