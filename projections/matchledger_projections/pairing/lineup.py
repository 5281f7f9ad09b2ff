"""The line-up of a round: its players, their score groups and earlier opponents, and who may have the bye.

Chance only orders the players whom the line-up leaves equal. The line-up alone therefore decides which
pairings follow the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from matchledger.events import RoundPaired
from matchledger_projections.divisions.grouping import division_mode, division_of, finished_divisions
from matchledger_projections.record.chance import by_lot, lots
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.flights import pooled
from matchledger_projections.standings.crosstable import Crosstable, crosstable
from matchledger_projections.standings.standings import standings


class Lineup(Struct, frozen=True):
    """The players of a pool in round `round`, by the current record.

    `groups` are the score groups from the top. `byes` are the players who may have the bye, in classes of
    equals, with the first choice at the front. With `bye_first` the bye is taken out before the pairing
    (L5R-IV.2a-BYE, ASH-BYE, and PKM-3.1.2-MOD for the whole field); otherwise it goes to the lowest group
    (SWR-SWISS-PASS, PKM-3.1-BYE). `divisions` has each player's division, in Age Modified only.
    """

    round: int
    groups: tuple[tuple[int, ...], ...]
    met: dict[int, frozenset[int]]
    byes: tuple[tuple[int, ...], ...]
    bye_first: bool
    any_may_go_down_twice: bool
    divisions: Mapping[int, str] | None = None

    @property
    def players(self) -> frozenset[int]:
        return frozenset(player for group in self.groups for player in group)


def lineup(record: Record, round_: int, pool: Pool) -> Lineup:
    """The line-up of a pool for a round, from its players' records in the earlier rounds."""
    players = pool.players
    table = crosstable(record, record.rulebook, round_ - 1)
    return Lineup(
        round=round_,
        groups=tuple(map(tuple, score_groups(table, players))),
        met={player: frozenset(table.opponents_of(player)) for player in players},
        byes=tuple(map(tuple, bye_classes(record, table, players))),
        bye_first=pool.divisions is not None or record.rulebook.bye.choice != "lowest-group" or round_ == 1,
        any_may_go_down_twice=record.rulebook.readings.double_pair_down == "any",
        divisions=pool.divisions,
    )


def to_be_paired(record: Record, round_: int) -> list[int]:
    """The players of a round: active, not charged with an unpaired loss for it, and with rounds left in their
    division.
    """
    players = [player.number for player in record.active_players()]
    if charged := record.charged_with(round_):
        players = [player for player in players if player not in charged]
    if finished := finished_divisions(record, round_):
        players = [player for player in players if division_of(record, player) not in finished]
    return players


def pools_to_pair(record: Record, round_: int) -> tuple[list[Pool], tuple[int, ...]]:
    """The pools of a round by the present players, and the players with an awarded bye, who are in no pool."""
    playing = to_be_paired(record, round_)
    awarded = tuple(player for player in record.awarded_byes(round_) if player in playing)
    return pools(record, [player for player in playing if player not in awarded]), awarded


def byes_due(record: Record, round_: int) -> int:
    """The number of byes in a Swiss round, drawn and awarded, by the present players."""
    found, awarded = pools_to_pair(record, round_)
    return sum(len(pool.players) % 2 for pool in found) + len(awarded)


def left_out(record: Record, paired: RoundPaired) -> list[int]:
    """The active players who have neither an opponent nor a bye in a Swiss round."""
    seated = {player for two in paired.tables for player in two.players} | {bye.player for bye in paired.byes}
    return [player for player in to_be_paired(record, paired.round) if player not in seated]


def score_groups(table: Crosstable, order: Iterable[int]) -> list[list[int]]:
    """Players on equal points, from the top. The order inside a group does not change."""
    scored = table.points
    groups: dict[int, list[int]] = {}
    for player in order:
        groups.setdefault(scored[player], []).append(player)
    return [groups[points] for points in sorted(groups, reverse=True)]


def drawn_groups(table: Crosstable, players: Iterable[int], seed: bytes) -> list[list[int]]:
    """Players on equal points, from the top. Inside a group a seed gives the random order."""
    # Group before sorting. This order reads the players of a large field one after the other in memory, which is
    # faster.
    scored = table.points
    registered = sorted(players)
    groups: dict[int, list[bytes]] = {}
    for player, lot in zip(registered, lots(seed, registered), strict=True):
        groups.setdefault(scored[player], []).append(lot)
    return [by_lot(groups[points]) for points in sorted(groups, reverse=True)]


def bye_classes(record: Record, table: Crosstable, order: Sequence[int]) -> list[list[int]]:
    """The players who may have the bye of the round after `table`, in classes of equals, with the first
    choice at the front.

    A player has at most one bye (L5R-IV.2a-BYE, SWR-SWISS-ONEPASS, PKM-3.1-ONEBYE). If the bye is taken first and
    everybody has had a bye, everybody can have a second bye (L5R-IV.2a-BYE does not cover this case).
    """
    entitled = [player for player in order if not table.had_bye(player)]
    goes_round = not entitled and record.rulebook.bye.choice != "lowest-group"
    classes = bye_order(record, table, order if goes_round else entitled)
    return classes[:1] if falls_to_the_lowest(record.rulebook, table) else classes


def falls_to_the_lowest(law: Rulebook, table: Crosstable) -> bool:
    """Return whether the lowest-ranked player gets the bye even if other players must then meet again
    (POL-L5R-BYE).
    """
    by_rank = falls_by_rank(law) and not is_anybodys(law, table)
    return by_rank and law.readings.bye_before_rematches == "by-rank"


def bye_order(record: Record, table: Crosstable, candidates: Sequence[int]) -> list[list[int]]:
    """The players in the order in which they get the bye, in classes of equals; earlier byes are ignored."""
    if is_anybodys(record.rulebook, table):
        return [list(candidates)]
    if falls_by_rank(record.rulebook):
        return _lowest_ranked(record, table.through, candidates)
    if record.rulebook.bye.choice == "lowest-group":
        return score_groups(table, candidates)[::-1]
    by_wins = sorted(candidates, key=table.wins)
    return [list(equals) for _, equals in groupby(by_wins, key=table.wins)]


def is_anybodys(law: Rulebook, table: Crosstable) -> bool:
    """Return whether chance alone gives the bye after `table`: in round 1, or the first bye (POL-ASH-FIRST-BYE)."""
    first = law.readings.first_bye == "random" and not any(map(table.had_bye, table.players))
    return table.through == 0 or first


def falls_by_rank(law: Rulebook) -> bool:
    """Return whether the place in the standings decides the bye (L5R-IV.2a-BYE, POL-ASH-BYE-AMONG-WEAKEST)."""
    if law.bye.choice == "weakest-record":
        return law.readings.bye_among_weakest != "random"
    return law.bye.choice != "lowest-group"


def _lowest_ranked(record: Record, through: int, candidates: Sequence[int]) -> list[list[int]]:
    place = {player: index for index, group in enumerate(standings(record, through).groups) for player in group}
    from_below = sorted((player for player in candidates if player in place), key=place.__getitem__, reverse=True)
    return [list(equals) for _, equals in groupby(from_below, key=place.__getitem__)]


class Pool(Struct, frozen=True):
    """Players who are paired among themselves.

    `name` is empty for the whole field.

    `divisions` are set in Age Modified only. A player without a division has the division "".
    """

    name: str
    players: tuple[int, ...]
    divisions: Mapping[int, str] | None = None


def pools(record: Record, players: Sequence[int]) -> list[Pool]:
    """The players of a round in their pools, by name; one pool without a name if everybody is paired together."""
    members = pooled(record, players)
    mixed = division_mode(record) == "modified"
    return [
        Pool(
            "" if len(members) == 1 else name,
            tuple(inside),
            {player: division_of(record, player) for player in inside} if mixed else None,
        )
        for name, inside in sorted(members.items())
    ]
