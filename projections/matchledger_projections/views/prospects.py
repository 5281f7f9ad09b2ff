"""Prospects on points: the effect of coming rounds on a cut, without tiebreakers.

Paired tables are independent of each other, so all possible points are counted exactly, table by table. Unpaired
rounds give only bounds: a player's own best and worst results, and at most one winner for each table and bye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

from matchledger.events import Slip
from matchledger_projections.rulebook.rulebook import Rulebook

# "undecided" means that no proof was found for any of the other three answers.
Fate = Literal["certain", "impossible", "open", "undecided"]
Two = tuple[int, int]


# The claims assume that every player appears, and that counts at time decide no Swiss match.
_NOT_PLAYED_OUT = frozenset({"no-show", "time-tiebreak"})


class Outcome(NamedTuple):
    """One possible result of a table: its kind, the winning side, and both scores."""

    kind: str
    winner: int | None
    points: Two

    def slip(self, players: Two) -> Slip:
        return Slip(kind=self.kind, winner=None if self.winner is None else players[self.winner])


class Gains(NamedTuple):
    """A player's possible points in one round: the least, the most, and the most without a win."""

    least: int
    most: int
    most_without_win: int


def outcomes(rulebook: Rulebook) -> list[Outcome]:
    """Return the possible results of a table that differ in points or in the winner.

    Results with points as written are left out, because nothing limits them.
    """
    found: dict[tuple[Two, int | None, bool], Outcome] = {}
    for kind, result in rulebook.results.items():
        if kind in _NOT_PLAYED_OUT or result.as_written:
            continue
        for winner in (0, 1) if result.winner is not None else (None,):
            slip = Slip(kind=kind, winner=None if winner is None else winner + 1)
            points = rulebook.points(kind, slip.winner, None, (1, 2))
            found.setdefault((points, winner, kind == "double-loss"), Outcome(kind, winner, points))
    return list(found.values())


def gains(rulebook: Rulebook, highest: int | None = None) -> Gains:
    """Return the possible points of one round.

    `highest` is the most points that one player can score at a table.

    Raise ValueError if points count as written and `highest` is missing.
    """
    if any(result.as_written for result in rulebook.results.values()):
        if highest is None:
            raise ValueError(f"{rulebook.id} scores points as written: say what one player can score at most")
        most = max(highest, rulebook.bye.points)
        return Gains(0, most, most)
    scored = [(points, index) for outcome in outcomes(rulebook) for index, points in enumerate(outcome.points)]
    without_win = [
        points
        for outcome in outcomes(rulebook)
        for index, points in enumerate(outcome.points)
        if outcome.winner != index
    ]
    totals = [rulebook.bye.points, *(points for points, _ in scored)]
    return Gains(min(totals), max(totals), max(without_win))


class Race(Struct, frozen=True, dict=True):
    """Players with points, the tables without a result, and the number of unpaired rounds after them."""

    points: Mapping[int, int]
    tables: Sequence[Two]
    unpaired: int
    cut: int
    results: Sequence[Outcome]
    gains: Gains
    shares_rounds: bool = False  # whether other players take part in the same rounds

    @cached_property
    def _needs_of(self) -> dict[int, list[int]]:
        return {}

    @cached_property
    def _counts(self) -> dict[tuple[int, bool], int]:
        return {}

    @cached_property
    def _table_of(self) -> dict[int, Two]:
        return {player: players for players in self.tables for player in players}

    def fate(self, player: int) -> Fate:
        """Return the fate of a player in the cut, as far as points alone decide it."""
        own = self._own_results(player)
        lows = [self._total(player, fixed) + self.unpaired * self.gains.least for fixed in own]
        highs = [self._total(player, fixed) + self.unpaired * self.gains.most for fixed in own]
        if all(self._most_from(player, low, fixed) < self.cut for low, fixed in zip(lows, own, strict=True)):
            return "certain"
        if all(self._fewest_over(player, high, fixed) >= self.cut for high, fixed in zip(highs, own, strict=True)):
            return "impossible"
        if self.unpaired:
            return "undecided"
        ends = list(zip(lows, own, strict=True))
        may_be_in = any(self._fewest_over(player, total - 1, fixed) < self.cut for total, fixed in ends)
        may_be_out = any(self._most_from(player, total + 1, fixed) >= self.cut for total, fixed in ends)
        return "open" if may_be_in and may_be_out else "undecided"

    def is_draw_safe(self, player: int) -> bool:
        """Return whether a draw in the coming round leaves the player certain of the cut, on points alone."""
        drawn = [outcome for outcome in self.results if outcome.kind == "draw"]
        if not drawn:
            return False
        later = self.unpaired
        if (players := self._table_of.get(player)) is not None:
            fixed: dict[int, int] = dict(zip(players, drawn[0].points, strict=True))
        else:
            later -= 1
            fixed = {player: drawn[0].points[0]}
        low = self._total(player, fixed) + later * self.gains.least
        return self._most_from(player, low, fixed) < self.cut

    def _own_results(self, player: int) -> list[dict[int, int]]:
        """Return the points of both players for each result of the player's table. For a player without a table,
        return one empty result.
        """
        players = self._table_of.get(player)
        if players is None:
            return [{}]
        return [dict(zip(players, outcome.points, strict=True)) for outcome in self.results]

    def _total(self, player: int, fixed: Mapping[int, int]) -> int:
        return self.points[player] + fixed.get(player, 0)

    def _most_from(self, player: int, threshold: int, fixed: Mapping[int, int]) -> int:
        """Return an upper bound for the number of other players with at least `threshold` points at the end."""
        if not self.unpaired:
            return self._count(player, threshold, fixed, most=True)
        needs = list(self._needs(threshold))
        needs[self._need(player, threshold)] -= 1
        for other in fixed:
            if other != player and other in self.points:
                needs[self._need(other, threshold)] -= 1
                needs[self._wins_needed(threshold - self._total(other, fixed))] += 1
        # The players who need the fewest wins get the available wins.
        winners_a_round = len(self.points) if self.shares_rounds else (len(self.points) + 1) // 2
        count, wins = needs[0], self.unpaired * winners_a_round
        for need in range(1, self.unpaired + 1):
            winners = min(needs[need], wins // need)
            count += winners
            wins -= winners * need
        return count

    def _needs(self, threshold: int) -> list[int]:
        """Count the players by the wins that they need in the unpaired rounds for `threshold`. The last number
        counts the players who cannot reach `threshold`.
        """
        if threshold not in self._needs_of:
            needs = [0] * (self.unpaired + 2)
            for player in self.points:
                needs[self._need(player, threshold)] += 1
            self._needs_of[threshold] = needs
        return self._needs_of[threshold]

    def _need(self, player: int, threshold: int) -> int:
        return self._wins_needed(threshold - self.points[player] - self._best_at_table(player))

    def _fewest_over(self, player: int, threshold: int, fixed: Mapping[int, int]) -> int:
        """Return the smallest possible number of other players with more than `threshold` points at the end."""
        return self._count(player, threshold - self.unpaired * self.gains.least + 1, fixed, most=False)

    def _count(self, player: int, threshold: int, fixed: Mapping[int, int], *, most: bool) -> int:
        """Return the number of other players who can (`most`) or must reach `threshold` points with the results of
        their tables.
        """
        count = self._count_of_all(threshold, most=most)
        if (players := self._table_of.get(player)) is None:
            return count - (self.points[player] >= threshold)
        opponents = (other for other in players if other != player and other in self.points)
        count -= self._count_at(players, threshold, most=most)
        return count + sum(self._total(other, fixed) >= threshold for other in opponents)

    def _count_of_all(self, threshold: int, *, most: bool) -> int:
        """Return the same number as `_count` for all players, when each table is counted separately."""
        if (threshold, most) not in self._counts:
            at_tables = sum(self._count_at(players, threshold, most=most) for players in self.tables)
            settled = (self.points[player] for player in self.points if player not in self._table_of)
            self._counts[threshold, most] = at_tables + sum(points >= threshold for points in settled)
        return self._counts[threshold, most]

    def _count_at(self, players: Two, threshold: int, *, most: bool) -> int:
        pick = max if most else min
        return pick(
            sum(
                who in self.points and self.points[who] + got >= threshold
                for who, got in zip(players, outcome.points, strict=True)
            )
            for outcome in self.results
        )

    def _best_at_table(self, player: int) -> int:
        players = self._table_of.get(player)
        if players is None:
            return 0
        return max(outcome.points[players.index(player)] for outcome in self.results)

    def _wins_needed(self, missing: int) -> int:
        """Return the wins that a player needs in the unpaired rounds for `missing` points.

        If a win in every round is not enough, return one more than the number of rounds.
        """
        most, without = self.gains.most, self.gains.most_without_win
        return next(
            (
                wins
                for wins in range(self.unpaired + 1)
                if wins * most + (self.unpaired - wins) * without >= missing
            ),
            self.unpaired + 1,
        )
