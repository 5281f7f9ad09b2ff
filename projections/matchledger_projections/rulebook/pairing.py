"""Pairing rules: the rules that the pairing of Swiss rounds cites.

The engine is the same for every rulebook, except for the bye and the readings. Only the cited rules differ.
"""

from __future__ import annotations

from pydantic import Field

from matchledger_projections.rulebook.section import RulebookPart

UNWRITTEN = "POLICY"


class PairingRules(RulebookPart):
    """The id of the rule behind each step; "POLICY" where the document is silent."""

    first_round: str = Field(default=UNWRITTEN, description="round 1 is random")
    groups: str = Field(default=UNWRITTEN, description="players meet within equal points")
    pair_down: str = Field(default=UNWRITTEN, description="the odd player of a group goes down")
    rematch: str = Field(default=UNWRITTEN, description="no two players meet twice")
    second_bye: str = Field(default=UNWRITTEN, description="no player has two byes")
    bye_above: str = Field(default=UNWRITTEN, description="where the bye falls if the lowest group has none left")
