"""Rating rules: the part of a rulebook about which events are rated."""

from __future__ import annotations

from pydantic import Field

from matchledger_projections.rulebook.section import RulebookPart


class RatingRule(RulebookPart):
    """The fewest participants of a rated event, and the days for sending its papers."""

    rule: str = Field(description="the rule that says so")
    participants: int = Field(ge=1, description="players that a rated event has at least")
    days: int = Field(ge=0, description="after the last day of the event, that day included")
