"""What others can read: erased players, copies of a name that no erasure can reach, the event's page and its
news.
"""

from __future__ import annotations

from matchledger.events import (
    EventDescribed,
    FileImported,
    NamesHandedOut,
    NewsPosted,
    PairingsPosted,
    PersonErased,
    StandingsPosted,
)
from matchledger_projections.record.record import Record

Copy = NamesHandedOut | FileImported | StandingsPosted | PairingsPosted


def erased(record: Record) -> dict[int, int]:
    """The erased players, and the entry of each erasure."""
    return {fact.player: position for position, fact in record.every(PersonErased)}


def copies(record: Record, player: int) -> list[tuple[int, Copy]]:
    """Return the entries about copies outside the ledger that show a player's name: exported files, an imported
    file, posted standings and pairings.

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


def description(record: Record) -> EventDescribed:
    """Return the latest description of the event, which is empty if nobody wrote one."""
    said = record.counting(EventDescribed)
    return said[-1][1] if said else EventDescribed()


def news(record: Record) -> list[tuple[int, NewsPosted]]:
    """Return the counting news with their positions, the latest first."""
    return record.counting(NewsPosted)[::-1]


def has_page(record: Record) -> bool:
    """Return whether the event's page has any content."""
    said = record.counting(EventDescribed)
    is_described = bool(said) and said[-1][1].model_copy(update={"name": None}) != EventDescribed()
    return is_described or bool(record.counting(NewsPosted))
