"""What all facts share, and the words that several of them use."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, PositiveInt

Stage = Literal["swiss", "elimination"]
PlayerNumber = PositiveInt
Two = tuple[PlayerNumber, PlayerNumber]


class Fact(BaseModel):
    """What all facts share: they never change, and know every one of their fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
