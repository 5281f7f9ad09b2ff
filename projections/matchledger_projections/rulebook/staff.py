"""Staff rules: the part of a rulebook about the leaders of an event. `staff.py` reads it."""

from __future__ import annotations

from pydantic import Field

from matchledger.events import Office
from matchledger_projections.rulebook.occasion import Tier
from matchledger_projections.rulebook.section import RulebookPart


class StaffRules(RulebookPart):
    """The rules about an organizer, marshals and judges, and the tiers in which they may play.

    An event has one organizer, who also does the marshal's work if there is no marshal. `playing` is the rule that
    lets leaders play, only in `playing_tiers`; another announced leader then rules in their games.
    """

    organizer: str = Field(description="the rule about the organizer")
    marshal: str = Field(description="the rule about marshals")
    judge: str = Field(description="the rule about judges")
    playing: str = Field(description="the rule by which leaders play")
    playing_tiers: tuple[Tier, ...] = Field(description="the tiers in which leaders may play")
    tiers: str = Field(description="the rule about tiers")

    def rule_of(self, role: Office) -> str:
        """The rule that defines a role."""
        rules: dict[Office, str] = {"organizer": self.organizer, "marshal": self.marshal, "judge": self.judge}
        return rules[role]
