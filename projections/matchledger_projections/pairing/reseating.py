"""Reseating: making a pool of a posted round valid while moving as few players as possible (PKM-4-REPAIR).

A player moves if the player gets another opponent, or the bye. If several reseatings move equally few players,
one rule chooses: *along the posted tables, each player who is still free meets the first later free player with
whom a reseating that moves the fewest can still be completed.*

Up to `EXACT` players, an exact matching of all of them finds the fewest. With more players, the search matches
those around the tables that cannot stay, and compares the result with a lower bound on the moves of every valid
pairing. If moves and bound are equal, the result is proven. If moves and bound differ, the reseating says that it
may not be the smallest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from msgspec import Struct

from matchledger_projections.message import Sentence, sentence
from matchledger_projections.pairing.counts import BITS, Counts
from matchledger_projections.pairing.lineup import Lineup
from matchledger_projections.pairing.matching import Optimum, Unmatchable
from matchledger_projections.pairing.soundness import Prices, Seats, Two, best_seats, is_sound, standing_groups

EXACT = 400
"""The most players in one exact matching, which takes less than half a second."""

_BYE = 0  # the bye's number among the players, who have numbers from 1
_NEW_BYE = 3  # a new bye moves three players at least: its player, the opponent, and the player who had the bye


class NoReseating(Exception):
    """The players who may be moved have no valid seating. `said` is the reason."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)
        self.said = said


class Reseating(Struct, frozen=True):
    """A seating with few moves. Every valid pairing moves at least `at_least` players."""

    seats: Seats
    moved: frozenset[int]
    at_least: int

    @property
    def is_proven(self) -> bool:
        """Return whether it is certain that no valid pairing moves fewer players."""
        return len(self.moved) == self.at_least


def reseat(lineup: Lineup, posted: Seats, fixed: Collection[Two] = ()) -> Reseating:
    """Make the posted pool valid with as few moves as possible.

    The tables in `fixed` stay.

    The other players are paired as well as the fixed tables allow. Raises NoReseating if these players cannot be
    paired without a rematch.
    """
    search = _Search(lineup, posted, fixed)
    if len(search.free) > EXACT:
        return _around_misfits(lineup, posted, fixed)
    seats = search.fewest_moved()
    moved = seats.moved_from(posted)
    return Reseating(seats, moved, len(moved))


class _Search:
    """The search among the players who can still be moved."""

    def __init__(self, lineup: Lineup, posted: Seats, fixed: Collection[Two]) -> None:
        self._lineup = lineup
        self._posted = posted
        self._fixed = fixed
        self._seated = frozenset(chain.from_iterable(fixed))
        self.free = [player for group in self._groups(None) for player in group]
        self._opponent = {one: other for two in posted.pairs for one, other in (two, two[::-1])}

    def _groups(self, bye: int | None) -> list[list[int]]:
        """Return the free players of each group. A group that only fixed tables use still counts as a step for
        floats.
        """
        groups = standing_groups(self._lineup, bye)
        return [[player for player in group if player not in self._seated] for group in groups]

    def _prices(self, bye: int | None) -> Prices:
        return Prices(self._lineup, self._groups(bye))

    def fewest_moved(self) -> Seats:
        """Return the best pairing of the free players with the fewest moves, together with the fixed tables."""
        if len(self.free) % 2 == 0:
            return self._seats(self._matched(self.free, self._prices(None)), None)
        if self._lineup.bye_first:
            return min(self._after_the_bye(), key=lambda seats: len(seats.moved_from(self._posted)))
        pairs = self._matched([*self.free, _BYE], self._prices(None))
        bye = next(one for one, other in pairs if other == _BYE)
        return self._seats([two for two in pairs if _BYE not in two], bye)

    def _after_the_bye(self) -> list[Seats]:
        """Return the best pairings, one for each player who may have the bye, from the first class with a possible
        pairing.
        """
        problem = sentence("the players who may have the bye cannot be moved")
        for equals in self._lineup.byes:
            found: list[Seats] = []
            candidates = sorted(set(equals) & set(self.free), key=lambda player: player != self._posted.bye)
            fewest = len(self.free) + 1
            for bye in candidates:
                if found and self._moved_at_least(bye) >= fewest:
                    continue
                try:
                    pairs = self._matched([player for player in self.free if player != bye], self._prices(bye))
                except NoReseating as nothing:
                    problem = nothing.said
                    continue
                found.append(self._seats(pairs, bye))
                fewest = min(fewest, len(found[-1].moved_from(self._posted)))
                if fewest <= _NEW_BYE:
                    break
            if found:
                return found
        raise NoReseating(problem)

    def _moved_at_least(self, bye: int) -> int:
        """Return a lower bound on the moves of a valid pairing that gives another player the bye. The bound is
        quick to compute, and saves matchings.
        """
        best = None if self._fixed else best_seats(self._lineup, bye)
        if best is None:
            return _NEW_BYE
        _, tables = _amiss(self._lineup, self._posted, best)
        return 2 * tables + (self._posted.bye in self._lineup.players)

    def _seats(self, pairs: Sequence[Two], bye: int | None) -> Seats:
        return Seats((*self._fixed, *pairs), bye)

    def _matched(self, players: Sequence[int], prices: Prices) -> list[Two]:
        """Return the positions of these players in pairs. The bye counts as a player."""
        along = {player: index for index, player in enumerate(self._along_the_tables())}
        try:
            optimum = Optimum(
                dict(self._costs(players, prices)),
                [prices.unmatched << BITS] * len(players),
                [*prices.bounds, len(players)],
            )
        except Unmatchable:
            raise NoReseating(
                sentence("the players who can still be moved cannot be paired without a rematch or a second bye")
                if _BYE in players
                else sentence("the players who can still be moved cannot be paired without a rematch")
            ) from None
        order = sorted(range(len(players)), key=lambda vertex: along[players[vertex]])
        return [(players[one], players[other]) for one, other in _first_along(order, optimum)]

    def _along_the_tables(self) -> Iterator[int]:
        yield from chain.from_iterable(self._posted.pairs)
        if self._posted.bye is not None:
            yield self._posted.bye
        yield from sorted(set(self.free) - self._posted.players)
        yield _BYE

    def _costs(self, players: Sequence[int], prices: Prices) -> Iterator[tuple[Two, int]]:
        """Yield the cost of each possible pair: its floats first, and then the number of players that the pair
        moves.
        """
        kinds = {player: (prices.place[player], prices.division(player)) for player in players if player != _BYE}
        floats: dict[tuple[tuple[int, str], tuple[int, str]], int] = {}
        for first, one in enumerate(players):
            met = self._lineup.met.get(one, frozenset())
            for second, other in enumerate(players[first + 1 :], first + 1):
                if other == _BYE:
                    bye = prices.of_bye(one)
                    if bye is not None:
                        yield (first, second), (bye << BITS) + (one != self._posted.bye)
                elif other not in met:
                    kind = kinds[one], kinds[other]
                    if kind not in floats:
                        floats[kind] = prices.of(one, other) << BITS
                    yield (first, second), floats[kind] + (0 if self._opponent.get(one) == other else 2)


def _first_along(order: Sequence[int], optimum: Optimum) -> list[Two]:
    """Return the first optimal matching in this order: each player meets the first possible later player."""
    free = dict.fromkeys(order)
    chosen: Collection[int] = ()
    pairs: list[Two] = []
    while free:
        vertex, *others = free
        if vertex not in chosen and not optimum.meets_first(vertex, others):
            line = [vertex, *others]
            chosen = frozenset(line[: optimum.choose_first(line, len(line))])
        mate = optimum.mate(vertex)
        if mate is None:
            raise AssertionError("an optimum leaves nobody alone")
        optimum.fix(vertex, mate)
        del free[vertex], free[mate]
        pairs.append((vertex, mate))
    return pairs


# -- fields too large for one matching


def _around_misfits(lineup: Lineup, posted: Seats, fixed: Collection[Two]) -> Reseating:
    misfits, at_least = _misfits(lineup, posted)
    window = _window(lineup, posted, misfits - frozenset(chain.from_iterable(fixed)))
    others = [two for two in posted.pairs if two in fixed or not window.issuperset(two)]
    seats = _Search(lineup, posted, others).fewest_moved()
    if not fixed and not is_sound(lineup, seats):
        raise NoReseating(
            sentence(
                "no sound pairing was found by moving only the %(count)s players nearest to the error",
                count=len(window),
            )
        )
    # With fixed tables, the best pairing may need more pair-downs than the bound says. Then the bound proves
    # nothing about the reseating.
    return Reseating(seats, seats.moved_from(posted), 0 if fixed else at_least)


def _misfits(lineup: Lineup, posted: Seats) -> tuple[frozenset[int], int]:
    """Return the players at tables that may have to change, and a lower bound on the moves of every valid
    pairing.
    """
    unseated = lineup.players - posted.players
    best = best_seats(lineup, posted.bye)
    if best is None:
        rematches = _rematches(lineup, posted)
        first = frozenset(lineup.byes[0]) if lineup.byes else frozenset()
        return _players(rematches) | unseated | first, max(2 * len(rematches), len(unseated))
    in_question, tables = _amiss(lineup, posted, best)
    least = 2 * tables
    if lineup.bye_first and any(len(equals) > 1 and posted.bye in equals for equals in lineup.byes):
        least = min(least, _NEW_BYE)  # giving the bye to another player may be the cheaper change
    return _players(in_question) | unseated, max(least, len(unseated))


def _rematches(lineup: Lineup, posted: Seats) -> set[Two]:
    return {two for two in posted.pairs if two[1] in lineup.met.get(two[0], ())}


def _amiss(lineup: Lineup, posted: Seats, best: Seats) -> tuple[set[Two], int]:
    """Return the tables that make the posted pairing worse than a best pairing, and how many of them must change
    at least.

    A table can only add to a count. If the tables together exceed a count of the best pairing, enough of them
    must change. If no table adds to two exceeded counts, the numbers of the counts can be added.
    """
    rematches = _rematches(lineup, posted)
    prices = Prices(lineup, standing_groups(lineup, best.bye))
    counts = Counts(len(prices.bounds))
    having: list[dict[Two, int]] = [{} for _ in prices.bounds]
    for two in posted.pairs:
        if two not in rematches and prices.place.keys() >= set(two):
            for count, amount in counts.amounts(prices.of(*two)):
                having[count][two] = amount
    allowed = counts.unpacked(prices.total(best) or 0)
    must_go = [_must_go(amounts.values(), most) for amounts, most in zip(having, allowed, strict=True)]
    in_question, counted = set(rematches), set(rematches)
    tables = len(rematches)
    for count in sorted(range(len(must_go)), key=lambda count: -must_go[count]):
        if must_go[count]:
            in_question |= having[count].keys()
            if counted.isdisjoint(having[count]):
                counted |= having[count].keys()
                tables += must_go[count]
    return in_question, tables


def _must_go(amounts: Collection[int], most: int) -> int:
    """Return the smallest number of tables to change, until the others together stay within `most`."""
    excess = sum(amounts) - most
    gone = 0
    for amount in sorted(amounts, reverse=True):
        if excess <= 0:
            break
        excess -= amount
        gone += 1
    return gone


def _players(pairs: Collection[Two]) -> frozenset[int]:
    return frozenset(chain.from_iterable(pairs))


def _window(lineup: Lineup, posted: Seats, misfits: frozenset[int]) -> frozenset[int]:
    """Return the players of the doubtful tables and, if there is room, of the groups around them."""
    place = {player: index for index, group in enumerate(lineup.groups) for player in group}
    window = set(misfits) | {player for two in posted.pairs if misfits & set(two) for player in two}
    if posted.bye is not None:
        window.add(posted.bye)
    near = {place[player] + step for player in misfits if player in place for step in (-1, 0, 1)}
    for two in posted.pairs:
        if len(window) + len(two) > EXACT:
            break
        if near.issuperset(place.get(player, -2) for player in two):
            window.update(two)
    return frozenset(window)
