"""Conduct rules: the part of a rulebook about penalties, rulings and lost or damaged cards."""

from __future__ import annotations

from pydantic import Field, PositiveInt

from matchledger.events.conduct import Offence
from matchledger_projections.rulebook.section import RulebookPart


class ConductRules(RulebookPart):
    """The rules about conduct; None if the document is silent.

    `warned_first` are the offences that cost a game only after a warning for the same offence (ASH-SLOW).
    `final_ruling` is the rule about final rulings. `recommendation` is the rule that judges only recommend a
    disqualification. `lost_card` is the rule about lost cards, and `proxy` the rule about proxies.
    `lost_card_minutes` is the number of minutes to look for a lost card.
    """

    warned_first: dict[Offence, str] = Field(
        default_factory=dict, description="offences that cost a game only after a warning"
    )
    final_ruling: str | None = Field(default=None, description="the rule that says who rules for good")
    recommendation: str | None = Field(
        default=None, description="the rule by which a disqualification is only recommended"
    )
    lost_card: str | None = Field(default=None, description="what a lost card costs")
    lost_card_minutes: PositiveInt = Field(default=5, description="minutes to look for a lost card")
    proxy: str | None = Field(default=None, description="the rule for proxies")
    penalties: tuple[str, ...] = Field(default=(), description="what the game calls its penalties, mildest first")
    penalties_rule: str | None = Field(default=None, description="the rule that names the penalties")
