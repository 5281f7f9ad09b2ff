"""The integrity report: every entry by which a person intervened, so that the rulebook alone did not decide.

FIDE's endorsement of tournament software has asked for such a list since 2026: pairings by hand, changed results,
imported files, chosen rules. An item of the report does not accuse anyone. Each item has the person, the action,
the time and the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import (
    AnyFact,
    CardIncident,
    CutMade,
    Entry,
    EntryRetracted,
    MarkCalled,
    PairingAmended,
    PenaltyGiven,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    ResultCorrected,
    RoundPaired,
    RulingGiven,
    StaffAssigned,
    StaffDutyChanged,
    TimeExtended,
)
from matchledger_projections.conduct.penalties import warning_gone
from matchledger_projections.conduct.staff import Leader, assignments, leader_called
from matchledger_projections.decks.registered import lacking_list, list_rule, rounds_with_lists
from matchledger_projections.document import SPREAD
from matchledger_projections.message import Sentence
from matchledger_projections.pairing.check import Objection, lacking, unready
from matchledger_projections.pairing.lineup import left_out
from matchledger_projections.record.record import Record
from matchledger_projections.record.returning import returned
from matchledger_projections.record.round_clock import MINUTE
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.rulebook.stages import StageClause
from matchledger_projections.stages.bracket import strays
from matchledger_projections.stages.cut import outdated_cuts
from matchledger_projections.stages.departure import of_late_search, of_more_time, of_time_without_cause
from matchledger_projections.stages.departures import Cuts, left_open
from matchledger_projections.views.interventions import (
    MARKED,
    Found,
    Intervention,
    interventions,
    kinds_by_play,
    standing_rule,
)
from matchledger_projections.views.sight import Headed, Sight, answers, heading

_OPEN: tuple[Intervention, ...] = (
    "went on over open questions",
    "departure from the structures",
    "departure from a rule",
)


class Item(Struct, frozen=True):
    """One line of the report, with the rules that the entry breaks or applies by hand.

    `counts` is False for an entry that was retracted later. `over` names the calls, slips, tables and stages that
    the entry left open.
    """

    kind: Intervention
    counts: bool
    entry: Annotated[Entry, SPREAD]
    rules: tuple[str, ...] = ()
    over: tuple[Sentence, ...] = ()


class IntegrityPage(Struct, frozen=True):
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
    """Return every intervention in a log, in order.

    `shipped_laws` are the texts of the shipped rulebooks.

    An entry is listed because of its kind, because it names rules that it departs from, or because it breaks rules
    without naming them.
    """
    record = Record()
    laws = frozenset(shipped_laws)
    found: list[_Listed] = []
    paired: dict[int, Entry] = {}
    moved: Entry | None = None
    entries = list(entries)
    cuts = _cuts_together(entries)
    for entry in entries:
        fact = entry.fact
        by_itself = not _is_consequence(record, entry, moved)
        listed = list(interventions(record, fact, laws, cuts.get(entry.position))) if by_itself else []
        listed += (*_by_unknown(record, entry), *_called_early(record, entry), *_more_time(record, entry))
        moved = entry if isinstance(fact, _MOVED) else moved
        told = {rule for _, rules in listed for rule in rules}
        marked = tuple(rule for rule in getattr(fact, "deviations", ()) if rule not in told)
        if marked and (type(fact) not in MARKED or not listed):
            listed.append((MARKED.get(type(fact), "departure from a rule"), marked))
        elif marked:
            kind, rules = listed[-1]
            listed[-1] = (kind, (*rules, *marked))
        over = tuple(_left_open(record, fact)) if listed else ()
        before = _outdated(record, fact)
        record.apply(entry)
        if listed and (outdated := _outdated(record, fact) - before):
            kind, rules = listed[-1]
            named_rules = tuple(record.rulebook.elimination.rule(clause) for clause in sorted(outdated))
            listed[-1] = (kind, (*rules, *named_rules))
        for kind, rules in listed:  # only one line of an entry lists the entry's open questions
            named, over = (over, ()) if kind in _OPEN else ((), over)
            found.append((kind, entry, rules or (standing_rule(record, kind, fact),), named))
        if isinstance(fact, RoundPaired):
            paired[entry.position] = entry
    found += _returned_without_player(record, [entry for kind, entry, *_ in found if kind == "retraction"])
    found += _left_without_organizer(record, entries)
    found += _without_cause(record, entries)
    found += _without_warning(record, entries)
    unknown = {entry.position for kind, entry, *_ in found if kind == "decision by an unknown leader"}
    found += _without_leader(record, entries, unknown)
    known = {(entry.position, said) for _, entry, _, over in found for said in over}
    for kind, position, rule, over in (*_never_started(record), *_without_lists(record)):
        if not over or (position, over[0]) not in known:
            found.append((kind, paired[position], (rule,), over))
    found.sort(key=lambda each: each[1].position)
    return [
        Item(kind, not record.is_dead(entry.position), entry, rules, over) for kind, entry, rules, over in found
    ]


def _cuts_together(entries: Iterable[Entry]) -> dict[int, Cuts]:
    """Return all cuts of each command, by the position of the command's last cut."""
    found: dict[str, tuple[int, Cuts]] = {}
    for entry in entries:
        if isinstance(entry.fact, CutMade):
            _, before = found.get(entry.command, (0, {}))
            found[entry.command] = entry.position, {**before, entry.fact.division: len(entry.fact.seeds)}
    return dict(found.values())


_Listed = tuple[Intervention, Entry, tuple[str, ...], tuple[Sentence, ...]]


def _returned_without_player(record: Record, retractions: list[Entry]) -> Iterator[_Listed]:
    """Yield the retractions that let a round count again although an active player had no seat in the round."""
    ends = {entry.command: entry.position for entry in retractions}
    for entry in retractions:
        back = record.root_of(entry.position)
        if record.kind_at(back) is not RoundPaired or back == getattr(entry.fact, "retracts", back):
            continue
        past = record.as_of(ends[entry.command])
        paired = None if past.is_dead(back) else returned(past, back)
        if isinstance(paired, RoundPaired) and paired.stage == "swiss" and left_out(past, paired):
            yield (
                "player left out of a round",
                entry,
                (standing_rule(past, "player left out of a round", paired),),
                (),
            )


def _left_without_organizer(record: Record, entries: Sequence[Entry]) -> Iterator[_Listed]:
    """Yield the entries by which an organizer left and the event continued without an organizer (L5R-I.1-ORG)."""
    rules = record.rulebook.staff if record.opening is not None else None
    organizers = {leader.position for leader in assignments(record) if leader.role == "organizer"}
    missing: Entry | None = None
    for entry in entries if rules is not None and organizers else ():
        match entry.fact:
            case _ if record.is_dead(entry.position):
                pass
            case StaffDutyChanged(assignment=left, duty="left") if left in organizers:
                missing = entry
            case StaffDutyChanged(assignment=back) if back in organizers:
                missing = None
            case StaffAssigned(role="organizer"):
                missing = None
            case StaffAssigned() | StaffDutyChanged():
                pass
            case _ if missing is not None and rules is not None:
                yield "departure from a rule", missing, (rules.organizer,), ()
                missing = None
    if missing is not None and rules is not None:
        yield "departure from a rule", missing, (rules.organizer,), ()


def _without_cause(record: Record, entries: Sequence[Entry]) -> Iterator[_Listed]:
    """Yield the extra time for one table that the whole log gives no cause for, in rounds of a live event."""
    for entry in entries:
        if not isinstance(entry.fact, TimeExtended) or record.is_dead(entry.position):
            continue
        for departure in of_time_without_cause(record, entry.fact) if record.was_live(entry.position) else ():
            yield "departure from a rule", entry, (departure.rule,), ()


def _without_warning(record: Record, entries: Sequence[Entry]) -> Iterator[_Listed]:
    """Yield the game losses whose earlier warning no longer counts (ASH-SLOW)."""
    gone = {given.position: given.unwarned for given in warning_gone(record)}
    for entry in entries if gone else ():
        if (rule := gone.get(entry.position)) is not None:
            yield "departure from a rule", entry, (rule,), ()


def _is_consequence(record: Record, entry: Entry, moved: Entry | None) -> bool:
    """Return whether an entry is only the effect, by a rule, of a player's arrival or departure in the same
    command.

    A late player plays the player with the bye in a posted round (PKM-3.1.4-LATE). An opponent who is left alone
    gets a bye (L5R-IV.2c-DROP). An unplayed bracket is drawn again (PKM-3.2.3-LATE, L5R-IV.2b-CUTDROP). A player
    who left during a match loses that match, even after a won game (PKM-3.2-NODROP).
    """
    if moved is None or moved.command != entry.command:
        return False
    match entry.fact:
        case PairingAmended(added=added, removed=removed):
            number = getattr(moved.fact, "number", None) or getattr(moved.fact, "player", None)
            return any(number in seating.players for seating in (*added, *removed))
        case ResultCorrected(stage="elimination", players=players, slip=slip):
            left = moved.fact.player if isinstance(moved.fact, PlayerDropped | PlayerDisqualified) else None
            return left in players and slip.winner not in (None, left) and _leaver_loses(record)
        case EntryRetracted(retracts=position):
            first = record.round(1, "elimination")
            drawn = {position for position, _ in record.brackets_drawn}
            return position in drawn or (first is not None and position == first.position)
        case _:
            return False


def _leaver_loses(record: Record) -> bool:
    """Return whether a rule of the document gives a player who leaves a match the loss, not only our reading."""
    elimination = record.rulebook.elimination
    return elimination.leaving == "loss" and elimination.rule("leaving") != UNWRITTEN


def _called_early(record: Record, entry: Entry) -> Iterator[Found]:
    """Yield a mark that was announced more than a minute early. A hall's own clock may differ by seconds."""
    fact = entry.fact
    round_ = record.round(fact.round, fact.stage) if isinstance(fact, MarkCalled) else None
    if not isinstance(fact, MarkCalled) or round_ is None:
        return
    clock = record.clock(round_)
    shown = clock.elapsed(entry.recorded_at)
    for mark, at in ((due.mark, due.at) for due in clock.due(fact.table)):
        if mark.name == fact.mark and shown is not None and shown + MINUTE < at:
            yield "departure from a rule", (mark.rule,)


def _more_time(record: Record, entry: Entry) -> Iterator[Found]:
    """Yield extra time that was given after the table's last call, or time to look for a card, given after the
    start of the round.
    """
    match entry.fact:
        case TimeExtended(round=number, stage=stage, table=table):
            round_ = record.round(number, stage)
            found = [] if round_ is None else of_more_time(record, round_, table, entry.recorded_at)
        case CardIncident(what="lost", when="round-start", round=int(number), stage=stage, table=int()):
            round_ = record.round(number, stage)
            found = [] if round_ is None else of_late_search(record, round_, entry.recorded_at)
        case _:
            return
    if found:
        yield "departure from a rule", tuple(dict.fromkeys(departure.rule for departure in found))


def _by_unknown(record: Record, entry: Entry) -> Iterator[Found]:
    """Yield a decision by a person who is not a leader of the event."""
    name, rule = _decided(record, entry)
    if rule is not None and leader_called(record, name) is None:
        yield "decision by an unknown leader", (rule,)


def _without_leader(record: Record, entries: Sequence[Entry], listed: AbstractSet[int]) -> Iterator[_Listed]:
    """Yield the decisions of leaders whose entry on the staff list was retracted later, without the entries in
    `listed`.
    """
    known: list[Leader] | None = None
    for entry in entries:
        name, rule = _decided(record, entry)
        if rule is None or entry.position in listed or record.is_dead(entry.position):
            continue
        known = assignments(record) if known is None else known
        if not any(leader.is_called(name) for leader in known):
            yield "decision by an unknown leader", entry, (rule,), ()


def _decided(record: Record, entry: Entry) -> tuple[str, str | None]:
    """Return the name of the person who decided, and the rule that only a leader decides, or None without such a
    rule.

    The rules are about rulings, penalties and proxies in somebody else's name, and about all final rulings
    (L5R-I.2-MARSHAL).
    """
    match entry.fact:
        case RulingGiven(judge=name, final=True):
            return name or entry.actor, record.rulebook.conduct.final_ruling
        case RulingGiven(judge=name) | PenaltyGiven(leader=name):
            rule = None if record.rulebook.staff is None else record.rulebook.staff.judge
        case CardIncident(what="proxy", leader=name):
            rule = record.rulebook.conduct.proxy
        case _:
            return entry.actor, None
    return name or entry.actor, None if name in (None, entry.actor) else rule


def _outdated(record: Record, fact: AnyFact) -> Counter[StageClause]:
    """Return the number of cuts and of elimination rounds that no longer follow from the results, by clause.

    Return no numbers for a fact that changes no result.
    """
    if not isinstance(fact, ResultCorrected | EntryRetracted):
        return Counter()
    return Counter({"cut": len(outdated_cuts(record)), "advance": len(strays(record))})


def _left_open(record: Record, fact: AnyFact) -> Iterator[Sentence]:
    """Yield the questions that an entry leaves open, and the players who begin without a card or a deck list."""
    yield from left_open(record, fact)
    if isinstance(fact, RoundPaired):
        yield from (lacking(record, objection) for objection in unready(record, fact))


_Late = tuple[Intervention, int, str, tuple[Sentence, ...]]


def _without_lists(record: Record) -> Iterator[_Late]:
    """Yield the rounds in which players began to play without the list that the event requires
    (L5R-II.2-PLAYERMAT).
    """
    before: set[int] = set()
    for round_ in rounds_with_lists(record):
        without = lacking_list(record, sorted(round_.players - before))
        before |= round_.players
        if without and record.was_live(round_.position) and round_.has_started:
            said = lacking(record, Objection("no deck list", tuple(without)))
            yield "departure from a rule", round_.position, list_rule(record), (said,)


def _never_started(record: Record) -> Iterator[_Late]:
    """Yield the rounds of a live event that were played without an announced start (L5R-III.2-START), with the
    rule.
    """
    rule = record.rulebook.clock.start if record.opening is not None else None
    if rule is None:
        return
    for round_ in (*record.rounds("swiss"), *record.rounds("elimination")):
        if record.was_live(round_.position) and kinds_by_play(round_) and record.clock(round_).origin is None:
            yield "round that nobody started", round_.position, rule, ()


_MOVED = (PlayerRegistered, PlayerArrivedLate, PlayerDropped, PlayerDisqualified)
