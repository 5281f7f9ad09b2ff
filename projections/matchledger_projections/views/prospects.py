"""Prospects on points: what the rounds still to come can do to a cut, whatever the tiebreakers.

Tables that are paired are independent of each other, so what their results can add up to is counted exactly, table
by table. For rounds that are not paired yet only bounds are known: a player's own best and worst, and that no
round has more winners than it has tables and byes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from matchledger.events import Slip
from matchledger_projections.rulebook.rulebook import Rulebook

# "undecided" is what was not shown to be any of the others.
Fate = Literal["certain", "impossible", "open", "undecided"]
Two = tuple[int, int]


# Everybody is taken to appear, and no Swiss match is decided by what is counted at time.
_NOT_PLAYED_OUT = frozenset({"no-show", "time-tiebreak"})


class Outcome(NamedTuple):
    """One way in which a table can end: the kind of result, the side that wins, and what both score."""

    kind: str
    winner: int | None
    points: Two

    def slip(self, players: Two) -> Slip:
        return Slip(kind=self.kind, winner=None if self.winner is None else players[self.winner])


class Gains(NamedTuple):
    """What a player can score in one round: the least, the most, and the most without winning it."""

    least: int
    most: int
    most_without_win: int


def outcomes(rulebook: Rulebook) -> list[Outcome]:
    """The ways in which a table can end that differ in points or in who won.

    Results that are scored as written are not among them: nothing bounds what can be written.
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
    """What one round can bring; `highest` is the most that one player can be written down for at a table.

    Raises ValueError where points are scored as written and `highest` is not given.
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


@dataclass(frozen=True)
class Race:
    """Players with points, the tables whose results are to come, and how many rounds follow unpaired."""

    points: Mapping[int, int]
    tables: Sequence[Two]
    unpaired: int
    cut: int
    results: Sequence[Outcome]
    gains: Gains
    shares_rounds: bool = False  # whether the rounds to come can be won from others than those who race

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
        """What points alone show of a player's place in the cut."""
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
        """Whether a draw in the coming round leaves the player certain of the cut, on points alone."""
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
        """What each result of the player's own table gives to its two players; nothing, where none is to come."""
        players = self._table_of.get(player)
        if players is None:
            return [{}]
        return [dict(zip(players, outcome.points, strict=True)) for outcome in self.results]

    def _total(self, player: int, fixed: Mapping[int, int]) -> int:
        return self.points[player] + fixed.get(player, 0)

    def _most_from(self, player: int, threshold: int, fixed: Mapping[int, int]) -> int:
        """How many others can have `threshold` or more at the end: never fewer than there can really be."""
        if not self.unpaired:
            return self._count(player, threshold, fixed, most=True)
        needs = list(self._needs(threshold))
        needs[self._need(player, threshold)] -= 1
        for other in fixed:
            if other != player and other in self.points:
                needs[self._need(other, threshold)] -= 1
                needs[self._wins_needed(threshold - self._total(other, fixed))] += 1
        # The wins that there are go to those who need the fewest.
        winners_a_round = len(self.points) if self.shares_rounds else (len(self.points) + 1) // 2
        count, wins = needs[0], self.unpaired * winners_a_round
        for need in range(1, self.unpaired + 1):
            winners = min(needs[need], wins // need)
            count += winners
            wins -= winners * need
        return count

    def _needs(self, threshold: int) -> list[int]:
        """How many players need how many wins in the unpaired rounds for `threshold`; last, how many cannot."""
        if threshold not in self._needs_of:
            needs = [0] * (self.unpaired + 2)
            for player in self.points:
                needs[self._need(player, threshold)] += 1
            self._needs_of[threshold] = needs
        return self._needs_of[threshold]

    def _need(self, player: int, threshold: int) -> int:
        return self._wins_needed(threshold - self.points[player] - self._best_at_table(player))

    def _fewest_over(self, player: int, threshold: int, fixed: Mapping[int, int]) -> int:
        """How many others have more than `threshold` at the end at least."""
        return self._count(player, threshold - self.unpaired * self.gains.least + 1, fixed, most=False)

    def _count(self, player: int, threshold: int, fixed: Mapping[int, int], *, most: bool) -> int:
        """How many others reach `threshold` by the results of their tables: at most, or at least."""
        count = self._count_of_all(threshold, most=most)
        if (players := self._table_of.get(player)) is None:
            return count - (self.points[player] >= threshold)
        opponents = (other for other in players if other != player and other in self.points)
        count -= self._count_at(players, threshold, most=most)
        return count + sum(self._total(other, fixed) >= threshold for other in opponents)

    def _count_of_all(self, threshold: int, *, most: bool) -> int:
        """The same for everybody, each table by itself."""
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
        """How many of the unpaired rounds a player must win to make `missing` points; one more if none suffice."""
        most, without = self.gains.most, self.gains.most_without_win
        return next(
            (
                wins
                for wins in range(self.unpaired + 1)
                if wins * most + (self.unpaired - wins) * without >= missing
            ),
            self.unpaired + 1,
        )
