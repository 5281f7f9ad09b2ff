"""Documents about the rules and the rulebooks that come along."""

from __future__ import annotations

from dataclasses import asdict

from matchledger.documents.document import Document
from matchledger.notation.problems import UsageProblem
from matchledger_projections.rulebook.catalogue import PolicyFlag, Rule, UnknownRule
from matchledger_projections.rulebook.catalogue import policy_flag as policy_of
from matchledger_projections.rulebook.catalogue import rule as rule_of
from matchledger_projections.rulebook.catalogue import rules as every_rule
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks


def rules_asked(id_: str | None = None) -> list[Rule]:
    """Every rule, or the one of an id. Raises UsageProblem for an id that stands for none."""
    try:
        return list(every_rule().values()) if id_ is None else [rule_of(id_)]
    except UnknownRule as unknown:
        raise UsageProblem(unknown.args[0]) from None


def policy_asked(id_: str | None) -> PolicyFlag | None:
    """The policy flag of an id that begins with POL, None for any other id. Raises UsageProblem for no flag."""
    if id_ is None or not id_.upper().startswith("POL-"):
        return None
    try:
        return policy_of(id_)
    except UnknownRule as unknown:
        raise UsageProblem(unknown.args[0]) from None


def rules_document(id_: str | None = None) -> list[Document]:
    """The same as documents; a policy flag has its `values`, `defaults` and `rules` besides."""
    if (flag := policy_asked(id_)) is not None:
        rulebooks = ", ".join(flag.defaults)
        more = {"values": flag.values, "defaults": flag.defaults, "rules": list(flag.rules)}
        return [{"id": flag.id, "document": rulebooks, "says": flag.says, "state": "policy", "about": "", **more}]
    return [asdict(rule) for rule in rules_asked(id_)]


def rulebook_lines() -> list[Document]:
    """The rulebooks that come along."""
    found = [parse_rulebook(rulebook_text(id_)) for id_ in shipped_rulebooks()]
    return [{"id": law.id, "title": law.title, "edition": law.edition} for law in found]
