"""Standings: players in order, under a rulebook's chain of tiebreakers, after a round.

The chain refines groups: all players start tied, and each step splits the groups that are still tied. Some steps
of the chain, such as head-to-head, compare players with each other. Such steps work on one tied group at a time
and never compare two single players, which would not be transitive.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from matchledger_projections.document import DivisionPlayer, ExactFraction
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Status
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.column import Column
from matchledger_projections.standings.crosstable import Crosstable, crosstable
from matchledger_projections.standings.settled import split_all
from matchledger_projections.standings.tiebreaker import Group
from matchledger_projections.standings.tiebreakers import NUMERIC, SETTLED
from matchledger_projections.standings.tiebreaks import Tiebreaks

StepName = Literal["points", "dropped"] | TiebreakName


class Step(Struct, frozen=True):
    """One comparison of the chain that split a group, and the resulting order of players, best first."""

    name: StepName
    groups: Sequence[Group]

    def parts(self, first: int, second: int) -> bool:
        """Return whether two players are no longer tied."""
        return not any(first in group and second in group for group in self.groups)


class Row(Struct, frozen=True):
    """One player's line. Tied players share a `rank`, and the rank of a disqualified player is None
    (L5R-IV.2-DQ). `tied` is set while the tie needs a recorded draw. `tiebreaks` holds the exact values that the
    chain used. A tiebreaker for one tied group appears only for the players whose tie it broke.
    """

    rank: int | None
    player: DivisionPlayer
    points: int
    status: Status
    tied: bool
    tiebreaks: dict[TiebreakName, ExactFraction]


class Standings(Struct, frozen=True):
    """The standings after `round`, best first."""

    round: int
    table: Crosstable
    groups: tuple[tuple[int, ...], ...]
    unranked: tuple[int, ...]
    _columns: dict[TiebreakName, Column]
    _settled: dict[TiebreakName, dict[int, Fraction]]
    _chain: tuple[TiebreakName, ...]
    numbers: Tiebreaks
    steps: tuple[Step, ...]
    # For each tie, the entries that recorded its order.
    drawn_by: dict[int, int]

    def measure(self, step: StepName, player: int) -> Fraction | None:
        """Return a player's value in a comparison of the chain. Return None if the comparison decided nothing."""
        match step:
            case "points":
                return Fraction(self.table.points[player], self.numbers.per_point)
            case "dropped":
                return Fraction(self.table.status(player) == "dropped")
            case "tardiness":
                return Fraction(player in self.table.late)
            case _ if step in self._columns:
                return self._columns[step].value(player)
            case _:
                return self._settled.get(step, {}).get(player)

    def unrounded(self, name: TiebreakName, player: int) -> Fraction | None:
        """Return a tiebreaker's number before the rulebook rounds it. Return None if the tiebreaker only orders
        tied groups.
        """
        return self.numbers.unrounded(NUMERIC[name]).value(player) if name in NUMERIC else None

    def decided_by(self, first: int, second: int) -> StepName | None:
        """Return the comparison that separated two ranked players. Return None if the two players are tied."""
        return next((step.name for step in self.steps if step.parts(first, second)), None)

    @property
    def order(self) -> list[int]:
        """Return the ranked players, best first. Tied players follow the order of registration."""
        return [player for group in self.groups for player in group]

    @property
    def ties(self) -> list[tuple[int, ...]]:
        """Return the groups that need a recorded draw."""
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
        measured = {name: self._measured(name) for name in self._chain}

        def row(player: int, rank: int | None, *, tied: bool) -> Row:
            tiebreaks = {name: values[player] for name, values in measured.items() if player in values}
            return Row(rank, player, self.table.points[player], self.table.status(player), tied, tiebreaks)

        rank = 1
        for group in self.groups:
            for player in group:
                yield row(player, rank, tied=len(group) > 1)
            rank += len(group)
        for player in self.unranked:
            yield row(player, None, tied=False)

    def _measured(self, name: TiebreakName) -> Mapping[int, Fraction]:
        """Return the value of every player for whom a tiebreaker decided something."""
        if name in self._columns:
            return dict(enumerate(self._columns[name].values()))
        return self._settled.get(name, {})


def standings(
    record: Record,
    round_: int | None = None,
    rulebook: Rulebook | None = None,
    *,
    players: Collection[int] | None = None,
    latest: bool | None = None,
) -> Standings:
    """Return the standings after a round (None means the last finished round), with all entries in the record.

    `players` are the ranked players if they play apart from the others, otherwise None. `latest` means the same as
    in `crosstable`. Under a rulebook other than the tournament's, the standings are hypothetical.
    """
    law = record.rulebook if rulebook is None else rulebook
    through = record.finished_rounds if round_ is None else round_
    return _Ranking(record, law, through, latest=latest).standings(players)


class _Ranking:
    """One run of a chain over one crosstable."""

    def __init__(self, record: Record, rulebook: Rulebook, through: int, *, latest: bool | None) -> None:
        self.record = record
        self.rulebook = rulebook
        self.table = crosstable(record, rulebook, through, latest=latest)
        self.settled: dict[TiebreakName, dict[int, Fraction]] = {}
        self.drawn_by: dict[int, int] = {}
        self._numbers = Tiebreaks(self.table, rulebook, lambda earlier: crosstable(record, rulebook, earlier))
        self._columns: dict[TiebreakName, Column] = {}
        self._steps: list[Step] = []

    def standings(self, players: Collection[int] | None) -> Standings:
        listed = [player for player in self.table.players if players is None or player in players]
        unranked = {player for player in listed if self.table.out.get(player) == "disqualified"}
        ranked = [player for player in listed if player not in unranked]
        groups = self._by_numbers([ranked] if ranked else [])
        for name in self.rulebook.tiebreaks:
            if all(len(group) == 1 for group in groups):
                break
            if name in SETTLED:
                groups = SETTLED[name].settle(self, groups)
                self._note(name, groups)
            else:
                groups = split_all(groups, self._column(name).keys().__getitem__)
                groups = self.after_a_split(name, groups)
        return Standings(
            self.table.through,
            self.table,
            tuple(tuple(group) for group in groups),
            tuple(sorted(unranked)),
            {name: self._column(name) for name in self.rulebook.tiebreaks if name in NUMERIC},
            self.settled,
            self.rulebook.tiebreaks,
            self._numbers,
            tuple(self._steps),
            self.drawn_by,
        )

    def _note(self, name: StepName, groups: list[Group]) -> None:
        """Keep a step that split a group, to explain a place later."""
        if len(groups) > (len(self._steps[-1].groups) if self._steps else 1):
            self._steps.append(Step(name, groups))

    def _by_numbers(self, groups: list[Group]) -> list[Group]:
        groups = split_all(groups, Column(self.table.points).keys().__getitem__)
        self._note("points", groups)
        if self.rulebook.readings.dropped_percentages == "behind":
            groups = split_all(groups, lambda player: self.table.status(player) == "dropped")
            self._note("dropped", groups)
        if self.rulebook.readings.late_arrivals == "behind":
            groups = split_all(groups, lambda player: player in self.table.late)
            self._note("tardiness", groups)
        return groups

    def _column(self, name: TiebreakName) -> Column:
        if name not in self._columns:
            self._columns[name] = self._numbers.column(NUMERIC[name])
        return self._columns[name]

    def after_a_split(self, name: TiebreakName, groups: list[Group]) -> list[Group]:
        """Compare head-to-head again when a later step leaves exactly two players tied (POL-PKM-H2H-RESIDUE,
        POL-ASH-H2H-RESTART).
        """
        self._note(name, groups)
        head_to_head = "head_to_head" in self.settled
        if not head_to_head or self.rulebook.readings.head_to_head_residue == "once":
            return groups
        groups = SETTLED["head_to_head"].settle(self, groups)
        self._note("head_to_head", groups)
        return groups
