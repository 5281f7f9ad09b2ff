"""The numbers behind the tiebreakers: exact columns over one crosstable. Each column is computed when first
needed.

The tiebreakers declare which of these numbers rank, and their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Protocol

from msgspec.structs import replace

from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.rulebook.scoring import WinPercentage, per_point
from matchledger_projections.standings.column import Column, shares
from matchledger_projections.standings.crosstable import Crosstable


class Ranks(Protocol):
    """A tiebreaker that gives each player a number."""

    @property
    def name(self) -> TiebreakName: ...

    def column(self, numbers: Tiebreaks) -> Column: ...


class Tiebreaks:
    """The columns of one crosstable under one rulebook."""

    def __init__(self, table: Crosstable, rulebook: Rulebook, earlier: Callable[[int], Crosstable]) -> None:
        """Take a crosstable. `earlier(round)` gives the crosstable through an earlier round, for frozen
        percentages.
        """
        self.table = table
        self.rulebook = rulebook
        self._earlier = earlier
        self._columns: dict[TiebreakName, Column] = {}
        self._moments: dict[int, Tiebreaks] = {}
        # The number of opponents of each player, by player number.
        self.met = [len(others) - others.count(0) for others in table.opponents]
        # Each mean below divides by a number of rounds or opponents. `_whole` is a multiple of every possible
        # divisor of a mean.
        self._whole = lcm(*range(1, table.through + 1))
        self.per_point = per_point(rulebook.unit)

    def column(self, tiebreaker: Ranks) -> Column:
        """Return the numbers that rank in a tiebreaker, rounded if the rulebook rounds them."""
        decimals = self.rulebook.decimals(tiebreaker.name)
        column = self.unrounded(tiebreaker)
        half_up = self.rulebook.readings.tiebreak_decimals == "half-up"
        return column if decimals is None else column.rounded(decimals, half_up=half_up)

    def unrounded(self, tiebreaker: Ranks) -> Column:
        """Return the tiebreaker's numbers before rounding."""
        name = tiebreaker.name
        if name not in self._columns:
            self._columns[name] = tiebreaker.column(self)
        return self._columns[name]

    # -- means and sums over opponents

    def mean_over_opponents(
        self, base: Column, *, missed_at: int = 0, empty: Fraction | None = None, own_rounds: bool = False
    ) -> Column:
        """Return the mean of a number over the opponents. A player without opponents gets `empty` (0 if not given).

        `missed_at` is the numerator for each missed round (POL-TOM-MISSED). With `own_rounds` the divisor is the
        number of the player's own rounds, byes included.
        """
        whole = self._whole
        sums, counts = self.sums_over_opponents(base.numerators), self.met
        if missed_at and (missed := self.missed_as_opponents):
            sums = [total + missed_at * extra for total, extra in zip(sums, missed, strict=True)]
            counts = [count + extra for count, extra in zip(counts, missed, strict=True)]
        if own_rounds:
            counts = self.rounds_attended
        nothing = 0 if empty is None else int(empty * base.denominator * whole)
        means = [total * whole // count if count else nothing for total, count in zip(sums, counts, strict=True)]
        return Column(means, base.denominator * whole)

    def sums_over_opponents(self, numerators: Sequence[int]) -> list[int]:
        """For each player, the sum of a number over the opponents. Opponent 0 means a round without an opponent,
        and adds nothing.
        """
        numbers = list(numerators)
        numbers[0] = 0
        per_round = [map(numbers.__getitem__, column.opponents) for column in self.table.columns]
        return [sum(parts) for parts in zip(*per_round, strict=True)] if per_round else [0] * self.table.size

    def points_of_opponents(self, outcomes: frozenset[str]) -> Column:
        """Return the sum of the points of the opponents in matches with some outcomes."""
        points = self.table.points
        return Column(
            [
                sum(points[other] for other, got in zip(others, results, strict=True) if other and got in outcomes)
                for others, results in zip(self.table.opponents, self.table.outcomes, strict=True)
            ],
            self.per_point,
        )

    # -- points per round

    @cached_property
    def points_per_round(self) -> Column:
        """Return each player's points per round, for the opponents' strength of schedule."""
        whole = self._whole
        averages = [
            points * whole // count if count else 0
            for points, count in zip(self.table.points, self.rounds_counted, strict=True)
        ]
        return Column(averages, whole * self.per_point)

    @property
    def rounds_counted(self) -> list[int]:
        """POL-L5R-ROUNDS-DENOM: the number of rounds that divides each player's points."""
        match self.rulebook.readings.denominator:
            case "all-rounds":
                return self.table.rounds_on_record
            case "paired-rounds":
                return self.met
            case "attended-rounds":
                return self.rounds_attended

    @cached_property
    def rounds_attended(self) -> list[int]:
        """Return the number of rounds with a match or a bye, for each player."""
        missed = [outcomes.count("absence") for outcomes in self.table.outcomes]
        return [rounds - absent for rounds, absent in zip(self.table.rounds_on_record, missed, strict=True)]

    def last_if_nobody_met(self, column: Column) -> Column:
        """Return the column, in which players without opponents may rank last (POL-L5R-EMPTY-SOS)."""
        if self.rulebook.readings.empty_schedule != "last":
            return column
        return replace(column, behind=frozenset(player for player in self.table.players if not self.met[player]))

    # -- wins per round

    @cached_property
    def win_percentage(self) -> Column:
        """PKM-3.1.5.1-WP: each player's own percentage, for the means of the opponents.

        Every player has at least the floor. Players who left before the end have at most the cap. POL-PKM-BYE-WP
        decides about byes, and POL-PKM-PARTICIPATED about the rounds of a player who left.
        """
        rule = self._win_percentage_rule
        share_of_draw = self.rulebook.draw_in_win_percentage
        unit = self._whole * lcm(rule.floor.denominator, rule.cap_if_dropped.denominator, share_of_draw.denominator)
        floor, cap = int(rule.floor * unit), int(rule.cap_if_dropped * unit)
        draw = int(share_of_draw * unit)
        numerators = [0] * self.table.size
        for player in self.table.players:
            wins, draws, rounds = self.won_drawn_and_rounds(player)
            share = (wins * unit + draws * draw) // rounds if rounds else 0
            numerators[player] = max(floor, min(share, cap) if self.is_capped(player) else share)
        return Column(numerators, unit)

    def is_capped(self, player: int) -> bool:
        """Return whether a player left so early that the win percentage is capped. In some rulebooks, only
        leaving on day 1 is early.
        """
        left = self.table.left_after.get(player)
        return left is not None and (left < self.rulebook.day_1_rounds or not self.rulebook.day_1_rounds)

    @property
    def _win_percentage_rule(self) -> WinPercentage:
        if self.rulebook.win_percentage is None:
            raise LookupError(f"{self.rulebook.id} has no section [win_percentage]")
        return self.rulebook.win_percentage

    def won_drawn_and_rounds(self, player: int) -> tuple[int, int, int]:
        """Return the wins, draws and rounds behind a player's percentage."""
        table, readings = self.table, self.rulebook.readings
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

    @property
    def percentage_floor(self) -> Fraction:
        """Return the lowest value of any win percentage."""
        return self._win_percentage_rule.floor

    @cached_property
    def missed_as_opponents(self) -> list[int] | None:
        """Return each player's number of missed rounds, which count as opponents at the floor, or None
        (POL-TOM-MISSED).
        """
        if self.rulebook.readings.missed_rounds == "nobody":
            return None
        return [outcomes.count("absence") for outcomes in self.table.outcomes]

    def frozen(self, tiebreaker: Ranks, column: Column) -> Column:
        """Return a column in which players who left keep the value from the moment of leaving (POL-TOM-DROPPED)."""
        if self.rulebook.readings.dropped_percentages != "frozen" or not self.table.left_after:
            return column
        numerators = list(column.numerators)
        for player, round_ in self.table.left_after.items():
            then = self.as_of(round_).unrounded(tiebreaker)
            numerators[player] = then.numerators[player] * column.denominator // then.denominator
        return replace(column, numerators=numerators)

    def frozen_after(self, player: int) -> int | None:
        """POL-TOM-DROPPED: the round after which a player's percentages stay the same, or None."""
        if self.rulebook.readings.dropped_percentages != "frozen":
            return None
        return self.table.left_after.get(player)

    def as_of(self, round_: int) -> Tiebreaks:
        """Return the tiebreakers as they were after an earlier round."""
        if round_ not in self._moments:
            self._moments[round_] = Tiebreaks(self._earlier(round_), self.rulebook, self._earlier)
        return self._moments[round_]

    # -- shares of the possible points, in matches and in games

    @cached_property
    def match_win_percentage(self) -> Column:
        """Return each player's share of the possible match points, never below the floor."""
        worth = self.rulebook.win_points
        floor = self.rulebook.percentage_floor("match_win_percentage")
        parts = [self.match_points_and_rounds(player) for player in range(self.table.size)]
        return shares([(points, worth * rounds) for points, rounds in parts], floor)

    def match_points_and_rounds(self, player: int) -> tuple[int, int]:
        """Return a player's points, and the number of rounds with a match or a bye behind them.

        With the reading missed_as_lost, rounds charged to a late player count too.
        """
        counted = self.table.rounds_on_record if self.missed_are_lost else self.rounds_attended
        points, rounds = self.table.points[player], counted[player]
        if self.rulebook.readings.bye_in_match_percentage == "ignored" and self.table.had_bye(player):
            byes = [line for line in self.table.lines(player) if line.outcome == "bye"]
            return points - sum(line.points for line in byes), rounds - len(byes)
        return points, rounds

    @property
    def missed_are_lost(self) -> bool:
        """Return whether a round charged to a late player is a lost match in percentages and lost rounds."""
        return self.rulebook.readings.missed_as_lost == "yes"

    @cached_property
    def game_points_and_games(self) -> list[tuple[int, int]]:
        """Return each player's game points and games over all rounds, byes included."""
        law = self.rulebook.games
        if law is None:
            raise LookupError(f"{self.rulebook.id} has no section [games]")
        points, count = [0] * self.table.size, [0] * self.table.size
        for column in self.table.columns:
            for player, (won, lost, drawn) in column.games.items():
                points[player] += law.win * won + law.draw * drawn
                count[player] += won + lost + drawn
        return list(zip(points, count, strict=True))

    @cached_property
    def game_win_percentage(self) -> Column:
        """Return each player's share of the possible game points, never below the floor."""
        return self._game_shares(self.rulebook.percentage_floor("game_win_percentage"))

    @cached_property
    def own_game_win_percentage(self) -> Column:
        """Return the share that counts for the player's own rank, perhaps without the floor (reading
        own_game_percentage).
        """
        bare = self.rulebook.readings.own_game_percentage == "bare"
        return self._game_shares(Fraction()) if bare else self.game_win_percentage

    def _game_shares(self, floor: Fraction) -> Column:
        worth = 1 if self.rulebook.games is None else self.rulebook.games.win
        return shares([(points, worth * games) for points, games in self.game_points_and_games], floor)

    # -- losses

    @cached_property
    def match_loss_percentage(self) -> Column:
        """Return each player's lost matches as a share of the played matches.

        The reading bye_in_loss_percentage decides about byes.
        """
        return shares([self.losses_and_matches(player) for player in range(self.table.size)], Fraction())

    def losses_and_matches(self, player: int) -> tuple[int, int]:
        """Return a player's lost matches and played matches, without missed rounds."""
        outcomes = self.table.outcomes[player]
        lost = outcomes.count("loss")
        matches = len(outcomes) - outcomes.count("") - outcomes.count("absence")
        if self.rulebook.readings.bye_in_loss_percentage == "left-out":
            matches -= outcomes.count("bye")
        return lost, matches

    @cached_property
    def cumulative(self) -> Column:
        """Return the cumulative tiebreaker: after each round, a quarter of the previous value plus all points so
        far.
        """
        size, denominator = self.table.size, 4 ** max(self.table.through - 1, 0) * self.per_point
        numerators, points = [0] * size, [0] * size
        for number, column in enumerate(self.table.columns):
            unit = 4**number  # the weight of the round: 4 to the power of the number of earlier rounds
            points = list(map(int.__add__, points, column.points))
            numerators = [total + scored * unit for total, scored in zip(numerators, points, strict=True)]
        for player, left in self.cumulative_frozen.items():
            then = self.as_of(left).cumulative
            numerators[player] = then.numerators[player] * denominator // then.denominator
        return Column(numerators, denominator)

    @cached_property
    def cumulative_frozen(self) -> Mapping[int, int]:
        """Return the round after which the cumulative tiebreaker of each player who left stays the same
        (POL-FAB-LEFT-CTB).
        """
        frozen = self.rulebook.readings.cumulative_after_leaving == "frozen"
        left = self.table.left_after.items() if frozen else ()
        return {player: round_ for player, round_ in left if round_ < self.table.through}
