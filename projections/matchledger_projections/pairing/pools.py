"""Pools: players who are paired among themselves, and how age divisions are kept apart.

Age Separated divisions (PKM-3.1.1-POD; PKM-3.3.1 before a cut) and flights (PKM-3.3.3-FLIGHT) are pools of one
event. Each pool is paired like a tournament of its own. In Age Modified (PKM-3.1.2-MOD) divisions share a pool,
and pairs inside a division are only preferred.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matchledger_projections.divisions.grouping import division_mode, division_of
from matchledger_projections.record.record import Record
from matchledger_projections.stages.flights import flight_names


@dataclass(frozen=True, slots=True)
class Pool:
    """Players who are paired among themselves.

    `name` is empty for the whole field.

    `divisions` are set in Age Modified only. A player without a division has the division "".
    """

    name: str
    players: tuple[int, ...]
    divisions: Mapping[int, str] | None = None


def pools(record: Record, players: Sequence[int]) -> list[Pool]:
    """The players of a round in their pools, by name; one pool without a name if everybody is paired together."""
    mode = division_mode(record)
    divisions = {player: division_of(record, player) for player in players} if mode != "none" else {}
    flights = flight_names(record)
    members: dict[str, list[int]] = {}
    for player in players:
        flight = flights.get(player)
        parts = [divisions[player] or "no division"] if mode == "separated" else []
        parts += [f"flight {flight}"] if flight else []
        members.setdefault(", ".join(parts), []).append(player)
    return [
        Pool(
            "" if len(members) == 1 else name,
            tuple(inside),
            {player: divisions[player] for player in inside} if mode == "modified" else None,
        )
        for name, inside in sorted(members.items())
    ]
