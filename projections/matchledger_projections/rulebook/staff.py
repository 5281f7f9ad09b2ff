"""Staff rules: what a rulebook's file says of those who lead an event; `staff.py` reads it."""

from __future__ import annotations

from matchledger.events import Office
from matchledger_projections.rulebook.occasion import Tier
from matchledger_projections.rulebook.section import RulebookPart


class StaffRules(RulebookPart):
    """The rules about an organizer, marshals and judges, and the tiers in which they may play.

    There is one organizer, who does the marshal's work where nobody is marshal. `playing` is the rule that lets
    leaders play in `playing_tiers`, and in no other, where another announced leader rules in their games.
    """

    organizer: str
    marshal: str
    judge: str
    playing: str
    playing_tiers: tuple[Tier, ...]
    tiers: str

    def rule_of(self, role: Office) -> str:
        """The rule that says what a role is."""
        rules: dict[Office, str] = {"organizer": self.organizer, "marshal": self.marshal, "judge": self.judge}
        return rules[role]
