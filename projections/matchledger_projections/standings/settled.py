"""Tiebreakers that order one tied group: the match between two players, the last opponent, a recorded order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, groupby
from typing import ClassVar

from matchledger.events import TieResolved
from matchledger_projections.message import sentence
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.crosstable import Crosstable
from matchledger_projections.standings.tiebreaker import Group, Placed, Ranking, Settled


class HeadToHead(Settled):
    """PKM-3.1.5.1-H2H, ASH-TB1-H2H: if exactly two tied players have met, the winner ranks higher.

    Tied players are compared within their own flight first. The winners of the flights stay tied with each other.
    """

    name = "head_to_head"
    heading = sentence("Head to head")
    phrase = sentence("the match between them")
    words = (sentence("lost"), sentence("won"))

    def settle(self, ranking: Ranking, groups: list[Group]) -> list[Group]:
        ranking.settled.setdefault(self.name, {})
        flights = ranking.record.flight_numbers
        return [part for group in groups for part in self._settle(ranking, group, flights)]

    def _settle(self, ranking: Ranking, group: Group, flights: Mapping[int, int]) -> list[Group]:
        if len(group) == 1:
            return [group]
        parts: dict[int, list[int]] = {}
        for player in group:
            parts.setdefault(flights.get(player, 0), []).append(player)
        split = [self._two_who_met(ranking, part) for part in parts.values()]
        lower = [player for part in split for player in chain.from_iterable(part[1:])]
        return [[player for player in group if player not in lower], lower] if lower else [group]

    def _two_who_met(self, ranking: Ranking, group: Group) -> list[Group]:
        if len(group) != 2:  # noqa: PLR2004 - the rule is about two players
            return [group]
        first, second = group
        won = _wins_against(ranking.table, first, second) - _wins_against(ranking.table, second, first)
        if won == 0:
            return [group]
        winner, loser = (first, second) if won > 0 else (second, first)
        ranking.settled[self.name] |= {winner: Fraction(1), loser: Fraction(0)}
        return [[winner], [loser]]

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:  # noqa: ARG002 - other tiebreakers use it
        if value is None:
            yield sentence("not used: exactly two tied players must have met")


def _wins_against(table: Crosstable, player: int, opponent: int) -> int:
    met = zip(table.opponents[player], table.outcomes[player], strict=True)
    return sum(other == opponent and outcome == "win" for other, outcome in met)


class StandingOfLastOpponent(Settled):
    """PKM-3.1.5.1-LASTOPP: the player whose last opponent ranks higher is ahead.

    An opponent's rank may depend on this tiebreaker too. The tiebreaker is therefore applied again until it
    splits no further group. If the remaining players depend on each other in a circle, POL-PKM-LASTOPP-CYCLE
    decides.
    """

    name = "standing_of_last_opponent"
    heading = sentence("Last opp.")
    phrase = sentence("standing of the last opponent")

    def settle(self, ranking: Ranking, groups: list[Group]) -> list[Group]:
        table = ranking.table
        last = {player: _last_opponent(table, player) for group in groups if len(group) > 1 for player in group}
        while len(split := ranking.after_a_split(self.name, _split_by_place_of(last, groups))) > len(groups):
            groups = split
        if ranking.rulebook.readings.last_opponent_cycle == "registration":
            groups = [[player] for group in groups for player in sorted(group)]
        ranks = _ranks(groups)
        ranking.settled[self.name] = {
            player: Fraction(ranks[opponent]) for player, opponent in last.items() if opponent in ranks
        }
        return groups

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:
        if value is None or not placed.table.opponents_of(player):
            yield sentence("not used to break this tie, or the player had no opponent")
        else:
            yield sentence("the last opponent is at rank %(rank)s", rank=value)


def _last_opponent(table: Crosstable, player: int) -> int:
    return next((other for other in reversed(table.opponents[player]) if other), 0)


def _split_by_place_of(last: dict[int, int], groups: Sequence[Group]) -> list[Group]:
    """Split every group by the present place of the members' last opponents. Players without an opponent go
    last.
    """
    place = {player: index for index, group in enumerate(groups) for player in group}
    return split_all(groups, lambda player: place.get(last.get(player, 0), len(groups)))


def split_all(groups: Sequence[Group], key: Callable[[int], int]) -> list[Group]:
    """Split every group by `key`, lowest first. Players in the same part keep their order."""
    parts: list[Group] = []
    for group in groups:
        if len(group) == 1:
            parts.append(group)
        else:
            parts.extend(list(part) for _, part in groupby(sorted(group, key=key), key))
    return parts


def _ranks(groups: Iterable[Group]) -> dict[int, int]:
    ranks: dict[int, int] = {}
    for group in groups:
        rank = len(ranks) + 1
        ranks |= dict.fromkeys(group, rank)
    return ranks


class RandomDraw(Settled):
    """L5R-IV.4a-RANDOM, SWR-TB, ASH-TB4: the order by a recorded draw, if the tie was drawn."""

    name: ClassVar[TiebreakName] = "random_draw"
    heading = sentence("Lot")
    phrase = sentence("a recorded draw")
    hangs_on = "recorded-order"

    def settle(self, ranking: Ranking, groups: list[Group]) -> list[Group]:
        ties = ranking.record.recorded_ties(ranking.table.through)
        return [part for group in groups for part in self._settle(ranking, group, ties)] if ties else groups

    def _settle(self, ranking: Ranking, group: Group, ties: Sequence[tuple[int, TieResolved]]) -> list[Group]:
        if len(group) == 1:
            return [group]
        for position, tie in ties:
            if set(group) <= set(tie.players):
                order = [player for player in tie.players if player in group]
                places = ranking.settled.setdefault(self.name, {})
                places |= {player: Fraction(place) for place, player in enumerate(order, 1)}
                for player in order:
                    ranking.drawn_by[player] = position
                return [[player] for player in order]
        return [group]

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:
        if value is not None:
            entry = placed.drawn_by.get(player)
            yield sentence("place %(place)s of the recorded order (entry %(entry)s)", place=value, entry=entry)
        elif any(player in group for group in placed.ties):
            yield sentence("tied: the order is not recorded yet")
        else:
            yield sentence("not needed")


class RockPaperScissors(RandomDraw):
    """SWR-TB, last: the order from a game of rock-paper-scissors."""

    name = "rock_paper_scissors"
    heading = sentence("RPS")
    phrase = sentence("rock-paper-scissors")
