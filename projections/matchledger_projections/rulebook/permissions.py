"""Permission rules: what a rulebook's file says about who may do what; `permissions.py` reads it."""

from __future__ import annotations

from pydantic import Field

from matchledger.events import Role
from matchledger_projections.rulebook.section import RulebookPart


class Permission(RulebookPart):
    """The roles that a document lets do something, and the rule that says so.

    A player who is named does it only for the player's own person or match.
    """

    roles: tuple[Role, ...] = Field(min_length=1, description="who may do it")
    rule: str = Field(description="the rule that says so")
