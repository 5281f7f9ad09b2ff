"""Parts of a rulebook: what all sections of its file have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class RulebookPart(BaseModel):
    """A section of a rulebook. It is immutable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
