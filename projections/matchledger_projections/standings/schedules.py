"""Tiebreakers of points, wins and wounds: schedules, sums over opponents, and the player's own counts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from matchledger_projections.message import numbered, sentence
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.column import Column
from matchledger_projections.standings.tiebreaker import (
    Numeric,
    OverOpponents,
    Placed,
    Term,
    missed_noted,
    policy_of,
)
from matchledger_projections.standings.tiebreaks import Tiebreaks

_NOT_WON = frozenset({"loss", "draw", "absence"})


class StrengthOfSchedule(OverOpponents):
    """L5R-IV.4a-SOS: the mean of the opponents' points per round.

    POL-L5R-EMPTY-SOS decides the rank of a player without opponents.
    """

    name: ClassVar[TiebreakName] = "strength_of_schedule"
    heading = sentence("SoS")
    phrase = sentence("strength of schedule")
    shown = "decimal"

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.points_per_round

    def column(self, numbers: Tiebreaks) -> Column:
        by_rounds = self.divides_by_own_rounds(numbers.rulebook)
        return numbers.last_if_nobody_met(numbers.mean_over_opponents(self.base(numbers), own_rounds=by_rounds))

    def divides_by_own_rounds(self, rulebook: Rulebook) -> bool:
        return rulebook.readings.schedule_divisor == "own-rounds"

    def made_of(self, numbers: Tiebreaks, opponent: int) -> tuple[tuple[Fraction, int] | None, tuple[str, ...]]:
        points, rounds = numbers.table.points[opponent], numbers.rounds_counted[opponent]
        return (Fraction(points, numbers.per_point), rounds), tuple(self._unpaired_rounds(numbers, opponent))

    def _unpaired_rounds(self, numbers: Tiebreaks, opponent: int) -> Iterator[str]:
        """POL-L5R-ROUNDS-DENOM, in words for one opponent who had rounds without an opponent."""
        on_record = numbers.table.rounds_on_record[opponent]
        unpaired = on_record - len(numbers.table.opponents_of(opponent))
        with_term = unpaired - (on_record - numbers.rounds_counted[opponent])
        policy = policy_of(numbers.rulebook, "denominator")
        if with_term:
            yield numbered(
                "%(count)s round without an opponent counted (%(policy)s)",
                "%(count)s rounds without an opponent counted (%(policy)s)",
                with_term,
                policy=policy,
            )
        if unpaired > with_term:
            yield numbered(
                "%(count)s round without an opponent not counted (%(policy)s)",
                "%(count)s rounds without an opponent not counted (%(policy)s)",
                unpaired - with_term,
                policy=policy,
            )


class ExtendedStrengthOfSchedule(StrengthOfSchedule):
    """L5R-IV.4a-EXT: the mean of the opponents' strength of schedule. If the rulebook rounds the strength of
    schedule, the mean uses the rounded values.
    """

    name = "extended_strength_of_schedule"
    heading = sentence("Ext. SoS")
    phrase = sentence("extended strength of schedule")
    reach = 2

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.column(StrengthOfSchedule())

    def made_of(
        self,
        numbers: Tiebreaks,  # noqa: ARG002 - other tiebreakers use it
        opponent: int,  # noqa: ARG002 - a schedule is shown in its own derivation
    ) -> tuple[tuple[Fraction, int] | None, tuple[str, ...]]:
        return None, ()


class _PointsOfOpponents(OverOpponents):
    """The sum of the points of the opponents in matches with some outcomes."""

    is_mean = False

    def base(self, numbers: Tiebreaks) -> Column:
        return Column(numbers.table.points, numbers.per_point)

    def column(self, numbers: Tiebreaks) -> Column:
        return numbers.points_of_opponents(self.outcomes or frozenset())


class DefeatedOpponentsPoints(_PointsOfOpponents):
    """SWR-TB, first: the points of the defeated opponents. A PASS defeats no one."""

    name = "defeated_opponents_points"
    heading = sentence("Beaten")
    phrase = sentence("points of beaten opponents")
    outcomes = frozenset({"win"})


class UndefeatedOpponentsPoints(_PointsOfOpponents):
    """SWR-TB, second: the points of the opponents in lost or drawn matches."""

    name = "undefeated_opponents_points"
    heading = sentence("Not beaten")
    phrase = sentence("points of opponents not beaten")
    outcomes = frozenset({"loss", "draw"})


class OpponentsWins(OverOpponents):
    """ASH-TB2-OW: the sum of the wins of all opponents, their byes included."""

    name = "opponents_wins"
    heading = sentence("Opp. wins")
    phrase = sentence("opponents' wins")
    is_mean = False

    def base(self, numbers: Tiebreaks) -> Column:
        """Return each player's wins, byes included (ASH-BYE)."""
        return Column([got.count("win") + got.count("bye") for got in numbers.table.outcomes])

    def column(self, numbers: Tiebreaks) -> Column:
        return Column(numbers.sums_over_opponents(self.base(numbers).numerators))


class FirstLossOrDraw(Numeric):
    """SWR-TB, third: the round of the first loss or draw. For a player without a loss or draw, the number is one
    more than the last round.
    """

    name = "first_loss_or_draw"
    heading = sentence("Won until round")
    phrase = sentence("first round not won")

    def column(self, numbers: Tiebreaks) -> Column:
        never = numbers.table.through + 1
        return Column(
            [
                next((number for number, got in enumerate(outcomes, 1) if got in _NOT_WON), never)
                for outcomes in numbers.table.outcomes
            ]
        )

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:  # noqa: ARG002 - other tiebreakers use it
        if value is not None:
            never = sentence("no loss and no draw so far")
            yield never if value > placed.round else sentence("first loss or draw in round %(round)s", round=value)


class LostRoundSquares(Numeric):
    """The sum of the squared round numbers of lost rounds. A later loss adds more.

    The reading missed_as_lost decides whether a round missed before a late arrival is a lost round.
    """

    name = "lost_round_squares"
    heading = sentence("Lost rounds²")
    phrase = sentence("squares of the rounds lost")
    reach = 0

    def column(self, numbers: Tiebreaks) -> Column:
        lost = self._lost(numbers)
        return Column(
            [
                sum(number * number for number, got in enumerate(outcomes, 1) if got in lost)
                for outcomes in numbers.table.outcomes
            ]
        )

    def own_terms(self, placed: Placed, player: int) -> Iterator[Term]:
        lost = self._lost(placed.numbers)
        for line in placed.table.lines(player):
            if line.outcome in lost:
                yield Term(line.round, line.opponent, Fraction(line.round**2))

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:  # noqa: ARG002 - other tiebreakers use it
        yield from missed_noted(placed.numbers, player)

    def _lost(self, numbers: Tiebreaks) -> frozenset[str]:
        return frozenset({"loss", "absence"} if numbers.missed_are_lost else {"loss"})


class BloodPoints(Numeric):
    """ASH-TB3-BP: the player's blood points over all rounds."""

    name = "blood_points"
    heading = sentence("Blood")
    phrase = sentence("blood points")
    hangs_on = "slips"

    def column(self, numbers: Tiebreaks) -> Column:
        return Column(numbers.table.blood_points)

    def own_terms(self, placed: Placed, player: int) -> Iterator[Term]:
        for line in placed.table.lines(player):
            yield Term(line.round, line.opponent, Fraction(line.blood_points))


class Tardiness(Numeric):
    """PKM-3.1.5.1-TARDY: 1 for a late player, who ranks below those on time."""

    name = "tardiness"
    heading = sentence("Late")
    phrase = sentence("late arrival")
    words = ("", sentence("late"))
    hangs_on = "registration"

    def column(self, numbers: Tiebreaks) -> Column:
        late = numbers.table.late
        return Column([int(number in late) for number in range(numbers.table.size)], lower_is_better=True)

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:  # noqa: ARG002 - other tiebreakers use it
        yield sentence("came late: below players on time with equal points") if value else sentence("on time")


class CumulativeTiebreak(Numeric):
    """After each round, a quarter of the previous value plus all points so far."""

    name = "cumulative_tiebreak"
    heading = sentence("CTB")
    phrase = sentence("cumulative tiebreaker")
    shown = "decimal"
    reach = 0

    def column(self, numbers: Tiebreaks) -> Column:
        return numbers.cumulative

    def own_terms(self, placed: Placed, player: int) -> Iterator[Term]:
        points = Fraction()
        last = placed.numbers.cumulative_frozen.get(player, placed.table.through)
        for number, column in enumerate(placed.table.columns[:last], 1):
            points += Fraction(column.points[player], placed.numbers.per_point)
            share = 4 ** (last - number)
            yield Term(number, column.opponents[player] or None, points / share, (points, share))

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:  # noqa: ARG002 - other tiebreakers use it
        if (left := placed.table.left_after.get(player)) is not None:
            policy = policy_of(placed.numbers.rulebook, "cumulative_after_leaving")
            yield sentence("left after round %(round)s (%(policy)s)", round=left, policy=policy)


class OpponentsCumulativeTiebreak(OverOpponents):
    """The mean of the opponents' cumulative tiebreakers."""

    name = "opponents_cumulative_tiebreak"
    heading = sentence("Op CTB")
    phrase = sentence("opponents' cumulative tiebreaker")
    shown = "decimal"

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.cumulative

    def column(self, numbers: Tiebreaks) -> Column:
        return numbers.mean_over_opponents(self.base(numbers))


class MatchLossPercentage(Numeric):
    """A player's lost matches as a share of the played matches. Fewer is better."""

    name = "match_loss_percentage"
    heading = sentence("Loss %")
    phrase = sentence("match loss percentage")
    shown = "percentage"
    reach = 0

    def column(self, numbers: Tiebreaks) -> Column:
        return replace(numbers.match_loss_percentage, lower_is_better=True)

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:  # noqa: ARG002 - other tiebreakers use it
        lost, matches = placed.numbers.losses_and_matches(player)
        yield sentence("%(lost)s lost of %(matches)s matches", lost=lost, matches=matches)


class OpponentsMatchLossPercentage(OverOpponents):
    """The mean of the opponents' match loss percentages. Less is better."""

    name = "opponents_match_loss_percentage"
    heading = sentence("Op Loss %")
    phrase = sentence("opponents' match loss percentage")
    shown = "percentage"

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.match_loss_percentage

    def column(self, numbers: Tiebreaks) -> Column:
        return replace(numbers.mean_over_opponents(self.base(numbers)), lower_is_better=True)

    def made_of(self, numbers: Tiebreaks, opponent: int) -> tuple[tuple[Fraction, int] | None, tuple[str, ...]]:
        lost, matches = numbers.losses_and_matches(opponent)
        return (Fraction(lost), matches), ()
