"""The clock of a round as a document: what it shows at a moment, its marks, and the tables that have more time.

As in `documents`: keys are stable, new ones may be added. Times on the clock are whole seconds since play began;
moments are ISO 8601, and null while nobody knows them: before the start, and while the clock stands still.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from matchledger.documents.document import Document, title
from matchledger_projections.clock.sudden_death import SuddenDeath, sudden_deaths
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE, Due, RoundClock


def clock_document(record: Record, round_: Round, now: datetime) -> Document:
    """A round's clock at a moment; `tables` are those with more time whose result is still to come."""
    clock = record.clock(round_)
    origin, paused_since = clock.origin, clock.paused_since
    following = clock.next_due(now)
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "stage": round_.stage,
        "round": round_.number,
        "position": record.position,
        "rule": clock.rule,
        "now": now.isoformat(),
        "started_at": None if origin is None else origin.isoformat(),
        "paused_since": None if paused_since is None else paused_since.isoformat(),
        "seconds": clock.seconds,
        "elapsed": clock.elapsed(now),
        "remaining": clock.remaining(now),
        "marks": list(_marks(clock, now)),
        "next": None if following is None else following.mark.name,
        "tables": list(_tables(record, round_, clock, now)),
        "sudden_death": list(_sudden_death(record, round_, clock, now)),
        "outstanding": list(round_.outstanding),
    }


def _marks(clock: RoundClock, now: datetime) -> Iterator[Document]:
    for due in clock.due():
        yield _due(clock, due, now) | {
            "title": due.mark.title,
            "says": due.mark.says,
            "rule": due.mark.rule,
            "called_at": [
                call.at.isoformat() for call in clock.calls if call.mark == due.mark.name and call.table is None
            ],
        }


def _due(clock: RoundClock, due: Due, now: datetime) -> Document:
    elapsed, moment = clock.elapsed(now), clock.moment(due.at)
    return {
        "name": due.mark.name,
        "at": due.at,
        "moment": None if moment is None else moment.isoformat(),
        "reached": elapsed is not None and elapsed >= due.at,
    }


def _tables(record: Record, round_: Round, clock: RoundClock, now: datetime) -> Iterator[Document]:
    for table in extended_tables(round_, clock):
        yield {
            "table": table,
            "players": [record.players[player].name for player in round_.tables[table]],
            "minutes": clock.more(table) // MINUTE,
            "reasons": [extension.reason for extension in clock.extensions[table] if extension.reason],
            "remaining": clock.remaining(now, table),
            "marks": [_due(clock, due, now) for due in clock.due(table)],
        }


def _sudden_death(record: Record, round_: Round, clock: RoundClock, now: datetime) -> Iterator[Document]:
    for found in after_time(round_, clock, now):
        begins, free = (None if player is None else record.players[player].name for player in found[1:])
        yield {"table": found.table, "begins": begins, "free": free, "rule": clock.sudden_death}


def after_time(round_: Round, clock: RoundClock, now: datetime) -> Iterator[SuddenDeath]:
    """The tables that play on in Sudden Death at a moment: those whose own time is over (ASH-SD)."""
    if clock.sudden_death is not None:
        for found in sudden_deaths(round_, clock):
            left = clock.remaining(now, found.table)
            if left is not None and left <= 0:
                yield found


def extended_tables(round_: Round, clock: RoundClock) -> Iterable[int]:
    """The tables that were given time and have no result yet, in order."""
    return [table for table in round_.outstanding if table in clock.extensions]
