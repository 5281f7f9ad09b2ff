"""Penalties with earlier warnings, rulings with reviews (L5R-I.3-JUDGE), and lost cards (L5R-II.2d)."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import CardIncident, PenaltyGiven, RulingGiven
from matchledger.events.conduct import Offence
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as

COSTS_A_GAME = frozenset({"game-loss", "match-loss"})


class Given(NamedTuple):
    """A penalty, recorded at `position`.

    `unwarned` is the rule that requires an earlier warning, if no warning counts: a leader departed from the
    rule, or the warning was retracted.
    """

    position: int
    fact: PenaltyGiven
    unwarned: str | None


def penalties(record: Record, player: int | None = None) -> list[Given]:
    """Return every counting penalty in order, of one player or of all."""
    return [
        Given(position, fact, _unwarned(record, position, fact))
        for position, fact in record.every(PenaltyGiven)
        if not record.is_dead(position) and player in (None, fact.player)
    ]


def warning_gone(record: Record) -> list[Given]:
    """Return every counting penalty whose warning no longer counts, although the penalty names no departure."""
    return [given for given in penalties(record) if given.unwarned not in (None, *given.fact.deviations)]


def needs_warning(record: Record, player: int, offence: Offence) -> str | None:
    """Return the rule that requires a warning before this offence costs a game.

    Return None if the player was warned for this offence before, or if no rule requires a warning. A warning for
    another offence does not count (ASH-SLOW).
    """
    rule = record.rulebook.conduct.warned_first.get(offence)
    return None if rule is None or _warned(record, player, offence, record.position + 1) else rule


def _unwarned(record: Record, position: int, fact: PenaltyGiven) -> str | None:
    rule = record.rulebook.conduct.warned_first.get(fact.offence)
    if rule is None or fact.penalty not in COSTS_A_GAME or _warned(record, fact.player, fact.offence, position):
        return None
    return rule


def _warned(record: Record, player: int, offence: Offence, before: int) -> bool:
    """Return whether a counting warning for this offence comes before a position of the log."""
    return any(
        position < before
        and (fact.player, fact.penalty, fact.offence) == (player, "warning", offence)
        and not record.is_dead(position)
        for position, fact in record.every(PenaltyGiven)
    )


class Ruling(NamedTuple):
    """A ruling, recorded at `position`. `reviewed_by` is the entry of the ruling that replaced it."""

    position: int
    fact: RulingGiven
    reviewed_by: int | None


def rulings(record: Record) -> list[Ruling]:
    """Return every ruling that was not retracted, in order, including reviewed rulings."""
    counting = [(position, fact) for position, fact in record.every(RulingGiven) if not record.is_dead(position)]
    reviews = {fact.reviews: position for position, fact in reversed(counting) if fact.reviews is not None}
    return [Ruling(position, fact, reviews.get(position)) for position, fact in counting]


def ruling_at(record: Record, position: int) -> Ruling | None:
    """Return the ruling of an entry. Return None if the entry is not a ruling or was retracted."""
    return next((ruling for ruling in rulings(record) if ruling.position == position), None)


class Incident(NamedTuple):
    """An incident with a card, recorded at `position`."""

    position: int
    fact: CardIncident


def incidents(record: Record) -> list[Incident]:
    """Return every incident with a card that was not retracted, in order."""
    return [
        Incident(position, fact) for position, fact in record.every(CardIncident) if not record.is_dead(position)
    ]


def proxies(record: Record) -> list[Incident]:
    """Return the proxies that leaders made, which stay valid for the rest of the tournament (L5R-II.2d-DAMAGED)."""
    return [incident for incident in incidents(record) if incident.fact.what == "proxy"]


def missing(record: Record) -> list[Incident]:
    """Return the cards that are still lost, each with the last entry about it (L5R-II.2d-LOST)."""
    last: dict[tuple[int, str], Incident] = {}
    for incident in incidents(record):
        if incident.fact.what in ("lost", "found"):
            last[incident.fact.player, known_as(incident.fact.card)] = incident
    return [incident for incident in last.values() if incident.fact.what == "lost"]


def missing_card(record: Record, player: int, card: str) -> Incident | None:
    """Return the last entry about a card that a player has lost, or None if the player has the card."""
    wanted = known_as(card)
    return next(
        (found for found in missing(record) if found.fact.player == player and known_as(found.fact.card) == wanted),
        None,
    )
