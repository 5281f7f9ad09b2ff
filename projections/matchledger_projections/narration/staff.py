"""Narration of the staff and of their tokens."""

from __future__ import annotations

from matchledger.events import (
    DoorFact,
    Duty,
    PlainHttpAllowed,
    StaffAssigned,
    StaffDutyChanged,
    StaffFact,
    TokenAdmitted,
    TokenKeyDistrusted,
    TokenKeyTrusted,
    TokenRevoked,
)
from matchledger_projections.conduct.staff import leader_name
from matchledger_projections.message import joined, sentence, word
from matchledger_projections.narration.names import name_of
from matchledger_projections.record.record import Record


def tell_staff(record: Record, fact: StaffFact) -> str:
    """One line about a member of the staff."""
    match fact:
        case StaffAssigned():
            playing = "" if fact.player is None or fact.name is None else name_of(record, fact.player)
            return sentence(
                "%(leader)s is %(role)s%(plays)s%(late)s",
                leader=leader_name(record, fact),
                role=word(fact.role),
                plays=sentence(", plays as %(player)s", player=playing) if playing else "",
                late="" if fact.announced else sentence(", after round 1 was paired"),
            )
        case StaffDutyChanged():
            return joined((_leader(record, fact.assignment), _DUTIES[fact.duty]), " ")


def tell_door(_: Record, fact: DoorFact) -> str:
    """One line about a token, or about the keys that tokens need."""
    match fact:
        case TokenKeyTrusted():
            return sentence(
                "station tokens signed with %(key)s are accepted%(demanded)s",
                key=fact.key,
                demanded=sentence(", and nothing is recorded without one") if fact.demanded else "",
            )
        case TokenKeyDistrusted():
            return sentence("station tokens signed with %(key)s are no longer accepted", key=fact.key)
        case TokenAdmitted():
            return sentence(
                "%(actor)s (%(role)s) logged in at %(station)s with token %(token)s, valid until %(until)s",
                actor=fact.actor,
                role=word(fact.role),
                station=fact.station,
                token=fact.token,
                until=fact.expires.strftime("%Y-%m-%d %H:%M %Z"),
            )
        case TokenRevoked():
            return sentence("token %(token)s revoked", token=fact.token)
        case PlainHttpAllowed():
            return sentence("players may write over plain HTTP, which anybody in the hall can read and alter")


_DUTIES: dict[Duty, str] = {
    "active": sentence("is on duty again"),
    "spectator": sentence("is off duty, and a spectator"),
    "left": sentence("left the staff"),
}


def _leader(record: Record, assignment: int) -> str:
    assigned = dict(record.every(StaffAssigned)).get(assignment)
    return sentence("entry %(entry)s", entry=assignment) if assigned is None else leader_name(record, assigned)
