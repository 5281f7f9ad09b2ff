"""Stages: the structure that is announced, the cut between Swiss and elimination, the replacing of qualifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from matchledger_projections.divisions.grouping import division_mode, divisions_of
from matchledger_projections.divisions.tables import ranked_apart
from matchledger_projections.record import Record
from matchledger_projections.stages.bracket import cut_of, qualifiers
from matchledger_projections.stages.cut import SMALLEST_CUT, CutUndecided, ranked_for_cut, top_of
from matchledger_projections.stages.structure import (
    CUSTOM,
    Proposal,
    attendance,
    departures,
    follows,
    format_of,
    format_rule,
    proposal,
    table_for,
)

# -- the structure


def announce(
    record: Record,
    *,
    style: Style | None = None,
    structure: str | None = None,
    rounds: int | None = None,
    cut: int | None = None,
    division_cuts: Mapping[str, int] | None = None,
    division_rounds: Mapping[str, int] | None = None,
    playoff: bool = False,
    untimed_final: bool = False,
    prizes: int | None = None,
    format_: str | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """Announces the structure (L5R-IV.2-ANNOUNCE, PKM-2-ANNOUNCE): the rulebook's own, unless told otherwise.

    Where the rulebook reads its table by division, each division has a cut of its own, from its own size, unless
    `cut` is one for all or `division_cuts` are others.

    `division_rounds` are those of divisions that play apart (PKM-3.1.3-ROUNDS); `rounds` is then the most of them.

    `format_` says how the decks come about, where not as the rulebook has it; it stays until another is announced.

    What departs from the table is marked, and so is an announcement after round 1 is paired, which is refused
    unless it is meant to be `deviating`. A cut of 0 is none.
    """
    need_open(record)
    begun = has_begun(record)
    late_format = _late_format(record, format_, begun=begun, deviating=deviating)
    if begun:
        _need_deviating(record, "round 1 is paired, and a structure is announced before it", deviating=deviating)
    if division_cuts and style is None:
        style = "swiss-with-cut"
    table = _table(record, style, structure)
    found = proposal(record.rulebook, table, attendance(record)) if table is not None else None
    by_division = _announced_by_division(record, found, style, cut, division_cuts)
    if by_division:
        style, cut = "swiss-with-cut", max(by_division.values())
    own_rounds = _rounds_by_division(record, rounds, division_rounds)
    planned = _planned(record, found, style, max(own_rounds.values(), default=rounds), cut)
    plan = planned.model_copy(
        update={
            "playoff": playoff,
            "untimed_final": untimed_final,
            "prizes": prizes,
            "structure": table or CUSTOM,
            "division_cuts": by_division,
            "division_rounds": own_rounds,
            "format": format_ or (record.structure.format if record.structure is not None else None),
        }
    )
    return [_marked(record, plan, table, late=begun, late_format=late_format)]


def _late_format(record: Record, wanted: str | None, *, begun: bool, deviating: bool) -> tuple[str, ...]:
    """The rule that a format told after round 1 departs from (ASH-FORMAT); refused unless it is meant."""
    if not begun or wanted is None or wanted == format_of(record):
        return ()
    rule = format_rule(record.rulebook)
    if not deviating:
        raise Refusal(
            f"round 1 is paired, and a format other than {format_of(record) or 'before'} is told before it: "
            "give a reason to deviate from it",
            rule,
        )
    return (rule,)


def _announced_by_division(
    record: Record,
    found: Proposal | None,
    style: Style | None,
    cut: int | None,
    given: Mapping[str, int] | None,
) -> dict[str, int]:
    """The cut of each division that has one of its own; nothing where there is one for all, or none."""
    known = divisions_of(record)
    if given:
        cuts = {division.casefold(): size for division, size in given.items()}
        if strangers := [division for division in cuts if division not in known]:
            raise Refusal(f"nobody plays in {strangers[0]!r}: the divisions are {', '.join(filter(None, known))}")
        if not any(cuts.values()):
            raise Refusal("no division has a cut: announce the style swiss")
        return {division: cuts[division] for division in known if division in cuts}
    if cut is not None or found is None or style not in (None, "swiss-with-cut"):
        return {}
    proposed = {division.casefold(): cuts[0] for division, cuts in found.division_cuts.items()}
    proposed = {division: proposed[division] for division in known if division in proposed}
    return proposed if found.style == "swiss-with-cut" and any(proposed.values()) else {}


def _rounds_by_division(record: Record, rounds: int | None, given: Mapping[str, int] | None) -> dict[str, int]:
    """How many rounds each division plays that plays apart; those that are not named play `rounds`, or the most."""
    if not given:
        return {}
    known = divisions_of(record)
    own = {division.casefold(): number for division, number in given.items()}
    if strangers := [division for division in own if division not in known]:
        raise Refusal(f"nobody plays in {strangers[0]!r}: the divisions are {', '.join(filter(None, known))}")
    if division_mode(record) != "separated":
        rule = record.rulebook.divisions
        raise Refusal(
            "the divisions of this event do not play apart: they have their rounds together",
            None if rule is None else rule.rule,
        )
    if not all(own.values()):
        raise Refusal("a division plays a round at least")
    most = max(*own.values(), rounds or 0)
    return {division: own.get(division, most) for division in known}


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


def _marked(
    record: Record, plan: StructureAnnounced, table: str | None, *, late: bool, late_format: tuple[str, ...] = ()
) -> StructureAnnounced:
    """A plan with the rules that it departs from."""
    rulebook, sizes = record.rulebook, attendance(record)
    rules = departures(rulebook, plan, table, sizes)
    if late and (announce_rule := _announce_rule(record)):
        rules = tuple(dict.fromkeys((*rules, *late_format, announce_rule)))
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
    longest = {
        division: number if rounds == announced.rounds else rounds
        for division, rounds in announced.division_rounds.items()
    }
    return [_changed(record, announced, rounds=number, division_rounds=longest)]


def _changed(
    record: Record, announced: StructureAnnounced, **changes: int | str | dict[str, int]
) -> StructureAnnounced:
    plan = announced.model_copy(update=changes)
    table = announced.structure if announced.structure != CUSTOM else None
    return _marked(record, plan, table or table_for(record.rulebook, plan.style), late=True)


# -- the cut


def make_cut(
    record: Record,
    *,
    size: int | None = None,
    seeds: Sequence[int] = (),
    division_sizes: Mapping[str, int] | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """Sends the top `size` active players on (the announced number, if None), or the players in `seeds`.

    `division_sizes` are cuts of their own for divisions, each of which then has a bracket (PKM-3.3.1); they follow
    from what was announced. `seeds` are there where a hand wrote them down. Another cut than announced, or an
    earlier one, is refused unless it is meant to be `deviating`; the change is then an entry of its own.
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
    sizes = _division_sizes(record, size, division_sizes)
    if sizes:
        return _cut_divisions(record, latest.number, sizes, deviating=deviating)
    if size is None:
        if announced is None or not announced.cut:
            raise Refusal("no cut was announced: say how many go on")
        size = announced.cut
    if apart := ranked_apart(record):
        raise Refusal(
            f"the divisions play apart: say how many of each go on ({', '.join(apart)})", _announce_rule(record)
        )
    return [
        *_other_cut(record, latest.number, size, deviating=deviating),
        CutMade(round=latest.number, seeds=_top(record, None, size)),
    ]


def _division_sizes(record: Record, size: int | None, given: Mapping[str, int] | None) -> dict[str, int]:
    """How many of each division go on: as given, else as announced; nothing where there is one cut for all."""
    if given:
        return {division.casefold(): number for division, number in given.items()}
    if size is not None or record.structure is None:
        return {}
    return dict(record.structure.division_cuts)


def _cut_divisions(record: Record, round_: int, sizes: Mapping[str, int], *, deviating: bool) -> list[AnyFact]:
    known = divisions_of(record)
    if strangers := [division for division in sizes if division not in known]:
        raise Refusal(f"nobody plays in {strangers[0]!r}: the divisions are {', '.join(filter(None, known))}")
    return [
        *_other_division_cuts(record, round_, sizes, deviating=deviating),
        *(
            CutMade(round=round_, seeds=_top(record, division, sizes[division]), division=division)
            for division in known
            if sizes.get(division)
        ),
    ]


def _other_division_cuts(
    record: Record, round_: int, sizes: Mapping[str, int], *, deviating: bool
) -> list[AnyFact]:
    announced = record.structure
    if announced is None or (announced.rounds, announced.division_cuts) == (round_, dict(sizes)):
        return []
    _need_deviating(
        record,
        f"announced were {announced.rounds} rounds and {_said_cut(announced)}, not {_of_each(sizes)} after round "
        f"{round_}",
        deviating=deviating,
    )
    largest = max(sizes.values())
    plan = announced.model_copy(update={"division_cuts": dict(sizes)})
    return [_changed(record, plan, style="swiss-with-cut", rounds=round_, cut=largest)]


def _said_cut(announced: StructureAnnounced) -> str:
    if announced.division_cuts:
        return _of_each(announced.division_cuts)
    return f"a cut to {announced.cut}" if announced.cut else "no cut"


def _of_each(sizes: Mapping[str, int]) -> str:
    cuts = [f"{size} of {division}" for division, size in sizes.items() if size]
    return f"a cut to {' and '.join(cuts)}" if cuts else "no cut"


def _other_cut(record: Record, rounds: int, size: int, *, deviating: bool) -> list[AnyFact]:
    announced = record.structure
    if announced is None or (announced.rounds, announced.cut) == (rounds, size):
        return []
    said = f"announced were {announced.rounds} rounds and {_said_cut(announced)}, not a cut to {size} after round"
    _need_deviating(record, f"{said} {rounds}", deviating=deviating)
    return [_changed(record, announced, style="swiss-with-cut", rounds=rounds, cut=size)]


def _top(record: Record, division: str | None, size: int) -> tuple[int, ...]:
    """The players who go on, refused while the place of one of them hangs on a tie."""
    try:
        return top_of(record, division, size, record.finished_rounds)
    except CutUndecided as problem:
        if problem.level:
            raise Refusal(
                f"{names_of(record, problem.level)} are level and one of them is in the top {size}: "
                "record the order of the tie first"
            ) from None
        of_division = f" of {division}" if division else ""
        raise Refusal(
            f"a cut of {size} is not possible: there are {problem.players} active players{of_division}"
        ) from None


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
    newcomer = _next_in_line(record, player, declined)
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


def in_line(record: Record, player: int) -> list[tuple[int, ...]]:
    """Who could take the place of a qualifier, best first, those who are level together: others of the division."""
    cut = cut_of(record, player)
    if cut is None:
        return []
    gone = {fact.player for fact in record.replacements} | set(qualifiers(record)) | set(cut.seeds)
    groups = (
        tuple(other for other in group if other not in gone and record.status(other) == "active")
        for group in ranked_for_cut(record, cut.division, cut.round)
    )
    return [group for group in groups if group]


def _next_in_line(record: Record, player: int, declined: Sequence[int]) -> int:
    for group in in_line(record, player):
        asked = [other for other in group if other not in declined]
        if len(asked) > 1:
            raise Refusal(f"{names_of(record, asked)} are level: record the order of the tie first")
        if asked:
            return asked[0]
    raise Refusal("nobody is left who could take the place: drop the player, and the opponent has a bye")


def take_bracket_back(record: Record) -> list[AnyFact]:
    """Takes the brackets back that nobody has played in, with the round that was paired by them."""
    first = record.round(1, "elimination")
    drawn = [position for position, _ in reversed(record.brackets_drawn)]
    back = [first.position, *drawn] if drawn and first is not None else drawn
    return [EntryRetracted(retracts=entry) for entry in back]
