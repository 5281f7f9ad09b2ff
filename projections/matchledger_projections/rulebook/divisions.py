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

    rule: str = Field(description="the id of the rule")
    modified_rule: str = Field(default="POLICY", description="the rule for divisions that play together")
    names: tuple[str, ...] = Field(min_length=1, description="the divisions, the youngest first")
    born_from: dict[str, int] = Field(
        default_factory=dict, description="the first year of birth of each division but the oldest"
    )
    own_pod: int = Field(ge=2, description="the fewest players for a division to play apart")

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

    rule: str = Field(description="the id of the rule")
    restrict_rule: str = Field(description="the rule about when flights are allowed")
    count_rule: str = Field(description="the rule for the number of flights")
    size_rule: str = Field(description="the rule for the sizes of flights")
    late_rule: str = Field(description="the rule for late players")
    finals_rule: str = Field(description="the rule for the finals")
    counts: tuple[int, ...] = Field(min_length=1, description="the possible numbers of flights")
    division: int = Field(ge=2, description="the fewest players of a division with flights")
    flight: int = Field(ge=2, description="the fewest players of a flight")
    qualifiers: int = Field(ge=1, description="the fewest players who go on from each flight")

    def share(self, cut: int, flights: int) -> bool:
        """Whether each flight sends the same number of players on, and at least the required number
        (PKM-3.3.3.2-FINALS).
        """
        return cut % flights == 0 and cut // flights >= self.qualifiers
