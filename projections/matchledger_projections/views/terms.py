"""Terms: what each opponent adds to a player's tiebreaker, read from the columns that rank the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.tiebreaks import DEFEATED, UNDEFEATED, Column, Tiebreaks


class Terms(NamedTuple):
    """The opponents whose numbers in `base` a tiebreaker sums, or averages, for one player.

    `rounds` are the rounds in which they were met; `moment` is where the numbers are from, which is an earlier
    round for a player whose percentages froze. `missed` rounds count as opponents at `missed_at`.
    """

    base: Column
    rounds: tuple[int, ...]
    opponents: tuple[int, ...]
    is_mean: bool
    moment: Tiebreaks
    missed: int = 0
    missed_at: Fraction = Fraction()

    @property
    def total(self) -> Fraction:
        return sum((self.base.value(opponent) for opponent in self.opponents), self.missed * self.missed_at)

    @property
    def value(self) -> Fraction:
        """The sum, or the mean; 0 for a mean over nobody."""
        if not self.is_mean:
            return self.total
        count = len(self.opponents) + self.missed
        return self.total / count if count else Fraction()


class _Source(NamedTuple):
    base: Callable[[Tiebreaks], Column]
    is_mean: bool = True
    # Only opponents met with one of these outcomes count; None: all.
    outcomes: frozenset[str] | None = None
    freezes: bool = False


SOURCES: Mapping[TiebreakName, _Source] = {
    "strength_of_schedule": _Source(lambda numbers: numbers.points_per_round),
    "extended_strength_of_schedule": _Source(lambda numbers: numbers.strength_of_schedule),
    "opponents_win_percentage": _Source(lambda numbers: numbers.win_percentage, freezes=True),
    "opponents_opponents_win_percentage": _Source(lambda numbers: numbers.opponents_win_percentage, freezes=True),
    "defeated_opponents_points": _Source(lambda numbers: numbers.points, is_mean=False, outcomes=DEFEATED),
    "undefeated_opponents_points": _Source(lambda numbers: numbers.points, is_mean=False, outcomes=UNDEFEATED),
    "opponents_wins": _Source(lambda numbers: numbers.wins, is_mean=False),
}


def terms_of(numbers: Tiebreaks, name: TiebreakName, player: int) -> Terms | None:
    """What a tiebreaker is made of for a player; None for one that is not made of opponents' numbers.

    Raises ArithmeticError if the terms do not give the value that ranks the player: an explanation that does not
    add up is never shown.
    """
    source = SOURCES.get(name)
    if source is None:
        return None
    frozen_after = numbers.frozen_after(player) if source.freezes else None
    moment = numbers if frozen_after is None else numbers.as_of(frozen_after)
    met = [
        (line.round, line.opponent)
        for line in moment.table.lines(player)
        if line.opponent and (source.outcomes is None or line.outcome in source.outcomes)
    ]
    rounds = tuple(round_ for round_, _ in met)
    opponents = tuple(opponent for _, opponent in met)
    missed = moment.missed_as_opponents if source.freezes else None
    terms = Terms(
        source.base(moment),
        rounds,
        opponents,
        source.is_mean,
        moment,
        missed[player] if missed else 0,
        moment.percentage_floor if missed else Fraction(),
    )
    ranked_by = numbers.column(name).value(player)
    if terms.value != ranked_by:
        raise ArithmeticError(f"{name} of player {player} is {ranked_by}, and its terms give {terms.value}")
    return terms
