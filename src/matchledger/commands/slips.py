"""Commands about slips: what comes in from the tables, and how it is put right."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from matchledger.commands import calls
from matchledger.commands import results as slips
from matchledger.commands.command import Command, Number, Text, known
from matchledger.commands.context import Context
from matchledger.commands.draft import Decision, now
from matchledger.events import Stage
from matchledger.events.calls import Answer
from matchledger.notation.outcomes import read_outcome
from matchledger.notation.slip import Written


class ReportSlip(Command):
    """The slip of a table: `outcome` as at a desk, `a`, `b modified-win`, `draw`, `4-1`, `a:9`."""

    kind: Literal["report-slip"] = "report-slip"
    table: Number
    outcome: Text
    round: Number | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002 - as all commands
        written = _written(self.outcome)
        return lambda record: slips.report(record, table=self.table, written=written, round_=self.round, now=now())


class CorrectSlip(Command):
    """The recorded result of a match is wrong; this is right."""

    kind: Literal["correct-slip"] = "correct-slip"
    round: Number
    table: Number
    outcome: Text
    stage: Stage = "swiss"
    override: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        written = _written(self.outcome)
        return lambda record: slips.correct(
            record,
            table=self.table,
            round_=self.round,
            written=written,
            stage=self.stage,
            override=self.override,
            now=now(),
        )


class RetractEntry(Command):
    """An entry was made by mistake; it stays in the log and no longer counts."""

    kind: Literal["retract-entry"] = "retract-entry"
    position: Number
    override: bool = False

    def decision(self, context: Context) -> Decision:
        entry = context.entry(self.position)
        return lambda record: slips.retract(record, entry=entry, override=self.override)


class RecordNoShow(Command):
    """One or both players of a table did not appear; the rulebook may drop them, unless `stays`."""

    kind: Literal["record-no-show"] = "record-no-show"
    players: tuple[Number, ...] = Field(min_length=1, max_length=2)
    stays: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: slips.no_show(record, absent=known(record, *self.players), stays=self.stays)


class ConcedeMatch(Command):
    """A player concedes the match in progress."""

    kind: Literal["concede-match"] = "concede-match"
    player: Number
    blood_points: Annotated[int, Field(ge=0, le=999_999)] | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: slips.concede(
            record, by=known(record, self.player)[0], blood_points=self.blood_points, now=now()
        )


class AnswerCall(Command):
    """The desk has looked at a call; a corrected result answers by itself."""

    kind: Literal["answer-call"] = "answer-call"
    position: Number
    answer: Answer = "stands"

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: calls.answer_call(record, position=self.position, answer=self.answer)


def _written(outcome: str) -> Written:
    return read_outcome(outcome.split())
