"""Papers that the host sends to the publisher after the event."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field, NonNegativeInt

from matchledger.events.fact import Fact


class OverviewFiled(Fact):
    """The tournament overview was sent, with a number of score cards, on a day (SWR-RATING)."""

    action = "file-overview"
    kind: Literal["overview-filed"] = "overview-filed"
    sent: date
    cards: NonNegativeInt = Field(description="score cards that went along")
