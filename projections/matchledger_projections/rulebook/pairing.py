"""Pairing rules: which rules of a document the pairing of its Swiss rounds follows, for those who ask why.

The engine does the same under every document, but for the bye and the readings; what differs is the authority.
"""

from __future__ import annotations

from pydantic import Field

from matchledger_projections.rulebook.section import RulebookPart

UNWRITTEN = "POLICY"


class PairingRules(RulebookPart):
    """The id of the rule behind each step; "POLICY" where the document does not speak."""

    first_round: str = Field(default=UNWRITTEN, description="round 1 is random")
    groups: str = Field(default=UNWRITTEN, description="players meet within equal points")
    pair_down: str = Field(default=UNWRITTEN, description="the odd player of a group goes down")
    rematch: str = Field(default=UNWRITTEN, description="no two players meet twice")
    second_bye: str = Field(default=UNWRITTEN, description="no player has two byes")
    bye_above: str = Field(default=UNWRITTEN, description="where the bye falls if the lowest group has none left")
