"""Rules: what each rule id means, so that people can look up the rule that a refusal cites.

The sentences about rules are ours; the documents have the authority. A rule is applied by the code that cites its
id, recorded as a fact for an auditor, or beyond what a ledger can know.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal

from msgspec import Struct

from matchledger_projections.message import demanding, joined, sentence
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.rulebook.sections import UNWRITTEN

State = Literal["applied", "recorded", "outside"]

DOCUMENTS = ("l5r-2018", "street-warriors-2004", "l5r-legacy", "pokemon-2009", "ashes-2022")


class UnknownRule(LookupError):
    """No rule has this id. The message suggests similar ids."""


class Rule(Struct, frozen=True):
    """A rule of one document.

    `about` is the kind of fact for a recorded rule, and the reason for a rule beyond the ledger. For an applied
    rule, `about` is empty.
    """

    id: str
    document: str
    says: str
    state: State
    about: str


SILENT = Rule(
    UNWRITTEN,
    "No document",
    "The document is silent here. The organizer decides, or this program does as docs/decisions.md explains.",
    "applied",
    "",
)


@cache
def rules() -> dict[str, Rule]:
    """Return every rule by its id, in the order of the documents."""
    return {rule.id: rule for name in DOCUMENTS for rule in _read(name)}


def rule(id_: str) -> Rule:
    """Return the rule with an id, in any case.

    Raises: UnknownRule: the catalogue has no such id.
    """
    wanted = id_.upper()
    for known in (*rules().values(), SILENT):
        if known.id.upper() == wanted:
            return known
    near = [known.id for known in rules().values() if wanted and wanted in known.id.upper()]
    raise UnknownRule(
        sentence("there is no rule %(rule)r; similar ids: %(ids)s", rule=id_, ids=joined(near[:8]))
        if near
        else demanding(sentence("there is no rule %(rule)r", rule=id_), "the rules")
    )


class PolicyFlag(Struct, frozen=True):
    """A policy: the question that it decides, what each value means, and the default in each rulebook that has it.

    If the value is a number, `values` explains special numbers, and all other numbers under the key `number`.
    `rules` are the rules that leave the choice open.
    """

    id: str
    says: str
    values: dict[str, str]
    defaults: dict[str, str]
    rules: tuple[str, ...]


@cache
def policy_flags() -> dict[str, PolicyFlag]:
    """Return every policy of the shipped rulebooks, by its id."""
    flags: dict[str, PolicyFlag] = {}
    for id_ in shipped_rulebooks():
        for flag, policy in parse_rulebook(rulebook_text(id_)).policies.items():
            known = flags.get(flag)
            flags[flag] = PolicyFlag(
                flag,
                Readings.decides(policy.reading),
                policy.values,
                {**(known.defaults if known else {}), id_: policy.default},
                tuple(dict.fromkeys((*(known.rules if known else ()), policy.rule))),
            )
    return flags


def policy_flag(id_: str) -> PolicyFlag:
    """Return the policy with an id, in any case.

    Raises: UnknownRule: no shipped rulebook has such a flag.
    """
    wanted, known = id_.upper(), policy_flags()
    if wanted in known:
        return known[wanted]
    near = [flag for flag in known if wanted.rpartition("-")[0] in flag]
    raise UnknownRule(
        sentence("there is no policy %(policy)r; similar policies: %(ids)s", policy=id_, ids=joined(near[:8]))
    )


def _read(name: str) -> list[Rule]:
    file = resources.files("matchledger_projections") / "rulebook" / "rules" / f"{name}.toml"
    read = tomllib.loads(file.read_text("utf-8"))
    return [_rule(id_, read["document"], row) for id_, row in read["rules"].items()]


def _rule(id_: str, document: str, row: dict[str, str]) -> Rule:
    if "recorded" in row:
        return Rule(id_, document, row["says"], "recorded", row["recorded"])
    if "outside" in row:
        return Rule(id_, document, row["says"], "outside", row["outside"])
    return Rule(id_, document, row["says"], "applied", "")
