"""Standings: players in order, under a rulebook's chain of tiebreakers, as of the end of a round.

The chain refines an ordered partition: all players start level, and each step splits the groups that are still
level. A step that compares players with each other, such as head-to-head, sees one tied group at a time and is
never part of a comparison of two players, which would not be transitive.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Literal, NamedTuple

from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Status
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.crosstable import Crosstable, crosstable
from matchledger_projections.standings.tiebreaks import NUMERIC, Column, Tiebreaks

Group = list[int]
StepName = Literal["points", "dropped"] | TiebreakName


class Step(NamedTuple):
    """One comparison of the chain that split a group, and the players as it left them, best first."""

    name: StepName
    groups: Sequence[Group]

    def parts(self, first: int, second: int) -> bool:
        """Whether two players are no longer level."""
        return not any(first in group and second in group for group in self.groups)


@dataclass(frozen=True, slots=True)
class Row:
    """One player's line. `rank` is shared by players who are level, None for a disqualified one (L5R-IV.2-DQ).

    `tied` while the tie awaits a recorded draw. `tiebreaks` holds what the chain used, exactly; a tiebreaker
    that is settled per tied group is there only for the players whom it settled.
    """

    rank: int | None
    player: int
    points: int
    status: Status
    tied: bool
    tiebreaks: dict[TiebreakName, Fraction]


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings after `round`, best first."""

    round: int
    table: Crosstable
    groups: tuple[tuple[int, ...], ...]
    unranked: tuple[int, ...]
    _columns: dict[TiebreakName, Column] = field(repr=False)
    _settled: dict[TiebreakName, dict[int, Fraction]] = field(repr=False)
    _chain: tuple[TiebreakName, ...] = field(repr=False)
    numbers: Tiebreaks = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)
    # The entries that recorded an order, by the players whose tie they broke.
    drawn_by: dict[int, int] = field(repr=False)

    def measure(self, step: StepName, player: int) -> Fraction | None:
        """What a comparison of the chain says of a player; None where it did not settle anything."""
        match step:
            case "points":
                return Fraction(self.table.points[player])
            case "dropped":
                return Fraction(self.table.status(player) == "dropped")
            case "tardiness":
                return Fraction(player in self.table.late)
            case _ if step in self._columns:
                return self._columns[step].value(player)
            case _:
                return self._settled.get(step, {}).get(player)

    def decided_by(self, first: int, second: int) -> StepName | None:
        """The comparison that parted two ranked players; None if they are level."""
        return next((step.name for step in self.steps if step.parts(first, second)), None)

    @property
    def order(self) -> list[int]:
        """Ranked players, best first; those who are level in order of registration."""
        return [player for group in self.groups for player in group]

    @property
    def ties(self) -> list[tuple[int, ...]]:
        """The groups that await a recorded draw."""
        return [group for group in self.groups if len(group) > 1]

    def rank_of(self, player: int) -> int | None:
        rank = 1
        for group in self.groups:
            if player in group:
                return rank
            rank += len(group)
        return None

    @property
    def rows(self) -> Iterator[Row]:
        rank = 1
        for group in self.groups:
            for player in group:
                yield self._row(player, rank, tied=len(group) > 1)
            rank += len(group)
        for player in self.unranked:
            yield self._row(player, None, tied=False)

    def _row(self, player: int, rank: int | None, *, tied: bool) -> Row:
        measured = ((name, self.measure(name, player)) for name in self._chain)
        tiebreaks = {name: value for name, value in measured if value is not None}
        return Row(rank, player, self.table.points[player], self.table.status(player), tied, tiebreaks)


def standings(
    record: Record,
    round_: int | None = None,
    rulebook: Rulebook | None = None,
    *,
    players: Collection[int] | None = None,
) -> Standings:
    """The standings after a round (the last finished one, if None), all entries in the record applied.

    `players` are those who are ranked, where they play apart from the others; None for all.
    Under another rulebook than the one the tournament was opened with, the standings are hypothetical.
    """
    law = record.rulebook if rulebook is None else rulebook
    through = record.finished_rounds if round_ is None else round_
    return _Ranking(record, law, through).standings(players)


class _Ranking:
    """One run of a chain over one crosstable."""

    def __init__(self, record: Record, rulebook: Rulebook, through: int) -> None:
        self._record = record
        self._rulebook = rulebook
        self._table = crosstable(record, rulebook, through)
        self._tiebreaks = Tiebreaks(self._table, rulebook, lambda earlier: crosstable(record, rulebook, earlier))
        self._columns: dict[TiebreakName, Column] = {}
        self._settled: dict[TiebreakName, dict[int, Fraction]] = {}
        self._steps: list[Step] = []
        self._drawn_by: dict[int, int] = {}

    def standings(self, players: Collection[int] | None) -> Standings:
        listed = [player for player in self._table.players if players is None or player in players]
        unranked = {player for player in listed if self._table.out.get(player) == "disqualified"}
        ranked = [player for player in listed if player not in unranked]
        groups = self._by_numbers([ranked] if ranked else [])
        for name in self._rulebook.tiebreaks:
            if all(len(group) == 1 for group in groups):
                break
            if name not in NUMERIC:
                groups = self._settle(name, groups)
                self._note(name, groups)
            else:
                groups = _split_all(groups, self._column(name).keys().__getitem__)
                groups = self._after_a_split(name, groups)
        return Standings(
            self._table.through,
            self._table,
            tuple(tuple(group) for group in groups),
            tuple(sorted(unranked)),
            {name: self._column(name) for name in self._rulebook.tiebreaks if name in NUMERIC},
            self._settled,
            self._rulebook.tiebreaks,
            self._tiebreaks,
            tuple(self._steps),
            self._drawn_by,
        )

    def _note(self, name: StepName, groups: list[Group]) -> None:
        """Keeps a step that split something, so that a place can be explained."""
        if len(groups) > (len(self._steps[-1].groups) if self._steps else 1):
            self._steps.append(Step(name, groups))

    def _by_numbers(self, groups: list[Group]) -> list[Group]:
        groups = _split_all(groups, Column(self._table.points).keys().__getitem__)
        self._note("points", groups)
        if self._rulebook.readings.dropped_percentages == "behind":
            groups = _split_all(groups, lambda player: self._table.status(player) == "dropped")
            self._note("dropped", groups)
        if self._rulebook.readings.late_arrivals == "behind":
            groups = _split_all(groups, lambda player: player in self._table.late)
            self._note("tardiness", groups)
        return groups

    def _column(self, name: TiebreakName) -> Column:
        if name not in self._columns:
            self._columns[name] = self._tiebreaks.column(name)
        return self._columns[name]

    def _settle(self, name: TiebreakName, groups: list[Group]) -> list[Group]:
        match name:
            case "head_to_head":
                return [part for group in groups for part in self._head_to_head(group)]
            case "standing_of_last_opponent":
                return self._standing_of_last_opponent(groups)
            case _:
                return [part for group in groups for part in self._recorded_order(name, group)]

    # -- head-to-head

    def _after_a_split(self, name: TiebreakName, groups: list[Group]) -> list[Group]:
        """POL-PKM-H2H-RESIDUE, POL-ASH-H2H-RESTART: head-to-head again once a later step left exactly two."""
        self._note(name, groups)
        head_to_head = "head_to_head" in self._settled
        if not head_to_head or self._rulebook.readings.head_to_head_residue == "once":
            return groups
        groups = [part for group in groups for part in self._head_to_head(group)]
        self._note("head_to_head", groups)
        return groups

    def _head_to_head(self, group: Group) -> list[Group]:
        """PKM-3.1.5.1-H2H, ASH-TB1-H2H: of exactly two who met, the winner of their match ranks higher."""
        settled = self._settled.setdefault("head_to_head", {})
        if len(group) != 2:  # noqa: PLR2004 - the rule is about two
            return [group]
        first, second = group
        won = self._wins_against(first, second) - self._wins_against(second, first)
        if won == 0:
            return [group]
        winner, loser = (first, second) if won > 0 else (second, first)
        settled |= {winner: Fraction(1), loser: Fraction(0)}
        return [[winner], [loser]]

    def _wins_against(self, player: int, opponent: int) -> int:
        met = zip(self._table.opponents[player], self._table.outcomes[player], strict=True)
        return sum(other == opponent and outcome == "win" for other, outcome in met)

    # -- standing of the last opponent

    def _standing_of_last_opponent(self, groups: list[Group]) -> list[Group]:
        """PKM-3.1.5.1-LASTOPP: the player whose last opponent stands higher ranks higher.

        The opponents' own standing may hang on the same step, so it is repeated until nothing splits any more.
        What then is still level hangs on itself in a circle: POL-PKM-LASTOPP-CYCLE decides.
        """
        name: TiebreakName = "standing_of_last_opponent"
        last = {player: self._last_opponent(player) for group in groups if len(group) > 1 for player in group}
        level_before = set(last)
        while len(split := self._after_a_split(name, _split_by_place_of(last, groups))) > len(groups):
            groups = split
        if self._rulebook.readings.last_opponent_cycle == "registration":
            groups = [[player] for group in groups for player in sorted(group)]
        ranks = _ranks(groups)
        self._settled[name] = {
            player: Fraction(ranks[last[player]]) for player in level_before if last[player] in ranks
        }
        return groups

    def _last_opponent(self, player: int) -> int:
        return next((other for other in reversed(self._table.opponents[player]) if other), 0)

    # -- what chance or a game between the players decided

    def _recorded_order(self, name: TiebreakName, group: Group) -> list[Group]:
        """L5R-IV.4a-RANDOM, SWR-TB, ASH-TB4: the order in the log, and no order as long as there is none."""
        if len(group) == 1:
            return [group]
        for position, tie in self._record.recorded_ties(self._table.through):
            if set(group) <= set(tie.players):
                order = [player for player in tie.players if player in group]
                places = self._settled.setdefault(name, {})
                places |= {player: Fraction(place) for place, player in enumerate(order, 1)}
                self._drawn_by |= dict.fromkeys(order, position)
                return [[player] for player in order]
        return [group]


def _split_all(groups: Sequence[Group], key: Callable[[int], int]) -> list[Group]:
    """Every group split by `key`, lowest first; inside a part the order stays as it was."""
    parts: list[Group] = []
    for group in groups:
        if len(group) == 1:
            parts.append(group)
        else:
            parts.extend(list(part) for _, part in groupby(sorted(group, key=key), key))
    return parts


def _split_by_place_of(last: dict[int, int], groups: Sequence[Group]) -> list[Group]:
    """Every group split by where the members' last opponents stand now; without one comes last."""
    place = {player: index for index, group in enumerate(groups) for player in group}
    return _split_all(groups, lambda player: place.get(last.get(player, 0), len(groups)))


def _ranks(groups: Iterable[Group]) -> dict[int, int]:
    ranks: dict[int, int] = {}
    for group in groups:
        rank = len(ranks) + 1
        ranks |= dict.fromkeys(group, rank)
    return ranks
