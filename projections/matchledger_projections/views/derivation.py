"""Derivations: one tiebreaker of one player, opponent by opponent, with every floor, cap, bye and freeze named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from matchledger_projections.message import numbered, sentence
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.fractions import as_text
from matchledger_projections.standings.standings import Standings
from matchledger_projections.standings.tiebreaks import Tiebreaks
from matchledger_projections.views.terms import Terms, terms_of

Method = Literal["mean", "sum", "own"]


@dataclass(frozen=True, slots=True)
class Term:
    """What one round, or the opponent met in it, adds; `made_of` is the number as a part of a whole, if it is one.

    `notes` name what else entered it: a floor, a cap, a bye, a freeze, with the rule or policy.
    """

    round: int
    opponent: int | None
    value: Fraction
    made_of: tuple[Fraction, int] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a tiebreaker comes out for a player: `total` over `terms`, divided by their number for a mean.

    `value` is what the standings rank by, None for a tiebreaker that settled nothing for this player.
    """

    name: TiebreakName
    rule: str | None
    method: Method
    value: Fraction | None
    terms: tuple[Term, ...] = ()
    total: Fraction | None = None
    notes: tuple[str, ...] = ()


def derive(table: Standings, rulebook: Rulebook, name: TiebreakName, player: int) -> Derivation:
    """The derivation of one tiebreaker, from the numbers that the standings were ranked by."""
    rule = rulebook.tiebreak_rules.get(name)
    value = table.measure(name, player)
    terms = terms_of(table.numbers, name, player)
    if terms is None:
        own_terms = tuple(_own_terms(table, name, player))
        total = sum((term.value for term in own_terms), Fraction()) if own_terms else None
        notes = tuple(_own_notes(table, name, player, value))
        return Derivation(name, rule, "sum" if own_terms else "own", value, own_terms, total, notes)
    described = tuple(
        Term(round_, opponent, terms.base.value(opponent), *_made_of(terms.moment, rulebook, name, opponent))
        for round_, opponent in zip(terms.rounds, terms.opponents, strict=True)
    )
    method: Method = "mean" if terms.is_mean else "sum"
    return Derivation(
        name, rule, method, value, described, terms.total, tuple(_notes(table, rulebook, name, player, terms))
    )


# -- tiebreakers made of opponents' numbers


def _notes(table: Standings, rulebook: Rulebook, name: TiebreakName, player: int, terms: Terms) -> Iterator[str]:
    frozen_after = table.numbers.frozen_after(player)
    if terms.moment is not table.numbers:
        policy = _policy(rulebook, "dropped_percentages")
        yield sentence(
            "frozen after round %(round)s, when the player left (%(policy)s)", round=frozen_after, policy=policy
        )
    for line in terms.moment.table.lines(player):
        if line.opponent is None:
            if line.outcome == "absence" and terms.missed:
                policy = _policy(rulebook, "missed_rounds")
                yield sentence(
                    "round %(round)s: round missed, an opponent at %(value)s (%(policy)s)",
                    round=line.round,
                    value=terms.missed_at,
                    policy=policy,
                )
            elif line.outcome == "bye":
                yield sentence("round %(round)s: bye, no opponent and no term", round=line.round)
            else:
                yield sentence("round %(round)s: round missed, no opponent and no term", round=line.round)
    if terms.is_mean and not terms.opponents:
        behind = player in table.numbers.column(name).behind
        flag = _policy(rulebook, "empty_schedule") if "schedule" in name else rulebook.tiebreak_rules.get(name)
        yield sentence(
            "no opponents, so %(where)s%(policy)s",
            where=sentence("behind everybody") if behind else "0",
            policy=f" ({flag})" if flag else "",
        )


def _made_of(
    numbers: Tiebreaks, rulebook: Rulebook, name: TiebreakName, opponent: int
) -> tuple[tuple[Fraction, int] | None, tuple[str, ...]]:
    match name:
        case "strength_of_schedule":
            points, rounds = numbers.table.points[opponent], numbers.rounds_counted[opponent]
            notes = _unpaired_rounds(numbers, rulebook, opponent)
            return (Fraction(points), rounds), tuple(notes)
        case "opponents_win_percentage":
            return _percentage(numbers, rulebook, opponent)
        case "opponents_opponents_win_percentage" if (left := numbers.frozen_after(opponent)) is not None:
            policy = _policy(rulebook, "dropped_percentages")
            return None, (sentence("frozen after round %(round)s (%(policy)s)", round=left, policy=policy),)
        case _:
            return None, ()


def _unpaired_rounds(numbers: Tiebreaks, rulebook: Rulebook, opponent: int) -> Iterator[str]:
    """POL-L5R-ROUNDS-DENOM, said for one opponent who had rounds without an opponent."""
    on_record = numbers.table.rounds_on_record[opponent]
    unpaired = on_record - len(numbers.table.opponents_of(opponent))
    with_term = unpaired - (on_record - numbers.rounds_counted[opponent])
    policy = _policy(rulebook, "denominator")
    if with_term:
        yield numbered(
            "%(count)s round without an opponent counted (%(policy)s)",
            "%(count)s rounds without an opponent counted (%(policy)s)",
            with_term,
            policy=policy,
        )
    if unpaired > with_term:
        yield numbered(
            "%(count)s round without an opponent not counted (%(policy)s)",
            "%(count)s rounds without an opponent not counted (%(policy)s)",
            unpaired - with_term,
            policy=policy,
        )


def _percentage(
    numbers: Tiebreaks, rulebook: Rulebook, opponent: int
) -> tuple[tuple[Fraction, int], tuple[str, ...]]:
    """PKM-3.1.5.1-WP of one opponent: wins of rounds, and what was done to the quotient."""
    rule = rulebook.win_percentage
    if rule is None:
        raise LookupError(f"{rulebook.id} has no section [win_percentage]")
    wins, draws, rounds = numbers.won_drawn_and_rounds(opponent)
    won = wins + draws * rule.draw
    quotient = won / rounds if rounds else Fraction()
    used = numbers.win_percentage.value(opponent)
    notes: list[str] = []
    if byes := numbers.table.outcomes[opponent].count("bye"):
        notes.append(_bye_note(rulebook, byes))
    if (left := numbers.table.left_after.get(opponent)) is not None:
        policy = _policy(rulebook, "participated")
        notes.append(sentence("left after round %(round)s (%(policy)s)", round=left, policy=policy))
    if used > quotient:
        floor = as_text(rule.floor)
        notes.append(sentence("raised to the floor %(value)s (%(rule)s)", value=floor, rule=rule.rule))
    elif used < quotient:
        cap = as_text(rule.cap_if_dropped)
        notes.append(sentence("held at the cap %(value)s for leaving (%(rule)s)", value=cap, rule=rule.rule))
    return (Fraction(won), rounds), tuple(notes)


def _bye_note(rulebook: Rulebook, byes: int) -> str:
    what = {
        "removed": sentence("left out of wins and rounds"),
        "win": sentence("counted as a win"),
        "numerator": sentence("left out of the wins only"),
    }[rulebook.readings.bye_in_win_percentage]
    policy = _policy(rulebook, "bye_in_win_percentage")
    return numbered(
        "bye %(what)s (%(policy)s)", "%(count)s byes %(what)s (%(policy)s)", byes, what=what, policy=policy
    )


# -- a player's own tiebreakers


def _own_terms(table: Standings, name: TiebreakName, player: int) -> Iterator[Term]:
    if name == "blood_points":
        for line in table.table.lines(player):
            yield Term(line.round, line.opponent, Fraction(line.blood_points))


def _own_notes(table: Standings, name: TiebreakName, player: int, value: Fraction | None) -> Iterator[str]:
    match name:
        case "tardiness":
            late = sentence("came late: below players on time with equal points")
            yield late if value else sentence("on time")
        case "first_loss_or_draw" if value is not None:
            never = sentence("no loss and no draw so far")
            yield never if value > table.round else sentence("first loss or draw in round %(round)s", round=value)
        case "head_to_head":
            if value is None:
                yield sentence("decided nothing: it is for exactly two who are level and have met")
        case "standing_of_last_opponent":
            last = table.table.opponents_of(player)
            if value is None or not last:
                yield sentence("not needed, or no opponent")
            else:
                yield sentence("the last opponent stands at rank %(rank)s", rank=value)
        case "random_draw" | "rock_paper_scissors":
            entry = table.drawn_by.get(player)
            if value is not None:
                yield sentence("place %(place)s of the recorded order (entry %(entry)s)", place=value, entry=entry)
            elif any(player in group for group in table.ties):
                yield sentence("level: the order is not recorded yet")
            else:
                yield sentence("not needed")
        case _:
            pass


def _policy(rulebook: Rulebook, reading: str) -> str:
    """The flag under which a reading was chosen, and the value; the reading's own name where it has no flag."""
    if reading not in Readings.model_fields:
        raise KeyError(reading)
    flag = next((flag for flag, policy in rulebook.policies.items() if policy.reading == reading), None)
    value = getattr(rulebook.readings, reading)
    return f"{flag}={value}" if flag is not None else f"{reading} = {value}"
