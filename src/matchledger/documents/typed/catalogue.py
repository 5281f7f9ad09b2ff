"""The types of what is said of rules and rulebooks."""

from __future__ import annotations

from matchledger.documents.typed.base import Typed
from matchledger_projections.rulebook.catalogue import State


class RuleLine(Typed):
    """A rule; `about` is the kind of the fact that records it, or why it is outside of what a ledger can know."""

    id: str
    document: str
    says: str
    state: State
    about: str


class RulebookLine(Typed):
    """A rulebook that comes along."""

    id: str
    title: str
    edition: str
    grade: str
