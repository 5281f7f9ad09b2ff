"""Narration of conduct and documents: penalties, rulings, cards, deck lists and the overview."""

from __future__ import annotations

from matchledger.events import (
    CardIncident,
    ConductFact,
    DeckAmended,
    DeckChecked,
    DeckFact,
    DeckSubmitted,
    DoorFact,
    Duty,
    OverviewFiled,
    PenaltyGiven,
    PlainHttpAllowed,
    RulingGiven,
    StaffAssigned,
    StaffDutyChanged,
    StaffFact,
    TokenAdmitted,
    TokenKeyDistrusted,
    TokenKeyTrusted,
    TokenRevoked,
)
from matchledger.events.conduct import Missed, Offence, Penalty
from matchledger_projections.conduct.staff import leader_name
from matchledger_projections.message import Sentence, joined, sentence, word
from matchledger_projections.narration.names import departs, match_of, name_of, round_of
from matchledger_projections.record.record import Record

PENALTIES: dict[Penalty, str] = {
    "warning": sentence("warned"),
    "game-loss": sentence("given a game loss"),
    "match-loss": sentence("given a match loss"),
    "recommend-disqualification": sentence("recommended for disqualification"),
}

OFFENCES: dict[Offence, str] = {
    "slow-play": sentence("slow play"),
    "unsporting": sentence("unsporting conduct"),
    "rough-handling": sentence("rough handling of cards"),
    "discourtesy": sentence("discourtesy"),
    "cheating": sentence("cheating"),
    "collusion": sentence("collusion"),
    "notes": sentence("notes"),
    "assistance": sentence("outside assistance"),
    "deck": sentence("deck or deck list"),
    "other": sentence("something else"),
}

MISSED: dict[Missed, str] = {
    "round-start": sentence("missed at the start of the round"),
    "during-game": sentence("missed during the game"),
    "time-up": sentence("not found in time"),
    "next-round": sentence("still missing when the next round starts"),
}


def tell_conduct(record: Record, fact: ConductFact) -> str:
    """Describe a penalty, a ruling or a card in one line."""
    if fact.round is None:
        return _conduct(record, fact)
    where = round_of(fact) if fact.table is None else match_of(fact)
    return sentence("%(where)s: %(what)s", where=where, what=_conduct(record, fact))


def _conduct(record: Record, fact: ConductFact) -> str:
    note = "" if isinstance(fact, RulingGiven) or fact.note is None else f", {fact.note}"
    match fact:
        case PenaltyGiven():
            return sentence(
                "%(player)s %(penalty)s for %(offence)s%(by)s%(note)s%(departs)s",
                player=name_of(record, fact.player),
                penalty=PENALTIES[fact.penalty]
                if fact.called is None
                else sentence("given the penalty %(called)s", called=fact.called),
                offence=OFFENCES[fact.offence],
                by="" if fact.leader is None else sentence(" by %(leader)s", leader=fact.leader),
                note=note,
                departs=departs(fact.deviations),
            )
        case RulingGiven():
            reviews = fact.reviews
            return sentence(
                "%(judge)s ruled%(reviewed)s on %(question)r: %(outcome)s%(source)s%(final)s",
                judge=fact.judge,
                reviewed="" if reviews is None else sentence(" in review of entry %(entry)s", entry=reviews),
                question=fact.question,
                outcome=fact.outcome,
                source="" if fact.source is None else sentence(", on %(source)s", source=fact.source),
                final=sentence(", final") if fact.final else "",
            )
        case CardIncident():
            return _card(fact, name_of(record, fact.player), note)


def _card(fact: CardIncident, player: str, note: str) -> Sentence:
    departed = departs(fact.deviations)
    if fact.what == "proxy":
        proxy = sentence(
            "%(card)s of %(player)s replaced with a proxy by %(leader)s%(dated)s%(note)s",
            card=fact.card,
            player=player,
            leader=fact.leader,
            dated="" if fact.date is None else sentence(" on %(date)s", date=fact.date),
            note=note,
        )
        return joined((proxy, departed), "")
    incident = sentence(
        "%(card)s of %(player)s %(what)s%(when)s%(note)s (noted by %(leader)s)",
        card=fact.card,
        player=player,
        what=word(fact.what),
        when="" if fact.when is None else joined(("", MISSED[fact.when])),
        note=note,
        leader=fact.leader,
    )
    return joined((incident, departed), "")


def tell_deck(record: Record, fact: DeckFact) -> str:
    """Describe a deck list or a deck check in one line."""
    match fact:
        case DeckSubmitted():
            player = name_of(record, fact.player)
            return sentence(
                "%(player)s handed a deck list in, SHA-256 %(digest)s", player=player, digest=fact.sha256
            )
        case DeckAmended():
            return sentence(
                "deck list of %(player)s amended by %(leader)s%(marked)s, SHA-256 %(digest)s",
                player=name_of(record, fact.player),
                leader=fact.leader,
                marked=sentence(", marked as advantageous") if fact.advantageous else "",
                digest=fact.sha256,
            )
        case DeckChecked():
            return sentence(
                "deck of %(player)s checked%(when)s: %(rule)s %(kept)s",
                player=name_of(record, fact.player),
                when=sentence(" in round %(round)s", round=fact.round) if fact.round else "",
                rule=fact.rule,
                kept=_KEPT[fact.ok],
            )


def tell_overview(_: Record, fact: OverviewFiled) -> str:
    """Describe the overview in one line."""
    return sentence("overview sent in on %(date)s, with %(cards)s score cards", date=fact.sent, cards=fact.cards)


_KEPT = {True: sentence("kept"), False: sentence("broken"), None: sentence("not checkable")}


def tell_staff(record: Record, fact: StaffFact) -> str:
    """Describe a member of the staff in one line."""
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
    """Describe a token, or keys that tokens need, in one line."""
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
