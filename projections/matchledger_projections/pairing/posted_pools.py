"""Posted pools: the pools of a posted round, each compared with the line-up from the current record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from matchledger_projections.pairing.lineup import Lineup, Pool, lineup, pools, to_be_paired
from matchledger_projections.pairing.soundness import Seats, is_sound
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


class PostedPool(Struct, frozen=True):
    """A pool of a Swiss round: its line-up by the current record, and its seating.

    `name` is the name of the pool, empty for the whole field.
    """

    name: str
    lineup: Lineup
    seats: Seats

    @property
    def is_sound(self) -> bool:
        """Return whether the rulebook allows this seating of the pool."""
        return is_sound(self.lineup, self.seats)


def posted_pools(record: Record, round_: Round) -> list[PostedPool]:
    """Return the pools of a Swiss round with its current seating.

    No draw seats players of two pools at one table. If a person seated players of two pools together, these two
    are left out of their pools.
    """
    players = round_.players | set(to_be_paired(record, round_.number))
    players -= set(record.awarded_byes(round_.number)) & {bye.player for bye in round_.byes}
    found = pools(record, sorted(players))
    home = {player: pool.name for pool in found for player in pool.players}
    by_hand = frozenset(chain.from_iterable(two for two in round_.tables.values() if home[two[0]] != home[two[1]]))
    return list(_posted(record, round_, found, by_hand))


def _posted(record: Record, round_: Round, found: list[Pool], by_hand: frozenset[int]) -> Iterator[PostedPool]:
    for pool in found:
        players = tuple(player for player in pool.players if player not in by_hand)
        if players:
            yield _posted_pool(record, round_, replace(pool, players=players))


def _posted_pool(record: Record, round_: Round, pool: Pool) -> PostedPool:
    inside = frozenset(pool.players)
    seats = Seats(
        tuple(two for two in round_.tables.values() if inside.issuperset(two)),
        next((bye.player for bye in round_.byes if bye.player in inside), None),
    )
    found = lineup(record, round_.number, pool)
    for first, second in seats.pairs:
        if record.rematch_allowed(round_.number, first, second):
            found.met[first] -= {second}
            found.met[second] -= {first}
    return PostedPool(pool.name, found, seats)
