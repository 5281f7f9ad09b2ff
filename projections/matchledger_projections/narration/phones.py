"""Narration of phones: what players may do with their phones, and what they reported and asked for."""

from __future__ import annotations

from matchledger.events import (
    CheckedIn,
    DropAsked,
    JudgeCalled,
    LinkRenewed,
    PhoneFact,
    PhonesAllowed,
    PhoneUse,
    RequestAnswered,
    ResultClaimed,
)
from matchledger_projections.message import joined, sentence
from matchledger_projections.narration.matches import tell_slip
from matchledger_projections.narration.names import match_of, name_of
from matchledger_projections.record.record import Record

USES: dict[PhoneUse, str] = {
    "report": sentence("report results"),
    "judge": sentence("call a judge"),
    "deck": sentence("hand in a deck list"),
    "drop": sentence("ask to be dropped"),
    "check-in": sentence("check in"),
    "sign-up": sentence("put their names on the waiting list"),
    "push": sentence("get news of a round by Web Push"),
}


def tell_phone(record: Record, fact: PhoneFact) -> str:
    """One line about players' phones."""
    match fact:
        case PhonesAllowed():
            return _allowed(fact)
        case ResultClaimed():
            return sentence(
                "%(match)s: %(player)s reports by phone: %(slip)s",
                match=match_of(fact),
                player=name_of(record, fact.by),
                slip=tell_slip(record, fact.players, fact.slip),
            )
        case JudgeCalled():
            called = sentence("%(player)s called a judge", player=name_of(record, fact.by))
            return joined((match_of(fact), called), ": ")
        case RequestAnswered():
            return sentence("request %(entry)s answered", entry=fact.request)
    return _said(record, fact)


def _allowed(fact: PhonesAllowed) -> str:
    if not fact.may:
        return sentence("players may not use their phones for anything")
    uses = joined([USES[use] for use in fact.may])
    if fact.places is not None:
        return sentence(
            "players may use their phones to %(uses)s; the event has %(places)s places",
            uses=uses,
            places=fact.places,
        )
    return sentence("players may use their phones to %(uses)s", uses=uses)


def _said(record: Record, fact: LinkRenewed | DropAsked | CheckedIn) -> str:
    player = name_of(record, fact.player)
    match fact:
        case LinkRenewed():
            return sentence("%(player)s got a new personal link", player=player)
        case DropAsked():
            return sentence("%(player)s asked to be dropped", player=player)
        case CheckedIn():
            return sentence("%(player)s checked in", player=player)
