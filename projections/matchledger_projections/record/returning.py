"""Returning entries: rounds, cuts and closings that count again after their retraction is retracted."""

from __future__ import annotations

from matchledger.events import CutMade, EntryRetracted, Fact, RoundPaired, Seating, TournamentClosed
from matchledger_projections.record.record import Record


def returns(record: Record, fact: Fact) -> int | None:
    """Return the position of the entry that a retraction restores, by the record before it. Otherwise None."""
    if not isinstance(fact, EntryRetracted):
        return None
    back = record.root_of(fact.retracts)
    return back if back != fact.retracts and record.is_dead(back) else None


def returned(record: Record, position: int) -> RoundPaired | CutMade | TournamentClosed | None:
    """Return the pairing, cut or closing in an entry, or None for any other entry.

    A pairing is returned with its current seats, or as None if its round was paired again.
    """
    kind = record.kind_at(position)
    if kind is CutMade or kind is TournamentClosed:
        found: list[tuple[int, CutMade | TournamentClosed]] = [
            *record.every(CutMade),
            *record.every(TournamentClosed),
        ]
        return next(fact for at, fact in found if at == position)
    round_ = record.paired_at(position)
    if round_ is None or record.round(round_.number, round_.stage) not in (None, round_):
        return None
    tables = tuple(Seating(table=table, players=players) for table, players in round_.tables.items())
    return RoundPaired(stage=round_.stage, round=round_.number, tables=tables, byes=round_.byes)
