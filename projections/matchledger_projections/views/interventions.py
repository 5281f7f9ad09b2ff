"""Interventions: for each fact, the decisions of a person that the rulebook alone would not have made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from matchledger.events import (
    AnyFact,
    ByesAwarded,
    CopyMerged,
    CutMade,
    DeckAmended,
    DeckSubmitted,
    DivisionChanged,
    DivisionsDecided,
    EntryRetracted,
    Fact,
    FileImported,
    FlightsDrawn,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    PlayerArrivedLate,
    PlayerDisqualified,
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
from matchledger_projections.decks.registered import amending_rule, came_by_merge, late_for, list_rule
from matchledger_projections.divisions.grouping import departures, division_by_birth, division_mode, division_of
from matchledger_projections.pairing.check import games_without_leader, of_drawn, of_seating, without_leader
from matchledger_projections.pairing.lineup import left_out
from matchledger_projections.record.copied import before_in_copy
from matchledger_projections.record.lateness import WITHOUT_PLAY
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import slip_in
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.policies import Policy, Readings
from matchledger_projections.rulebook.rulebook import parse_rulebook
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.stages.bracket import follows_bracket
from matchledger_projections.stages.cut import CutUndecided, top_of
from matchledger_projections.stages.departure import Departure, of_early_start, of_result
from matchledger_projections.stages.departures import (
    BY_CHANCE,
    Cuts,
    of_bracket,
    of_bracket_by_hand,
    of_closing,
    of_cut,
    of_late_entry,
    of_reseating,
    of_round,
    questions_over,
)
from matchledger_projections.stages.postings import pairings_missing, standings_missing
from matchledger_projections.stages.postings import rule as posting_rule
from matchledger_projections.stages.structure import announce_rule
from matchledger_projections.stages.time_tiebreaks import BY_TIME
from matchledger_projections.views.retraction import policy_taken_back, rules_against

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
    "cut made before the standings were posted",
    "started before the pairings were posted",
    "departure from the structures",
    "qualifier replaced",
    "division other than by birth",
    "division changed during the event",
    "late entry after the last round",
    "divisions or flights otherwise than the rules ask for",
    "game that no leader can rule in",
    "game without a leader let stand",
    "decision by an unknown leader",
    "departure from a rule",
    "round that nobody started",
    "deck list amended to an advantage",
    "late deck list",
    "went on over open questions",
    "player left out of a round",
    "copy merged",
]
Found = tuple[Intervention, tuple[str, ...]]


def interventions(
    record: Record, fact: AnyFact, shipped_laws: frozenset[str], cuts: Cuts | None = None
) -> Iterator[Found]:
    """Yield the interventions in a fact. `record` is the record before the fact. The rules that the fact itself
    names are ignored.

    `cuts` has all cuts of a command, and is given only with the command's last cut. The cuts of all divisions
    follow the rulebook's table only together.
    """
    if kind := _BY_THEMSELVES.get(type(fact)):
        yield kind, _own_rules(record, fact)
    yield from _about_a_list(record, fact)
    yield from _over_questions(record, fact)
    yield from _amended(record, fact)
    yield from _without_leader(record, fact)
    yield from _after_the_last_round(record, fact)
    yield from _against_a_result(record, fact)
    match fact:
        case TournamentOpened():
            yield from _in_opening(fact, shipped_laws)
        case RoundPaired():
            yield from _in_pairing(record, fact)
        case RoundStarted():
            yield from _in_start(record, fact)
        case ResultCorrected() | EntryRetracted():
            yield _taken_back(record, fact)
        case DivisionChanged():
            yield from _in_division(record, fact)
        case TieResolved(seed=None) if not _from_the_game(record, fact):
            yield "order of a tie set by hand", ()
        case CutMade():
            yield from _in_cut(record, fact, cuts)
        case TournamentClosed():
            yield from _structure(of_closing(record))
        case _:
            pass


def standing_rule(record: Record, kind: Intervention, fact: AnyFact) -> str:
    """Return the rule that a person applied by hand without breaking it. Return UNWRITTEN if the document has no
    such rule.
    """
    law = record.rulebook
    rule = None
    match fact:
        case _ if kind == "went on over open questions":
            pass
        case RoundPaired(stage="elimination") | PairingAmended(stage="elimination"):
            begins = law.elimination.rule("from_start" if record.cut is None else "seeding")
            rule = law.elimination.rule("advance") if fact.round > 1 else begins
        case RoundPaired() | PairingAmended():
            rule = _crossing_rule(record, fact)
            rule = rule or (law.pairing.first_round if fact.round == 1 else law.pairing.groups)
        case ByesAwarded():
            rule = law.bye.rule
        case TieResolved():
            chance = (name for name in law.tiebreaks if name in BY_CHANCE)
            rule = law.tiebreak_rules.get(next(chance, "random_draw"))
        case CutMade():
            rule = law.elimination.rule("cut")
        case RepairChosen():
            rule = law.reading_rule("repair")
        case ResultCorrected() | EntryRetracted():
            expelled = isinstance(fact, EntryRetracted) and _disqualifies(record, fact.retracts)
            rule = policy_taken_back(record, fact) or law.permission_rule("disqualify" if expelled else "correct")
    return rule or UNWRITTEN


def _from_the_game(record: Record, fact: TieResolved) -> bool:
    """Return whether an order comes from the game that the rulebook demands of tied players (SWR-TB)."""
    return fact.method == "rock-paper-scissors" and "rock_paper_scissors" in record.rulebook.tiebreaks


def _disqualifies(record: Record, position: int) -> bool:
    """Return whether a retraction takes a disqualification back, or lets a disqualification count again."""
    return record.kind_at(record.root_of(position)) is PlayerDisqualified


def _crossing_rule(record: Record, fact: RoundPaired | PairingAmended) -> str | None:
    """Return PKM-3.1.2-MOD, which pairs inside a division first, if a table joins two divisions in Age Modified
    mode.
    """
    rule = record.rulebook.divisions
    if rule is None or division_mode(record) != "modified":
        return None
    tables = fact.tables if isinstance(fact, RoundPaired) else fact.added
    crossing = any(len({division_of(record, player) for player in seating.players}) > 1 for seating in tables)
    return rule.modified_rule if crossing else None


def _structure(found: Iterable[Departure]) -> Iterator[Found]:
    if rules := _rules(found):
        yield "departure from the structures", rules


def _rules(found: Iterable[Departure]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(departure.rule for departure in found))


def _in_opening(fact: TournamentOpened, shipped_laws: frozenset[str]) -> Iterator[Found]:
    if fact.law not in shipped_laws:
        yield "rules other than shipped", ()
    known = parse_rulebook(fact.law).policies if fact.policies else {}
    flags = [flag for flag, value in fact.policies.items() if _chosen(known.get(flag), value)]
    divisions = parse_rulebook(fact.law).divisions if fact.division_years else None
    if divisions is not None and fact.division_years != divisions.born_from:
        flags.append(divisions.rule)
    if flags:
        yield "policy choice", tuple(flags)


def _chosen(policy: Policy | None, value: str) -> bool:
    """Return whether a policy's value reads the rules differently from the default. The tier and the host are no
    such reading.
    """
    return policy is None or (value != policy.default and not Readings.describes_event(policy.reading))


def _in_pairing(record: Record, fact: RoundPaired) -> Iterator[Found]:
    if _is_unannounced(record):
        yield "structure not announced", (announce_rule(record.rulebook),)
    swiss = fact.stage == "swiss"
    in_order = not swiss or not _standings_missing(record, fact.round)
    if not in_order:
        yield "paired before the standings were posted", (posting_rule(record) or UNWRITTEN,)
    if swiss:
        yield from _divided(record, fact)
        yield from _structure(of_round(record, fact.round))
    else:
        cut = of_bracket(record) if fact.round == 1 else ()
        yield from _structure([*cut, *of_bracket_by_hand(record, fact)])
    # Chance draws the bracket, but never the pairings of a later elimination round. A seed in an elimination round
    # is invented, so the seed does not excuse the round.
    drawn = swiss and fact.seed is not None
    if not drawn and not follows_bracket(record, fact):
        yield "manual pairing", _rules(of_seating(record, fact)) if swiss else ()
    if drawn and (rules := _rules(of_drawn(record, fact))):
        yield "departure from a rule", rules
    if swiss and left_out(record, fact):
        yield "player left out of a round", ()


def _divided(record: Record, fact: RoundPaired) -> Iterator[Found]:
    """Yield the rules against the divisions' mode in round 1, if their sizes do not demand it and the decision
    names no rule.
    """
    if fact.round > 1 or not record.is_live:
        return
    decided = record.divisions_decided
    marked = () if decided is None else decided.deviations
    if rules := tuple(rule for rule in departures(record, division_mode(record)) if rule not in marked):
        yield "divisions or flights otherwise than the rules ask for", rules


def _in_division(record: Record, fact: DivisionChanged) -> Iterator[Found]:
    """Find a change of division after round 1 was paired. A corrected year of birth can cause such a change.

    The change takes the player's results from one division into another (PKM-3.1.1-POD).
    """
    if not record.is_live or not (record.rounds("swiss") or record.rounds("elimination")):
        return
    law, born = record.rulebook.divisions, record.players[fact.player].person.born
    due = None if born is None else division_by_birth(record, born)
    other = law is not None and (fact.division or "").casefold() != (due or "")
    kind: Intervention = "division other than by birth" if other else "division changed during the event"
    yield kind, () if law is None else (law.rule,)


def _amended(record: Record, fact: AnyFact) -> Iterator[Found]:
    if isinstance(fact, PairingAmended) and not _only_tables_changed(fact):
        found = of_seating(record, fact) if fact.stage == "swiss" else of_reseating(record, fact)
        yield "amended pairing", _rules(found)


def _only_tables_changed(fact: PairingAmended) -> bool:
    """Return whether only the tables of matches change, because no rule assigns a table to a match."""
    return not (fact.byes_added or fact.byes_removed) and (
        {seating.players for seating in fact.removed} == {seating.players for seating in fact.added}
    )


def _about_a_list(record: Record, fact: AnyFact) -> Iterator[Found]:
    if isinstance(fact, DeckAmended) and fact.advantageous:
        yield "deck list amended to an advantage", (amending_rule(record),)
    if isinstance(fact, DeckSubmitted) and late_for(record, fact.player) and not came_by_merge(record, fact):
        yield "late deck list", (list_rule(record),)


def _against_a_result(record: Record, fact: AnyFact) -> Iterator[Found]:
    if not isinstance(fact, ResultReported | ResultCorrected | MatchConceded | NoShowRecorded):
        return
    where, absent = record.round(fact.round, fact.stage), isinstance(fact, NoShowRecorded)
    found = () if where is None else of_result(record, where, fact.players, slip_in(fact), absent=absent)
    if rules := _rules(found):
        yield "departure from a rule", rules


def _after_the_last_round(record: Record, fact: AnyFact) -> Iterator[Found]:
    if isinstance(fact, PlayerArrivedLate):
        for departure in of_late_entry(record, fact.division, fact.losses):
            yield "late entry after the last round", (departure.rule,)


def _over_questions(record: Record, fact: AnyFact) -> Iterator[Found]:
    if questions_over(record, fact):
        yield "went on over open questions", ()


def _taken_back(record: Record, fact: ResultCorrected | EntryRetracted) -> Found:
    """Return a corrected result or a retracted entry, with the rules against it."""
    if isinstance(fact, EntryRetracted):
        return "retraction", tuple(rules_against(record, fact.retracts))
    late = fact.stage == "swiss" and _elimination_has_results(record)
    rules = tuple(rules_against(record, fact.supersedes)) if fact.stage == "swiss" else ()
    return "correction after the cut was played on" if late else "correction", rules


def _in_cut(record: Record, fact: CutMade, cuts: Cuts | None) -> Iterator[Found]:
    if fact.seeds != _computed_seeds(record, fact):
        yield "cut set by hand", ()
    if cuts is not None and _standings_missing(record, fact.round + 1):
        yield "cut made before the standings were posted", (posting_rule(record) or UNWRITTEN,)
    if cuts is not None:
        yield from _structure(of_cut(record, fact.round, cuts))


def _standings_missing(record: Record, number: int) -> bool:
    """Return whether nobody posted the standings before a round or a cut, neither here nor in a merged copy."""
    missing, there = standings_missing(record, number), before_in_copy(record)
    return missing is not None and not (there is not None and there.has_posted("standings-posted", missing))


def _in_start(record: Record, fact: RoundStarted) -> Iterator[Found]:
    there, round_ = before_in_copy(record), record.round(fact.round, fact.stage)
    posted = there is not None and there.has_posted("pairings-posted", fact.round, fact.stage)
    if not posted and pairings_missing(record, fact.round, fact.stage):
        yield "started before the pairings were posted", (posting_rule(record) or UNWRITTEN,)
    paired_at = None if there is None else there.paired_at(fact.round, fact.stage)
    early = () if round_ is None or fact.at is None else of_early_start(record, round_, fact.at, paired_at)
    forgotten = _start_forgotten(record, fact) if there is None else ()
    rules = (_other_length(record, fact), *forgotten, *_rules(early))
    if named := tuple(rule for rule in dict.fromkeys(rules) if rule):
        yield "departure from a rule", named


def kinds_by_play(round_: Round) -> set[str]:
    """Return the kinds of results in a round that only a played game can have."""
    return {report.kind for _, report in round_.reported()} - WITHOUT_PLAY


def _start_forgotten(record: Record, fact: RoundStarted) -> Iterator[str | None]:
    """Yield the rules about starts and time, if games had ended before the start of the round and no earlier start
    was given.
    """
    round_ = record.round(fact.round, fact.stage)
    if round_ is None or fact.at is not None or not record.was_live(round_.position):
        return
    played = kinds_by_play(round_)
    if played:
        yield record.rulebook.clock.start
    for mark in record.clock(round_).marks:
        if played & {mark.late_slip, mark.unfinished}:
            yield mark.rule
    if BY_TIME in played:
        yield record.rulebook.elimination.rule("at_time")


def _other_length(record: Record, fact: RoundStarted) -> str | None:
    """Return the rule about the length of a round, if the round was started with a different length. Otherwise
    None.
    """
    round_, clock = record.round(fact.round, fact.stage), record.rulebook.clock
    if round_ is None or fact.minutes is None:
        return None
    due = clock.minutes("final" if record.is_final(round_) else fact.stage)
    return clock.rule if due not in (None, fact.minutes) else None


def _without_leader(record: Record, fact: AnyFact) -> Iterator[Found]:
    """Yield each seated game of leaders in which no other leader can rule (L5R-I.6-LEADERPLAY)."""
    rules = () if record.opening is None or record.rulebook.staff is None else (record.rulebook.staff.playing,)
    match fact:
        case RoundPaired() if games_without_leader(record, fact.tables):
            let_stand = not without_leader(record, fact)
            yield ("game without a leader let stand" if let_stand else "game that no leader can rule in"), rules
        case PairingAmended() if games_without_leader(record, fact.added):
            yield "game that no leader can rule in", rules


def _own_rules(record: Record, fact: AnyFact) -> tuple[str, ...]:
    """Return the rules that a fact names or applies because of its kind."""
    match fact:
        case PolicyChanged():
            return (fact.flag,)
        case QualifierReplaced():
            return (record.rulebook.elimination.rule("replacement"),)
        case RematchAllowed():
            return (record.rulebook.pairing.rematch,)
        case PlayerRejoined():
            return (record.rulebook.permission_rule("rejoin") or UNWRITTEN,)
    return ()


# Facts that always count as an intervention.
_BY_THEMSELVES: dict[type[Fact], Intervention] = {
    FileImported: "import",
    ByesAwarded: "bye awarded",
    RematchAllowed: "rematch allowed",
    CopyMerged: "copy merged",
    PlayerRejoined: "return of a player",
    PolicyChanged: "policy changed during the event",
    RepairChosen: "repair",
    QualifierReplaced: "qualifier replaced",
}

# The titles of facts that depart from a rule. All other kinds of facts have the title "departure from a rule".
MARKED: dict[type[Fact], Intervention] = {
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
    """Return whether a fact pairs the first round of a live event without the announcement that the rulebook
    demands.
    """
    structures = record.rulebook.structures
    demanded = structures is not None and structures.announce is not None
    begun = not record.is_live or record.rounds("swiss") or record.rounds("elimination")
    return demanded and not begun and record.structure is None


def _elimination_has_results(record: Record) -> bool:
    return any(report is not None for round_ in record.rounds("elimination") for _, _, report in round_.results())


def _computed_seeds(record: Record, fact: CutMade) -> tuple[int, ...]:
    """Return the qualifiers that follow from the standings. Return no qualifiers if a tie leaves them open."""
    try:
        return top_of(record, fact.division, len(fact.seeds), fact.round)
    except CutUndecided:
        return ()
