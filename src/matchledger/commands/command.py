"""What every command is, and what several of them ask."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from matchledger.commands.context import Context
from matchledger.commands.draft import Clerk, Decision
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record

Number = Annotated[int, Field(ge=1, le=999_999)]
Text = Annotated[str, Field(min_length=1, max_length=200)]
Words = Annotated[str, Field(min_length=1, max_length=1000)]
Minutes = Annotated[int, Field(ge=1, le=999)]
Sizes = dict[Annotated[str, Field(max_length=200)], Annotated[int, Field(ge=0, le=9999)]]
Count = Annotated[int, Field(ge=0, le=999_999)]
Two = tuple[Number, Number]


class Command(BaseModel, ABC):
    """Something that is asked for. It is carried out by `Ledger.decide` with what `decision` returns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def said_by(self, clerk: Clerk) -> Command:  # noqa: ARG002 - to most commands it is nothing
        """The same command where what it leads to names whoever says it; who may, is asked of every entry."""
        return self

    @abstractmethod
    def decision(self, context: Context) -> Decision:
        """What decides on it. Raises UsageProblem for what cannot be understood; the decision raises Refusal."""


def known(record: Record, *players: int) -> tuple[int, ...]:
    """Players by number. Raises UsageProblem for one that nobody has."""
    entered = {player.number for player in record.entered()}
    for player in players:
        if player not in entered:
            raise UsageProblem(
                sentence("there is no player #%(player)s: see the standings for the numbers", player=player)
            )
    return players
