"""The second pass: the pile of slips is typed once more, and held against what the log says."""

from __future__ import annotations

from pydantic import BaseModel

from matchledger.outcomes import read_outcome
from matchledger.tournament.refusal import Refusal
from matchledger.tournament.slips import slip_of
from matchledger.web.desk.state import latest_round
from matchledger_projections.audit.narration import tell_slip
from matchledger_projections.record import Record


class Comparison(BaseModel):
    """A slip as typed, held against the log; `recorded` is None where the table has no result yet."""

    table: int
    agrees: bool
    typed: str
    recorded: str | None
    entry: int | None


def compare(record: Record, table: int, outcome: str) -> Comparison:
    """Holds a slip against what the log says of its table. Raises UsageProblem and Refusal as reporting does."""
    where = latest_round(record)
    players = None if where is None else where.tables.get(table)
    if where is None or players is None:
        raise Refusal(f"there is no table {table} in this round")
    typed = slip_of(record.rulebook, players, read_outcome(outcome.split()))
    report = where.report(table, players)
    return Comparison(
        table=table,
        agrees=report is not None and report.slip.model_copy(update={"tiebreak": None}) == typed,
        typed=tell_slip(record, players, typed),
        recorded=None if report is None else tell_slip(record, players, report.slip),
        entry=None if report is None else report.position,
    )
