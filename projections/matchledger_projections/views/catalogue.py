"""The rules and the shipped rulebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from matchledger_projections.document import CitedEntry
from matchledger_projections.message import UsageProblem
from matchledger_projections.rulebook.catalogue import PolicyFlag, Rule, UnknownRule, rules
from matchledger_projections.rulebook.catalogue import policy_flag as policy_of
from matchledger_projections.rulebook.catalogue import rule as rule_of
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.rulebook.sources import CERTAINTIES, grade_of, open_points, policies_of
from matchledger_projections.views.sight import Headed, Sight, answers, heading


def rules_asked(id_: str | None = None) -> list[Rule]:
    """Return every rule, or the rule with an id. Raise UsageProblem for an unknown id."""
    try:
        return list(rules().values()) if id_ is None else [rule_of(id_)]
    except UnknownRule as unknown:
        raise UsageProblem(unknown.args[0]) from None


def policy_asked(id_: str | None) -> PolicyFlag | None:
    """Return the policy flag with an id.

    Return None if the id does not begin with POL. Raise UsageProblem for an unknown flag.
    """
    if id_ is None or not id_.upper().startswith("POL-"):
        return None
    try:
        return policy_of(id_)
    except UnknownRule as unknown:
        raise UsageProblem(unknown.args[0]) from None


def cited(id_: str | None = None) -> list[Rule | PolicyFlag]:
    """Return every rule, or the rule or policy flag with an id. Raise UsageProblem for an unknown id."""
    flag = policy_asked(id_)
    return [flag] if flag is not None else [*rules_asked(id_)]


class RulebookLine(NamedTuple):
    """A shipped rulebook."""

    id: str
    title: str
    edition: str
    grade: str


def rulebook_lines() -> list[RulebookLine]:
    """The shipped rulebooks."""
    laws = (parse_rulebook(rulebook_text(id_)) for id_ in shipped_rulebooks())
    return [RulebookLine(law.id, law.title, law.edition, grade_line(law)) for law in laws]


def grade_line(law: Rulebook) -> str:
    """Return the grade of a rulebook in one line. A house rulebook has no grade."""
    grade = grade_of(law)
    if grade is None:
        return "no grade"
    unknown = open_points(law)
    return f"{grade.words}: {grade.says}{f'; {undecided(unknown)}' if unknown else ''}"


def undecided(policies: Sequence[str]) -> str:
    """Return the open points of a rulebook, by their policies: "open points: policies POL-A, POL-B"."""
    points = "open point: policy" if len(policies) == 1 else "open points: policies"
    return f"{points} {', '.join(policies)}"


def source_grade(law: Rulebook, id_: str) -> str:
    """Return the grade of one source of a rulebook. An open point names its policies."""
    certainty = law.sources[id_].certainty
    return undecided(policies_of(law, id_)) if certainty == "open" else str(CERTAINTIES[certainty])


class EventPolicy(Struct, frozen=True):
    """A policy with its value in the event, and the entry that changed the value. `means` is the meaning of the
    value.
    """

    policy: str
    value: str
    default: str
    changed: CitedEntry | None
    decides: str
    means: str
    rule: str


class PoliciesPage(Struct, frozen=True):
    """The policies of an event, as `matchledger policies --json` prints them."""

    head: Headed
    policies: tuple[EventPolicy, ...]


@answers("policies")
def policies(sight: Sight) -> PoliciesPage:
    """The policies of the event at a moment, with the changes during the event."""
    record = sight.record
    law, changed = record.rulebook, record.policies_changed
    return PoliciesPage(
        heading(record),
        tuple(
            EventPolicy(
                policy=flag,
                value=(value := str(getattr(law.readings, policy.reading))),
                default=policy.default,
                changed=changed[flag][0] if flag in changed else None,
                decides=Readings.decides(policy.reading),
                means=Readings.meaning_of(policy.reading, value),
                rule=policy.rule,
            )
            for flag, policy in law.policies.items()
        ),
    )
