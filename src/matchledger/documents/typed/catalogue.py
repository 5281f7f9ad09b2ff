"""The types of what is said of rules and rulebooks."""

from __future__ import annotations

from typing import Literal

from matchledger.documents.typed.base import Typed
from matchledger_projections.rulebook.catalogue import State


class RuleLine(Typed):
    """A rule; `about` is the kind of the fact that records it, or why it is outside of what a ledger can know.

    For a policy flag the state is `policy`; `values` has a sentence for each of its values, `defaults` the default
    in each rulebook, `rules` the rules that leave the choice open.
    """

    id: str
    document: str
    says: str
    state: State | Literal["policy"]
    about: str
    values: dict[str, str] | None = None
    defaults: dict[str, str] | None = None
    rules: list[str] | None = None


class RulebookLine(Typed):
    """A rulebook that comes along."""

    id: str
    title: str
    edition: str
