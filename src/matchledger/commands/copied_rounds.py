"""Merging the rounds, ties and slips of another copy of the log.

A round counts if both copies paired the round from the same results. A person decides about a round that only one
copy paired, or that the copies paired differently. Equal slips count once, and a contradicting slip is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from matchledger.commands.diverged import Diverged, Outcome
from matchledger.commands.refusal import need_window_open
from matchledger.commands.results import timeless
from matchledger.commands.ties import ties_after
from matchledger.events import (
    BeaconRead,
    ClockPaused,
    ClockResumed,
    DrawBasisFixed,
    Entry,
    FirstPlayerSet,
    MarkCalled,
    MatchConceded,
    NoShowRecorded,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    Slip,
    SlipRefused,
    TieResolved,
    TimeExtended,
    WordsOpened,
)
from matchledger_projections.message import demanding, sentence
from matchledger_projections.pairing.drawing import Unpairable, draw_round, recorded_seeds
from matchledger_projections.pairing.footing import groundless
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import slip_in
from matchledger_projections.record.round import Round

Number = Callable[[int], int]


def round_came(copies: Diverged, entry: Entry, fact: RoundPaired) -> Outcome:
    """Merge a round of the other copy. The round counts if both copies had the same inputs to its pairing."""
    about = (fact.stage, fact.round)
    for own in copies.living():
        if isinstance(own.fact, RoundPaired) and _seats(own.fact) == _seats(fact):
            return Outcome(entry, "same", own.position)
    rests_on_another = any(copies.is_asked(fact.stage, number) for number in range(1, fact.round))
    if copies.own_rounds and (rests_on_another or copies.here.round(fact.round, fact.stage) is not None):
        return copies.set_round_aside(entry, fact.stage, fact.round)
    if copies.here.round(fact.round, fact.stage) is not None:
        said = sentence(
            "round %(round)s is paired differently in the two copies: undo it in one of them, or let the one "
            "here count",
            round=fact.round,
        )
        return copies.ask(entry, demanding(said, "a round undone", "this copy's rounds"), about)
    there = copies.there.as_of(entry.position - 1)
    if _played(there, copies.player_of) != _played(copies.here, lambda number: number):
        said = sentence(
            (
                "only the other copy has paired round %(round)s, and its results or players differ from those "
                "here: make both copies alike, or merge this copy into the other one"
            ),
            round=fact.round,
        )
        return copies.ask(entry, said, about)
    derived = fact.seed is None or _comes_out_alike(copies.here, there, fact)
    return copies.counts(entry, fact if derived else fact.model_copy(update={"seed": None, "pools": ()}))


def tie_came(copies: Diverged, entry: Entry, fact: TieResolved) -> Outcome | None:
    """Merge the order of a tie. The order counts if the same players are tied here. If other players are tied here,
    an order that was drawn by chance does not count.

    Return None if a person must decide: this copy has a different order, or the order was recorded by hand.
    """
    if any(
        (tied, set(group)) == (fact.round, set(fact.players)) for tied, group in ties_after(copies.here, fact.round)
    ):
        there = copies.there.as_of(entry.position - 1)
        alike = _played(there, copies.player_of) == _played(copies.here, lambda number: number)
        derived = fact.seed is None or (alike and _chance(copies.here) == _chance(there))
        return copies.counts(entry, fact if derived else fact.model_copy(update={"seed": None}))
    ordered = (own.fact for own in copies.living() if isinstance(own.fact, TieResolved))
    here = any((own.round, set(own.players)) == (fact.round, set(fact.players)) for own in ordered)
    return None if here or fact.seed is None else Outcome(entry, "kept")


def _seats(fact: RoundPaired) -> Hashable:
    return fact.stage, fact.round, fact.tables, fact.byes


def _played(record: Record, number: Number) -> Hashable:
    """Return the inputs of the next pairing: the players, and the matches played so far."""
    rounds = [_matches(round_, number) for stage in ("swiss", "elimination") for round_ in record.rounds(stage)]
    active = frozenset(number(player.number) for player in record.active_players())
    cuts = tuple((cut.division, tuple(map(number, cut.seeds))) for cut in record.cuts)
    return tuple(rounds), active, cuts


def _matches(round_: Round, number: Number) -> Hashable:
    matches = [
        (
            table,
            *map(number, players),
            report and (report.kind, report.winner and number(report.winner), report.score),
        )
        for table, players, report in round_.results()
    ]
    return round_.stage, round_.number, tuple(matches), tuple(number(bye.player) for bye in round_.byes)


def _comes_out_alike(here: Record, there: Record, fact: RoundPaired) -> bool:
    """Return whether the other copy's draw has the same outcome in this copy. If the outcome is different, the
    round counts as paired by hand.
    """
    if groundless(here) is not None or _chance(here) != _chance(there):
        return False
    try:
        drawn = draw_round(here, fact.round, recorded_seeds(fact))
    except (Unpairable, KeyError):  # the pools differ in this copy, or the bye needs the draw of a tie
        return False
    [*before, derived] = drawn.facts
    return not before and isinstance(derived, RoundPaired) and _seats(derived) == _seats(fact)


def _chance(record: Record) -> list[str]:
    """Return the inputs of the draws, except the secret."""
    bases = [fact.model_dump_json() for _, fact in record.every(DrawBasisFixed)][-1:]
    return bases + [
        fact.model_dump_json() for kind in (WordsOpened, BeaconRead) for _, fact in record.counting(kind)
    ]


Result = ResultReported | MatchConceded | NoShowRecorded | ResultCorrected
Clock = RoundStarted | ClockPaused | ClockResumed | MarkCalled


def slip_came(copies: Diverged, entry: Entry, fact: Result | SlipRefused) -> Outcome:
    """Merge an entry about a match."""
    where = copies.here.round(fact.round, fact.stage)
    table = _table_of(copies, fact, where)
    if where is None or table is None:
        return _elsewhere(copies, entry, fact, where)
    fact = fact.model_copy(update={"table": table})
    slip = fact.slip if isinstance(fact, SlipRefused) else slip_in(fact)
    known = where.report(table, fact.players)
    if known is None:
        return _first_slip(copies, entry, fact)
    corrects = isinstance(entry.fact, ResultCorrected) and copies.entry_of(entry.fact.supersedes) == known.position
    if corrects:
        return copies.counts(entry, fact)
    if (same := _reported_alike(copies, where, table, fact, slip)) is not None:
        return Outcome(entry, "same", same)
    if not isinstance(fact, SlipRefused) and not _holds_there(copies, entry):
        return Outcome(entry, "kept")
    return _refused(copies, entry, fact, slip, known.position)


def _table_of(copies: Diverged, fact: Result | SlipRefused | FirstPlayerSet, where: Round | None) -> int | None:
    """Return the table of a match here, or None if this copy has other players at the fact's table.

    Players who change tables keep their slips. So if the other copy has this match too, return the table of the
    match here.
    """
    if where is None or where.tables.get(fact.table) == fact.players:
        return None if where is None else fact.table
    there = copies.there.round(fact.round, fact.stage)
    matches = [] if there is None else [tuple(map(copies.player_of, two)) for two in there.tables.values()]
    return where.table_between(*fact.players) if fact.players in matches else None


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
    """Record a contradicting slip as refused, so that the desk can see it."""
    refused = SlipRefused(
        stage=fact.stage, round=fact.round, table=fact.table, players=fact.players, slip=slip, contradicts=known
    )
    for at, other in copies.here.slips_refused:
        if other.model_copy(update={"contradicts": known}) == refused:
            return Outcome(entry, "same", at)
    copies.put_aside.add(entry.command)
    return Outcome(entry, "refused", copies.next, refused)


def _elsewhere(copies: Diverged, entry: Entry, fact: Result | SlipRefused, where: Round | None) -> Outcome:
    """Merge a slip for a table that this copy does not have. The slip is refused if a person decided against its
    round.

    If this copy never paired the round, the table does not exist here. Slips of a missing table are kept only in
    the bytes of the merge entry.
    """
    if copies.is_set_aside(fact.stage, fact.round):
        slip = fact.slip if isinstance(fact, SlipRefused) else slip_in(fact)
        if where is None or not (isinstance(fact, SlipRefused) or _holds_there(copies, entry)):
            return Outcome(entry, "kept")
        return _refused(copies, entry, fact, slip, where.position)
    if copies.is_asked(fact.stage, fact.round):
        return Outcome(entry, "kept")
    if where is None:
        said = sentence(
            (
                "round %(round)s is not paired here, and the other copy went on with it: pair it here too, or undo "
                "it there"
            ),
            round=fact.round,
        )
        return copies.ask(entry, said, (fact.stage, fact.round))
    return copies.ask(
        entry,
        sentence(
            "table %(table)s of round %(round)s has other players in the other copy: seat the same players in both",
            table=fact.table,
            round=fact.round,
        ),
    )


def _reported_alike(
    copies: Diverged, where: Round, table: int, fact: Result | SlipRefused, slip: Slip
) -> int | None:
    """Return this copy's entry that says the same about a match, even if the entry was corrected later."""
    known = where.report(table, fact.players)
    if known is not None and timeless(known.written) == timeless(slip):
        return known.position
    alike = (
        report.position
        for report in where.reports(table)
        if report.players == fact.players
        if report.position > copies.fork and not copies.here.is_dead(report.position)
        if timeless(report.written) == timeless(slip)
    )
    return next(alike, None)


def _holds_there(copies: Diverged, entry: Entry) -> bool:
    """Return whether a slip is the other copy's last entry about its match."""
    fact = entry.fact
    assert isinstance(fact, Result)  # noqa: S101 - callers give only entries about a match
    where = copies.there.round(fact.round, fact.stage)
    table = None if where is None else where.table_between(*fact.players)
    holds = None if where is None else where.report(table or fact.table, fact.players)
    return holds is not None and holds.position == entry.position


def clock_came(copies: Diverged, entry: Entry, fact: Clock | TimeExtended) -> Outcome:
    """Merge an entry about a clock: a start, a pause, a mark or extra time. The clock of a round can run only in
    one copy.
    """
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
            "retract one of the two entries",
            round=fact.round,
            own=own[0].position,
            entry=entry.position,
        ),
        ("clock", fact.round),
    )


def first_player_came(copies: Diverged, entry: Entry, fact: FirstPlayerSet) -> Outcome:
    """Merge a note about the first player. If both copies have a note, the note here counts."""
    where = copies.here.round(fact.round, fact.stage)
    table = _table_of(copies, fact, where)
    if where is None or table is None:
        return Outcome(entry, "kept")
    if where.first_player(table) is not None:
        return Outcome(entry, "kept")
    return copies.counts(entry, fact.model_copy(update={"table": table}))
