"""Narration of the field: players, their divisions and flights, and what happens to their names."""

from __future__ import annotations

from functools import partial

from matchledger.events import (
    BeaconNamed,
    BeaconRead,
    ChanceFact,
    DivisionChanged,
    DivisionFact,
    DivisionMode,
    DivisionsDecided,
    DrawBasisFixed,
    FlightJoined,
    FlightsDrawn,
    NamesHandedOut,
    PersonCorrected,
    PersonErased,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerFact,
    PlayerRegistered,
    PlayerRejoined,
    PrivacyFact,
    WordPledged,
    WordsOpened,
)
from matchledger_projections.message import Sentence, joined, numbered, sentence, word
from matchledger_projections.narration.names import both_of, departs, name_of, names_of
from matchledger_projections.record.record import Record
from matchledger_projections.standings.crosstable import ranks_below


def tell_player(record: Record, fact: PlayerFact) -> str:
    """Describe a player who comes or goes in one line."""
    match fact:
        case PlayerRegistered():
            return sentence(
                "%(player)s registered as number %(number)s",
                player=name_of(record, fact.number),
                number=fact.number,
            )
        case PlayerArrivedLate():
            counting, _ = _charges(record, fact.number, fact.losses)
            below = ranks_below(record.rulebook, counting)
            return sentence(
                "%(player)s entered late as number %(number)s%(charged)s%(below)s",
                player=name_of(record, fact.number),
                number=fact.number,
                charged=_charged(record, fact.number, fact.losses),
                below=sentence(", ranks below players on time") if below else "",
            )
        case PersonCorrected():
            return sentence("the personal data of %(player)s corrected", player=name_of(record, fact.player))
        case PlayerDropped():
            return sentence(
                "%(player)s dropped after round %(round)s (%(cause)s)",
                player=name_of(record, fact.player),
                round=fact.after_round,
                cause=word(fact.cause),
            )
        case PlayerRejoined():
            return sentence(
                "%(player)s rejoined%(charged)s",
                player=name_of(record, fact.player),
                charged=_charged(record, fact.player, fact.losses),
            )
        case PlayerDisqualified():
            return sentence(
                "%(player)s disqualified after round %(round)s",
                player=name_of(record, fact.player),
                round=fact.after_round,
            )


def _sized(fact: DivisionsDecided, division: str) -> Sentence:
    """Return a division with its players, and with its rounds if they were decided."""
    said = joined((division or sentence("no division"), fact.sizes[division]), " ")
    if rounds := fact.rounds.get(division):
        return numbered(
            "%(division)s: %(count)s Swiss round", "%(division)s: %(count)s Swiss rounds", rounds, division=said
        )
    return said


def tell_division(record: Record, fact: DivisionFact) -> str:
    """Describe the arrangement of the field in one line."""
    match fact:
        case DivisionsDecided():
            return sentence(
                "divisions %(mode)s (%(sizes)s)%(departs)s",
                mode=MODES[fact.mode],
                sizes=joined(map(partial(_sized, fact), fact.sizes)),
                departs=departs(fact.deviations),
            )
        case FlightsDrawn():
            return sentence(
                "%(division)s drawn into %(flights)s flights of %(sizes)s%(departs)s",
                division=fact.division or sentence("the field"),
                flights=len(fact.flights),
                sizes=", ".join(str(len(flight)) for flight in fact.flights),
                departs=departs(fact.deviations),
            )
        case FlightJoined():
            return sentence(
                "%(player)s joined flight %(flight)s, %(how)s",
                player=name_of(record, fact.player),
                flight=fact.flight,
                how=sentence("by draw") if fact.seed is not None else sentence("the smallest"),
            )
        case DivisionChanged():
            return sentence(
                "%(player)s moved to %(division)s%(departs)s",
                player=name_of(record, fact.player),
                division=fact.division or sentence("no division"),
                departs=departs(fact.deviations),
            )


def tell_chance(record: Record, fact: ChanceFact) -> str:
    """Describe the inputs of the draws in one line."""
    match fact:
        case DrawBasisFixed():
            return sentence("the draws depend on the registrations of %(count)s players", count=fact.registered)
        case WordPledged():
            how = (
                sentence("on paper")
                if fact.digest is None
                else sentence("with the SHA-256 %(digest)s", digest=fact.digest)
            )
            return sentence("%(player)s pledged a word %(how)s", player=name_of(record, fact.player), how=how)
        case WordsOpened():
            words = joined(joined((name_of(record, one.player), one.word), ": ") for one in fact.words)
            missing = names_of(record, fact.unopened)
            hidden = sentence("; the words of %(players)s are missing", players=missing) if missing else ""
            return sentence("words opened: %(words)s%(hidden)s", words=words, hidden=hidden)
        case BeaconNamed():
            return sentence("round %(round)s of the beacon %(chain)s named", chain=fact.chain, round=fact.number)
        case BeaconRead():
            return sentence(
                "round %(round)s of the beacon %(chain)s read, signature not checked",
                chain=fact.chain,
                round=fact.number,
            )


def tell_privacy(record: Record, fact: PrivacyFact) -> str:
    """Describe erased or disclosed names in one line."""
    match fact:
        case PersonErased():
            return sentence("the personal data of %(player)s erased", player=name_of(record, fact.player))
        case NamesHandedOut():
            return sentence(
                "%(form)s with the names%(whose)s written to %(file)s",
                form=word(fact.form),
                whose=sentence(" of %(players)s", players=both_of(record, fact.players)) if fact.players else "",
                file=fact.to,
            )


MODES: dict[DivisionMode, str] = {
    "none": sentence("not kept apart"),
    "separated": sentence("play separately (Age Separated)"),
    "modified": sentence("play together (Age Modified)"),
}


def _charges(record: Record, player: int, losses: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rounds charged to a player, and those whose charge ended with the pairing (PKM-3.1.4-LATE)."""
    lost = tuple(number for number in losses if record.misses(player, number))
    return lost, tuple(number for number in losses if number not in lost)


def _charged(record: Record, player: int, losses: tuple[int, ...]) -> str:
    lost, gone = _charges(record, player, losses)
    charged = sentence(", charged with round %(rounds)s", rounds=", ".join(map(str, lost))) if lost else ""
    freed = sentence(
        ", no longer charged with round %(rounds)s (pairing retracted)", rounds=", ".join(map(str, gone))
    )
    return joined((charged, freed), "") if gone else charged
