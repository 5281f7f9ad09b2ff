"""Conduct rules: what a rulebook's file says about penalties, rulings and cards that are lost or damaged."""

from __future__ import annotations

from pydantic import Field, PositiveInt

from matchledger.events.conduct import Offence
from matchledger_projections.rulebook.section import RulebookPart


class ConductRules(RulebookPart):
    """Which rules hold about conduct; None where the document says nothing.

    `warned_first` are the offences that cost a game only after a warning for the same (ASH-SLOW).
    `final_ruling` says who rules for good, `recommendation` that a disqualification is only recommended,
    `lost_card` what a lost card costs, `lost_card_minutes` how long it may be looked for at first, and `proxy`
    what a proxy is.
    """

    warned_first: dict[Offence, str] = Field(default_factory=dict)
    final_ruling: str | None = None
    recommendation: str | None = None
    lost_card: str | None = None
    lost_card_minutes: PositiveInt = 5
    proxy: str | None = None
    penalties: tuple[str, ...] = Field(default=(), description="what the game calls its penalties, mildest first")
