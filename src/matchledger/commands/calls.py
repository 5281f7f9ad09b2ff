"""Calls to the desk: who may dispute a result, how often, and the desk's answer.

A player calls the desk with a personal link, if phones may call a judge. The log limits calls: one for each
result of a match, and only as many open calls as a desk can handle.
"""

from __future__ import annotations

from matchledger.commands.command import Command, Context, Number
from matchledger.commands.refusal import Refusal, need_open
from matchledger.events import AnyFact, CallAnswered, DeskCalled, Stage
from matchledger.events.phones import Answer, Claim
from matchledger_projections.message import demanding, sentence
from matchledger_projections.record.desk_calls import calls, disputed_entry
from matchledger_projections.record.record import Record

OPEN_AT_ONCE = 40


def call_desk(
    record: Record,
    *,
    player: int,
    round_: int,
    stage: Stage = "swiss",
    claim: Claim = "other",
    disputes: int | None = None,
) -> list[AnyFact]:
    """Record that a player disputes a result. `disputes` is the position of the result that the player saw."""
    need_open(record)
    where = record.round(round_, stage)
    table = None if where is None else where.table_of(player)
    if where is None or table is None:
        raise Refusal(sentence("this player has no table in round %(round)s: ask at the desk", round=round_))
    fact = DeskCalled(
        stage=stage,
        round=round_,
        table=table,
        players=where.tables[table],
        by=player,
        claim=claim,
        disputes=disputes,
    )
    if disputed_entry(record, fact) != disputes:
        raise Refusal(
            sentence("the result of table %(table)s has changed since this page was shown: reload it", table=table)
        )
    report = where.report(table, fact.players)
    if report is not None and report.outcome_for(player) == claim:
        raise Refusal(sentence("it is recorded like that"))
    _need_new(record, fact)
    return [fact]


def _need_new(record: Record, fact: DeskCalled) -> None:
    known = calls(record)
    for call in known:
        if _match(call.fact) == _match(fact) and call.fact.disputes == fact.disputes:
            if call.state == "open":
                raise Refusal(
                    sentence(
                        "the desk has been called about table %(table)s (entry %(entry)s) and will come",
                        table=fact.table,
                        entry=call.position,
                    )
                )
            raise Refusal(
                sentence(
                    "the desk has answered a call about this result of table %(table)s (entry %(entry)s): "
                    "speak to a judge",
                    table=fact.table,
                    entry=call.position,
                )
            )
    if sum(call.state == "open" for call in known) >= OPEN_AT_ONCE:
        raise Refusal(
            sentence("%(count)s calls are waiting at the desk: go there and talk to the staff", count=OPEN_AT_ONCE)
        )


def _match(fact: DeskCalled) -> tuple[Stage, int, int, tuple[int, int]]:
    return fact.stage, fact.round, fact.table, fact.players


class AnswerCall(Command):
    """Answer calls to the desk. A corrected result answers its own call."""

    position: Number
    answer: Answer = "stands"

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        call = next((call for call in calls(record) if call.position == self.position), None)
        if call is None:
            raise Refusal(
                demanding(sentence("entry %(entry)s is not a call to the desk", entry=self.position), "the calls")
            )
        if call.state == "answered":
            said = sentence(
                "call %(entry)s has been answered: retract that answer to give another", entry=self.position
            )
            raise Refusal(said)
        return [CallAnswered(call=self.position, answer=self.answer)]
