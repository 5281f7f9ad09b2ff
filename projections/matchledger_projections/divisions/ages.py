"""Ages: the division of a year of birth (PKM-3.1.1-POD)."""

from __future__ import annotations

from collections.abc import Mapping

from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.sections import DivisionRule


def division_years(record: Record) -> dict[str, int]:
    """The first year of birth of every division but the oldest, as set when the tournament was opened."""
    chosen = record.opening.division_years if record.opening is not None else {}
    rule = record.rulebook.divisions
    return dict(chosen or (rule.born_from if rule is not None else {}))


def division_by_birth(record: Record, born: int) -> str | None:
    """The division of a year of birth, or None if the rulebook has no
    such years.
    """
    rule = record.rulebook.divisions
    if rule is None or not (years := division_years(record)):
        return None
    return next((name for name in rule.names[:-1] if born >= years[name]), rule.names[-1])


def years_problem(rulebook: Rulebook, years: Mapping[str, int]) -> Sentence | None:
    """The problem with the first years given for a new tournament, or None."""
    rule = rulebook.divisions
    if rule is None or not rule.born_from:
        return sentence(
            "%(rulebook)s has no divisions by year of birth: open the tournament without years",
            rulebook=rulebook.id,
        )
    return _order_problem(rule, years)


def _order_problem(rule: DivisionRule, years: Mapping[str, int]) -> Sentence | None:
    wanted = rule.names[:-1]
    if years.keys() != set(wanted):
        return sentence(
            "every division but %(last)s needs its first year of birth: %(divisions)s",
            last=rule.names[-1],
            divisions=joined(wanted),
        )
    given = [years[name] for name in wanted]
    if given != sorted(set(given), reverse=True) or not all(1900 <= year <= 2100 for year in given):  # noqa: PLR2004 - the same limits as for players
        return sentence(
            (
                "each division's first year of birth must be earlier than the one before, between 2100 and "
                "1900: %(years)s"
            ),
            years=_said(wanted, years),
        )
    return None


def _said(names: tuple[str, ...], years: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {years[name]}" for name in names)
