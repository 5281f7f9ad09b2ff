"""Pairing rules: which rules of a document the pairing of its Swiss rounds follows, for those who ask why.

The engine does the same under every document, but for the bye and the readings; what differs is the authority.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

UNWRITTEN = "POLICY"


class PairingRules(BaseModel):
    """The id of the rule behind each step; "POLICY" where the document does not speak."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first_round: str = UNWRITTEN
    groups: str = UNWRITTEN
    pair_down: str = UNWRITTEN
    rematch: str = UNWRITTEN
    second_bye: str = UNWRITTEN
    bye_above: str = UNWRITTEN
