"""The integrity report: every entry by which a hand stepped into what the rulebook would have done by itself.

FIDE's endorsement of tournament software asks for such a list since 2026: pairings made by hand, results changed,
files imported, rules chosen. Nothing in it is an accusation; each item says who, when and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from matchledger.events import (
    AnyFact,
    CutMade,
    DivisionsDecided,
    Entry,
    EntryRetracted,
    Fact,
    FileImported,
    FlightsDrawn,
    PairingAmended,
    PlayerArrivedLate,
    PlayerRegistered,
    PlayerRejoined,
    QualifierReplaced,
    RematchAllowed,
    RepairChosen,
    ResultCorrected,
    RoundPaired,
    StructureAnnounced,
    TieResolved,
    TournamentOpened,
)
from matchledger_projections.document import SPREAD
from matchledger_projections.pairing.check import games_without_leader, without_leader
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks
from matchledger_projections.stages.bracket import follows_bracket
from matchledger_projections.stages.cut import CutUndecided, top_of
from matchledger_projections.views.posting_order import standings_missing
from matchledger_projections.views.sight import Headed, Sight, answers, heading

Intervention = Literal[
    "policy choice",
    "rules other than shipped",
    "import",
    "manual pairing",
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
    "departure from the structures",
    "qualifier replaced",
    "division other than by birth",
    "divisions or flights otherwise than the rules ask for",
    "game that no leader can rule in",
    "game without a leader let stand",
]


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the report. `counts` is False for an entry that was taken back since."""

    kind: Intervention
    counts: bool
    entry: Annotated[Entry, SPREAD]


@dataclass(frozen=True, slots=True)
class IntegrityPage:
    """What was done by hand, as `matchledger integrity --json` prints it."""

    head: Headed
    items: tuple[Item, ...]


@answers("integrity")
def integrity_page(sight: Sight) -> IntegrityPage:
    """Every pairing by hand, correction, retraction, import and choice of rules; why, for the staff alone."""
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
    """Every intervention in a log, in order. `shipped_laws` are the texts of the rulebooks that come along."""
    record = Record()
    laws = frozenset(shipped_laws)
    found: list[tuple[Intervention, Entry]] = []
    for entry in entries:
        found += [(kind, entry) for kind in _interventions(record, entry.fact, laws)]
        record.apply(entry)
    return [Item(kind, not record.is_dead(entry.position), entry) for kind, entry in found]


def _interventions(record: Record, fact: AnyFact, shipped_laws: frozenset[str]) -> Iterator[Intervention]:
    if kind := _BY_THEMSELVES.get(type(fact)):
        yield kind
    yield from _without_leader(record, fact)
    match fact:
        case TournamentOpened():
            yield from _in_opening(fact, shipped_laws)
        case RoundPaired():
            yield from _in_pairing(record, fact)
        case PlayerRegistered() | PlayerArrivedLate() if fact.deviations:
            yield "division other than by birth"
        case DivisionsDecided() | FlightsDrawn() if fact.deviations:
            yield "divisions or flights otherwise than the rules ask for"
        case StructureAnnounced() if fact.deviations:
            yield "departure from the structures"
        case ResultCorrected():
            late = fact.stage == "swiss" and _elimination_has_results(record)
            yield "correction after the cut was played on" if late else "correction"
        case TieResolved(seed=None):
            yield "order of a tie set by hand"
        case CutMade() if fact.seeds != _computed_seeds(record, fact):
            yield "cut set by hand"
        case _:
            pass


def _in_opening(fact: TournamentOpened, shipped_laws: frozenset[str]) -> Iterator[Intervention]:
    if fact.law not in shipped_laws:
        yield "rules other than shipped"
    if fact.policies:
        yield "policy choice"


def _in_pairing(record: Record, fact: RoundPaired) -> Iterator[Intervention]:
    if _is_unannounced(record):
        yield "structure not announced"
    in_order = fact.stage != "swiss" or record.imports or standings_missing(record, fact.round) is None
    if not in_order:
        yield "paired before the standings were posted"
    # Chance draws a bracket and no round of it: the seed of one would be made up, and excuses nothing.
    drawn = fact.stage == "swiss" and fact.seed is not None
    if not drawn and not follows_bracket(record, fact):
        yield "manual pairing"


def _without_leader(record: Record, fact: AnyFact) -> Iterator[Intervention]:
    """A game of leaders in which no other can rule (L5R-I.6-LEADERPLAY), as it was seated."""
    match fact:
        case RoundPaired() if games_without_leader(record, fact.tables):
            let_stand = not without_leader(record, fact)
            yield "game without a leader let stand" if let_stand else "game that no leader can rule in"
        case PairingAmended() if games_without_leader(record, fact.added):
            yield "game that no leader can rule in"


# The facts that are an intervention whatever they say.
_BY_THEMSELVES: dict[type[Fact], Intervention] = {
    FileImported: "import",
    PairingAmended: "amended pairing",
    RematchAllowed: "rematch allowed",
    EntryRetracted: "retraction",
    PlayerRejoined: "return of a player",
    RepairChosen: "repair",
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
    """The players whom the standings would have sent on; none where a tie leaves it open."""
    try:
        return top_of(record, fact.division, len(fact.seeds), fact.round)
    except CutUndecided:
        return ()
