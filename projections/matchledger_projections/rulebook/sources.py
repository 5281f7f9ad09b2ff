"""Sources: where the values of a rulebook are from, and how far they can be trusted."""

from __future__ import annotations

from typing import Literal, Protocol

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


class Graded(Protocol):
    """What has an id, and perhaps a grade."""

    @property
    def id(self) -> str: ...

    @property
    def grade(self) -> Grade | None: ...


class Grade(RulebookPart):
    """How far a rulebook can be trusted as a whole, and why."""

    certainty: Certainty = Field(description="data, text, second or open")
    says: str = Field(description="what was compared, read, or left open")


# The seeds' rulebooks stay byte for byte as old logs hold them: their grades are kept beside them.
_SEEDS = {
    "l5r-2018": Grade(certainty="text", says="every rule and vector of the Tournament Regulations 2.3 is a test"),
    "street-warriors-2004": Grade(certainty="text", says="every rule and vector of the Tournament Guide is a test"),
    "pokemon-2009": Grade(certainty="text", says="every rule and vector of the Tournament Operation is a test"),
    "ashes-2022": Grade(certainty="text", says="every rule and vector of Organized Play, version 2, is a test"),
    "netrunner-2023": Grade(certainty="data", says="every number of the Cobra files at hand"),
    "pokemon-tom": Grade(certainty="data", says="contradicts no official place in the TOM files at hand"),
}


def grade_of(law: Graded) -> Grade | None:
    """The grade of a rulebook; None for one that claims none, as a house rulebook does."""
    return law.grade or _SEEDS.get(law.id)


class Source(RulebookPart):
    """Where some values of a rulebook are from; the values name it by its id, as their rule."""

    title: str = Field(description="the document, or where the results are published")
    certainty: Certainty = Field(description="data, text, second or open")
    says: str = Field(default="", description="what it gives, in a few words")
