"""The base of all facts, and the types that several facts use."""

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, PositiveInt

Stage = Literal["swiss", "elimination"]
PlayerNumber = PositiveInt
Two = tuple[PlayerNumber, PlayerNumber]
# The action that a person takes by recording this fact. A rulebook says which roles may take each action.
Action = Literal[
    "open",
    "change-policy",
    "announce",
    "run-event",
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
    "allow-plain-http",
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
    """The base of all facts. Facts are immutable and accept no unknown fields.

    `action` is the action that a person needs permission for in order to record or retract the fact. Everybody in
    the hall may see a `public` fact. All other facts are between a player and the staff. `anybody` marks facts that
    everybody may record: a call for help, a shown token, or the basis of a draw. A `tokenless` fact needs no token
    even where the log demands tokens. A fact that is not `retractable` reports a past action that nobody can take
    back. `paired_on` says that pairings depend on the fact. A fact without `paired_on` can be restored even after a
    later pairing. A `routine` fact is recorded often while a round is played, and changes neither seats nor names,
    news or places.
    """

    # Pydantic reads these annotations again for every kind of fact. If the annotations were strings, pydantic would
    # parse the strings each time.
    action: ClassVar[Action]
    public: ClassVar[bool] = False
    anybody: ClassVar[bool] = False
    tokenless: ClassVar[bool] = False
    retractable: ClassVar[bool] = True
    paired_on: ClassVar[bool] = True
    routine: ClassVar[bool] = False

    # Prepare a kind only when an entry has it, because a ledger has few kinds.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
