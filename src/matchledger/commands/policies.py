"""Policies: the organizer changes one during the event, with a reason."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from matchledger.commands.command import Command, Text, argument
from matchledger.commands.context import Context
from matchledger.commands.refusal import Refusal, need_open
from matchledger.events import AnyFact, PolicyChanged
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import RulebookError


class ChangePolicy(Command):
    """Change a policy during the event: only the organizer, with a --reason.

    Standings and rounds to come follow the new value. Rounds that are paired and postings stay as they are.
    """

    shown_first: ClassVar = True
    asks: ClassVar = "terminal"
    kind: Literal["change-policy"] = "change-policy"
    flag: Annotated[Text, argument("The policy, such as POL-ALL-REPAIR.")]
    value: Annotated[Text, argument("The policy's new value; `rules POLICY` lists the values.")]

    def needs_reason(self) -> Sentence:
        return sentence("a changed policy needs a reason in the log: give one")

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        flag = self.flag.upper()
        try:
            changed = record.rulebook_with({flag: self.value})
        except RulebookError as error:
            raise Refusal(error.said) from None
        if changed.readings == record.rulebook.readings:
            raise UsageProblem(
                sentence("%(flag)s is %(value)s already: nothing would change", flag=flag, value=self.value)
            )
        return [PolicyChanged(flag=flag, value=self.value)]
