"""A round: its seating, and every entry about its tables, counting or not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple, Protocol

from matchledger.events import (
    Bye,
    ClockFact,
    FirstPlayerSet,
    PairingAmended,
    RoundPaired,
    RoundStarted,
    Stage,
)
from matchledger_projections.record.lateness import Claim, judge
from matchledger_projections.record.reports import Report
from matchledger_projections.record.round_clock import RoundClock


class ClockNote(NamedTuple):
    """An entry about the clock of a round, and its moment."""

    position: int
    fact: RoundStarted | ClockFact
    at: datetime


class Log(Protocol):
    """What a round needs from the record that it belongs to."""

    @property
    def has_retractions(self) -> bool: ...

    def is_dead(self, position: int) -> bool: ...

    def clock(self, round_: Round) -> RoundClock: ...


class Round:
    """A round as one entry paired it, with everything recorded about it later."""

    __slots__ = (
        "_byes",
        "_clock_notes",
        "_has_times",
        "_kept",
        "_latest",
        "_posted",
        "_record",
        "_replaced",
        "_seats",
        "amendments",
        "number",
        "paired_at",
        "position",
        "seed",
        "stage",
    )

    def __init__(self, record: Log, position: int, paired: RoundPaired, paired_at: datetime) -> None:
        self._record = record
        self.position = position
        self.paired_at = paired_at
        self.stage: Stage = paired.stage
        self.number = paired.round
        self.seed = paired.seed
        self.amendments: list[tuple[int, PairingAmended]] = []
        self._clock_notes: list[ClockNote] = []
        self._posted = {seating.table: seating.players for seating in paired.tables}
        self._byes = paired.byes
        self._seats: dict[int, int] = {}
        self._latest: dict[int, Report] = {}
        self._replaced: dict[int, list[Report]] = {}
        self._has_times = False
        self._kept: object = None

    def as_of(self, record: Log, position: int) -> Round:
        """Return the round when the log had `position` entries, in the record of that moment."""
        past = Round.__new__(Round)
        past._record = record
        past.position, past.stage, past.number, past.seed = self.position, self.stage, self.number, self.seed
        past.paired_at = self.paired_at
        past.amendments = [amended for amended in self.amendments if amended[0] <= position]
        past._clock_notes = [note for note in self._clock_notes if note.position <= position]
        past._posted, past._byes, past._seats = self._posted, self._byes, self._seats
        past._has_times = self._has_times
        past._kept = None
        past._latest = {table: report for table, report in self._latest.items() if report.position <= position}
        past._replaced = {}
        for table, replaced in self._replaced.items():
            known = [report for report in replaced if report.position <= position]
            if known and table not in past._latest:
                past._latest[table] = known.pop()
            if known:
                past._replaced[table] = known
        if len(past._latest) == len(self._latest) and not (self._replaced or self.amendments):
            past._kept = self._kept
        return past

    @property
    def kept(self) -> object:
        """Return the value that was last stored with the round, or None if an entry has changed the round since."""
        return self._kept if self._is_as_posted else None

    def keep(self, value: object) -> None:
        """Store a value that follows from the tables, the byes and the slips of the round."""
        if self._is_as_posted and not self._has_times:  # the end of a timed match also depends on the clock
            self._kept = value

    @property
    def posted_players(self) -> set[int]:
        """Return the players with a table or a bye when the round was paired, before any reseating."""
        return {player for two in self._posted.values() for player in two} | {bye.player for bye in self._byes}

    def note(self, table: int, report: Report) -> None:
        """Add an entry about a table. Earlier entries stay."""
        self._has_times = self._has_times or report.is_timed
        self._kept = None
        if table in self._latest:
            self._replaced.setdefault(table, []).append(self._latest[table])
        self._latest[table] = report

    def note_clock(self, note: ClockNote) -> None:
        """Add an entry about the clock."""
        self._clock_notes.append(note)

    @property
    def clock_notes(self) -> list[ClockNote]:
        """Return every counting entry about the clock, in order."""
        return [note for note in self._clock_notes if not self._record.is_dead(note.position)]

    def every_clock_note(self) -> Iterator[ClockNote]:
        """Yield every entry about the clock in order, counting or not."""
        yield from self._clock_notes

    def reports(self, table: int) -> list[Report]:
        """Return every entry about a table, or about its players at another table, in order, counting or not."""
        if not self._is_moved(table):
            return self._filed(table)
        tables = self.tables
        here, others = tables.get(table), {players for at, players in tables.items() if at != table}
        filed = [report for report in self._filed(table) if report.players not in others]
        theirs = [report for report in self.every_report() if report.players == here]
        found = {report.position: report for report in (*filed, *theirs)}
        return [found[position] for position in sorted(found)]

    def _filed(self, table: int) -> list[Report]:
        latest = self._latest.get(table)
        return [] if latest is None else [*self._replaced.get(table, ()), latest]

    def _is_moved(self, table: int) -> bool:
        """Return whether an amendment seated a player at a table."""
        return any(seating.table == table for _, fact in self.amendments for seating in fact.added)

    def every_report(self) -> Iterator[Report]:
        """Yield every entry about any table of the round, counting or not."""
        for table in self._latest:
            yield from self._filed(table)

    @property
    def tables(self) -> dict[int, tuple[int, int]]:
        """Return the players of each table by number, after amendments."""
        if not self.amendments:
            return self._posted
        tables = dict(self._posted)
        for position, amendment in self.amendments:
            if not self._record.is_dead(position):
                for seating in amendment.removed:
                    tables.pop(seating.table, None)
                tables |= {seating.table: seating.players for seating in amendment.added}
        return dict(sorted(tables.items()))

    @property
    def byes(self) -> tuple[Bye, ...]:
        """Return the players with a bye, after amendments."""
        byes = self._byes
        for position, amendment in self.amendments:
            if not self._record.is_dead(position):
                byes = tuple(bye for bye in byes if bye.player not in amendment.byes_removed)
                byes += tuple(Bye(player=player) for player in amendment.byes_added)
        return byes

    @property
    def players(self) -> set[int]:
        """All players with a table or a bye."""
        seated = {player for players in self.tables.values() for player in players}
        return seated | {bye.player for bye in self.byes}

    def table_of(self, player: int) -> int | None:
        """Return a player's table, or None for a player with a bye or outside the round."""
        if self.amendments:
            return next((table for table, players in self.tables.items() if player in players), None)
        if not self._seats:
            self._seats = {seated: table for table, players in self._posted.items() for seated in players}
        return self._seats.get(player)

    def table_between(self, first: int, second: int) -> int | None:
        """Return the table of two players, if they meet."""
        table = self.table_of(first)
        return table if table is not None and second in self.tables[table] else None

    def report(self, table: int, players: tuple[int, int]) -> Report | None:
        """Return the result that counts for a table: the latest report about these players that was not retracted,
        or None.
        """
        report = self._counting(table, players)
        return self.judged(table, report) if report is not None and report.is_timed else report

    def _counting(self, table: int, players: tuple[int, int]) -> Report | None:
        """Return the report that counts for a table, or None. Its slip is as written: the times on it have not been
        judged yet.
        """
        latest = self._latest.get(table)
        if latest is not None and latest.players == players and not self._record.is_dead(latest.position):
            return latest
        # Players who change tables keep their slips.
        reports = self.every_report() if self._is_moved(table) else self._replaced.get(table, ())
        about = [report for report in reports if report.players == players]
        alive = (report for report in about if not self._record.is_dead(report.position))
        return max(alive, key=lambda report: report.position, default=None)

    def judged(self, table: int, report: Report, clock: RoundClock | None = None) -> Report:
        """Return an entry about a table, with the kind and winner that its slip gives."""
        first = self.first_player(table)
        verdict = judge(
            Claim(report.kind, report.winner, report.ended, report.received, report.judgment),
            clock=self._record.clock(self) if clock is None else clock,
            table=table,
            players=report.players,
            decider=None if first is None else first.decider,
        )
        return report._replace(kind=verdict.kind, winner=verdict.winner, verdict=verdict)

    def first_player(self, table: int) -> FirstPlayerSet | None:
        """Return the last entry about the first player at a table, and about who chose that player, or None."""
        players = self.tables.get(table)
        found = (note.fact for note in reversed(self.clock_notes))
        for fact in found:
            if isinstance(fact, FirstPlayerSet) and fact.players == players:
                return fact
        return None

    def results(self) -> Iterator[tuple[int, tuple[int, int], Report | None]]:
        """Yield every table in order, with its players and the entry that counts for it."""
        if not self._is_as_posted:
            yield from ((table, players, self.report(table, players)) for table, players in self.tables.items())
            return
        clock = self._record.clock(self) if self._has_times else None
        for table, players in self._posted.items():
            report = self._latest.get(table)
            if report is not None and report.is_timed:
                report = self.judged(table, report, clock)
            yield table, players, report

    def reported(self) -> list[tuple[tuple[int, int], Report]]:
        """Return the players of every table with a result, with the entry that counts for it."""
        if self._has_times or not self._is_as_posted:
            return [(players, report) for _, players, report in self.results() if report is not None]
        reports = map(self._latest.get, self._posted)
        return [(two, report) for two, report in zip(self._posted.values(), reports, strict=True) if report]

    @property
    def _is_as_posted(self) -> bool:
        """Return whether nothing was amended or retracted, so that the latest entry about each table counts."""
        return not (self.amendments or self._record.has_retractions)

    @property
    def outstanding(self) -> tuple[int, ...]:
        """The tables without a result."""
        if self._is_as_posted:
            if self._latest.keys() >= self._posted.keys():
                return ()
            return tuple(table for table in self._posted if table not in self._latest)
        return tuple(table for table, players in self.tables.items() if self._counting(table, players) is None)

    @property
    def has_started(self) -> bool:
        """Return whether play began: an entry says so, or a result came in."""
        if any(isinstance(note.fact, RoundStarted) for note in self.clock_notes):
            return True
        return any(self._counting(table, players) is not None for table, players in self.tables.items())


def as_seated(posted: Round | None, fact: RoundPaired | PairingAmended) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the games and byes of a round paired by hand, or of a posted round after an amendment."""
    if isinstance(fact, RoundPaired):
        return [seating.players for seating in fact.tables], [bye.player for bye in fact.byes]
    games, byes = [seating.players for seating in fact.added], list(fact.byes_added)
    moved = {player for seating in (*fact.added, *fact.removed) for player in seating.players}
    moved |= {*fact.byes_added, *fact.byes_removed}
    if posted is not None:
        games += [two for two in posted.tables.values() if not moved & set(two)]
        byes += [bye.player for bye in posted.byes if bye.player not in moved]
    return games, byes
