"""Calls: a player says that a recorded result is wrong, and the desk answers."""

from __future__ import annotations

from typing import Literal

from pydantic import PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two

Claim = Literal["won", "lost", "drew", "other"]
Answer = Literal["stands", "corrected", "settled"]


class DeskCalled(Fact):
    """Somebody said, in a player's name, that the result of a match is wrong.

    `disputes` is the position of the entry that counted then, or None without a result. `claim` is the player's
    version, from a fixed list: the log accepts no free text from strangers.
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
    """The desk answered a call. `call` is the position of the call."""

    action = "answer-call"
    kind: Literal["call-answered"] = "call-answered"
    call: PositiveInt
    answer: Answer = "stands"


CallFact = DeskCalled | CallAnswered
