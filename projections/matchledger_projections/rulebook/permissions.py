"""Permission rules: the part of a rulebook about who may do what. `permissions.py` reads it."""

from __future__ import annotations

from pydantic import Field

from matchledger.events import Role
from matchledger_projections.rulebook.section import RulebookPart


class Permission(RulebookPart):
    """The roles that may do an action, and the rule of the document.

    With `player` among them, players act only for themselves or in their own match.
    """

    roles: tuple[Role, ...] = Field(min_length=1, description="who may do it")
    rule: str = Field(description="the rule that says so")
