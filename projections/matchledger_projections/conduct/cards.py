"""Cards: lost cards with their cost so far, and the proxies still in use (L5R-II.2d)."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import CardIncident
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as


class Incident(NamedTuple):
    """An incident with a card, recorded at `position`."""

    position: int
    fact: CardIncident


def incidents(record: Record) -> list[Incident]:
    """Every incident with a card that was not retracted, in order."""
    return [
        Incident(position, fact) for position, fact in record.every(CardIncident) if not record.is_dead(position)
    ]


def proxies(record: Record) -> list[Incident]:
    """The proxies that leaders made. Each is valid for the rest of the tournament (L5R-II.2d-DAMAGED)."""
    return [incident for incident in incidents(record) if incident.fact.what == "proxy"]


def missing(record: Record) -> list[Incident]:
    """The cards that are still lost, each with the last entry about it (L5R-II.2d-LOST)."""
    last: dict[tuple[int, str], Incident] = {}
    for incident in incidents(record):
        if incident.fact.what in ("lost", "found"):
            last[incident.fact.player, known_as(incident.fact.card)] = incident
    return [incident for incident in last.values() if incident.fact.what == "lost"]


def missing_card(record: Record, player: int, card: str) -> Incident | None:
    """The last entry about a card that a player has lost, or None if the player still has the card."""
    wanted = known_as(card)
    return next(
        (found for found in missing(record) if found.fact.player == player and known_as(found.fact.card) == wanted),
        None,
    )
