"""Conduct: penalties, rulings, incidents with cards, and the leaders with their duty.

Leaders have the names that they signed with. All free text comes from the staff: the log accepts no free text from
players or strangers.
"""

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
    """A player got a penalty. `round` and `table` say where the player sat, if the player had a table.

    If the penalty decided a match, the result has its own entry. A penalty can only recommend a disqualification
    (L5R-I.2-MARSHAL). If the organizer disqualifies the player, the fact is a `PlayerDisqualified`. `deviations`
    are the rules that the penalty departs from. `called` is the game's own name for the penalty. `leader` gave the
    penalty, if somebody else recorded it.
    """

    action = "give-penalty"
    paired_on = False
    routine = True
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
    """A leader answered a question about the rules, during a match or outside any match.

    `judge` gave the ruling. `source` says who raised the question, such as a spectator (L5R-I.5-SPECTATOR).
    `reviews` is the position of the ruling under review. `final` says that the ruling cannot be reviewed, because a
    marshal gave it (L5R-I.2-MARSHAL). `deviations` are the rules that the ruling departs from.
    """

    action = "give-ruling"
    paired_on = False
    routine = True
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

    `when` says when the card was missed: at a round's start, during a game, when the time to look was up, or at the
    next round's start (L5R-II.2d-LOST). For a proxy, the entry has the card, the leader and the date. `note` is the
    unreadable text (L5R-II.2d-DAMAGED). `deviations` are the rules that the incident departs from.
    """

    action = "note-card"
    paired_on = False
    routine = True
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


Office = Literal["organizer", "marshal", "judge"]
Duty = Literal["active", "spectator", "left"]


class StaffAssigned(Fact):
    """Somebody became a leader of the event.

    `announced` says whether the person was announced before round 1 was paired.

    `player` is the leader's number, if the leader was registered as a player at that time. `name` is None for a
    leader with a player's number, so that an erasure removes the name too. A leader who registers later is found by
    name (L5R-I.6-LEADERPLAY). The names of the staff are not encrypted, like the actors of all entries.
    """

    action = "assign-staff"
    kind: Literal["staff-assigned"] = "staff-assigned"
    name: str | None = Field(default=None, min_length=1, max_length=200)
    role: Office
    announced: bool
    player: PlayerNumber | None = None


class StaffDutyChanged(Fact):
    """A leader went off duty, returned, or left. `assignment` is the entry that assigned the leader."""

    action = "change-duty"
    kind: Literal["staff-duty-changed"] = "staff-duty-changed"
    assignment: PositiveInt
    duty: Duty


StaffFact = StaffAssigned | StaffDutyChanged
