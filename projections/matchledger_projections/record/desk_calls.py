"""Calls to the desk with their answers, and slips that contradict the log."""

from __future__ import annotations

from typing import Literal, NamedTuple

from matchledger.events import CallAnswered, DeskCalled, SlipRefused, Stage
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.record import Record

State = Literal["open", "answered", "overtaken"]


class Call(NamedTuple):
    """A call, recorded at `position`, and its answer, if any.

    A call is *overtaken* when the disputed result no longer counts, or when a result has arrived since. An
    overtaken call needs no answer.
    """

    position: int
    fact: DeskCalled
    state: State
    answer: CallAnswered | None


def calls(record: Record) -> list[Call]:
    """Every call that was not retracted, in order."""
    answers = {fact.call: fact for _, fact in record.call_answers}
    return [
        Call(position, fact, _state(record, fact, answers.get(position)), answers.get(position))
        for position, fact in record.desk_calls
    ]


def open_calls(record: Record) -> list[Call]:
    """The calls without an answer, in order."""
    return [call for call in calls(record) if call.state == "open"]


def _state(record: Record, fact: DeskCalled, answer: CallAnswered | None) -> State:
    if answer is not None:
        return "answered"
    return "open" if disputed_entry(record, fact) == fact.disputes else "overtaken"


def open_contradictions(record: Record) -> list[tuple[int, SlipRefused]]:
    """The refused slips that contradict an entry that still counts, in order.

    A slip is settled after it was retracted or its match was corrected.
    """
    return [
        (position, fact)
        for position, fact in record.slips_refused
        if disputed_entry(record, fact) == fact.contradicts
    ]


def question_said(position: int, fact: DeskCalled | SlipRefused) -> Sentence:
    """Describe an open question: a call without an answer, or a contradicting slip."""
    round_ = round_said(fact.stage, fact.round)
    if isinstance(fact, SlipRefused):
        return sentence(
            "slip %(entry)s contradicts the result of table %(table)s of %(round)s",
            entry=position,
            table=fact.table,
            round=round_,
        )
    return sentence(
        "call %(entry)s about table %(table)s of %(round)s has no answer",
        entry=position,
        table=fact.table,
        round=round_,
    )


def round_said(stage: Stage, number: int) -> Sentence:
    """Return the name of a Swiss or elimination round."""
    if stage == "elimination":
        return sentence("elimination round %(round)s", round=number)
    return sentence("round %(round)s", round=number)


def disputed_entry(record: Record, fact: DeskCalled | SlipRefused) -> int | None:
    """Return the entry that now counts for the match of a call or a slip. Return None if no entry counts."""
    round_ = record.round(fact.round, fact.stage)
    report = None if round_ is None else round_.report(fact.table, fact.players)
    return None if report is None else report.position
