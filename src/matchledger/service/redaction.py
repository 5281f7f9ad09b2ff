"""Discretion: the form of a tournament that everybody may see.

Private data are removed from the record and the entries before anything is shown, so that no page can show them by
mistake. Private data are years of birth, contacts, the names of staff, reasons, ids of commands, and facts between
a player and the staff. Protected players appear as initials and number.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator

from msgspec import Struct

from matchledger.events import (
    Entry,
    FileImported,
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerNumber,
    PlayerRegistered,
    TimeExtended,
)
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player

EVERYBODY = "all"


def initials(name: str) -> str:
    """Return the initials of a name, each followed by a dot."""
    return " ".join(f"{part[0].upper()}." for part in name.replace("-", " ").split())


class Discretion(Struct, frozen=True):
    """The divisions whose players appear as initials, compared without case. EVERYBODY means all divisions."""

    divisions: frozenset[str] = frozenset()

    @classmethod
    def about(cls, divisions: Iterable[str]) -> Discretion:
        """Return the discretion for some divisions, by name."""
        return cls(frozenset(division.casefold() for division in divisions))

    def name_of(self, player: Player) -> str:
        """Return a player's public name. The player's number tells players with the same initials apart."""
        division = (player.division or "").casefold()
        if EVERYBODY in self.divisions or (division and division in self.divisions):
            return f"{initials(player.name)} #{player.number}"
        return player.name

    def record(self, whole: Record) -> Record:
        """Return a record with public names and without deck lists. All other parts of the record are the same
        objects as in the full record.
        """
        shown = copy.copy(whole)
        shown.players = {number: self._player(player) for number, player in whole.players.items()}
        shown.decks = {}
        return shown

    def _player(self, player: Player) -> Player:
        return player._replace(person=Person(name=self.name_of(player)), attributes={})

    def entries(self, whole: Iterable[Entry], record: Record) -> Iterator[Entry]:
        """Yield the public entries in order, with the names of `record` (from `self.record`)."""
        for entry in whole:
            if entry.fact.public:
                yield self._entry(entry, record)

    def _entry(self, entry: Entry, record: Record) -> Entry:
        change: dict[str, object] = {"actor": entry.role, "command": "", "reason": None}
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
    """Return the fact without the reason why a player left, which is private unless the rules caused it."""
    if isinstance(fact, PlayerDisqualified):
        return fact.model_copy(update={"recommended_by": None})
    return fact if fact.cause in ("request", "no-show") else fact.model_copy(update={"cause": "request"})
