"""Conduct: what a leader punished, what a leader ruled, and what happened to a card.

Leaders are named as they signed. What is written in words is the staff's: the log takes no words of strangers in.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two

Penalty = Literal["warning", "game-loss", "match-loss", "recommend-disqualification"]
Offence = Literal[
    "slow-play",
    "unsporting",
    "rough-handling",
    "discourtesy",
    "cheating",
    "collusion",
    "notes",
    "assistance",
    "deck",
    "other",
]
Damage = Literal["lost", "found", "damaged", "proxy"]
Missed = Literal["round-start", "during-game", "time-up", "next-round"]


def _is_none(value: object) -> bool:
    return value is None


def _is_empty(value: tuple[str, ...]) -> bool:
    return not value


class PenaltyGiven(Fact):
    """A player got a penalty; `round` and `table` say where the player sat, if anywhere.

    If the penalty lost a match, the result is an entry of its own. This entry only recommends a disqualification
    (L5R-I.2-MARSHAL): the organizer's decision is a `PlayerDisqualified`. `deviations` are the rules that the
    penalty departs from. `called` is its name in the game. `leader` gave it, if somebody else recorded it.
    """

    action = "give-penalty"
    paired_on = False
    kind: Literal["penalty-given"] = "penalty-given"
    player: PlayerNumber
    penalty: Penalty
    offence: Offence
    stage: Stage = "swiss"
    round: PositiveInt | None = None
    table: PositiveInt | None = None
    note: str | None = Field(default=None, max_length=1000)
    deviations: tuple[str, ...] = ()
    called: str | None = Field(default=None, max_length=60, exclude_if=_is_none)
    leader: str | None = Field(default=None, min_length=1, max_length=200, exclude_if=_is_none)


class RulingGiven(Fact):
    """A leader answered a question about the rules, of a match or of none.

    `judge` is who ruled, `source` where the question came from, such as a spectator's report
    (L5R-I.5-SPECTATOR). `reviews` is the position of the ruling that this one decides again; `final` says that
    nobody reviews this one, because a marshal gave it (L5R-I.2-MARSHAL). `deviations` are rules it departs from.
    """

    action = "give-ruling"
    paired_on = False
    kind: Literal["ruling-given"] = "ruling-given"
    question: str = Field(min_length=1, max_length=1000)
    outcome: str = Field(min_length=1, max_length=1000)
    judge: str = Field(min_length=1, max_length=200)
    source: str | None = Field(default=None, max_length=200)
    stage: Stage = "swiss"
    round: PositiveInt | None = None
    table: PositiveInt | None = None
    players: Two | None = None
    reviews: PositiveInt | None = None
    final: bool = False
    deviations: tuple[str, ...] = ()


class CardIncident(Fact):
    """A player's card was lost, found again or damaged, or a leader made a proxy for it.

    `when` is the moment at which a lost card was missed, or missed still: at the start of a round, during a game,
    when the time to find it was over, at the start of the next round (L5R-II.2d-LOST). A proxy carries the card's
    name, the leader's and the date, and in `note` what can no longer be read (L5R-II.2d-DAMAGED).
    `deviations` are rules that it departs from.
    """

    action = "note-card"
    paired_on = False
    kind: Literal["card-incident"] = "card-incident"
    player: PlayerNumber
    card: str = Field(min_length=1, max_length=200)
    what: Damage
    leader: str = Field(min_length=1, max_length=200)
    when: Missed | None = None
    date: dt.date | None = None
    stage: Stage = "swiss"
    round: PositiveInt | None = None
    table: PositiveInt | None = None
    note: str | None = Field(default=None, max_length=1000)
    deviations: tuple[str, ...] = Field(default=(), exclude_if=_is_empty)


ConductFact = PenaltyGiven | RulingGiven | CardIncident
