"""The clock of a round, computed from its entries and the rulebook."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from matchledger.events import ClockPaused, ClockResumed, MarkCalled, RoundStarted, TimeExtended
from matchledger_projections.record.round import ClockNote, Round
from matchledger_projections.record.round_clock import MINUTE, Call, Extension, Pause, RoundClock
from matchledger_projections.rulebook.clock import RoundKind
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.sections import UNWRITTEN


def tell_clock(rulebook: Rulebook, round_: Round, *, final: bool, untimed: bool) -> RoundClock:
    """Return the clock of a round.

    `final` says that the round is the last of an elimination stage, and `untimed` that it has no limit.

    The rulebook's length counts, unless another length was announced at the start (L5R-IV.1-CLOCK, SWR-TIME,
    ASH-CLOCK).
    """
    notes = round_.clock_notes
    start = _start(notes)
    kind: RoundKind = "final" if final else round_.stage
    announced = None if start is None else start[0].minutes
    minutes = announced or (None if untimed else rulebook.clock.minutes(kind))
    return RoundClock(
        stage=round_.stage,
        round=round_.number,
        rule=rulebook.clock.rule if announced is None else UNWRITTEN,
        seconds=None if minutes is None else minutes * MINUTE,
        marks_from=_marks_from(rulebook, minutes, final=final),
        marks=tuple(mark for mark in rulebook.clock.marks if mark.stage in (None, round_.stage)),
        origin=None if start is None else start[1],
        pauses=tuple(_pauses(notes)),
        extensions=_extensions(notes, round_.tables),
        calls=tuple(
            Call(note.position, note.fact.mark, note.at, note.fact.table, note.fact.turn)
            for note in notes
            if isinstance(note.fact, MarkCalled)
        ),
        judgment=rulebook.clock.judgment,
        sudden_death=None if minutes is None else rulebook.clock.sudden_death,
    )


def _start(notes: Iterable[ClockNote]) -> tuple[RoundStarted, datetime] | None:
    """Return the last start that counts, with its moment, or None."""
    starts = [(note.fact, note.at) for note in notes if isinstance(note.fact, RoundStarted)]
    return starts[-1] if starts else None


def _marks_from(rulebook: Rulebook, minutes: int | None, *, final: bool) -> int | None:
    """Return the seconds from which the marks count: the length of the round, or in a final perhaps of a Swiss
    round (POL-L5R-FINAL-CLOCK). Return None without a limit.
    """
    if minutes is not None and final and rulebook.readings.final_clock == "literal":
        minutes = rulebook.clock.swiss or minutes
    return None if minutes is None else minutes * MINUTE


def _pauses(notes: Iterable[ClockNote]) -> list[Pause]:
    """Return each stop of the clock with its end, in order of the log."""
    pauses: list[Pause] = []
    for note in notes:
        open_ = bool(pauses) and pauses[-1].end is None
        if isinstance(note.fact, ClockPaused) and not open_:
            pauses.append(Pause(note.at))
        elif isinstance(note.fact, ClockResumed) and open_:
            pauses[-1] = Pause(pauses[-1].begin, note.at)
    return pauses


def _extensions(notes: Iterable[ClockNote], tables: dict[int, tuple[int, int]]) -> dict[int, tuple[Extension, ...]]:
    """Return the extensions by table. An extension ends when its players leave the table."""
    found: dict[int, tuple[Extension, ...]] = {}
    given = [(position, fact) for position, fact, _ in notes if isinstance(fact, TimeExtended)]
    seats = {players: table for table, players in tables.items()} if given else {}
    for position, fact in given:
        if (table := seats.get(fact.players)) is not None:  # only if the two players still share a table
            found[table] = (*found.get(table, ()), Extension(position, fact.minutes, fact.reason))
    return found
