"""The integrity report: every entry in which a person changed what the rulebook alone would have done.

FIDE's endorsement of tournament software has asked for such a list since 2026: pairings by hand, changed results,
imported files, chosen rules. An item is no accusation; each one says who, when and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from matchledger.events import (
    AnyFact,
    ByesAwarded,
    CopyMerged,
    CutMade,
    DeckAmended,
    DeckSubmitted,
    DivisionChanged,
    DivisionsDecided,
    Entry,
    EntryRetracted,
    Fact,
    FileImported,
    FlightsDrawn,
    PairingAmended,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    PolicyChanged,
    QualifierReplaced,
    RematchAllowed,
    RepairChosen,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    StructureAnnounced,
    TieResolved,
    TournamentClosed,
    TournamentOpened,
)
from matchledger_projections.decks.formats import FORMATS
from matchledger_projections.decks.registered import came_by_merge, comes_late
from matchledger_projections.document import SPREAD
from matchledger_projections.message import Sentence
from matchledger_projections.pairing.check import games_without_leader, left_out, without_leader
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks
from matchledger_projections.stages.bracket import follows_bracket
from matchledger_projections.stages.cut import CutUndecided, top_of
from matchledger_projections.stages.departures import (
    WAITING,
    Departure,
    left_open,
    of_bracket,
    of_bracket_by_hand,
    of_closing,
    of_cut,
    of_double_loss,
    of_late_entry,
    of_round,
    open_questions,
)
from matchledger_projections.stages.posting_order import pairings_missing, standings_missing
from matchledger_projections.stages.posting_order import rule as posting_rule
from matchledger_projections.stages.structure import announce_rule
from matchledger_projections.views.sight import Headed, Sight, answers, heading
from matchledger_projections.views.window import window_closed

Intervention = Literal[
    "policy choice",
    "policy changed during the event",
    "rules other than shipped",
    "import",
    "manual pairing",
    "bye awarded",
    "amended pairing",
    "rematch allowed",
    "correction",
    "correction after the cut was played on",
    "retraction",
    "order of a tie set by hand",
    "cut set by hand",
    "return of a player",
    "repair",
    "structure not announced",
    "paired before the standings were posted",
    "started before the pairings were posted",
    "departure from the structures",
    "qualifier replaced",
    "division other than by birth",
    "late entry after the last round",
    "divisions or flights otherwise than the rules ask for",
    "game that no leader can rule in",
    "game without a leader let stand",
    "departure from a rule",
    "round that nobody started",
    "deck list amended to an advantage",
    "late deck list",
    "went on over open questions",
    "player left out of a round",
    "copy merged",
]
Found = tuple[Intervention, tuple[str, ...]]
_OPEN: tuple[Intervention, ...] = ("went on over open questions", "departure from the structures")


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the report, and the rules that the entry departs from.

    `counts` is False for an entry that was retracted later. `over` names the calls, slips, tables and stages that
    the entry left open.
    """

    kind: Intervention
    counts: bool
    entry: Annotated[Entry, SPREAD]
    rules: tuple[str, ...] = ()
    over: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class IntegrityPage:
    """The interventions by hand, as `matchledger integrity --json` prints them."""

    head: Headed
    items: tuple[Item, ...]


@answers("integrity")
def integrity_page(sight: Sight) -> IntegrityPage:
    """Every pairing by hand, correction, retraction, import and choice of rules. Only the staff see the reasons."""
    entries: Sequence[Entry] = sight.log()
    if sight.through is not None:
        entries = list(about_rounds(entries, sight.through))
    found = integrity(entries, shipped_laws=map(rulebook_text, shipped_rulebooks()))
    shown = {entry.position: entry for entry in sight.shown(entries)}
    return IntegrityPage(
        heading(sight.record),
        tuple(replace(item, entry=shown[item.entry.position]) for item in found if item.entry.position in shown),
    )


def integrity(entries: Iterable[Entry], *, shipped_laws: Iterable[str] = ()) -> list[Item]:
    """Every intervention in a log, in order.

    `shipped_laws` are the texts of the shipped rulebooks.

    An entry is listed because of its kind, because of the rules that it is marked with, or because of the rules
    that it departs from by the record before it, even without a mark.
    """
    record = Record()
    laws = frozenset(shipped_laws)
    found: list[tuple[Intervention, Entry, tuple[str, ...], tuple[Sentence, ...]]] = []
    paired: dict[int, Entry] = {}
    moved: Entry | None = None
    for entry in entries:
        fact = entry.fact
        listed = [] if _is_consequence(record, entry, moved) else list(_interventions(record, fact, laws))
        moved = entry if isinstance(fact, _MOVED) else moved
        told = {rule for _, rules in listed for rule in rules}
        marked = tuple(rule for rule in getattr(fact, "deviations", ()) if rule not in told)
        if marked and (type(fact) not in _MARKED or not listed):
            listed.append((_MARKED.get(type(fact), "departure from a rule"), marked))
        elif marked:
            kind, rules = listed[-1]
            listed[-1] = (kind, (*rules, *marked))
        over = tuple(left_open(record, fact)) if listed else ()
        for kind, rules in listed:  # what is open is named once
            named, over = (over, ()) if kind in _OPEN else ((), over)
            found.append((kind, entry, rules, named))
        record.apply(entry)
        if isinstance(fact, RoundPaired):
            paired[entry.position] = entry
    for position, rule in _never_started(record):
        found.append(("round that nobody started", paired[position], (rule,), ()))
    found.sort(key=lambda each: each[1].position)
    return [
        Item(kind, not record.is_dead(entry.position), entry, rules, over) for kind, entry, rules, over in found
    ]


def _interventions(record: Record, fact: AnyFact, shipped_laws: frozenset[str]) -> Iterator[Found]:
    if kind := _BY_THEMSELVES.get(type(fact)):
        yield kind, (fact.flag,) if isinstance(fact, PolicyChanged) else ()
    yield from _about_a_list(record, fact)
    yield from _over_questions(record, fact)
    yield from _without_leader(record, fact)
    yield from _after_the_last_round(record, fact)
    yield from _double_loss(record, fact)
    match fact:
        case TournamentOpened():
            yield from _in_opening(fact, shipped_laws)
        case RoundPaired():
            yield from _in_pairing(record, fact)
        case RoundStarted():
            yield from _in_start(record, fact)
        case ResultCorrected():
            late = fact.stage == "swiss" and _elimination_has_results(record)
            rule = record.rulebook.policy_rule("POL-ALL-CORRECTION-WINDOW")
            closed = fact.stage == "swiss" and window_closed(record, fact.round) is not None and rule is not None
            kind = "correction after the cut was played on" if late else "correction"
            yield kind, (rule,) if closed and rule else ()
        case TieResolved(seed=None):
            yield "order of a tie set by hand", ()
        case CutMade():
            if fact.seeds != _computed_seeds(record, fact):
                yield "cut set by hand", ()
            yield from _structure(of_cut(record, fact.round, {fact.division: len(fact.seeds)}))
        case TournamentClosed():
            yield from _structure(of_closing(record))
        case _:
            pass


def _is_consequence(record: Record, entry: Entry, moved: Entry | None) -> bool:
    """Whether an entry only follows from a rule about a player who came or left, in the same command.

    A late player meets the bye of a posted round (PKM-3.1.4-LATE). An opponent left alone has a bye
    (L5R-IV.2c-DROP). An unplayed bracket is drawn again (PKM-3.2.3-LATE, L5R-IV.2b-CUTDROP).
    """
    if moved is None or moved.command != entry.command:
        return False
    match entry.fact:
        case PairingAmended(added=added, removed=removed):
            number = getattr(moved.fact, "number", None) or getattr(moved.fact, "player", None)
            return any(number in seating.players for seating in (*added, *removed))
        case EntryRetracted(retracts=position):
            first = record.round(1, "elimination")
            drawn = {position for position, _ in record.brackets_drawn}
            return position in drawn or (first is not None and position == first.position)
        case _:
            return False


def _structure(found: Iterable[Departure]) -> Iterator[Found]:
    rules = tuple(dict.fromkeys(departure.rule for departure in found))
    if rules:
        yield "departure from the structures", rules


def _in_opening(fact: TournamentOpened, shipped_laws: frozenset[str]) -> Iterator[Found]:
    if fact.law not in shipped_laws:
        yield "rules other than shipped", ()
    if fact.policies:
        yield "policy choice", ()


def _in_pairing(record: Record, fact: RoundPaired) -> Iterator[Found]:
    if _is_unannounced(record):
        yield "structure not announced", (announce_rule(record.rulebook),)
    swiss = fact.stage == "swiss"
    in_order = not swiss or record.imports or standings_missing(record, fact.round) is None
    if not in_order:
        yield "paired before the standings were posted", (posting_rule(record) or "POLICY",)
    if swiss:
        yield from _structure(of_round(record, fact.round))
    else:
        cut = of_bracket(record) if fact.round == 1 else ()
        yield from _structure([*cut, *of_bracket_by_hand(record, fact)])
    # Chance draws a bracket but none of its rounds. A seed in such a round would be made up, and excuses nothing.
    drawn = swiss and fact.seed is not None
    if not drawn and not follows_bracket(record, fact):
        yield "manual pairing", ()
    if swiss and not record.imports and left_out(record, fact):
        yield "player left out of a round", ()


def _about_a_list(record: Record, fact: AnyFact) -> Iterator[Found]:
    if isinstance(fact, DeckAmended) and fact.advantageous:
        yield "deck list amended to an advantage", ()
    if isinstance(fact, DeckSubmitted) and comes_late(record, fact.player) and not came_by_merge(record, fact):
        format_ = FORMATS.get(record.rulebook.readings.deck_format)
        yield "late deck list", ("POLICY" if format_ is None else format_.handing_in,)


def _double_loss(record: Record, fact: AnyFact) -> Iterator[Found]:
    where = record.round(fact.round, fact.stage) if isinstance(fact, ResultReported | ResultCorrected) else None
    if where is None or not isinstance(fact, ResultReported | ResultCorrected):
        return
    for departure in of_double_loss(record, where, fact.players, fact.slip):
        yield "departure from a rule", (departure.rule,)


def _after_the_last_round(record: Record, fact: AnyFact) -> Iterator[Found]:
    if isinstance(fact, PlayerArrivedLate):
        for departure in of_late_entry(record, fact.division, fact.losses):
            yield "late entry after the last round", (departure.rule,)


def _over_questions(record: Record, fact: AnyFact) -> Iterator[Found]:
    if isinstance(fact, WAITING) and open_questions(record):
        yield "went on over open questions", ()


def _never_started(record: Record) -> Iterator[tuple[int, str]]:
    """The rounds of a live event that were played without an announced start (L5R-III.2-START), with the rule."""
    rule = record.rulebook.clock.start if record.opening is not None else None
    if rule is None or record.imports:
        return
    for round_ in (*record.rounds("swiss"), *record.rounds("elimination")):
        if round_.has_started and record.clock(round_).origin is None:
            yield round_.position, rule


def _in_start(record: Record, fact: RoundStarted) -> Iterator[Found]:
    if fact.stage == "swiss" and not record.imports and pairings_missing(record, fact.round):
        yield "started before the pairings were posted", (posting_rule(record) or "POLICY",)
    if rule := _other_length(record, fact):
        yield "departure from a rule", (rule,)


def _other_length(record: Record, fact: RoundStarted) -> str | None:
    """The rule about the length of a round, if the round was started with another length. Otherwise None."""
    round_, clock = record.round(fact.round, fact.stage), record.rulebook.clock
    if round_ is None or fact.minutes is None:
        return None
    due = clock.minutes("final" if record.is_final(round_) else fact.stage)
    return clock.rule if due not in (None, fact.minutes) else None


def _without_leader(record: Record, fact: AnyFact) -> Iterator[Found]:
    """A game of leaders that no other leader can rule in (L5R-I.6-LEADERPLAY), as it was seated."""
    rules = () if record.opening is None or record.rulebook.staff is None else (record.rulebook.staff.playing,)
    match fact:
        case RoundPaired() if games_without_leader(record, fact.tables):
            let_stand = not without_leader(record, fact)
            yield ("game without a leader let stand" if let_stand else "game that no leader can rule in"), rules
        case PairingAmended() if games_without_leader(record, fact.added):
            yield "game that no leader can rule in", rules


_MOVED = (PlayerRegistered, PlayerArrivedLate, PlayerDropped, PlayerDisqualified)

# The facts that are always an intervention.
_BY_THEMSELVES: dict[type[Fact], Intervention] = {
    FileImported: "import",
    ByesAwarded: "bye awarded",
    PairingAmended: "amended pairing",
    RematchAllowed: "rematch allowed",
    EntryRetracted: "retraction",
    CopyMerged: "copy merged",
    PlayerRejoined: "return of a player",
    PolicyChanged: "policy changed during the event",
    RepairChosen: "repair",
    QualifierReplaced: "qualifier replaced",
}

# The effect of the rules that a fact is marked with. Any other fact departs from a rule.
_MARKED: dict[type[Fact], Intervention] = {
    ByesAwarded: "bye awarded",
    PlayerRegistered: "division other than by birth",
    PlayerArrivedLate: "division other than by birth",
    DivisionChanged: "division other than by birth",
    DivisionsDecided: "divisions or flights otherwise than the rules ask for",
    FlightsDrawn: "divisions or flights otherwise than the rules ask for",
    StructureAnnounced: "departure from the structures",
    CutMade: "departure from the structures",
    TournamentClosed: "departure from the structures",
    RoundPaired: "departure from a rule",
    PairingAmended: "amended pairing",
    QualifierReplaced: "qualifier replaced",
}


def _is_unannounced(record: Record) -> bool:
    """Whether the first round of a live event is paired without the announcement that its rulebook demands."""
    structures = record.rulebook.structures
    demanded = structures is not None and structures.announce is not None
    begun = record.imports or record.rounds("swiss") or record.rounds("elimination")
    return demanded and not begun and record.structure is None


def _elimination_has_results(record: Record) -> bool:
    return any(report is not None for round_ in record.rounds("elimination") for _, _, report in round_.results())


def _computed_seeds(record: Record, fact: CutMade) -> tuple[int, ...]:
    """The qualifiers by the standings; none if a tie leaves it open."""
    try:
        return top_of(record, fact.division, len(fact.seeds), fact.round)
    except CutUndecided:
        return ()
