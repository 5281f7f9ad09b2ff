"""Slips of another copy: equal slips count once, and a contradicting slip is refused."""

from __future__ import annotations

from matchledger.commands.diverged import Diverged, Outcome
from matchledger.commands.refusal import need_window_open
from matchledger.commands.results import timeless
from matchledger.events import (
    ClockPaused,
    ClockResumed,
    Entry,
    FirstPlayerSet,
    MarkCalled,
    MatchConceded,
    NoShowRecorded,
    ResultCorrected,
    ResultReported,
    RoundStarted,
    Slip,
    SlipRefused,
    TimeExtended,
)
from matchledger_projections.message import sentence
from matchledger_projections.record.reports import slip_in
from matchledger_projections.record.round import Round

Result = ResultReported | MatchConceded | NoShowRecorded | ResultCorrected
Clock = RoundStarted | ClockPaused | ClockResumed | MarkCalled


def slip_came(copies: Diverged, entry: Entry, fact: Result | SlipRefused) -> Outcome:
    """Merge an entry about a match."""
    where = copies.here.round(fact.round, fact.stage)
    if where is None or where.tables.get(fact.table) != fact.players:
        return _elsewhere(copies, entry, fact, where)
    slip = fact.slip if isinstance(fact, SlipRefused) else slip_in(fact)
    known = where.report(fact.table, fact.players)
    if known is None:
        return _first_slip(copies, entry, fact)
    corrects = isinstance(entry.fact, ResultCorrected) and copies.entry_of(entry.fact.supersedes) == known.position
    if corrects:
        return copies.counts(entry, fact)
    if (same := _reported_alike(copies, where, fact, slip)) is not None:
        return Outcome(entry, "same", same)
    if not isinstance(fact, SlipRefused) and not _holds_there(copies, entry):
        return Outcome(entry, "kept")
    return _refused(copies, entry, fact, slip, known.position)


def _first_slip(copies: Diverged, entry: Entry, fact: Result | SlipRefused) -> Outcome:
    if isinstance(fact, SlipRefused | ResultCorrected):
        return copies.ask(
            entry,
            sentence(
                "table %(table)s of round %(round)s has no result here. In the other copy its result was corrected "
                "or contradicted: report it here too",
                table=fact.table,
                round=fact.round,
            ),
        )
    if fact.stage == "swiss":
        need_window_open(copies.here, fact.round)
    return copies.counts(entry, fact)


def _refused(copies: Diverged, entry: Entry, fact: Result | SlipRefused, slip: Slip, known: int) -> Outcome:
    """Record a contradicting slip as refused, so that the desk sees it."""
    refused = SlipRefused(
        stage=fact.stage, round=fact.round, table=fact.table, players=fact.players, slip=slip, contradicts=known
    )
    for at, other in copies.here.slips_refused:
        if other.model_copy(update={"contradicts": known}) == refused:
            return Outcome(entry, "same", at)
    copies.put_aside.add(entry.command)
    return Outcome(entry, "refused", copies.next, refused)


def _elsewhere(copies: Diverged, entry: Entry, fact: Result | SlipRefused, where: Round | None) -> Outcome:
    """Merge a slip of a table that this copy does not have. The slip is refused if a person set its round aside.

    A round that this copy never paired has no table at all: its slips stay in the bytes of the merge.
    """
    if copies.is_set_aside(fact.stage, fact.round):
        slip = fact.slip if isinstance(fact, SlipRefused) else slip_in(fact)
        if where is None or not (isinstance(fact, SlipRefused) or _holds_there(copies, entry)):
            return Outcome(entry, "kept")
        return _refused(copies, entry, fact, slip, where.position)
    if copies.is_asked(fact.stage, fact.round):
        return Outcome(entry, "kept")
    return copies.ask(
        entry,
        sentence(
            "table %(table)s of round %(round)s has other players in the other copy: seat the same players in both",
            table=fact.table,
            round=fact.round,
        ),
    )


def _reported_alike(copies: Diverged, where: Round, fact: Result | SlipRefused, slip: Slip) -> int | None:
    """The entry here with the same content about a match, corrected or not."""
    known = where.report(fact.table, fact.players)
    if known is not None and timeless(known.written) == timeless(slip):
        return known.position
    alike = (
        report.position
        for report in where.reports(fact.table)
        if report.players == fact.players
        if report.position > copies.fork and not copies.here.is_dead(report.position)
        if timeless(report.written) == timeless(slip)
    )
    return next(alike, None)


def _holds_there(copies: Diverged, entry: Entry) -> bool:
    """Whether a slip is the last entry of the other copy about its match."""
    fact = entry.fact
    assert isinstance(fact, Result)  # noqa: S101 - callers give only entries about a match
    where = copies.there.round(fact.round, fact.stage)
    holds = None if where is None else where.report(fact.table, fact.players)
    return holds is not None and holds.position == entry.position


def clock_came(copies: Diverged, entry: Entry, fact: Clock | TimeExtended) -> Outcome:
    """Merge a start, a pause, a mark or extra time. The clock of a round can run in one copy only."""
    where, there = (record.round(fact.round, fact.stage) for record in (copies.here, copies.there))
    if there is None or copies.is_asked(fact.stage, fact.round):
        return Outcome(entry, "kept")
    if where is None or copies.entry_of(there.position) != where.position:
        return copies.ask(
            entry,
            sentence(
                "entry %(entry)s of the other copy is about a round %(round)s that was undone here: retract it "
                "there",
                entry=entry.position,
                round=fact.round,
            ),
        )
    if isinstance(fact, TimeExtended):
        return copies.counts(entry, fact)
    since = {own.position for own in copies.own}
    own = [note for note in where.clock_notes if isinstance(note.fact, Clock) and note.position in since]
    if not own:
        return copies.counts(entry, fact)
    return copies.ask(
        entry,
        sentence(
            "the clock of round %(round)s ran in both copies (entry %(own)s here, entry %(entry)s there): "
            "retract it in one of them",
            round=fact.round,
            own=own[0].position,
            entry=entry.position,
        ),
        ("clock", fact.round),
    )


def first_player_came(copies: Diverged, entry: Entry, fact: FirstPlayerSet) -> Outcome:
    """Merge a note about the first player. The note in this copy counts."""
    where = copies.here.round(fact.round, fact.stage)
    if where is None or where.tables.get(fact.table) != fact.players:
        return Outcome(entry, "kept")
    known = where.first_player(fact.table)
    return copies.counts(entry, fact) if known is None else Outcome(entry, "kept")
