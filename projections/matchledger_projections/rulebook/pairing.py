"""Pairing rules: which rules of a document the pairing of its Swiss rounds follows, for those who ask why.

The engine does the same under every document, but for the bye and the readings; what differs is the authority.
"""

from __future__ import annotations

from matchledger_projections.rulebook.section import RulebookPart

UNWRITTEN = "POLICY"


class PairingRules(RulebookPart):
    """The id of the rule behind each step; "POLICY" where the document does not speak."""

    first_round: str = UNWRITTEN
    groups: str = UNWRITTEN
    pair_down: str = UNWRITTEN
    rematch: str = UNWRITTEN
    second_bye: str = UNWRITTEN
    bye_above: str = UNWRITTEN
