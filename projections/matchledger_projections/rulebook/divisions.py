"""Division rules: what a rulebook's file says about age divisions and flights."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from matchledger_projections.rulebook.section import RulebookPart


class DivisionRule(RulebookPart):
    """The age divisions of a rulebook, the youngest first, and how many players let a division play by itself.

    `born_from` is the first year of birth of every division but the oldest; without it, no year of birth tells a
    division. `modified_rule` is what makes one division of few players bring them all together.
    """

    rule: str
    modified_rule: str = "POLICY"
    names: tuple[str, ...] = Field(min_length=1)
    born_from: dict[str, int] = Field(default_factory=dict)
    own_pod: int = Field(ge=2, description="players in every division from which on each is paired by itself")

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        years = [self.born_from[name] for name in self.names[:-1] if name in self.born_from]
        if self.born_from and (
            self.born_from.keys() != set(self.names[:-1]) or years != sorted(set(years), reverse=True)
        ):
            raise ValueError("born_from gives every division but the last a year, the youngest the latest")
        return self


class FlightRule(RulebookPart):
    """When a division may be drawn into flights, and into how many (PKM-3.3.3)."""

    rule: str
    restrict_rule: str
    count_rule: str
    size_rule: str
    late_rule: str
    finals_rule: str
    counts: tuple[int, ...] = Field(min_length=1)
    division: int = Field(ge=2, description="players that the division must have")
    flight: int = Field(ge=2, description="players that every flight must have")
    qualifiers: int = Field(ge=1, description="players who go on from every flight at least")
