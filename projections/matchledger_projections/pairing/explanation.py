"""The reasons why two players meet, or why a player has the bye. The round is drawn again from the records
known when it was paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated, Literal

from msgspec import Struct

from matchledger.events import RoundPaired
from matchledger_projections.document import UNSAID, PlayerName, renamed
from matchledger_projections.message import Sentence, both, demanding, sentence
from matchledger_projections.pairing.drawing import PoolDrawn, Unpairable, draw_round, recorded_seeds
from matchledger_projections.pairing.field import ByeTakenFirst
from matchledger_projections.pairing.footing import Footing, footing
from matchledger_projections.pairing.lineup import bye_order, falls_by_rank, is_anybodys
from matchledger_projections.pairing.piles import Slate
from matchledger_projections.record.chance import tie_purpose
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.crosstable import Crosstable, crosstable

Obstacle = Literal["met", "division", "had a bye", "no best pairing"]
Cause = Literal["odd", "tangled"]


class Unexplained(Exception):
    """A table that a new draw from the log does not produce. The message is one line."""


class Side(Struct, frozen=True):
    """One player: points, the score group (from 1 at the top) and its size, and the place in the draw."""

    player: PlayerName
    points: int
    group: int
    group_size: int
    place: int


class PassedOver(Struct, frozen=True):
    """A player who came earlier in the order but was not taken, with the reason.

    `rounds` are the rounds in which the two met, or in which the player had the bye. "no best pairing" means that
    every pairing with this player has more or longer pair-downs.
    """

    player: PlayerName
    because: Obstacle
    rounds: tuple[int, ...] = ()


class LeftOver(Struct, frozen=True):
    """A player who was paired down from a group.

    `pile` counts the players to be paired in the group, including the players who came down into it. In Age
    Modified, `pile` counts only the player's `division`, because each division has its own odd player.
    `passed_over` are the later free players of the pile, each with the reason why the two did not meet.
    """

    player: PlayerName
    group: int
    division: str | None
    pile: Annotated[int, renamed("to_pair", int)]
    because: Cause
    passed_over: tuple[PassedOver, ...]


class TieBehind(Struct, frozen=True):
    """The recorded order of tied players, best first. `seed` is null if no draw made this order."""

    entry: int
    order: tuple[PlayerName, ...]
    method: str
    purpose: str
    seed: str | None
    round: Annotated[int, UNSAID]


class ByeGiven(Struct, frozen=True):
    """The reasons why a player got the bye, apart from the reasons why others were passed over.

    `again` is set if every player of the pool had already had a bye, so that second byes begin (L5R-IV.2a-BYE). If
    the standings decide, `tie` is the recorded order of the players tied with this one. `anybodys` is set if every
    player could get the bye and chance alone decided. `policy` is the flag and value of the policy for a bye that
    leaves the others only a rematch: either the lowest player does not get the bye, or others meet again.
    """

    again: bool
    tie: TieBehind | None = None
    anybodys: bool = False
    policy: str | None = None


class PairingExplanation(Struct, frozen=True):
    """The reasons why two players meet. If the table has only one side, `bye` has the reasons for that player's
    bye.

    The first side came earlier in the pile, and met the first later player who was not `passed_over`. `went_down`
    tells how that side came down from a higher group. `tangled` is set if the order alone could not pair the
    group, so that an exact matching decided. `met` are the earlier rounds in which the two met, if no pairing of
    the pool avoids a rematch. `rests_on` gives the inputs of the draw, and who could have chosen it.
    """

    round: Annotated[int, UNSAID]
    pool: str
    purpose: str
    seed: str
    order: int
    sides: tuple[Side, ...]
    went_down: tuple[LeftOver, ...]
    passed_over: tuple[PassedOver, ...]
    tangled: bool
    met: tuple[int, ...] = ()
    bye: ByeGiven | None = None
    rests_on: Footing | None = None


def explain_pairing(before: Record, paired: RoundPaired, players: Sequence[int]) -> PairingExplanation:
    """The reasons why the players of a drawn table meet, or why a player has the bye.

    `before` is the record at the draw.

    Raises Unexplained if the same draw gives another table.
    """
    try:
        pools = draw_round(before, paired.round, recorded_seeds(paired), allow_rematch=True).pools
    except (KeyError, Unpairable):
        pools = ()
    drawn = next((pool for pool in pools if players[0] in pool.pool.players), None)
    given = drawn is not None and (
        drawn.pairing.bye == players[0] if len(players) == 1 else tuple(players) in drawn.pairing.tables
    )
    if drawn is None or not given:
        raise Unexplained(
            demanding(
                sentence(
                    "the draw recorded with this round gives other tables: compare the pairings with the draws"
                ),
                "the pairings verified",
            )
        )
    return _Piles(before, drawn, crosstable(before, before.rulebook, paired.round - 1)).explanation(
        paired.round, players
    )


def _passing(law: Rulebook) -> str | None:
    """Return the policy on passing over the lowest player, with its value, or None for a rulebook without it."""
    flag = next((flag for flag, policy in law.policies.items() if policy.reading == "bye_before_rematches"), None)
    return None if flag is None else f"{flag}={law.readings.bye_before_rematches}"


def bye_notes(before: Record, paired: RoundPaired) -> Iterator[Sentence]:
    """The notes on the bye of a drawn round before it is posted: a player passed over, or a rematch.

    L5R-IV.2a-BYE: a player passed over gets a note, and so does a rematch that the bye causes. `before` is the
    record at the draw.
    """
    met = crosstable(before, before.rulebook, paired.round - 1).encounters
    for bye in paired.byes:
        try:
            why = explain_pairing(before, paired, (bye.player,))
        except Unexplained:  # no draw to explain: the bye was awarded, or the round was paired by hand
            continue
        if why.bye is None or why.bye.policy is None:
            continue
        passed = [before.players[one.player].name for one in why.passed_over if one.because == "no best pairing"]
        if passed:
            yield sentence(
                "the bye goes to %(player)s instead of %(passed)s, because the others could only be paired "
                "with a rematch (%(policy)s)",
                player=before.players[bye.player].name,
                passed=both(passed),
                policy=why.bye.policy,
            )
        elif any(two.players[1] in met.get(two.players[0], ()) for two in paired.tables):
            yield sentence(
                "the bye goes to %(player)s by rank, although others must then meet again (%(policy)s)",
                player=before.players[bye.player].name,
                policy=why.bye.policy,
            )


class _Piles:
    """The score groups of a pool from the top, in the order in which they are read."""

    def __init__(self, record: Record, drawn: PoolDrawn, table: Crosstable) -> None:
        self._record = record
        self._drawn = drawn
        self._table = table
        self._field = drawn.field
        self._pairing = drawn.pairing
        self._group = {player: place for place, group in enumerate(self._field.groups) for player in group}
        self._mate = {one: two for pair in self._pairing.tables for one, two in (pair, pair[::-1])}

    def explanation(self, round_: int, players: Sequence[int]) -> PairingExplanation:
        stood = players if len(players) == 1 else self._as_they_stood(*players)
        passed = self._before_bye(players[0]) if len(players) == 1 else self._between(*stood)
        groups = {self._group[player] for player in players}
        return PairingExplanation(
            round=round_,
            pool=self._drawn.pool.name,
            purpose=self._drawn.purpose,
            seed=self._drawn.seed.hex(),
            order=len(self._drawn.pool.players),
            sides=tuple(map(self._side, stood)),
            passed_over=tuple(passed),
            went_down=tuple(self._way_down(players[0], max(groups))),
            tangled=not groups.isdisjoint(self._pairing.exact),
            met=self._met(*players) if len(players) > 1 else (),
            bye=self._bye_given(players[0]) if len(players) == 1 else None,
            rests_on=footing(self._record),
        )

    def _side(self, player: int) -> Side:
        group = self._group[player]
        return Side(
            player,
            self._table.points[player],
            group + 1,
            len(self._field.groups[group]),
            self._drawn.order.index(player) + 1,
        )

    # -- the opponent

    def _as_they_stood(self, one: int, other: int) -> tuple[int, int]:
        """Return the two players of a table in the order of the pile in which they met.

        A table names the player of the higher group first. In the pile, a player who came down can be behind
        the opponent (POL-SWR-DOUBLE-DOWN = any).
        """
        pile = self._pile(max(self._group[one], self._group[other]))
        return (one, other) if pile.index(one) < pile.index(other) else (other, one)

    def _between(self, player: int, opponent: int) -> Iterator[PassedOver]:
        """Return the players who were still free between two paired players of a pile."""
        pile = self._pile(max(self._group[player], self._group[opponent]))
        free = self._free_after(player, pile)
        crosses = not self._is_of_one_division(player, opponent)
        return (self._obstacle(player, other, crosses=crosses) for other in free[: free.index(opponent)])

    def _free_after(self, player: int, pile: Sequence[int]) -> list[int]:
        """The players after a player in a pile who were still free on that player's turn."""
        stands = {other: place for place, other in enumerate(pile)}
        return [
            other
            for other in pile[stands[player] + 1 :]
            if stands.get(self._mate[other], len(pile)) >= stands[player]
        ]

    def _obstacle(self, player: int, other: int, *, crosses: bool = False) -> PassedOver:
        """The reason why a player did not meet another player. A player who `crosses` met a player of another
        division in the end.
        """
        if met := self._met(player, other):
            return PassedOver(other, "met", met)
        if not crosses and not self._is_of_one_division(player, other):
            return PassedOver(other, "division")
        return PassedOver(other, "no best pairing")

    def _met(self, player: int, other: int) -> tuple[int, ...]:
        return tuple(line.round for line in self._table.lines(player) if line.opponent == other)

    def _pile(self, group: int) -> list[int]:
        """The players to be paired in a group: its own, and those who came down into it."""
        bye = self._pairing.bye
        groups = [[player for player in members if player != bye] for members in self._field.groups]
        guests: list[int] = []
        pile: list[int] = []
        for place in range(group + 1):
            pile = self._slate.pile(self._number(place), guests, groups[place])
            guests = [player for player in pile if self._meets_below(player, place)]
        return pile

    @property
    def _slate(self) -> Slate:
        """The groups as the engine read them, without a bye that was taken out before."""
        groups = self._field.groups
        if self._is_bye_taken_first:
            groups = [[player for player in group if player != self._pairing.bye] for group in groups]
        return Slate(
            [group for group in groups if group],
            range(len(groups)),
            self._field.met,
            twice=self._field.any_may_go_down_twice,
            seed=self._field.seed,
        )

    def _number(self, place: int) -> int:
        """The number of a group among the groups that the engine read."""
        if not self._is_bye_taken_first:
            return place
        return sum(group != [self._pairing.bye] for group in self._field.groups[:place])

    @property
    def _is_bye_taken_first(self) -> bool:
        return isinstance(self._field.bye, ByeTakenFirst) or self._field.divisions is not None

    def _meets_below(self, player: int, place: int) -> bool:
        return max(self._group[player], self._group[self._mate[player]]) > place

    # -- why a player came down

    def _way_down(self, player: int, met_in: int) -> Iterator[LeftOver]:
        down = next((down for down in self._pairing.pair_downs if down.player == player), None)
        if down is None:
            return
        for place in range(self._group[player], met_in):
            if self._field.groups[place] != [self._pairing.bye]:
                pile = self._pile(place)
                passed = tuple(self._obstacle(player, other) for other in self._free_after(player, pile))
                own = [other for other in pile if self._is_of_one_division(player, other)]
                because = down.because if len(own) % 2 else "tangled"
                yield LeftOver(player, place + 1, self._division_of(player), len(own), because, passed)

    def _division_of(self, player: int) -> str | None:
        return None if self._field.divisions is None else self._field.divisions[player]

    def _is_of_one_division(self, player: int, other: int) -> bool:
        return self._division_of(player) == self._division_of(other)

    # -- the bye

    def _before_bye(self, bye: int) -> Iterator[PassedOver]:
        """The players who came first and could not have the bye, in order."""
        choice = self._field.bye
        if isinstance(choice, ByeTakenFirst):
            entitled: Sequence[int] = choice.candidates
            yield from (PassedOver(player, "no best pairing") for player in entitled[: entitled.index(bye)])
            if self._table.had_bye(bye):
                return
            order = list(chain.from_iterable(bye_order(self._record, self._table, self._drawn.order)))
            first = order[: order.index(bye)]
            yield from self._had_byes([player for player in first if player not in entitled])
            return
        below = [player for group in reversed(self._field.groups) for player in reversed(group)]
        first = below[: below.index(bye)]
        yield from self._had_byes([player for player in first if player not in choice.eligible])
        yield from (PassedOver(player, "no best pairing") for player in first if player in choice.eligible)

    def _bye_given(self, bye: int) -> ByeGiven:
        again = self._table.had_bye(bye)
        law = self._record.rulebook
        anybodys = is_anybodys(law, self._table)
        if anybodys or not falls_by_rank(law):
            return ByeGiven(again, anybodys=anybodys)
        for position, tie in self._record.recorded_ties(self._table.through):
            if bye in tie.players:
                purpose = tie_purpose(tie.round, tie.players)
                behind = TieBehind(position, tie.players, tie.method, purpose, tie.seed, tie.round)
                return ByeGiven(again, behind, policy=_passing(law))
        return ByeGiven(again, policy=_passing(law))

    def _had_byes(self, players: Sequence[int]) -> Iterator[PassedOver]:
        for player in players:
            rounds = tuple(line.round for line in self._table.lines(player) if line.outcome == "bye")
            yield PassedOver(player, "had a bye", rounds)
