"""Penalties: who was given which, what came before, and whether a rule that a warning comes first was kept."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import PenaltyGiven
from matchledger.events.conduct import Offence
from matchledger_projections.record.record import Record


class Given(NamedTuple):
    """A penalty as recorded at `position`.

    `unwarned` is the rule by which a warning had to come first, where none that counts did: because a leader
    departed from the rule, or because the warning was taken back since.
    """

    position: int
    fact: PenaltyGiven
    unwarned: str | None


def penalties(record: Record, player: int | None = None) -> list[Given]:
    """Every penalty that counts, of one player or of all, in order."""
    return [
        Given(position, fact, _unwarned(record, position, fact))
        for position, fact in record.every(PenaltyGiven)
        if not record.is_dead(position) and player in (None, fact.player)
    ]


def needs_warning(record: Record, player: int, offence: Offence) -> str | None:
    """The rule by which a player is warned before an offence costs a game; None once warned, or without a rule.

    A player who was warned for something else was not warned (ASH-SLOW).
    """
    rule = record.rulebook.conduct.warned_first.get(offence)
    return None if rule is None or _warned(record, player, offence, record.position + 1) else rule


def _unwarned(record: Record, position: int, fact: PenaltyGiven) -> str | None:
    rule = record.rulebook.conduct.warned_first.get(fact.offence)
    if rule is None or fact.penalty != "game-loss" or _warned(record, fact.player, fact.offence, position):
        return None
    return rule


def _warned(record: Record, player: int, offence: Offence, before: int) -> bool:
    """Whether a warning for an offence that counts stands before a position of the log."""
    return any(
        position < before
        and (fact.player, fact.penalty, fact.offence) == (player, "warning", offence)
        and not record.is_dead(position)
        for position, fact in record.every(PenaltyGiven)
    )
