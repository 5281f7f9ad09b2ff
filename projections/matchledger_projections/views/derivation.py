"""Derivations: one tiebreaker of one player, opponent by opponent, with every floor, cap, bye and freeze named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from matchledger_projections.document import UNSAID, ExactFraction
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.standings import Standings
from matchledger_projections.standings.tiebreaker import Method, Term
from matchledger_projections.standings.tiebreakers import TIEBREAKERS


@dataclass(frozen=True, slots=True)
class Derivation:
    """The derivation of a player's tiebreaker: `total` over `terms`, divided by `divisor` for a mean.

    `value` is the one in the standings, or None for a tiebreaker that settled nothing for this player.
    """

    name: TiebreakName
    rule: str | None
    method: Method
    value: ExactFraction | None
    total: ExactFraction | None
    terms: tuple[Term, ...] = ()
    notes: tuple[str, ...] = ()
    divisor: Annotated[int | None, UNSAID] = None


def derive(table: Standings, rulebook: Rulebook, name: TiebreakName, player: int) -> Derivation:
    """The derivation of one tiebreaker, from the numbers behind the standings."""
    value = table.measure(name, player)
    found = TIEBREAKERS[name].derived(table, player, value)
    return Derivation(
        name,
        rulebook.tiebreak_rules.get(name),
        found.method,
        value,
        found.total,
        found.terms,
        found.notes,
        found.divisor,
    )
