"""Cards: which are missing and what that has cost so far, and which proxies hold (L5R-II.2d)."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import CardIncident
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as


class Incident(NamedTuple):
    """Something that happened to a card, as recorded at `position`."""

    position: int
    fact: CardIncident


def incidents(record: Record) -> list[Incident]:
    """Everything that happened to cards and was not taken back, in order."""
    return [
        Incident(position, fact) for position, fact in record.every(CardIncident) if not record.is_dead(position)
    ]


def proxies(record: Record) -> list[Incident]:
    """The proxies that leaders made: each holds for the rest of the tournament (L5R-II.2d-DAMAGED)."""
    return [incident for incident in incidents(record) if incident.fact.what == "proxy"]


def missing(record: Record) -> list[Incident]:
    """The cards that were lost and not found since, each by what was last recorded about it (L5R-II.2d-LOST)."""
    last: dict[tuple[int, str], Incident] = {}
    for incident in incidents(record):
        if incident.fact.what in ("lost", "found"):
            last[incident.fact.player, known_as(incident.fact.card)] = incident
    return [incident for incident in last.values() if incident.fact.what == "lost"]


def missing_card(record: Record, player: int, card: str) -> Incident | None:
    """What was last recorded about a card that a player misses; None if the player misses no such card."""
    wanted = known_as(card)
    return next(
        (found for found in missing(record) if found.fact.player == player and known_as(found.fact.card) == wanted),
        None,
    )
