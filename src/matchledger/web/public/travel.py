"""Time travel: the standings at another moment or on the other clock, and the entries that moved each line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from matchledger.events import Entry
from matchledger.text.labels import shown_tiebreaks
from matchledger.web.public.hall import Hall
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import Clock, position_when_known
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.standings import Row, Standings, standings
from matchledger_projections.views.attribution import View
from matchledger_projections.views.difference import Change, changed_lines, difference


class Moved(NamedTuple):
    """What changed about a line since the moment that it is held against, and the entries that changed it.

    `before` is the place then; None for a player who had none.
    """

    before: int | None
    entries: tuple[int, ...]


class Line(NamedTuple):
    """A line of the standings; `moved` is None for one that is as it was."""

    row: Row
    name: str
    moved: Moved | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The standings at some moment.

    `clock` is None where one entry is looked at. `against` is the round that the lines are held against, None for
    the first one, and for a single entry, which is held against the log without it. `entry` is the last one that
    was known then, None where it is private.
    """

    round: int
    clock: Clock | None
    position: int
    entry: Entry | None
    against: int | None
    outstanding: tuple[int, ...]
    tiebreaks: list[TiebreakName]
    lines: list[Line]
    table: Standings


def at_entry(hall: Hall, position: int) -> Moment:
    """The standings when the log had `position` entries, with the round in progress as far as it was played."""
    then, before = hall.whole.as_of(position), hall.whole.as_of(position - 1)
    table = standings(then, _latest(then))
    changes = {} if before.opening is None else changed_lines(standings(before, _latest(before)), table)
    places = {row.player: row.rank for row in table.rows}
    moved = {
        player: Moved(_place_before(changed, places.get(player)), (position,))
        for player, changed in changes.items()
    }
    return _moment(hall, then, table, moved, clock=None, against=None)


def after_round(hall: Hall, round_: int, clock: Clock) -> Moment:
    """The standings after a round, on either clock.

    As known, a line is held against the round before, and moved by the entry about the player's own match. As
    corrected, it is held against what was known then, and moved by what was put right since.
    """
    known = position_when_known(hall.whole, hall.log, round_)
    if clock == "as-corrected":
        return _corrected(hall, round_, known)
    then = hall.whole.as_of(known)
    table = standings(then, round_)
    moved: dict[int, Moved] = {}
    if round_ > 1:
        before = hall.whole.as_of(position_when_known(hall.whole, hall.log, round_ - 1))
        moved = {
            player: Moved(_place_before(changed, None), _own_match(then, round_, player))
            for player, changed in changed_lines(standings(before, round_ - 1), table).items()
            if any(change.name == "rank" for change in changed)
        }
    return _moment(hall, then, table, moved, clock="as-known", against=round_ - 1 or None)


def _corrected(hall: Hall, round_: int, known: int) -> Moment:
    found = difference(hall.log, View(known, round_), View(hall.position, round_))
    moved = {
        move.player: Moved(None if move.before is None else move.before.rank, move.cause.entries)
        for move in found.moves
    }
    return _moment(hall, hall.whole, found.after, moved, clock="as-corrected", against=round_)


def _moment(
    hall: Hall, then: Record, table: Standings, moved: dict[int, Moved], *, clock: Clock | None, against: int | None
) -> Moment:
    played = then.round(table.round)
    return Moment(
        table.round,
        clock,
        then.position,
        hall.entries.get(then.position),
        against,
        () if played is None else played.outstanding,
        shown_tiebreaks(hall.rulebook, table),
        [Line(row, hall.name(row.player), moved.get(row.player)) for row in table.rows],
        table,
    )


def _latest(record: Record) -> int:
    latest = record.latest_round()
    return 0 if latest is None else latest.number


def _place_before(changed: tuple[Change, ...], now: int | None) -> int | None:
    """The place that a line had; what it has now where only other cells changed."""
    for change in changed:
        if change.name == "rank":
            return change.before if isinstance(change.before, int) else None
    return now


def _own_match(record: Record, round_: int, player: int) -> tuple[int, ...]:
    """The entry that counts for the match of a player; that of the pairing for who had the bye."""
    where = record.round(round_)
    table = None if where is None else where.table_of(player)
    if where is None:
        return ()
    if table is None:
        return (where.position,) if player in where.players else ()
    report = where.report(table, where.tables[table])
    return () if report is None else (report.position,)
