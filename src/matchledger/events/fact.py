"""What all facts share, and the words that several of them use."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, PositiveInt

Stage = Literal["swiss", "elimination"]
PlayerNumber = PositiveInt
Two = tuple[PlayerNumber, PlayerNumber]
# What somebody does by recording a fact; a rulebook says which roles may.
Action = Literal[
    "open",
    "change-policy",
    "announce",
    "arrange-field",
    "register",
    "accept-late",
    "drop",
    "rejoin",
    "disqualify",
    "pair",
    "start-round",
    "run-clock",
    "extend-time",
    "note-first-player",
    "re-pair",
    "report",
    "concede",
    "no-show",
    "correct",
    "answer-call",
    "give-penalty",
    "give-ruling",
    "give-final-ruling",
    "note-card",
    "order-tie",
    "post",
    "cut",
    "replace-qualifier",
    "submit-deck",
    "amend-deck",
    "check-deck",
    "close",
    "file-overview",
    "guard-doors",
    "merge-copies",
    "hand-names-out",
    "erase",
    "assign-staff",
    "change-duty",
    "contribute",
    "take-part",
    "gather-chance",
]


class Fact(BaseModel):
    """What all facts share: they never change, and know every one of their fields.

    `action` is what recording the fact needs the right to do, and so does taking it back. `anybody` may record a
    fact that asks for help or shows a token. What is not `retractable` says what was done, and stays. Nothing is
    paired on what is not `paired_on`, so that it can come back whatever was paired since.
    """

    action: ClassVar[Action]
    anybody: ClassVar[bool] = False
    retractable: ClassVar[bool] = True
    paired_on: ClassVar[bool] = True

    # A kind is made ready when one is met: a ledger has few of them.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
