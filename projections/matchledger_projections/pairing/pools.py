"""Pools: players who are paired among themselves, and how age divisions are kept apart.

Age Separated divisions (PKM-3.1.1-POD; PKM-3.3.1 before a cut) and flights (PKM-3.3.3-FLIGHT) are pools of one
event: each is paired like a tournament of its own. In Age Modified (PKM-3.1.2-MOD) divisions share a pool and
are only preferred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from matchledger_projections.record import Record
from matchledger_projections.stages.structure import attendance

Mode = Literal["none", "separated", "modified"]


@dataclass(frozen=True, slots=True)
class Pool:
    """Players who are paired among themselves; `name` is empty when they are the whole field.

    `divisions` are there in the Age Modified mode alone. A player without a division is of the division "".
    """

    name: str
    players: tuple[int, ...]
    divisions: Mapping[int, str] | None = None


def pools(record: Record, players: Sequence[int]) -> list[Pool]:
    """The players of a round in their pools, by name; one pool without a name where nothing keeps them apart."""
    mode = division_mode(record)
    divisions = {player: _division(record, player) for player in players} if mode != "none" else {}
    in_flights = record.rulebook.readings.flights == "apart"
    members: dict[str, list[int]] = {}
    for player in players:
        flight = record.players[player].attributes.get("flight", "").strip() if in_flights else ""
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


def division_mode(record: Record) -> Mode:
    """How the divisions of a tournament are paired (POL-PKM-DIVISIONS).

    Where their sizes decide, one division of few players makes it Age Modified, and a large event is Age
    Separated; without divisions, or with one alone, it is plain Swiss. POL-PKM-EMPTY-DIV says whether a division
    that nobody is in counts as one of few players.
    """
    rulebook = record.rulebook
    reading = rulebook.readings.divisions
    sizes = division_sizes(record)
    if reading == "none" or rulebook.divisions is None or not any(sizes):
        return "none"
    if reading != "automatic":
        return reading
    is_short = any(size < rulebook.divisions.own_pod for size in sizes.values())
    if rulebook.readings.empty_division == "modified":
        is_short = is_short or any(name not in sizes for name in rulebook.divisions.names)
    if len(sizes) == 1:
        return "none"
    return "modified" if is_short else "separated"


def division_sizes(record: Record) -> Counter[str]:
    """How many players each division has; of those who came late only where nobody of their division was on time.

    So the mode does not change under way, unless a late arrival would have nobody to meet.
    """
    sizes: Counter[str] = Counter()
    for division, size in attendance(record).items():
        sizes[division.casefold()] += size
    late = Counter(_division(record, player.number) for player in record.entered() if player.losses is not None)
    return sizes + Counter({division: size for division, size in late.items() if division not in sizes})


def _division(record: Record, player: int) -> str:
    return (record.players[player].division or "").casefold()
