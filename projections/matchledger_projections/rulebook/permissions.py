"""Permission rules: what a rulebook's file says about who may do what; `permissions.py` reads it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from matchledger.events import Role
from matchledger_projections.rulebook.section import RulebookPart

Action = Literal[
    "open",
    "announce",
    "arrange-field",
    "register",
    "accept-late",
    "drop",
    "rejoin",
    "disqualify",
    "pair",
    "start-round",
    "run-clock",
    "extend-time",
    "note-first-player",
    "re-pair",
    "report",
    "concede",
    "no-show",
    "correct",
    "answer-call",
    "give-penalty",
    "give-ruling",
    "give-final-ruling",
    "note-card",
    "order-tie",
    "post",
    "cut",
    "replace-qualifier",
    "submit-deck",
    "amend-deck",
    "check-deck",
    "close",
    "file-overview",
    "guard-doors",
    "hand-names-out",
    "erase",
    "assign-staff",
    "change-duty",
]


class Permission(RulebookPart):
    """The roles that a document lets do something, and the rule that says so.

    A player who is named does it only for the player's own person or match.
    """

    roles: tuple[Role, ...] = Field(min_length=1, description="who may do it")
    rule: str = Field(description="the rule that says so")
