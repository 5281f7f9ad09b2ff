"""Discretion: a tournament as everybody may see it.

What is private is taken out of the record and of the entries before anything is shown, so that no page can show it
by mistake: years of birth, contacts, the names of staff, what was written as a reason, and everything between a
player and the staff. Whoever has to be protected is shown by initials and number.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from matchledger.events import (
    BeaconNamed,
    BeaconRead,
    BracketDrawn,
    ByesAwarded,
    CheckpointSigned,
    ClockPaused,
    ClockResumed,
    CutMade,
    DivisionChanged,
    DivisionsDecided,
    DrawBasisFixed,
    Entry,
    EntryRetracted,
    EventDescribed,
    Fact,
    FileImported,
    FirstPlayerSet,
    FlightJoined,
    FlightsDrawn,
    MarkCalled,
    MatchConceded,
    NewsPosted,
    NoShowRecorded,
    PairingAmended,
    PairingsPosted,
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerNumber,
    PlayerRegistered,
    PlayerRejoined,
    PolicyChanged,
    QualifierReplaced,
    RematchAllowed,
    RepairChosen,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    StandingsPosted,
    StructureAnnounced,
    TieResolved,
    TimeExtended,
    TournamentClosed,
    TournamentOpened,
    WordPledged,
    WordsOpened,
)
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player

EVERYBODY = "all"

# What everybody in the hall sees happen. Whatever is not named here is between a player and the staff.
PUBLIC: frozenset[type[Fact]] = frozenset(
    {
        BeaconNamed,
        BeaconRead,
        BracketDrawn,
        ByesAwarded,
        CheckpointSigned,
        ClockPaused,
        ClockResumed,
        CutMade,
        DivisionChanged,
        DivisionsDecided,
        DrawBasisFixed,
        EntryRetracted,
        EventDescribed,
        FileImported,
        FirstPlayerSet,
        FlightJoined,
        FlightsDrawn,
        MarkCalled,
        MatchConceded,
        NewsPosted,
        NoShowRecorded,
        PairingAmended,
        PairingsPosted,
        PlayerArrivedLate,
        PlayerDisqualified,
        PlayerDropped,
        PlayerRegistered,
        PlayerRejoined,
        PolicyChanged,
        QualifierReplaced,
        RematchAllowed,
        RepairChosen,
        ResultCorrected,
        ResultReported,
        RoundPaired,
        RoundStarted,
        StandingsPosted,
        StructureAnnounced,
        TieResolved,
        TimeExtended,
        TournamentClosed,
        TournamentOpened,
        WordPledged,
        WordsOpened,
    }
)


def initials(name: str) -> str:
    """The first letters of a name: "Ann Lee" is "A. L."."""
    return " ".join(f"{part[0].upper()}." for part in name.replace("-", " ").split())


@dataclass(frozen=True, slots=True)
class Discretion:
    """Which divisions are shown by initials, compared without case; EVERYBODY for all of them."""

    divisions: frozenset[str] = frozenset()

    @classmethod
    def about(cls, divisions: Iterable[str]) -> Discretion:
        """The discretion about some divisions, as somebody names them."""
        return cls(frozenset(division.casefold() for division in divisions))

    def name_of(self, player: Player) -> str:
        """What a player is called in public; the number tells apart whose initials are alike."""
        division = (player.division or "").casefold()
        if EVERYBODY in self.divisions or (division and division in self.divisions):
            return f"{initials(player.name)} #{player.number}"
        return player.name

    def record(self, whole: Record) -> Record:
        """A record in which players are who the public knows, and no deck is listed; all else is shared."""
        shown = copy.copy(whole)
        shown.players = {number: self._player(player) for number, player in whole.players.items()}
        shown.decks = {}
        return shown

    def _player(self, player: Player) -> Player:
        return player._replace(person=Person(name=self.name_of(player)), attributes={})

    def entries(self, whole: Iterable[Entry], record: Record) -> Iterator[Entry]:
        """The entries that are public, in order, as `record` (of `self.record`) knows the players."""
        for entry in whole:
            if type(entry.fact) in PUBLIC:
                yield self._entry(entry, record)

    def _entry(self, entry: Entry, record: Record) -> Entry:
        change: dict[str, object] = {"actor": entry.role, "reason": None}
        match entry.fact:
            case PlayerRegistered(number=number) | PlayerArrivedLate(number=number):
                change["fact"] = self._registration(entry.fact, number, record)
            case PlayerDropped() | PlayerDisqualified():
                change["fact"] = _without_cause(entry.fact)
            case TimeExtended():
                change["fact"] = entry.fact.model_copy(update={"reason": None})
            case FileImported():
                change["fact"] = entry.fact.model_copy(update={"notes": ()})
            case _:
                pass
        return entry.model_copy(update=change)

    def _registration(
        self, fact: PlayerRegistered | PlayerArrivedLate, number: PlayerNumber, record: Record
    ) -> PlayerRegistered | PlayerArrivedLate:
        known = record.players.get(number)
        person = Person(name=f"#{number}") if known is None else known.person
        return fact.model_copy(update={"person": person, "attributes": {}})


def _without_cause(fact: PlayerDropped | PlayerDisqualified) -> PlayerDropped | PlayerDisqualified:
    """Why somebody left is nobody's business, unless the rules made it so."""
    if isinstance(fact, PlayerDisqualified):
        return fact.model_copy(update={"recommended_by": None})
    return fact if fact.cause in ("request", "no-show") else fact.model_copy(update={"cause": "request"})
