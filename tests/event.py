"""A tournament that tests play decision by decision on a draft, without a ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Never
from uuid import UUID

import pytest

from matchledger.commands import results, roster, tournaments
from matchledger.commands.command import Command, Context, made_of
from matchledger.commands.draft import Decision
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, Entry, Person
from matchledger.ledger import Draft
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import rulebook_text

SECRET = bytes(range(32))
TOURNAMENT = UUID(int=1)


Rule = type[Command] | partial[Any] | Callable[..., Sequence[AnyFact]]


def deciding(rule: Rule, **asked: object) -> Decision:
    """Return the decision of a command with these fields, or of a function with these arguments. Draws use
    SECRET.
    """
    if isinstance(rule, partial):
        return deciding(rule.func, **rule.keywords | asked)
    if isinstance(rule, type):
        command = made_of(rule, asked)
        return lambda record: command.decide(record, Context(lambda: SECRET, _no_log, _no_log, _no_log))
    return lambda record: rule(record, **asked)


def _no_log(_: object) -> Never:
    raise NotImplementedError


class DraftedEvent:
    """An open tournament in which tests call players by name."""

    def __init__(
        self, rulebook: str = "l5r-2018", policies: Mapping[str, str] | None = None, **asked: object
    ) -> None:
        self.draft = Draft(TOURNAMENT)
        law = rulebook_text(rulebook)
        self.decide(
            tournaments.open_tournament, name="Open", law=law, policies=policies or {}, secret=SECRET, **asked
        )

    @property
    def record(self) -> Record:
        return self.draft.record

    def decide(self, rule: Rule, **asked: object) -> list[Entry]:
        """Record the facts of a decision, and return its entries."""
        return self.draft.decide(deciding(rule, **asked))

    def refusal(self, rule: Rule, **asked: object) -> str:
        """Return why a decision is refused. Nothing is recorded."""
        before = self.record.position
        with pytest.raises(Refusal) as refused:
            self.decide(rule, **asked)
        assert self.record.position == before
        return str(refused.value)

    def register(self, *names: str, division: str | None = None, **attributes: str) -> None:
        for name in names:
            self.decide(roster.register, person=Person(name=name), division=division, attributes=attributes)

    def retract_last(self) -> None:
        self.decide(results.retract, entry=self.draft.entries[-1])

    def number(self, name: str) -> int:
        found = self.record.named(name)
        assert found is not None, name
        return found.number

    def name(self, player: int | None) -> str:
        return self.record.players[player].name if player else "-"

    def names(self, players: Iterable[int | None]) -> str:
        return " ".join(map(self.name, players))
