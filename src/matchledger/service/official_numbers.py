"""Official numbers: recompute an imported event, and compare the results with the numbers of its program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from matchledger.formats.transcript import OfficialNumbers, Transcript, printed_as
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.standings import Row, Standings, standings


class Comparison(Struct):
    """The result of a comparison: the matching numbers by name, the neighbours in the same order, and the
    mismatches.

    `not_comparable` names the numbers that were left out because the file lacks matches. `unranked` are the players
    who have no place in the file.
    """

    players: int
    compared: dict[str, tuple[int, int]] = field(default_factory=dict)
    order: tuple[int, int] = (0, 0)
    mismatches: list[str] = field(default_factory=list)
    not_comparable: list[str] = field(default_factory=list)
    unranked: tuple[str, ...] = ()

    @property
    def matched(self) -> int:
        """Return how many numbers and pairs of neighbours match."""
        return self.order[0] + sum(matched for matched, _ in self.compared.values())


def compare(record: Record, official: OfficialNumbers | None) -> Comparison:
    """Compute the Swiss standings of a record, and compare them with official numbers if there are any.

    Two neighbours in the official order are a mismatch if the lower player ranks strictly higher in our standings.
    Two neighbours who are tied in our standings are no mismatch. Players who share an official place are a mismatch
    if our standings separate them by a tiebreaker.
    """
    latest = record.latest_round()
    table = standings(record, latest.number if latest is not None else 0)
    rows = {record.players[row.player].name: row for row in table.rows}
    value = partial(_value, table, rows)
    result = Comparison(players=len(rows))
    if official is None:
        return result
    result.unranked = official.unranked
    _compare_values(result, value, official, ["points"])
    others = list(dict.fromkeys(name for values in official.values.values() for name in values if name != "points"))
    if official.may_lack_matches and result.mismatches:
        result.not_comparable = others
        return result
    _compare_values(result, value, official, others)
    _compare_orders(result, rows, official)
    return result


def _compare_values(
    result: Comparison,
    value: Callable[[str, str], Fraction | None],
    official: OfficialNumbers,
    names: Sequence[str],
) -> None:
    for player, values in official.values.items():
        for name in names:
            if (printed := values.get(name)) is None:
                continue
            matched, total = result.compared.get(name, (0, 0))
            computed = value(player, name)
            fits = computed is not None and printed_as(
                computed, printed, official.decimals, may_be_cut_off=official.may_be_cut_off
            )
            result.compared[name] = (matched + fits, total + 1)
            if not fits:
                result.mismatches.append(f"{player}: {name} is {computed}, the file says {printed}")


def _value(table: Standings, rows: dict[str, Row], player: str, name: str) -> Fraction | None:
    """Return a player's points or a tiebreaker before the rulebook rounds it, or None if the player has no such
    number.
    """
    if (row := rows.get(player)) is None:
        return None
    if name == "points":
        return Fraction(row.points, table.numbers.per_point)
    tiebreak = cast(TiebreakName, name)
    return table.unrounded(tiebreak, row.player) if tiebreak in row.tiebreaks else None


def _compare_orders(result: Comparison, rows: dict[str, Row], official: OfficialNumbers) -> None:
    matched = total = 0
    for division, order in official.orders.items():
        for above, below in pairwise(_best_first(order, official.ranks, rows)):
            shared = above in official.ranks and official.ranks[above] == official.ranks.get(below)
            upper, lower = rows.get(above), rows.get(below)
            if _too_close(upper, lower, official.noise, shared=shared):
                continue
            total += 1
            if _agree(upper, lower, shared=shared):
                matched += 1
            else:
                where = f" in {division}" if division else ""
                places = (row.rank if row else None for row in (upper, lower))
                said = "{} ({}) shares a place with {} ({})" if shared else "{} ({}) is above {} ({})"
                players = said.format(*(part for pair in zip((above, below), places, strict=True) for part in pair))
                result.mismatches.append(f"order{where}: {players} in the file")
    result.order = (matched, total)


def _agree(upper: Row | None, lower: Row | None, *, shared: bool) -> bool:
    """Return whether our places of two neighbours agree with the file. `shared` means that the file gives both the
    same place.
    """
    if upper is None or lower is None or upper.rank is None or lower.rank is None:
        return False
    return upper.rank == lower.rank if shared else upper.rank <= lower.rank


def _best_first(order: Sequence[str], ranks: dict[str, int], rows: dict[str, Row]) -> list[str]:
    """Return the players of an official order, best first. Players who share a place follow our standings, because
    the file gives them no order.
    """

    def here(name: str) -> int:
        row = rows.get(name)
        return len(rows) + 1 if row is None or row.rank is None else row.rank

    listed: list[str] = []
    for _, together in groupby(order, key=lambda name: ranks.get(name, name)):
        shared = list(together)
        listed += sorted(shared, key=here) if len(shared) > 1 else shared
    return listed


def _too_close(upper: Row | None, lower: Row | None, noise: Fraction | None, *, shared: bool) -> bool:
    """Return whether two players with equal points are so close in the first tiebreaker that rounding may have
    decided.

    Players who share a place must be this close in every tiebreaker.
    """
    if noise is None or upper is None or lower is None or upper.points != lower.points:
        return False
    both = [
        abs(value - lower.tiebreaks[name]) for name, value in upper.tiebreaks.items() if name in lower.tiebreaks
    ]
    compared = both if shared else both[:1]
    return bool(both) and all(apart < noise for apart in compared)


def best_reading(
    transcript: Transcript, carry_out: Callable[[Transcript], Transcription]
) -> tuple[Transcription, Comparison]:
    """Execute a transcript under each set of policies that its program may have used, and return the best match."""
    found: list[tuple[Transcription, Comparison]] = []
    for reading in transcript.readings or ({},):
        carried = carry_out(replace(transcript, policies=transcript.policies | reading))
        comparison = compare(carried.draft.record, transcript.official)
        if not comparison.mismatches:
            return carried, comparison
        found.append((carried, comparison))
    return max(found, key=lambda one: one[1].matched)
