"""Replays: a tournament step by step, by round or by entry, with the players who move at each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from matchledger.events import Entry, PersonCorrected
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.two_clocks import Clock, position_when_known
from matchledger_projections.standings.standings import Standings, standings
from matchledger_projections.views.attribution import View
from matchledger_projections.views.difference import Change, changed_lines


class Frame(NamedTuple):
    """The standings at one step. `entry` is the last entry of the step, and `changes` are the changed lines by
    player.
    """

    view: View
    entry: Entry
    record: Record
    table: Standings
    changes: dict[int, tuple[Change, ...]]


def round_steps(entries: Sequence[Entry], clock: Clock) -> list[View]:
    """Return one step for each Swiss round, as known or as corrected. The last step shows the whole log."""
    record = fold(entries)
    steps = []
    for round_ in record.rounds():
        known = position_when_known(record, entries, round_.number)
        steps.append(View(known if clock == "as-known" else record.position, round_.number))
    now = View(record.position, record.finished_rounds)
    if now.round and (not steps or steps[-1].position != now.position):
        steps.append(now)
    return steps


def entry_steps(entries: Sequence[Entry]) -> list[View]:
    """Return one step for each entry, with the standings of the round in progress so far."""
    steps: list[View] = []
    record = Record()
    for entry in entries:
        record.apply(entry)
        latest = record.latest_round()
        steps.append(View(entry.position, latest.number if latest is not None else 0))
    return steps


def frames(entries: Sequence[Entry], steps: Sequence[View]) -> Iterator[Frame]:
    """Yield every step in turn, and fold each entry only once."""
    record = Record()
    whole = fold(entries) if any(isinstance(entry.fact, PersonCorrected) for entry in entries) else record
    before: Standings | None = None
    for view in steps:
        for entry in entries[record.position : view.position]:
            record.apply(entry)
        record.take_names_from(whole)
        table = standings(record, view.round)
        yield _frame(entries, view, record, before, table)
        before = table


def frame(entries: Sequence[Entry], steps: Sequence[View], index: int) -> Frame:
    """Return the frame of one step, without the steps before it."""
    whole = fold(entries)
    before = None
    if index > 0:
        earlier = steps[index - 1]
        before = standings(whole.as_of(earlier.position), earlier.round)
    view = steps[index]
    record = whole.as_of(view.position)
    return _frame(entries, view, record, before, standings(record, view.round))


def _frame(
    entries: Sequence[Entry], view: View, record: Record, before: Standings | None, table: Standings
) -> Frame:
    changes = {} if before is None else changed_lines(before.rows, table.rows)
    return Frame(view, entries[view.position - 1], record, table, changes)
