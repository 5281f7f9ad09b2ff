"""What the types of the documents have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from matchledger.events import AnyFact

# The fact of an entry, told from the others by its kind.
TheFact = Annotated[AnyFact, Field(discriminator="kind")]


class Typed(BaseModel):
    """A document whose keys are all known."""

    model_config = ConfigDict(extra="forbid")


class OfTournament(Typed):
    """What is said of a tournament as the log stood at a position."""

    tournament: str
    position: int


class UnderRulebook(OfTournament):
    """The same, where the rulebook matters."""

    rulebook: str


class PlayerNamed(Typed):
    """A player by name and number."""

    player: str
    number: int
