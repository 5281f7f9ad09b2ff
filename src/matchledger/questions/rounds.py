"""Questions about a round: which is meant, its clock, how its slips came in, who played where on paper."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from matchledger.commands.round_clock import round_in_play
from matchledger.documents.charts import pace_document
from matchledger.documents.clock import clock_document
from matchledger.documents.document import Document
from matchledger.documents.sheets import slips_document
from matchledger.events import Stage
from matchledger.notation.problems import UsageProblem
from matchledger.questions.window import Window
from matchledger.service.moments import Moment
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round

_NONE = sentence("no round is paired at that moment")


def round_at(moment: Moment, stage: Stage) -> Round:
    """The round of a stage that was asked for, the latest if none was. Raises UsageProblem."""
    record = moment.record
    round_ = record.latest_round(stage) if moment.round is None else record.round(moment.round, stage)
    if round_ is None:
        raise UsageProblem(_NONE)
    return round_


def round_on_clock(moment: Moment, stage: Stage) -> Round:
    """The round whose clock is meant: the one that was asked for, else the one in play. Raises UsageProblem."""
    record = moment.record
    round_ = round_in_play(record) if moment.round is None else record.round(moment.round, stage)
    if round_ is None:
        raise UsageProblem(_NONE)
    return round_


def clock(window: Window, stage: Stage, now: datetime) -> Document:
    """The clock of a round. Why a table was given time is between its players and the staff."""
    document = clock_document(window.record, round_on_clock(window.moment, stage), now)
    if window.discretion is not None:
        for table in document["tables"]:
            table["reasons"] = []
    return document


def pace(window: Window, stage: Stage) -> Document:
    """How the slips of a round came in over its clock."""
    round_ = round_at(window.moment, stage)
    recorded_at = {entry.position: entry.recorded_at for entry in window.log(after=round_.position - 1)}
    return pace_document(window.record, round_, recorded_at=recorded_at)


def slips(record: Record, round_: Round, tables: Collection[int] = ()) -> Document:
    """The slips of a round, or of some tables of it. Raises UsageProblem for a table that it has not."""
    if not round_.tables:
        raise UsageProblem(sentence("round %(round)s has no tables, and needs no slips", round=round_.number))
    if unknown := set(tables) - set(round_.tables):
        raise UsageProblem(
            sentence("round %(round)s has no table %(table)s", round=round_.number, table=min(unknown))
        )
    return slips_document(record, round_, tables)
