"""Penalties: their players, the earlier warnings, and whether a required warning came first."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import PenaltyGiven
from matchledger.events.conduct import Offence
from matchledger_projections.record.record import Record


class Given(NamedTuple):
    """A penalty, recorded at `position`.

    `unwarned` is the rule that required an earlier warning, if no warning counts. Either a leader departed
    from the rule, or somebody has retracted the warning.
    """

    position: int
    fact: PenaltyGiven
    unwarned: str | None


def penalties(record: Record, player: int | None = None) -> list[Given]:
    """Every penalty that counts, in order: of one player, or of all."""
    return [
        Given(position, fact, _unwarned(record, position, fact))
        for position, fact in record.every(PenaltyGiven)
        if not record.is_dead(position) and player in (None, fact.player)
    ]


def needs_warning(record: Record, player: int, offence: Offence) -> str | None:
    """The rule that requires a warning before this offence costs a game.

    None after such a warning, or if there is no such rule. A warning for another offence does not count
    (ASH-SLOW).
    """
    rule = record.rulebook.conduct.warned_first.get(offence)
    return None if rule is None or _warned(record, player, offence, record.position + 1) else rule


def _unwarned(record: Record, position: int, fact: PenaltyGiven) -> str | None:
    rule = record.rulebook.conduct.warned_first.get(fact.offence)
    if rule is None or fact.penalty != "game-loss" or _warned(record, fact.player, fact.offence, position):
        return None
    return rule


def _warned(record: Record, player: int, offence: Offence, before: int) -> bool:
    """Whether a warning that still counts for this offence comes before a position of the log."""
    return any(
        position < before
        and (fact.player, fact.penalty, fact.offence) == (player, "warning", offence)
        and not record.is_dead(position)
        for position, fact in record.every(PenaltyGiven)
    )
