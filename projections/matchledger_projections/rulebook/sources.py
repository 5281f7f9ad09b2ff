"""Sources: where the values of a rulebook come from, and how reliable they are."""

from collections.abc import Mapping
from typing import Literal, Protocol

from pydantic import Field, PositiveInt

from matchledger_projections.message import Sentence, sentence
from matchledger_projections.rulebook.sections import RulebookPart

Certainty = Literal["data", "text", "second", "open"]
CERTAINTIES: dict[Certainty, Sentence] = {
    "data": sentence("reproduces official numbers"),
    "text": sentence("from the document"),
    "second": sentence("from a secondary source"),
    "open": sentence("open point"),
}


class Grade(RulebookPart):
    """The grade of a whole rulebook, and the reason for it."""

    certainty: Certainty = Field(description="data, text, second or open")
    numbers: PositiveInt | None = Field(
        default=None, description="official numbers that were recomputed, all equal"
    )
    says: str = Field(description="what was compared, read, or left open")

    @property
    def words(self) -> Sentence:
        """Return the grade in a few words, with the official numbers if they were counted."""
        if self.numbers is None:
            return sentence("fits published results") if self.certainty == "data" else CERTAINTIES[self.certainty]
        return sentence("reproduces %(count)s official numbers", count=self.numbers)


class Source(RulebookPart):
    """The source of some values of a rulebook. A value names the id of its source as its rule."""

    title: str = Field(description="the document, or where the results are published")
    certainty: Certainty = Field(description="data, text, second or open")
    says: str = Field(default="", description="the values that it gives, in a few words")


class Graded(Protocol):
    """An object with an id, and optionally a grade."""

    @property
    def id(self) -> str: ...

    @property
    def grade(self) -> Grade | None: ...


class Chosen(Protocol):
    """A policy with the rules that leave it open."""

    @property
    def rule(self) -> str: ...


class Law(Graded, Protocol):
    """The part of a rulebook that names its sources."""

    @property
    def sources(self) -> dict[str, Source]: ...

    @property
    def policies(self) -> Mapping[str, Chosen]: ...


# How well the values of these rulebooks are proven. The files of these rulebooks cannot hold the grade, because old
# logs contain the files byte for byte. `model_construct` skips pydantic's validator, which would cost every command
# a millisecond.
_SEEDS = {
    "l5r-2018": Grade.model_construct(
        certainty="text", says="every rule and vector of the Tournament Regulations 2.3 is a test"
    ),
    "street-warriors-2004": Grade.model_construct(
        certainty="text", says="every rule and vector of the Tournament Guide is a test"
    ),
    "pokemon-2009": Grade.model_construct(
        certainty="text", says="every rule and vector of the Tournament Operation is a test"
    ),
    "ashes-2022": Grade.model_construct(
        certainty="text", says="every rule and vector of Organized Play, version 2, is a test"
    ),
    "netrunner-2023": Grade.model_construct(
        certainty="data", numbers=666, says="points and both schedules in 15 files of Cobra"
    ),
    "pokemon-tom": Grade.model_construct(
        certainty="data", numbers=34, says="the places of neighbours in 3 files of TOM"
    ),
}


def grade_of(law: Graded) -> Grade | None:
    """Return the grade of a rulebook. Return None for a rulebook without a grade, such as a house rulebook."""
    return law.grade or _SEEDS.get(law.id)


def policies_of(law: Law, source: str) -> list[str]:
    """Return the policies that settle the open points of a source."""
    return [flag for flag, policy in law.policies.items() if policy.rule == source]


def open_points(law: Law) -> list[str]:
    """Return the policies about uncertain points."""
    unknown = [id_ for id_, source in law.sources.items() if source.certainty == "open"]
    return [flag for id_ in unknown for flag in policies_of(law, id_)]
