"""Calls: a player says that what is recorded of a match is wrong, and the desk answers."""

from __future__ import annotations

from typing import Literal

from pydantic import PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two

Claim = Literal["won", "lost", "drew", "other"]
Answer = Literal["stands", "corrected", "settled"]


class DeskCalled(Fact):
    """Somebody said, in a player's name, that the result of a match is not what it should be.

    `disputes` is the position of the entry that counted then, None where no result was recorded. `claim` is what
    the player says happened, out of a closed list: the log takes no words of strangers in.
    """

    action = "answer-call"
    anybody = True
    kind: Literal["desk-called"] = "desk-called"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    by: PlayerNumber
    claim: Claim = "other"
    disputes: PositiveInt | None = None


class CallAnswered(Fact):
    """The desk looked at a call; `call` is the position of its entry."""

    action = "answer-call"
    kind: Literal["call-answered"] = "call-answered"
    call: PositiveInt
    answer: Answer = "stands"


CallFact = DeskCalled | CallAnswered
