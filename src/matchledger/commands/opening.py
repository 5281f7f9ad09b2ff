"""The command before all others: a tournament is opened, under a law that is chosen with it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from matchledger.commands.command import Text
from matchledger_projections.rulebook.rulebook import rulebook_text

SECRET_BYTES = 32
LONGEST_LAW = 100_000  # characters; the longest rulebook that comes along has 8,000


class OpenTournament(BaseModel):
    """A new tournament: its name and its law, a shipped `rulebook` or the text of a `house` one.

    `policies` are the flags with another value than the law's own; `division_years` the first year of birth of each
    division, where it is another. Whoever wants `names_in_clear` can never erase anybody.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Text
    rulebook: Text
    house: Annotated[str, Field(max_length=LONGEST_LAW)] | None = None
    policies: dict[Text, Text] = Field(default={})
    division_years: dict[Text, Annotated[int, Field(ge=1900, le=2100)]] = Field(default={})
    names_in_clear: bool = False

    @property
    def law(self) -> str:
        """The text of the law. Raises RulebookError for an id that no rulebook has."""
        return self.house if self.house is not None else rulebook_text(self.rulebook)
