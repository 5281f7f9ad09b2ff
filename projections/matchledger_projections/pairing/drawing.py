"""Drawing a round: the record and the seeds alone decide who meets whom.

Anyone with the log can draw a round again, and must get the same tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from msgspec import Struct

from matchledger.events import AnyFact, Bye, PoolDraw, RematchAllowed, RoundPaired, Seating, TieResolved
from matchledger_projections.pairing.field import ByeInLowestGroup, ByeTakenFirst, Field, NoLegalPairing, Pairing
from matchledger_projections.pairing.lineup import (
    Pool,
    bye_classes,
    drawn_groups,
    falls_to_the_lowest,
    is_anybodys,
    pools_to_pair,
)
from matchledger_projections.pairing.pairings import pair, pair_with_fewest_rematches
from matchledger_projections.pairing.seats import seated
from matchledger_projections.record.chance import pairing_purpose, random_order, tie_purpose
from matchledger_projections.record.record import Record
from matchledger_projections.standings.crosstable import Crosstable, crosstable
from matchledger_projections.standings.standings import standings

Seeds = Callable[[str], bytes]
"""The function from the purpose of a draw to its seed."""


class Unpairable(Exception):
    """A pool without a legal pairing."""

    def __init__(self, pool: Pool, problem: NoLegalPairing) -> None:
        super().__init__(problem.said)
        self.said = problem.said
        self.pool = pool
        self.problem = problem


class PoolDrawn(Struct, frozen=True):
    """One drawn pool: the field in the seed's random order, and its pairing."""

    pool: Pool
    purpose: str
    seed: bytes
    field: Field
    pairing: Pairing

    @property
    def order(self) -> list[int]:
        """The random order of the whole pool."""
        return random_order(self.seed, self.pool.players)


class RoundDrawn(Struct, frozen=True):
    """A drawn round: its pools in the order of their tables, and the ties that were drawn for the bye.

    `tables` are the games at their tables. `awarded` are the players with an awarded bye, which needs no draw.
    """

    number: int
    seed: bytes
    pools: tuple[PoolDrawn, ...]
    ties: tuple[TieResolved, ...]
    tables: tuple[Seating, ...]
    awarded: tuple[int, ...] = ()

    @property
    def byes(self) -> tuple[Bye, ...]:
        drawn = [drawn.pairing.bye for drawn in self.pools if drawn.pairing.bye is not None]
        return tuple(Bye(player=player) for player in (*drawn, *self.awarded))

    @property
    def facts(self) -> list[AnyFact]:
        """The facts to record: ties, unavoidable rematches, and the round."""
        rematches = chain.from_iterable(drawn.pairing.rematches for drawn in self.pools)
        return [
            *self.ties,
            *(RematchAllowed(round=self.number, players=two) for two in rematches),
            RoundPaired(
                round=self.number,
                tables=self.tables,
                byes=self.byes,
                seed=self.seed.hex(),
                pools=tuple(
                    PoolDraw(name=drawn.pool.name, seed=drawn.seed.hex()) for drawn in self.pools if drawn.pool.name
                ),
            ),
        ]


def recorded_seeds(paired: RoundPaired) -> Seeds:
    """The seeds that a posted round recorded. Raises KeyError for a draw that the round does not have."""
    seeds = {pairing_purpose(paired.round): paired.seed or ""}
    seeds |= {pairing_purpose(paired.round, pool.name): pool.seed for pool in paired.pools}
    return lambda purpose: bytes.fromhex(seeds[purpose])


def draw_round(
    record: Record, number: int, seeds: Seeds, table: Crosstable | None = None, *, allow_rematch: bool = False
) -> RoundDrawn:
    """Draw a round from the record of the earlier rounds, even if another round was paired in its place, or
    later rounds exist.

    With `allow_rematch`, or if POL-ALL-REMATCH-FALLBACK allows rematches, players meet again only if every
    pairing has a rematch. `table` is the crosstable before the round, if known. Raises Unpairable for a pool
    without a legal pairing.
    """
    allowed = allow_rematch or record.rulebook.readings.rematch_fallback == "fewest"
    table = table or crosstable(record, record.rulebook, number - 1)
    ties: list[TieResolved] = []
    drawn = []
    found_pools, awarded = pools_to_pair(record, number)
    for pool in found_pools:
        purpose = pairing_purpose(number, pool.name)
        seed = seeds(purpose)
        field = Field(
            groups=drawn_groups(table, pool.players, seed),
            met=table.encounters,
            bye=_bye_choice(record, table, pool, ties, seeds),
            divisions=pool.divisions,
            any_may_go_down_twice=record.rulebook.readings.double_pair_down == "any",
            seed=seed,
        )
        drawn.append(PoolDrawn(pool, purpose, seed, field, _paired(pool, field, allowed=allowed)))
    tables = seated(record, [two for found in drawn for two in found.pairing.tables])
    return RoundDrawn(number, seeds(pairing_purpose(number)), tuple(drawn), tuple(ties), tables, awarded)


def _paired(pool: Pool, field: Field, *, allowed: bool) -> Pairing:
    try:
        return pair(field)
    except NoLegalPairing as problem:
        if not allowed or problem.obstruction is None:
            raise Unpairable(pool, problem) from None
        return pair_with_fewest_rematches(field)


def _bye_choice(
    record: Record, table: Crosstable, pool: Pool, ties: list[TieResolved], seeds: Seeds
) -> ByeTakenFirst | ByeInLowestGroup:
    """Return the players who may have the bye. Draw the ties that decide about the bye, and add them to `ties`."""
    if len(pool.players) % 2 == 0:
        return ByeTakenFirst(candidates=())
    rulebook = record.rulebook
    if rulebook.bye.choice == "lowest-group" and table.through:
        return ByeInLowestGroup(eligible=list(chain.from_iterable(bye_classes(record, table, pool.players))))
    order = random_order(seeds(pairing_purpose(table.through + 1, pool.name)), pool.players)
    classes = bye_classes(record, table, order)
    by_chance = rulebook.bye.choice == "weakest-record" and rulebook.readings.bye_among_weakest == "random"
    if not is_anybodys(rulebook, table) and not by_chance and classes and len(classes[0]) > 1:
        classes[0] = _lowest_first(record, table.through, classes[0], ties, seeds)
    candidates = list(chain.from_iterable(classes))
    return ByeTakenFirst(candidates=candidates[:1] if falls_to_the_lowest(rulebook, table) else candidates)


def _lowest_first(
    record: Record, through: int, level: Sequence[int], ties: list[TieResolved], seeds: Seeds
) -> list[int]:
    """Tied players, the lowest place first. The draw orders the whole tie."""
    group = next(group for group in standings(record, through).groups if level[0] in group)
    tie = next((tie for tie in ties if set(group) == set(tie.players)), None)
    if tie is None:
        tie = drawn_tie(group, through, seeds(tie_purpose(through, group)))
        ties.append(tie)
    return [player for player in reversed(tie.players) if player in level]


def drawn_tie(group: Sequence[int], round_: int, seed: bytes) -> TieResolved:
    """A tie after a round, in the order that chance gives it, with the seed as proof."""
    return TieResolved(round=round_, players=tuple(random_order(seed, group)), method="random", seed=seed.hex())
