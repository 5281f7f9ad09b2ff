"""Privacy: the erased players, and the copies of a player's name that an erasure cannot reach."""

from __future__ import annotations

from matchledger.events import FileImported, NamesHandedOut, PairingsPosted, PersonErased, StandingsPosted
from matchledger_projections.record.record import Record

Copy = NamesHandedOut | FileImported | StandingsPosted | PairingsPosted


def erased(record: Record) -> dict[int, int]:
    """The erased players, and the entry of each erasure."""
    return {fact.player: position for position, fact in record.every(PersonErased)}


def copies(record: Record, player: int) -> list[tuple[int, Copy]]:
    """The entries about copies that show a player's name: exported files, an imported file, standings and pairings
    on the wall.

    No one can tell what happened to these copies.
    """
    entered = record.players[player].position
    found: list[tuple[int, Copy]] = [
        (position, fact)
        for position, fact in record.every(NamesHandedOut)
        if (player in fact.players or not fact.players) and position > entered
    ]
    found += record.every(FileImported)
    found += [
        (position, fact)
        for position, fact in record.every(StandingsPosted)
        if any(row.player == player for row in fact.rows)
    ]
    found += [(position, fact) for position, fact in record.every(PairingsPosted) if player in _seated(fact)]
    return sorted(found, key=lambda copy: copy[0])


def _seated(posted: PairingsPosted) -> set[int]:
    return {*posted.byes, *(player for seating in posted.tables for player in seating.players)}
