"""Division rules: the part of a rulebook about age divisions and flights."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from matchledger_projections.rulebook.sections import RulebookPart


class DivisionRule(RulebookPart):
    """The age divisions of a rulebook, the youngest first, and the fewest players for a division to play apart.

    `born_from` is the first year of birth of every division but the oldest. Without it, a year of birth decides no
    division. `modified_rule` pairs all divisions together if one of them has few players.
    """

    rule: str = Field(description="the rule that says so")
    modified_rule: str = Field(default="POLICY", description="the rule for divisions that play together")
    names: tuple[str, ...] = Field(min_length=1, description="the divisions, the youngest first")
    born_from: dict[str, int] = Field(
        default_factory=dict, description="the first year of birth of each but the oldest"
    )
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

    rule: str = Field(description="the rule that says so")
    restrict_rule: str = Field(description="the rule when flights are allowed")
    count_rule: str = Field(description="the rule for their number")
    size_rule: str = Field(description="the rule for their sizes")
    late_rule: str = Field(description="the rule for late players")
    finals_rule: str = Field(description="the rule for the finals")
    counts: tuple[int, ...] = Field(min_length=1, description="how many flights there can be")
    division: int = Field(ge=2, description="players that the division must have")
    flight: int = Field(ge=2, description="players that every flight must have")
    qualifiers: int = Field(ge=1, description="players who go on from every flight at least")

    def share(self, cut: int, flights: int) -> bool:
        """Whether each flight sends the same number of players on, and at least the required number
        (PKM-3.3.3.2-FINALS).
        """
        return cut % flights == 0 and cut // flights >= self.qualifiers
