"""Choices: the policies of a rulebook as questions, each with its possible answers in words."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from matchledger_projections.decks.registered import formats_of
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
    """Return the choices that a rulebook leaves open, in its order. Deck formats of other games are left out."""
    found = [Choice.of(flag, policy) for flag, policy in rulebook.policies.items()]
    formats = formats_of(rulebook)
    return [
        replace(one, values={name: said for name, said in one.values.items() if name in formats})
        if one.reading == "deck_format"
        else one
        for one in found
    ]
