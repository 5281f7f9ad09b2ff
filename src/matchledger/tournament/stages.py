"""Stages: the structure that is announced, the cut between Swiss and elimination, the replacing of qualifiers."""

from __future__ import annotations

from collections.abc import Sequence

from matchledger.events import (
    AnyFact,
    CutMade,
    EntryRetracted,
    PlayerDropped,
    QualifierReplaced,
    StructureAnnounced,
    Style,
)
from matchledger.tournament.refusal import Refusal, name_of, names_of, need_open
from matchledger_projections.record import Record
from matchledger_projections.stages.bracket import qualifiers
from matchledger_projections.stages.structure import (
    CUSTOM,
    Proposal,
    attendance,
    departures,
    follows,
    proposal,
    table_for,
)
from matchledger_projections.standings import standings

SMALLEST_CUT = 2  # one player needs no elimination


# -- the structure


def announce(
    record: Record,
    *,
    style: Style | None = None,
    structure: str | None = None,
    rounds: int | None = None,
    cut: int | None = None,
    playoff: bool = False,
    untimed_final: bool = False,
    prizes: int | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """Announces the structure (L5R-IV.2-ANNOUNCE, PKM-2-ANNOUNCE): the rulebook's own, unless told otherwise.

    What departs from the table is marked, and so is an announcement after round 1 is paired, which is refused
    unless it is meant to be `deviating`. A cut of 0 is none.
    """
    need_open(record)
    if begun := has_begun(record):
        _need_deviating(record, "round 1 is paired, and a structure is announced before it", deviating=deviating)
    table = _table(record, style, structure)
    found = proposal(record.rulebook, table, attendance(record)) if table is not None else None
    planned = _planned(record, found, style, rounds, cut)
    plan = planned.model_copy(
        update={"playoff": playoff, "untimed_final": untimed_final, "prizes": prizes, "structure": table or CUSTOM}
    )
    return [_marked(record, plan, table, late=begun)]


def has_begun(record: Record) -> bool:
    """Whether a round of either stage is paired."""
    return bool(record.rounds("swiss") or record.rounds("elimination"))


def _table(record: Record, style: Style | None, structure: str | None) -> str | None:
    """The rulebook's table that an announcement is held against; none for a custom structure."""
    tables = record.rulebook.structures.tables if record.rulebook.structures is not None else {}
    if structure is None:
        return table_for(record.rulebook, style)
    if structure == CUSTOM:
        allowed = record.rulebook.structures is None or record.rulebook.structures.custom is not None
        return None if allowed else table_for(record.rulebook, style)
    if structure not in tables:
        known = ", ".join([*tables, CUSTOM])
        raise Refusal(f"{record.rulebook.id} has no structure {structure!r}: it has {known}")
    return structure


def _planned(
    record: Record, found: Proposal | None, style: Style | None, rounds: int | None, cut: int | None
) -> StructureAnnounced:
    """What was said, and for the rest what the table proposes."""
    if style is None:
        style = _style_of(found, cut)
    if style == "elimination":
        if rounds or cut:
            raise Refusal("an event that begins with elimination has neither Swiss rounds nor a cut")
        return StructureAnnounced(style=style, structure=CUSTOM, rounds=0)
    if found is not None and found.style != "elimination":
        rounds = found.rounds[0] if rounds is None else rounds
        proposed = 0 if style == "swiss" else found.cuts[0]
        cut = proposed if cut is None else cut
    if rounds is None or rounds < 1:
        players = sum(attendance(record).values())
        raise Refusal(
            f"{record.rulebook.id} proposes no number of rounds for {players} players: say how many there are"
        )
    if style == "swiss" and cut:
        raise Refusal(f"a cut of {cut} makes it Swiss with a cut: announce that style")
    if style == "swiss-with-cut" and (cut is None or cut < SMALLEST_CUT):
        raise Refusal(f"Swiss with a cut needs the size of the cut, {SMALLEST_CUT} or more")
    return StructureAnnounced(style=style, structure=CUSTOM, rounds=rounds, cut=cut or 0)


def _style_of(found: Proposal | None, cut: int | None) -> Style:
    if cut is not None:
        return "swiss-with-cut" if cut else "swiss"
    return found.style if found is not None else "swiss"


def _marked(record: Record, plan: StructureAnnounced, table: str | None, *, late: bool) -> StructureAnnounced:
    """A plan with the rules that it departs from."""
    rulebook, sizes = record.rulebook, attendance(record)
    rules = departures(rulebook, plan, table, sizes)
    if late and (announce_rule := _announce_rule(record)):
        rules = tuple(dict.fromkeys((*rules, announce_rule)))
    as_in_table = table is not None and follows(rulebook, plan, table, sizes)
    return plan.model_copy(update={"structure": table if as_in_table else CUSTOM, "deviations": rules})


def _announce_rule(record: Record) -> str:
    structures = record.rulebook.structures
    return (structures.announce if structures is not None else None) or "POLICY"


def _need_deviating(record: Record, message: str, *, deviating: bool) -> None:
    if not deviating:
        raise Refusal(f"{message}: give a reason to deviate from it", _announce_rule(record))


def further_round(record: Record, number: int, *, deviating: bool) -> list[AnyFact]:
    """The change of structure that a Swiss round beyond the announced ones makes; refused unless it is meant."""
    announced = record.structure
    if announced is None or (announced.style != "elimination" and number <= announced.rounds):
        return []
    if announced.style == "elimination":
        raise Refusal(
            "this event was announced as single elimination: it has no Swiss rounds", _announce_rule(record)
        )
    said = f"round {number} is beyond the {announced.rounds} that were announced"
    _need_deviating(record, said, deviating=deviating)
    return [_changed(record, announced, rounds=number)]


def _changed(record: Record, announced: StructureAnnounced, **changes: int | str) -> StructureAnnounced:
    plan = announced.model_copy(update=changes)
    table = announced.structure if announced.structure != CUSTOM else None
    return _marked(record, plan, table or table_for(record.rulebook, plan.style), late=True)


# -- the cut


def make_cut(
    record: Record, *, size: int | None = None, seeds: Sequence[int] = (), deviating: bool = False
) -> list[AnyFact]:
    """Sends the top `size` active players on (the announced number, if None), or the players in `seeds`.

    `seeds` are there where a hand wrote them down. Another cut than announced, or an earlier one, is refused
    unless it is meant to be `deviating`; the change is then an entry of its own.
    """
    need_open(record)
    if record.cut is not None:
        raise Refusal("the cut has been made: retract it to make another")
    latest = record.latest_round()
    if latest is None or latest.number != record.finished_rounds:
        raise Refusal("the last Swiss round is not finished: report its tables first")
    if seeds:
        return [CutMade(round=latest.number, seeds=tuple(seeds))]
    announced = record.structure
    if size is None:
        if announced is None or not announced.cut:
            raise Refusal("no cut was announced: say how many go on")
        size = announced.cut
    return [
        *_other_cut(record, latest.number, size, deviating=deviating),
        CutMade(round=latest.number, seeds=_top(record, size)),
    ]


def _other_cut(record: Record, rounds: int, size: int, *, deviating: bool) -> list[AnyFact]:
    announced = record.structure
    if announced is None or (announced.rounds, announced.cut) == (rounds, size):
        return []
    was = f"a cut to {announced.cut}" if announced.cut else "no cut"
    said = f"announced were {announced.rounds} rounds and {was}, not a cut to {size} after round {rounds}"
    _need_deviating(record, said, deviating=deviating)
    return [_changed(record, announced, style="swiss-with-cut", rounds=rounds, cut=size)]


def _top(record: Record, size: int) -> tuple[int, ...]:
    table = standings(record)
    active = [player for player in table.order if record.status(player) == "active"]
    if not SMALLEST_CUT <= size <= len(active):
        raise Refusal(f"a cut of {size} is not possible: there are {len(active)} active players")
    top = active[:size]
    for group in table.ties:
        level = [player for player in group if player in active]
        if len(level) > 1 and set(level) & set(top):
            raise Refusal(
                f"{names_of(record, level)} are level and one of them is in the top {size}: "
                "record the order of the tie first"
            )
    return tuple(top)


# -- a qualifier who leaves before the elimination stage begins


def replace(record: Record, *, player: int, declined: Sequence[int] = ()) -> list[AnyFact]:
    """Gives the place of a qualifier who leaves to the next player who is asked and accepts.

    Those below move up, the new player is the lowest seed (L5R-IV.2b-CUTDROP). It is possible until the first
    elimination game is played, or until the bracket is drawn (PKM-3.3-CUT); a bracket drawn before is taken back.
    """
    need_open(record)
    rules = record.rulebook.elimination
    if record.cut is None:
        raise Refusal("the cut is not made: nobody has qualified yet")
    if player not in qualifiers(record):
        raise Refusal(f"{name_of(record, player)} is not among the qualifiers")
    if not may_replace(record):
        when = (
            "the bracket is drawn" if rules.replacement == "before-draw" else "an elimination game has been played"
        )
        raise Refusal(f"{when}, so nobody takes a place in it any more: drop the player", rules.rule("replacement"))
    newcomer = _next_in_line(record, declined)
    facts: list[AnyFact] = []
    if record.status(player) == "active":
        facts.append(PlayerDropped(player=player, after_round=record.cut.round, stage="elimination"))
    return [
        *facts,
        QualifierReplaced(player=player, by=newcomer, declined=tuple(declined)),
        *take_bracket_back(record),
    ]


def may_replace(record: Record) -> bool:
    """Whether a qualifier who leaves can still be replaced."""
    if record.cut is None:
        return False
    if record.rulebook.elimination.replacement == "before-draw":
        return record.bracket_drawn is None and not record.rounds("elimination")
    first = record.round(1, "elimination")
    return first is None or (not first.has_started and record.round(2, "elimination") is None)


def in_line(record: Record) -> list[tuple[int, ...]]:
    """Who could take the place of a qualifier, best first, those who are level together."""
    if record.cut is None:
        return []
    gone = {fact.player for fact in record.replacements} | set(qualifiers(record)) | set(record.cut.seeds)
    groups = (
        tuple(player for player in group if player not in gone and record.status(player) == "active")
        for group in standings(record, record.cut.round).groups
    )
    return [group for group in groups if group]


def _next_in_line(record: Record, declined: Sequence[int]) -> int:
    for group in in_line(record):
        asked = [player for player in group if player not in declined]
        if len(asked) > 1:
            raise Refusal(f"{names_of(record, asked)} are level: record the order of the tie first")
        if asked:
            return asked[0]
    raise Refusal("nobody is left who could take the place: drop the player, and the opponent has a bye")


def take_bracket_back(record: Record) -> list[AnyFact]:
    """Takes a bracket back that nobody has played in, with the round that was paired by it."""
    if record.bracket_drawn is None:
        return []
    position, _ = record.bracket_drawn
    first = record.round(1, "elimination")
    back = [position] if first is None else [first.position, position]
    return [EntryRetracted(retracts=entry) for entry in back]
