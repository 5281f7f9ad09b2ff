"""Checking: a foreign event recomputed, and held against the numbers that its own software printed."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import cast

from matchledger.formats.transcript import OfficialNumbers, printed_as
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.standings import Row, standings


@dataclass(slots=True)
class Comparison:
    """How many numbers of each name match, how many neighbours stand in the order computed, and what does not."""

    players: int
    compared: dict[str, tuple[int, int]] = field(default_factory=dict)
    order: tuple[int, int] = (0, 0)
    mismatches: list[str] = field(default_factory=list)


def compare(record: Record, official: OfficialNumbers | None) -> Comparison:
    """Recomputes the Swiss standings of a record and holds them against official numbers, if there are any.

    An official neighbour is contradicted when the player below ranks strictly higher here; players who are
    level here contradict nothing.
    """
    latest = record.latest_round()
    table = standings(record, latest.number if latest is not None else 0)
    rows = {record.players[row.player].name: row for row in table.rows}
    result = Comparison(players=len(rows))
    if official is not None:
        _compare_values(result, rows, official)
        _compare_orders(result, rows, official)
    return result


def _compare_values(result: Comparison, rows: dict[str, Row], official: OfficialNumbers) -> None:
    for player, values in official.values.items():
        for name, printed in values.items():
            matched, total = result.compared.get(name, (0, 0))
            computed = _value(rows.get(player), name)
            fits = computed is not None and printed_as(computed, printed)
            result.compared[name] = (matched + fits, total + 1)
            if not fits:
                result.mismatches.append(f"{player}: {name} is {computed}, the file says {printed}")


def _value(row: Row | None, name: str) -> Fraction | None:
    if row is None:
        return None
    if name == "points":
        return Fraction(row.points)
    return row.tiebreaks.get(cast(TiebreakName, name))


def _compare_orders(result: Comparison, rows: dict[str, Row], official: OfficialNumbers) -> None:
    matched = total = 0
    for division, order in official.orders.items():
        for above, below in pairwise(order):
            total += 1
            upper, lower = (rows[name].rank if name in rows else None for name in (above, below))
            if upper is not None and lower is not None and upper <= lower:
                matched += 1
            else:
                where = f" in {division}" if division else ""
                result.mismatches.append(
                    f"order{where}: {above} ({upper}) stands above {below} ({lower}) in the file"
                )
    result.order = (matched, total)
