"""The hall: a tournament as it is at one moment, as everybody in the room may see it.

All public pages are made from a hall and from nothing else. It belongs to one position of the log, so whatever is
rendered from it stays right for as long as the log has that length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from uuid import UUID

from matchledger.documents.document import title
from matchledger.events import Entry, Stage
from matchledger.ledger import Ledger
from matchledger.service.redaction import Discretion
from matchledger.web.public.timing import Timing, timing
from matchledger_projections.record.desk_calls import Call, calls
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.bracket import Bracket, brackets
from matchledger_projections.standings.standings import Row, Standings, standings


class Hall:
    """A tournament at one moment.

    `whole` and `log` are the record and the log as they are; `record` and `entries` hold nothing private.
    """

    def __init__(self, whole: Record, log: Sequence[Entry], discretion: Discretion) -> None:
        """`whole` is the hall's own and changes no more; `log` are its entries, from the first."""
        self.whole = whole
        self.log = log
        self.discretion = discretion
        self.position = whole.position

    @cached_property
    def record(self) -> Record:
        """The record, with the names that the public knows."""
        return self.discretion.record(self.whole)

    @cached_property
    def entries(self) -> dict[int, Entry]:
        """The public entries by position, in order; what is private is left out."""
        return {entry.position: entry for entry in self.discretion.entries(self.log, self.record)}

    @property
    def title(self) -> str:
        return title(self.record)

    @cached_property
    def rulebook(self) -> Rulebook:
        return self.whole.rulebook

    @cached_property
    def now(self) -> Round | None:
        """The round that is played now, or was played last."""
        return self.whole.latest_round("elimination") or self.whole.latest_round()

    @cached_property
    def standings(self) -> Standings:
        """The standings after the last finished Swiss round."""
        return standings(self.whole)

    @cached_property
    def provisional(self) -> Standings:
        """The standings with the round in progress, as far as it is played."""
        latest = self.whole.latest_round()
        if latest is None or latest.number == self.standings.round:
            return self.standings
        return standings(self.whole, latest.number)

    @cached_property
    def rows(self) -> dict[int, Row]:
        """The lines of the standings, by player, best first."""
        return {row.player: row for row in self.standings.rows}

    @cached_property
    def calls(self) -> dict[tuple[Stage, int, int, int | None], Call]:
        """The last call about each result, by stage, round, table and the entry that it disputes."""
        return {
            (call.fact.stage, call.fact.round, call.fact.table, call.fact.disputes): call
            for call in calls(self.whole)
        }

    @cached_property
    def brackets(self) -> list[Bracket]:
        """The brackets that are drawn: one, or one for each division that has a cut of its own."""
        return brackets(self.whole)

    @cached_property
    def timing(self) -> Timing | None:
        """The clock of the round in progress."""
        return timing(self.whole)

    def name(self, player: int) -> str:
        """What the public calls a player."""
        return self.record.players[player].name


class Halls:
    """The hall of every tournament as it is now, each made once per change. For the thread of the ledger alone."""

    def __init__(self, divisions: Iterable[str] = ()) -> None:
        """`divisions` are those shown by initials."""
        self._discretion = Discretion.about(divisions)
        self._halls: dict[UUID, Hall] = {}

    def now(self, ledger: Ledger, tournament: UUID) -> Hall:
        """The hall as the log stands."""
        record = ledger.record(tournament)
        known = self._halls.get(tournament)
        if known is None or known.position != record.position:
            log = [] if known is None else list(known.log)
            log += ledger.entries(tournament, after=len(log), through=record.position)
            known = self._halls[tournament] = Hall(record.as_of(record.position), log, self._discretion)
        return known
