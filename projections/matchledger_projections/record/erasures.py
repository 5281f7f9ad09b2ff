"""Privacy: who was forgotten, and which copies of a player's name an erasure cannot reach."""

from __future__ import annotations

from matchledger.events import FileImported, NamesHandedOut, PairingsPosted, PersonErased, StandingsPosted
from matchledger_projections.record.record import Record

Copy = NamesHandedOut | FileImported | StandingsPosted | PairingsPosted


def erased(record: Record) -> dict[int, int]:
    """The players who were forgotten, and the entry that says so of each."""
    return {fact.player: position for position, fact in record.every(PersonErased)}


def copies(record: Record, player: int) -> list[tuple[int, Copy]]:
    """The entries that tell of copies in which a player's name can be read: files given away, a file that was
    imported, standings and pairings on the wall. Nobody can say what happened to them since.
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
