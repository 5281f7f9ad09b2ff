"""Sources: where the values of a rulebook are from, and how far they can be trusted."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from matchledger_projections.message import Sentence, sentence
from matchledger_projections.rulebook.section import RulebookPart

Certainty = Literal["data", "text", "second", "open"]
CERTAINTIES: dict[Certainty, Sentence] = {
    "data": sentence("reproduces official numbers"),
    "text": sentence("from the document"),
    "second": sentence("from a secondary source"),
    "open": sentence("open point"),
}


class Grade(RulebookPart):
    """How far a rulebook can be trusted as a whole, and why."""

    certainty: Certainty
    says: str = Field(description="what was compared, read, or left open")


class Source(RulebookPart):
    """Where some values of a rulebook are from; the values name it by its id, as their rule."""

    title: str
    certainty: Certainty
    says: str = Field(default="", description="what it gives, in a few words")
