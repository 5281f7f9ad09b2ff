"""Narration of rounds: pairing, reseating and the clock."""

from __future__ import annotations

from collections.abc import Iterable

from matchledger.events import (
    BracketDrawn,
    ByesAwarded,
    ClockFact,
    ClockPaused,
    ClockResumed,
    FirstPlayerSet,
    MarkCalled,
    PairingAmended,
    RematchAllowed,
    RepairChoice,
    RepairChosen,
    RoundFact,
    RoundPaired,
    RoundStarted,
    Seating,
    TableFixed,
    TablesNumbered,
    TimeExtended,
)
from matchledger_projections.message import joined, numbered, sentence, word
from matchledger_projections.narration.names import both_of, departs, match_of, name_of, names_of, noted, round_of
from matchledger_projections.record.record import Record

_REPAIRS: dict[RepairChoice, str] = {
    "leave": sentence("the posted round was kept"),
    "minimal": sentence("as few players as possible were moved"),
    "all": sentence("the whole round was drawn again"),
}


def tell_round(record: Record, fact: RoundFact) -> str:
    """Describe a round in one line."""
    match fact:
        case RematchAllowed():
            players = both_of(record, fact.players)
            return sentence("round %(round)s: %(players)s allowed to meet again", round=fact.round, players=players)
        case RoundPaired():
            return _paired(record, fact)
        case PairingAmended():
            return _amended(record, fact)
        case RepairChosen():
            return sentence(
                "round %(round)s: %(choice)s after the correction in entry %(entry)s",
                round=fact.round,
                choice=_REPAIRS[fact.choice],
                entry=fact.correction,
            )
        case TableFixed() | TablesNumbered() | ByesAwarded():
            return _seats(record, fact)
        case RoundStarted():
            return sentence(
                "%(round)s started%(minutes)s%(noted)s",
                round=round_of(fact),
                minutes=sentence(", %(minutes)s minutes", minutes=fact.minutes) if fact.minutes else "",
                noted=noted(fact.at),
            )


def _seats(record: Record, fact: TableFixed | TablesNumbered | ByesAwarded) -> str:
    """Describe a fixed table, the first table of a division, or awarded byes in one line."""
    if isinstance(fact, TablesNumbered):
        return sentence("the tables of %(division)s begin at %(first)s", division=fact.division, first=fact.first)
    player = name_of(record, fact.player)
    if isinstance(fact, TableFixed):
        if fact.table is None:
            return sentence("%(player)s plays at any table", player=player)
        return sentence("%(player)s plays at table %(table)s", player=player, table=fact.table)
    said = numbered(
        "%(player)s awarded a bye in round 1",
        "%(player)s awarded byes in rounds 1 to %(count)s",
        fact.rounds,
        player=player,
    )
    return joined((said, departs(fact.deviations)), "")


def tell_clock(record: Record, fact: ClockFact) -> str:
    """Describe the clock of a round in one line."""
    match fact:
        case TimeExtended():
            return numbered(
                "%(match)s: %(count)s more minute for %(players)s",
                "%(match)s: %(count)s more minutes for %(players)s",
                fact.minutes,
                match=match_of(fact),
                players=both_of(record, fact.players),
            )
        case ClockPaused():
            return sentence("%(round)s: clock stopped%(noted)s", round=round_of(fact), noted=noted(fact.at))
        case ClockResumed():
            return sentence("%(round)s: clock went on%(noted)s", round=round_of(fact), noted=noted(fact.at))
        case MarkCalled():
            return _announced(record, fact)
        case FirstPlayerSet():
            decider = "" if fact.decider is None else name_of(record, fact.decider)
            return sentence(
                "%(match)s: %(player)s is the first player%(decided)s",
                match=match_of(fact),
                player=name_of(record, fact.first_player),
                decided=sentence(", decided by %(player)s", player=decider) if decider else "",
            )


def _announced(record: Record, fact: MarkCalled) -> str:
    turn = "" if fact.turn is None else name_of(record, fact.turn)
    return sentence(
        "%(round)s: %(mark)s called%(where)s%(turn)s",
        round=round_of(fact),
        mark=word(fact.mark),
        where="" if fact.table is None else sentence(" at table %(table)s", table=fact.table),
        turn=sentence(", in the turn of %(player)s", player=turn) if turn else "",
    )


def _paired(record: Record, fact: RoundPaired) -> str:
    byes = names_of(record, [bye.player for bye in fact.byes])
    return sentence(
        "%(round)s paired %(how)s, %(tables)s%(byes)s",
        round=round_of(fact),
        how=_how(record, fact),
        tables=numbered("%(count)s table", "%(count)s tables", len(fact.tables)),
        byes=sentence(", bye: %(players)s", players=byes) if byes else "",
    )


def _how(record: Record, fact: RoundPaired) -> str:
    if fact.seed is not None:
        return sentence("by draw")
    by_bracket = fact.stage == "elimination" and (record.brackets_drawn or _of_bracket_taken_back(record, fact))
    return sentence("by the bracket") if by_bracket else sentence("by hand")


def _of_bracket_taken_back(record: Record, fact: RoundPaired) -> bool:
    """Return whether a bracket that no longer counts has these games, or these players in a later round."""
    games = {frozenset(game) for _, drawn in record.every(BracketDrawn) for game in drawn.games}
    field = frozenset[int]().union(*games)
    seated = [frozenset(seating.players) for seating in fact.tables]
    return bool(games) and all(two in games if fact.round == 1 else two <= field for two in seated)


def _amended(record: Record, fact: PairingAmended) -> str:
    byes = names_of(record, fact.byes_added)
    amended = sentence(
        "%(round)s amended: %(removed)s became %(added)s%(byes)s",
        round=round_of(fact),
        removed=_seatings(record, fact.removed),
        added=_seatings(record, fact.added),
        byes=sentence(", bye for %(players)s", players=byes) if byes else "",
    )
    return joined((amended, departs(fact.deviations)), "")


def _seatings(record: Record, seatings: Iterable[Seating]) -> str:
    seated = [f"{seating.table} {names_of(record, seating.players, ' - ')}" for seating in seatings]
    return ", ".join(seated) or sentence("nothing")
