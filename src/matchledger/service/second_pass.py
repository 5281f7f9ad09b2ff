"""The second pass: the pile of slips is typed again, and compared with the log."""

from __future__ import annotations

from pydantic import BaseModel

from matchledger.commands.refusal import Refusal
from matchledger.commands.written import slip_of
from matchledger.events import Stage
from matchledger.notation.outcomes import read_outcome
from matchledger.text.translation import SOURCE, told
from matchledger_projections.message import sentence
from matchledger_projections.narration import tell_slip
from matchledger_projections.record.record import Record


class Comparison(BaseModel):
    """A typed slip, compared with the log. `recorded` is None if the table has no result yet."""

    table: int
    agrees: bool
    typed: str
    recorded: str | None
    entry: int | None


def compare(
    record: Record,
    table: int,
    outcome: str,
    language: str = SOURCE,
    *,
    round_: int | None = None,
    stage: Stage = "swiss",
) -> Comparison:
    """Compare a slip with the log's result of its table, in a round or in the current one. Raises UsageProblem and
    Refusal as reporting does.
    """
    where = record.current_round if round_ is None else record.round(round_, stage)
    players = None if where is None else where.tables.get(table)
    if where is None or players is None:
        raise Refusal(sentence("there is no table %(table)s in this round", table=table))
    typed = slip_of(record.rulebook, players, read_outcome(outcome.split(), record.rulebook), where.stage)
    report = where.report(table, players)
    return Comparison(
        table=table,
        agrees=report is not None and report.slip.model_copy(update={"tiebreak": None}) == typed,
        typed=told(tell_slip(record, players, typed), language),
        recorded=None if report is None else told(tell_slip(record, players, report.slip), language),
        entry=None if report is None else report.position,
    )
