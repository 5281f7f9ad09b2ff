"""The JSON of a tournament cache as a validated model. A value of a wrong type is refused with its path."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, FailFast, Field, model_validator
from pydantic.alias_generators import to_pascal

from matchledger.formats.json_values import Part, Placed, Share, Text, WrittenNumber, items

_NO_SHARE = Decimal("1.5")


class _Pascal(Part):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_pascal)


class Match(_Pascal):
    """A match as the file lists it under one of its two players. If the first player has a bye, there is no second
    player.
    """

    player1: Text = ""
    player2: Text = ""
    result: Text = ""


class Round(_Pascal):
    round_name: Text = ""
    matches: Annotated[list[Match], FailFast(), BeforeValidator(items)] = Field(default_factory=list)


class Standing(_Pascal):
    """A player's line of the official standings."""

    rank: Placed = None
    player: Text
    points: WrittenNumber = None
    omwp: Share = Field(default=None, alias="OMWP")
    gwp: Share = Field(default=None, alias="GWP")
    ogwp: Share = Field(default=None, alias="OGWP")

    @property
    def numbers(self) -> dict[str, str]:
        found = {
            "points": self.points,
            "opponents_match_win_percentage": self.omwp,
            "game_win_percentage": self.gwp,
            "opponents_game_win_percentage": self.ogwp,
        }
        return {name: text for name, text in found.items() if text is not None}

    @property
    def line(self) -> tuple[int | None, dict[str, Fraction]]:
        """Return the rank and the numbers of a player's line."""
        return self.rank, {name: Fraction(text) for name, text in self.numbers.items()}

    @property
    def shares(self) -> dict[str, str]:
        """Return the percentages of a line by the name of their field."""
        found = {"omwp": self.omwp, "gwp": self.gwp, "ogwp": self.ogwp}
        return {name: text for name, text in found.items() if text is not None}

    def of_hundred(self) -> Standing:
        """Return the line with its percentages divided by 100."""
        scaled = {name: format(Decimal(text).scaleb(-2), "f") for name, text in self.shares.items()}
        return self.model_copy(update=scaled)

    @property
    def decimals(self) -> int:
        """Return how many decimals the percentages of this line have."""
        return max((len(text.partition(".")[2]) for text in self.shares.values()), default=0)


class Heading(_Pascal):
    name: Text = ""


class CacheFile(_Pascal):
    """The content of a cache file. Deck lists and other data are ignored."""

    tournament: Annotated[Heading, BeforeValidator(lambda found: {} if found is None else found)] = Heading()
    rounds: Annotated[list[Round], FailFast(), BeforeValidator(items)] = Field(default_factory=list)
    standings: Annotated[list[Standing], FailFast(), BeforeValidator(items)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _as_parts_of_one(self) -> CacheFile:
        """Read numbers without a percent sign as percentages if more than half of the numbers exceed 1."""
        shares = [Decimal(text) for line in self.standings for text in line.shares.values()]
        if 2 * sum(share > _NO_SHARE for share in shares) <= len(shares):
            return self
        return self.model_copy(update={"standings": [line.of_hundred() for line in self.standings]})
