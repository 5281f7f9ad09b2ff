"""Structures: the announced rounds and cut, and departures from the rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from matchledger.commands.command import Command, Context, Deviating, Sizes, Text, Typed, option
from matchledger.commands.refusal import LISTED, Refusal, departing, need_open, no_player_in
from matchledger.events import AnyFact, StructureAnnounced, Style, TournamentClosed
from matchledger.notation.player_lookup import format_named
from matchledger.notation.problems import UsageProblem
from matchledger_projections.divisions.grouping import division_mode, divisions_of
from matchledger_projections.message import Sentence, demanding, joined, sentence
from matchledger_projections.record.attendance import attendance
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.catalogue import Rule, rules
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.stages.cut import SMALLEST_CUT
from matchledger_projections.stages.departure import Departure
from matchledger_projections.stages.departures import (
    against_tables,
    left_open,
    of_closing,
    of_round,
    open_questions,
)
from matchledger_projections.stages.flights import field_now
from matchledger_projections.stages.structure import (
    CUSTOM,
    Proposal,
    Turnout,
    announce_rule,
    common_cut,
    cuts_of,
    format_of,
    format_rule,
    has_own_structure,
    limits_the_final,
    proposal,
    rounds_rule,
    table_for,
    unshared,
    unshared_cuts,
)

SEMIFINALISTS = 4
HOUSE_RULES = "structure-announced.house_rules"  # the field that lists the optional rules of the game


def _departure(record: Record, plan: StructureAnnounced, rule: str) -> Departure:
    """Return a departure that says how an announcement breaks a rule."""
    law, field = record.rulebook, field_now(record)
    flights, clock = law.flights, law.clock
    if rule == announce_rule(law) and _lacks_prizes(law, plan):
        said = sentence("the number of prizes is missing: announce it too")
    elif plan.playoff and not law.elimination.playoff and rule == law.elimination.rule("playoff"):
        said = sentence("the rulebook has no match for 3rd and 4th place")
    elif has_own_structure(law) and law.structures is not None and rule == law.structures.custom:
        said = sentence(
            "a %(tier)s event uses no table of the rulebook: announce the structure custom", tier=law.tier
        )
    elif flights is not None and rule == flights.finals_rule and (cuts := unshared_cuts(flights, plan, field)):
        said = unshared(flights, *cuts[0])
    elif law.divisions is not None and rule == law.divisions.rule:
        said = common_cut()
    elif plan.untimed_final and rule == clock.rule:
        said = sentence("the final has a time limit of %(count)s minutes", count=clock.minutes("final"))
    else:
        players = sum(field.sizes.values())
        said = sentence("the rulebook does not give this structure for %(players)s players", players=players)
    return Departure(rule, said)


def _lacks_prizes(law: Rulebook, plan: StructureAnnounced) -> bool:
    """Return whether an announcement lacks the number of prizes that the rulebook asks for (PKM-2-ANNOUNCE)."""
    return law.structures is not None and law.structures.prizes and plan.prizes is None


def _changed_values(before: StructureAnnounced | None, plan: StructureAnnounced) -> set[str]:
    """Return the names of the values in which an announcement differs from the one before, or from none at all."""
    was = before or StructureAnnounced(style="swiss", structure=CUSTOM, rounds=0)
    return {name for name, value in plan if value != getattr(was, name)} - {"structure", "deviations"}


def _is_late(record: Record, plan: StructureAnnounced) -> bool:
    """Return whether an announcement after round 1 departs from a rule or from the announcement before.

    If the document demands no announcement, the first one only has to follow the table. A final without a time
    limit needs no announcement where the document leaves the limit to the organizer (ASH-CUT).
    """
    law, before = record.rulebook, record.structure
    changed = _changed_values(before, plan)
    if not limits_the_final(law):
        changed -= {"untimed_final"}
    if before is None:
        changed &= {"deck_lists", "house_rules"}
    return bool(changed) or announce_rule(law) != UNWRITTEN


def _late_format(record: Record, wanted: str | None, *, begun: bool, deviating: bool) -> tuple[str, ...]:
    """Return the rule against a new deck format after round 1 (ASH-FORMAT). Unless `deviating`, refuse."""
    if not begun or wanted is None or wanted == format_of(record):
        return ()
    rule = format_rule(record.rulebook)
    if not deviating:
        raise Refusal(
            demanding(
                sentence(
                    "round 1 is paired: to announce another format than %(format)s now, give a reason",
                    format=format_of(record) or sentence("before"),
                ),
                "a reason",
            ),
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
    """Return the announced cut of each division that has its own cut. The mapping is empty if there is a common cut
    or no cut.
    """
    if given:
        cuts = by_division(record, given)
        if any(0 < size < SMALLEST_CUT for size in cuts.values()):
            raise Refusal(_needs_a_cut())
        if cut and any(cuts.values()):
            raise Refusal(
                sentence("give one cut for all players or a cut for each division, not both"), field="cut"
            )
        if not cut and not any(cuts.values()):
            raise Refusal(
                sentence("no division has a cut: give the size of a cut, or announce the style swiss"),
                field=f"division_cuts.{next(iter(cuts))}",
            )
        return {division: size for division, size in cuts.items() if size}
    if cut is not None or found is None or style not in (None, "swiss-with-cut"):
        return {}
    proposed = {division.casefold(): cuts[0] for division, cuts in found.division_cuts.items()}
    proposed = {division: proposed[division] for division in divisions_of(record) if division in proposed}
    return proposed if found.style == "swiss-with-cut" and any(proposed.values()) else {}


def _rounds_before(record: Record, field: Turnout, found: Proposal | None) -> dict[str, int]:
    """Return the number of rounds of each division: from the earlier announcement, or else from the rulebook's
    table.
    """
    plan = record.structure
    if plan is not None and plan.rounds:
        return {division: plan.division_rounds.get(division, plan.rounds) for division in divisions_of(record)}
    return {} if found is None or found.style == "elimination" else _rounds_of_table(field, found)


def _rounds_of_table(field: Turnout, found: Proposal) -> dict[str, int]:
    return {
        division.casefold(): field.rounds(division, found.division_rounds.get(division, found.rounds))[0]
        for division in field.sizes
    }


def _rounds_by_division(
    record: Record, before: Mapping[str, int], rounds: int | None, given: Mapping[str, int] | None
) -> dict[str, int]:
    """Return the number of rounds of each division that plays separately.

    A division that the announcement does not name plays `rounds`. Without `rounds`, a division plays its number in
    `before`.
    """
    if not given:
        return {}
    own = by_division(record, given)
    if division_mode(record) != "separated":
        rule = record.rulebook.divisions
        raise Refusal(
            sentence("the divisions of this event play together and share their rounds"),
            None if rule is None else rule.rule,
        )
    if not all(own.values()):
        raise Refusal(sentence("a division plays at least 1 round"))
    most = max(own.values())
    return {division: own.get(division, rounds or before.get(division, most)) for division in divisions_of(record)}


def by_division(record: Record, given: Mapping[str, int]) -> dict[str, int]:
    """Return numbers by division, in the order of the divisions. Refuse a division without players."""
    known = divisions_of(record)
    own = _casefolded(given)
    if strangers := [division for division in own if division not in known]:
        raise Refusal(no_player_in(strangers[0], known))
    return {division: own[division] for division in known if division in own}


def _casefolded(sizes: Mapping[str, int]) -> dict[str, int]:
    return {division.casefold(): size for division, size in sizes.items()}


def house_rules(rulebook: Rulebook) -> list[Rule]:
    """Return the optional rules that an announcement may name under a rulebook. The list is empty for a rulebook
    without documents.
    """
    optional = [rule for rule in rules().values() if rule.about == HOUSE_RULES]
    return optional if rulebook.readings.deck_format.startswith("legacy") else []


def _known_house_rules(given: Sequence[str]) -> tuple[str, ...]:
    known = [rule.id for rule in rules().values() if rule.about == HOUSE_RULES]
    if strangers := [rule for rule in given if rule not in known]:
        raise Refusal(
            sentence(
                "%(rule)s is not a house rule: the house rules are %(known)s",
                rule=strangers[0],
                known=", ".join(known),
            )
        )
    return tuple(given)


def _proposed_by_division(field: Turnout, found: Proposal) -> dict[str, int]:
    """Return the rulebook's number of rounds for each division that plays separately, if the numbers differ."""
    own = _rounds_of_table(field, found)
    return own if field.apart and len(set(own.values())) > 1 else {}


def has_begun(record: Record) -> bool:
    """Return whether a round of either stage is paired."""
    return bool(record.rounds("swiss") or record.rounds("elimination"))


def _table(record: Record, style: Style | None, structure: str | None) -> str | None:
    """Return the rulebook's table for an announcement, or None for a custom structure."""
    tables = record.rulebook.structures.tables if record.rulebook.structures is not None else {}
    if structure is None:
        return table_for(record.rulebook, style)
    if structure == CUSTOM:
        allowed = record.rulebook.structures is None or record.rulebook.structures.custom is not None
        return None if allowed else table_for(record.rulebook, style)
    if structure not in tables:
        known = ", ".join([*tables, CUSTOM])
        raise Refusal(
            sentence(
                "%(rulebook)s has no structure %(structure)r: it has %(known)s",
                rulebook=record.rulebook.id,
                structure=structure,
                known=known,
            )
        )
    return structure


def _planned(
    record: Record, found: Proposal | None, style: Style | None, rounds: int | None, cut: int | None
) -> StructureAnnounced:
    """Return the announced values. Values that were not announced come from the rulebook's table."""
    if style is None:
        style = _style_of(found, cut)
    if style == "elimination":
        if rounds or cut:
            raise Refusal(sentence("an event that begins with elimination has neither Swiss rounds nor a cut"))
        return StructureAnnounced(style=style, structure=CUSTOM, rounds=0)
    if found is not None and found.style != "elimination":
        rounds = found.rounds[0] if rounds is None else rounds
        proposed = 0 if style == "swiss" else found.cuts[0]
        cut = proposed if cut is None else cut
    if rounds is None or rounds < 1:
        players = sum(attendance(record).values())
        raise Refusal(
            demanding(
                sentence(
                    "%(rulebook)s proposes no number of rounds for %(players)s players: give the number",
                    rulebook=record.rulebook.id,
                    players=players,
                ),
                "a number of rounds",
            )
        )
    if style == "swiss" and cut:
        raise Refusal(sentence("a cut of %(cut)s makes it Swiss with a cut: announce that style", cut=cut))
    if style == "swiss-with-cut" and (cut is None or cut < SMALLEST_CUT):
        raise Refusal(_needs_a_cut())
    return StructureAnnounced(style=style, structure=CUSTOM, rounds=rounds, cut=cut or 0)


def _need_semifinals(record: Record, plan: StructureAnnounced) -> None:
    """Refuse a match for 3rd and 4th place in an event without semifinals (PKM-3.3.6.1-PLAYOFF)."""
    if plan.playoff and not _has_semifinals(plan):
        raise Refusal(
            sentence(
                "the losers of the semifinals play for 3rd and 4th place: announce a cut to %(least)s or more",
                least=SEMIFINALISTS,
            ),
            record.rulebook.elimination.rule("playoff"),
        )


def _need_final(record: Record, plan: StructureAnnounced) -> None:
    """Refuse a final without a time limit in an event without an elimination stage (ASH-CUT)."""
    if plan.untimed_final and plan.style == "swiss":
        raise Refusal(
            sentence("an event without an elimination stage has no final: announce a cut"),
            record.rulebook.clock.untimed_final or record.rulebook.clock.rule,
        )


def _has_semifinals(plan: StructureAnnounced) -> bool:
    return plan.style == "elimination" or max(cuts_of(plan).values(), default=0) >= SEMIFINALISTS


def _needs_a_cut() -> Sentence:
    return sentence("Swiss with a cut needs the size of the cut, %(smallest)s or more", smallest=SMALLEST_CUT)


def _style_of(found: Proposal | None, cut: int | None) -> Style:
    if cut is not None:
        return "swiss-with-cut" if cut else "swiss"
    return found.style if found is not None else "swiss"


def _marked(
    record: Record, plan: StructureAnnounced, table: str | None, rules: tuple[str, ...] = (), *, late: bool = False
) -> StructureAnnounced:
    """Return an announcement that names the rules that it departs from: those in `against_tables`, and `rules`."""
    rulebook = record.rulebook
    against, followed = min(against_tables(record, plan, table), key=lambda found: len(found[0]))
    announcing = (announce_rule(rulebook),) if late or _lacks_prizes(rulebook, plan) else ()
    return plan.model_copy(
        update={"structure": followed, "deviations": tuple(dict.fromkeys((*against, *rules, *announcing)))}
    )


def need_deviating(message: Sentence, rule: str, *, deviating: bool) -> None:
    if not deviating:
        raise Refusal(
            demanding(sentence("%(refused)s: give a reason to deviate from it", refused=message), "a reason"), rule
        )


def further_round(record: Record, number: int, *, deviating: bool) -> tuple[list[AnyFact], tuple[str, ...]]:
    """Return the change of structure for a Swiss round beyond the announced rounds, and the rules that it departs
    from.

    A further round needs `deviating`. Without an announcement, the rules are those of the rulebook's table. With an
    announcement, the rules are those that the announced structure breaks for the players of round 1.
    """
    announced = record.structure
    if announced is not None and announced.style == "elimination":
        raise Refusal(
            sentence("this event was announced as single elimination: it has no Swiss rounds"),
            announce_rule(record.rulebook),
        )
    if announced is None or number <= announced.rounds:
        return [], departing(of_round(record, number), deviating=deviating)
    said = sentence(
        "round %(round)s is beyond the %(count)s announced rounds", round=number, count=announced.rounds
    )
    rule = rounds_rule(record.rulebook)
    need_deviating(said, rule, deviating=deviating)
    longest = {
        division: number if rounds == announced.rounds else rounds
        for division, rounds in announced.division_rounds.items()
    }
    return [changed(record, announced, (rule,), rounds=number, division_rounds=longest)], ()


def need_settled(record: Record, *, deviating: bool, step: AnyFact | None = None) -> None:
    """Refuse to go on despite open calls, contradicting slips or missing earlier results, unless `deviating`.

    The refusal also names the questions that a `step` would leave open.
    """
    questions = open_questions(record) if step is None else left_open(record, step)
    if not questions or deviating:
        return
    raise Refusal(
        demanding(
            sentence(
                (
                    "%(questions)s: answer the calls, report or correct the results, or retract the slip; to go on "
                    "without that, give a reason"
                ),
                questions=joined(questions[:LISTED], "; "),
            ),
            "a reason",
        )
    )


def need_complete(record: Record, closed: TournamentClosed, *, deviating: bool) -> tuple[str, ...]:
    """Return the rules that a closing departs from. Unless `deviating`, refuse the closing, and name everything
    that is open.
    """
    if open_questions(record):
        need_settled(record, deviating=deviating, step=closed)
    return departing(of_closing(record), deviating=deviating)


def changed(
    record: Record, announced: StructureAnnounced, rules: tuple[str, ...], **changes: int | str | dict[str, int]
) -> StructureAnnounced:
    """Return an announcement with changes made during the event that depart from some `rules`.

    Without semifinals, there is no match for 3rd place.
    """
    plan = announced.model_copy(update=changes)
    plan = plan.model_copy(update={"playoff": plan.playoff and _has_semifinals(plan)})
    return _marked(record, plan, "", rules)


class AnnounceStructure(Command):
    """Announce the rounds and the cut: the rulebook's numbers, or your own.

    A departure, or a late change, needs a --reason.

    A cut of 0 means no cut. `division_cuts` and `division_rounds` are numbers for divisions with their own cut or
    rounds. `format` is the deck format. An announcement that comes after round 1 or departs from the rulebook
    needs `deviating`.
    """

    style: Annotated[Style | None, option("--style", "The style of the event: {known}.")] = None
    structure: Annotated[
        Text | None,
        option(
            "--structure",
            "The rulebook's table of structures to use, such as advanced; custom for your own numbers.",
        ),
    ] = None
    rounds: Annotated[Annotated[int, Field(ge=1, le=999)] | None, option("--rounds", "Swiss rounds.")] = None
    cut: Annotated[
        Annotated[int, Field(ge=0, le=9999)] | None,
        option("--cut", "How many players go on to the elimination stage; 0 for no cut."),
    ] = None
    division_cuts: Annotated[
        Sizes,
        option(
            "--division-cut",
            "A division and how many of its players go on, such as junior=2; repeat for each division.",
        ),
    ] = Field(default={})
    division_rounds: Annotated[
        Sizes,
        option(
            "--division-rounds",
            "A division that plays separately and its rounds, such as junior=3; repeat for each division.",
        ),
    ] = Field(default={})
    playoff: Annotated[bool, option("--playoff", "A match for 3rd and 4th place.")] = False
    untimed_final: Annotated[bool, option("--untimed-final", "The final has no time limit.")] = False
    prizes: Annotated[
        Annotated[int, Field(ge=0, le=999_999)] | None, option("--prizes", "How many prizes there are.")
    ] = None
    format: Annotated[
        Annotated[str, Field(max_length=200)] | None,
        option("--format", "The deck format, such as draft; by default the rulebook's."),
    ] = None
    deck_lists: Annotated[bool, option("--deck-lists", "Each player hands in a list before round 1.")] = False
    house_rules: Annotated[
        tuple[Text, ...],
        Typed(lambda _, given: [rule for rule in given if rule.strip()], many=True),
        option("--house-rule", "The id of an optional rule of the game; repeat for each rule."),
    ] = Field(default=(), max_length=20)
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Announce the rulebook's rounds and cut, except for given values (L5R-IV.2-ANNOUNCE, PKM-2-ANNOUNCE).

        If the rulebook's table counts by division, each division gets a cut for its size. `cut` or `division_cuts`
        replace the cuts by size. `division_rounds` are for divisions that play separately (PKM-3.1.3-ROUNDS). With
        `division_rounds`, `rounds` is the highest of these numbers. `format` is the deck format, if it is not the
        rulebook's. A deck format applies until the next format is announced. With `deck_lists`, each player hands
        in a list before round 1. `house_rules` are the ids of optional rules. A departure from the rulebook needs
        `deviating`, and the fact names the rule. The same applies to an announcement after round 1 is paired. A cut
        of 0 means no cut.
        """
        need_open(record)
        asked = self._changing(record)
        style, rounds, cut = asked.style, asked.rounds, asked.cut
        wanted = None if asked.format is None else format_named(asked.format)
        begun = has_begun(record)
        late_format = _late_format(record, wanted, begun=begun, deviating=self.deviating)
        if style is None and (asked.division_cuts or cut is not None):
            style = "swiss-with-cut" if asked.division_cuts or cut else "swiss"
        field = field_now(record)
        table = _table(record, style, asked.structure)
        found = proposal(record.rulebook, table, field) if table is not None else None
        by_division = _announced_by_division(record, found, style, cut, asked.division_cuts)
        if by_division:
            style, cut = "swiss-with-cut", max(by_division.values())
        own_rounds = _rounds_by_division(
            record, _rounds_before(record, field, found), rounds, asked.division_rounds
        )
        if not own_rounds and rounds is None and found is not None:
            own_rounds = _proposed_by_division(field, found)
        planned = _planned(record, found, style, max(own_rounds.values(), default=rounds), cut)
        plan = planned.model_copy(
            update={
                "playoff": asked.playoff,
                "untimed_final": asked.untimed_final,
                "prizes": asked.prizes,
                "structure": table or CUSTOM,
                "division_cuts": by_division,
                "division_rounds": own_rounds,
                "format": wanted or (record.structure.format if record.structure is not None else None),
                "deck_lists": asked.deck_lists,
                "house_rules": _known_house_rules(asked.house_rules),
            }
        )
        _need_semifinals(record, plan)
        _need_final(record, plan)
        late = begun and _is_late(record, plan)
        announced = _marked(record, plan, "" if asked.structure is None else table, late_format, late=late)
        if announced == record.structure or (begun and not _changed_values(record.structure, announced)):
            raise UsageProblem(sentence("the structure is announced like this already: nothing would change"))
        if late:
            need_deviating(
                sentence("the structure must be announced before round 1 is paired"),
                announce_rule(record.rulebook),
                deviating=self.deviating,
            )
        departing([_departure(record, announced, rule) for rule in announced.deviations], deviating=self.deviating)
        return [announced]

    def _changing(self, record: Record) -> AnnounceStructure:
        """Return the whole announcement. If the command names only divisions, all other values are those announced
        before.
        """
        plan = record.structure
        otherwise = self.style or self.structure or self.rounds or self.cut is not None
        if plan is None or otherwise or not (self.division_rounds or self.division_cuts):
            return self
        cuts = plan.division_cuts | _casefolded(self.division_cuts)
        own = plan.division_rounds
        if self.division_rounds:
            own = {division: plan.division_rounds.get(division, plan.rounds) for division in divisions_of(record)}
        return self.model_copy(
            update={
                "style": "swiss-with-cut" if cuts else plan.style,
                "rounds": None if own else plan.rounds or None,
                "cut": None if cuts or plan.style == "elimination" else plan.cut,
                "division_cuts": cuts,
                "division_rounds": own | _casefolded(self.division_rounds),
                "playoff": self.playoff or plan.playoff,
                "untimed_final": self.untimed_final or plan.untimed_final,
                "prizes": plan.prizes if self.prizes is None else self.prizes,
                "deck_lists": self.deck_lists or plan.deck_lists,
                "house_rules": self.house_rules or plan.house_rules,
            }
        )
