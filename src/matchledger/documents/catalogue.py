"""Documents about the rules and the rulebooks that come along."""

from __future__ import annotations

from dataclasses import asdict

from matchledger.documents.document import Document
from matchledger.notation.problems import UsageProblem
from matchledger_projections.rulebook.catalogue import Rule, UnknownRule
from matchledger_projections.rulebook.catalogue import rule as rule_of
from matchledger_projections.rulebook.catalogue import rules as every_rule
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.rulebook.sources import CERTAINTIES, grade_of


def rules_asked(id_: str | None = None) -> list[Rule]:
    """Every rule, or the one of an id. Raises UsageProblem for an id that stands for none."""
    try:
        return list(every_rule().values()) if id_ is None else [rule_of(id_)]
    except UnknownRule as unknown:
        raise UsageProblem(unknown.args[0]) from None


def rules_document(id_: str | None = None) -> list[Document]:
    """The same as documents."""
    return [asdict(rule) for rule in rules_asked(id_)]


def rulebook_lines() -> list[Document]:
    """The rulebooks that come along."""
    found = [parse_rulebook(rulebook_text(id_)) for id_ in shipped_rulebooks()]
    return [{"id": law.id, "title": law.title, "edition": law.edition, "grade": grade_line(law)} for law in found]


def grade_line(law: Rulebook) -> str:
    """How far a rulebook can be trusted, in one line; a house rulebook has no grade."""
    grade = grade_of(law)
    return "no grade" if grade is None else f"{CERTAINTIES[grade.certainty]}: {grade.says}"
