"""Calls to the desk, which are open and what became of the others; and slips that say otherwise than the log."""

from __future__ import annotations

from typing import Literal, NamedTuple

from matchledger.events import CallAnswered, DeskCalled, SlipRefused
from matchledger_projections.record.record import Record

State = Literal["open", "answered", "overtaken"]


class Call(NamedTuple):
    """A call as recorded at `position`, and the answer to it, if there is one.

    It is *overtaken* when the result that it disputes no longer counts, or came in meanwhile: then nobody needs
    to answer.
    """

    position: int
    fact: DeskCalled
    state: State
    answer: CallAnswered | None


def calls(record: Record) -> list[Call]:
    """Every call that was not taken back, in order."""
    answers = {fact.call: fact for _, fact in record.call_answers}
    return [
        Call(position, fact, _state(record, fact, answers.get(position)), answers.get(position))
        for position, fact in record.desk_calls
    ]


def open_calls(record: Record) -> list[Call]:
    """The calls that wait for an answer, in order."""
    return [call for call in calls(record) if call.state == "open"]


def _state(record: Record, fact: DeskCalled, answer: CallAnswered | None) -> State:
    if answer is not None:
        return "answered"
    return "open" if disputed_entry(record, fact) == fact.disputes else "overtaken"


def open_contradictions(record: Record) -> list[tuple[int, SlipRefused]]:
    """The slips that were refused because they say otherwise than an entry that still counts, in order.

    One that was taken back, or whose match was put right since, is settled.
    """
    return [
        (position, fact)
        for position, fact in record.slips_refused
        if disputed_entry(record, fact) == fact.contradicts
    ]


def disputed_entry(record: Record, fact: DeskCalled | SlipRefused) -> int | None:
    """The entry that counts now for the match that a call or a slip is about; None without either."""
    round_ = record.round(fact.round, fact.stage)
    report = None if round_ is None else round_.report(fact.table, fact.players)
    return None if report is None else report.position
