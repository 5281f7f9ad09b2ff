"""Phones: what players may do with their own, and what they say with them.

A player comes in with a personal link, which the desk can renew. The log takes no words of a phone in: each fact
holds numbers, and choices out of closed lists.
"""

from __future__ import annotations

from typing import Literal

from pydantic import PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two
from matchledger.events.slips import Slip

PhoneUse = Literal["report", "judge", "deck", "drop", "check-in"]


class PhonesAllowed(Fact):
    """The organizer said what players may do with their phones; what is not in `may` they may not.

    `deviations` are the rules that it departs from: those that let others alone report.
    """

    action = "announce"
    paired_on = False
    kind: Literal["phones-allowed"] = "phones-allowed"
    may: tuple[PhoneUse, ...]
    deviations: tuple[str, ...] = ()


class LinkRenewed(Fact):
    """A player gets a new personal link; those of before open nothing."""

    action = "answer-call"
    retractable = False
    kind: Literal["link-renewed"] = "link-renewed"
    player: PlayerNumber


class ResultClaimed(Fact):
    """A player said with a phone how the match ended. It is no result until the opponent says the same."""

    action = "take-part"
    paired_on = False
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
    kind: Literal["judge-called"] = "judge-called"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    by: PlayerNumber


class DropAsked(Fact):
    """A player asked to be dropped. The desk drops the player, or answers."""

    action = "take-part"
    paired_on = False
    kind: Literal["drop-asked"] = "drop-asked"
    player: PlayerNumber


class CheckedIn(Fact):
    """A player is here."""

    action = "take-part"
    paired_on = False
    kind: Literal["checked-in"] = "checked-in"
    player: PlayerNumber


class RequestAnswered(Fact):
    """Somebody went to the table, or spoke to the player; `request` is the position of what was asked for."""

    action = "answer-call"
    paired_on = False
    kind: Literal["request-answered"] = "request-answered"
    request: PositiveInt


PhoneFact = PhonesAllowed | LinkRenewed | ResultClaimed | JudgeCalled | DropAsked | CheckedIn | RequestAnswered
