"""Phones: what players may do with their phones, what players report, and calls about a wrong result.

A player has a personal link, which the desk can renew. The log accepts no free text from a phone: facts have
numbers, and choices from fixed lists.
"""

from typing import Literal

from pydantic import PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two
from matchledger.events.slips import Slip

PhoneUse = Literal["report", "judge", "deck", "drop", "check-in", "sign-up", "push"]


class PhonesAllowed(Fact):
    """The organizer decided what players may do with their phones: the actions in `may`, and no others.

    `places` limits sign-ups by phone: the highest number of players, including the registered players. `deviations`
    are the rules that do not let players report results.
    """

    action = "run-event"
    paired_on = False
    kind: Literal["phones-allowed"] = "phones-allowed"
    may: tuple[PhoneUse, ...]
    deviations: tuple[str, ...] = ()
    places: PositiveInt | None = None


class LinkRenewed(Fact):
    """A player got a new personal link. Earlier links no longer work."""

    action = "run-event"
    retractable = False
    kind: Literal["link-renewed"] = "link-renewed"
    player: PlayerNumber


class ResultClaimed(Fact):
    """A player reported by phone how the match ended. The claim becomes the result when the opponent reports the
    same.
    """

    action = "take-part"
    paired_on = False
    routine = True
    kind: Literal["result-claimed"] = "result-claimed"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    by: PlayerNumber
    slip: Slip


class JudgeCalled(Fact):
    """A player asked for a judge at the table."""

    action = "take-part"
    paired_on = False
    routine = True
    kind: Literal["judge-called"] = "judge-called"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    by: PlayerNumber


class DropAsked(Fact):
    """A player asked to be dropped. The desk drops the player or answers."""

    action = "take-part"
    paired_on = False
    routine = True
    kind: Literal["drop-asked"] = "drop-asked"
    player: PlayerNumber


class CheckedIn(Fact):
    """A player checked in."""

    action = "take-part"
    paired_on = False
    routine = True
    kind: Literal["checked-in"] = "checked-in"
    player: PlayerNumber


class RequestAnswered(Fact):
    """Somebody of the staff went to the table or spoke to the player. `request` is the position of the request."""

    action = "answer-call"
    paired_on = False
    routine = True
    kind: Literal["request-answered"] = "request-answered"
    request: PositiveInt


PhoneFact = PhonesAllowed | LinkRenewed | ResultClaimed | JudgeCalled | DropAsked | CheckedIn | RequestAnswered


Claim = Literal["won", "lost", "drew", "other"]
Answer = Literal["stands", "corrected", "settled"]


class DeskCalled(Fact):
    """A person said, in a player's name, that the result of a match is wrong.

    `disputes` is the position of the result that counted at the time of the call, or None if there was no result.
    `claim` is the player's report as a choice from a fixed list, because the log accepts no free text from
    strangers.
    """

    action = "answer-call"
    anybody = True
    tokenless = True
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
