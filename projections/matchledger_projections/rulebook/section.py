"""Parts of a rulebook: what every section of its file has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class RulebookPart(BaseModel):
    """A section of a rulebook: it never changes, and a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
