"""Choices: the policies of a rulebook as questions, each with its possible answers in words."""

from __future__ import annotations

from msgspec import Struct

from matchledger_projections.rulebook.policies import Policy
from matchledger_projections.rulebook.rulebook import Rulebook


class Choice(Struct, frozen=True):
    """A policy as a question. `values` has each possible answer with its meaning, and `default` is the rulebook's
    own answer.
    """

    flag: str
    reading: str
    default: str
    takes_numbers: bool
    values: dict[str, str]
    rule: str

    @classmethod
    def of(cls, flag: str, policy: Policy) -> Choice:
        """Return the choice that a policy of a rulebook leaves open."""
        return cls(flag, policy.reading, policy.default, policy.takes_numbers, policy.values, policy.rule)


def choices_of(rulebook: Rulebook) -> list[Choice]:
    """Return the choices that a rulebook leaves open, in its order."""
    return [Choice.of(flag, policy) for flag, policy in rulebook.policies.items()]
