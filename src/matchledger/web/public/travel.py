"""Time travel: the standings at an earlier moment, as known then or as corrected since, and the entries that moved
each line.
"""

from __future__ import annotations

from msgspec import Struct

from matchledger.events import Entry
from matchledger.web.public.hall import Hall
from matchledger.web.public.places import Moved, Section, ranked, rows_of, sections
from matchledger_projections.divisions.tables import DivisionTable
from matchledger_projections.record.desk_calls import Unsettled, unsettled
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import Clock, position_when_known
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.attribution import View
from matchledger_projections.views.difference import difference


class Moment(Struct, frozen=True):
    """The standings at one moment, compared with an earlier moment.

    `clock` is None for the standings after a single entry.

    `against` is the round with which these standings are compared. `against` is None for round 1, and for a single
    entry, which is compared with the log without that entry. `entry` is the last entry of the log at that moment,
    or None if that entry is private. `outstanding` are the tables of the round without a result, and `unsettled`
    are all tables that can still change these standings.
    """

    round: int
    clock: Clock | None
    position: int
    entry: Entry | None
    against: int | None
    outstanding: tuple[int, ...]
    unsettled: Unsettled
    sections: list[Section]

    @property
    def largest(self) -> Section | None:
        """Return the section with the most players, which a page of several divisions shows first."""
        return max(self.sections, key=lambda section: len(section.lines), default=None)

    @property
    def changed(self) -> Section | None:
        """Return the section with the most lines that an entry or a later correction changed, or None."""
        if self.clock == "as-known":
            return None
        changes = [(sum(line.moved is not None for line in section.lines), section) for section in self.sections]
        most, section = max(changes, key=lambda one: one[0], default=(0, None))
        return section if most else None

    @property
    def cause(self) -> int | None:
        """Return the one entry behind all corrected lines, or None."""
        if self.clock != "as-corrected":
            return None
        causes = {line.moved.entries for section in self.sections for line in section.lines if line.moved}
        return next(iter(causes))[0] if len(causes) == 1 and len(next(iter(causes))) == 1 else None


def at_entry(hall: Hall, position: int) -> Moment:
    """Return the standings when the log had `position` entries, including finished tables of the round in
    progress.
    """
    then, before = hall.whole.as_of(position), hall.whole.as_of(position - 1)
    tables = ranked(then, _latest(then))
    rows = {} if before.opening is None else rows_of(ranked(before, _latest(before)))
    moved = {
        row.player: Moved(None if (was := rows.get(row.player)) is None else was.rank, (position,))
        for row in rows_of(tables).values()
        if before.opening is not None and rows.get(row.player) != row
    }
    return _moment(hall, then, tables, moved, clock=None, against=None)


def after_round(hall: Hall, round_: int, clock: Clock) -> Moment:
    """Return the standings after a round, as known then or as corrected since.

    "As known" compares each line with the round before, and names the player's match behind a change. "As
    corrected" compares each line with the same round as known, and names the later corrections.
    """
    known = position_when_known(hall.whole, hall.log, round_)
    if clock == "as-corrected":
        return _corrected(hall, round_, known)
    then = hall.whole.as_of(known)
    tables = ranked(then, round_)
    moved: dict[int, Moved] = {}
    if round_ > 1:
        before = hall.whole.as_of(position_when_known(hall.whole, hall.log, round_ - 1))
        rows = rows_of(ranked(before, round_ - 1))
        moved = {
            row.player: Moved(_rank(rows.get(row.player)), _own_match(then, round_, row.player))
            for row in rows_of(tables).values()
            if _rank(rows.get(row.player)) != row.rank
        }
    return _moment(hall, then, tables, moved, clock="as-known", against=round_ - 1 or None)


def _corrected(hall: Hall, round_: int, known: int) -> Moment:
    tables = ranked(hall.whole, round_)
    moved: dict[int, Moved] = {}
    if hall.position > known:
        found = difference(hall.log, View(known, round_), View(hall.position, round_))
        before, after = rows_of(ranked(hall.whole.as_of(known), round_)), rows_of(tables)
        moved = {
            move.player: Moved(_rank(before.get(move.player)), move.cause.entries)
            for move in found.moves
            if before.get(move.player) != after.get(move.player)
        }
    return _moment(hall, hall.whole, tables, moved, clock="as-corrected", against=round_)


def _moment(
    hall: Hall,
    then: Record,
    tables: list[DivisionTable],
    moved: dict[int, Moved],
    *,
    clock: Clock | None,
    against: int | None,
) -> Moment:
    round_ = max((one.round for one in tables), default=0)
    played = then.round(round_)
    latest = _latest(then)
    return Moment(
        round_,
        clock,
        then.position,
        hall.entries.get(then.position),
        against,
        () if played is None else played.outstanding,
        unsettled(then, round_),
        sections(then, hall.record, tables, moved, latest if latest == round_ + 1 else None),
    )


def _rank(row: Row | None) -> int | None:
    return None if row is None else row.rank


def _latest(record: Record) -> int:
    latest = record.latest_round()
    return 0 if latest is None else latest.number


def _own_match(record: Record, round_: int, player: int) -> tuple[int, ...]:
    """Return the entry of the result that counts for a player's match, or for a bye the entry of the pairing."""
    where = record.round(round_)
    table = None if where is None else where.table_of(player)
    if where is None:
        return ()
    if table is None:
        return (where.position,) if player in where.players else ()
    report = where.report(table, where.tables[table])
    return () if report is None else (report.position,)
