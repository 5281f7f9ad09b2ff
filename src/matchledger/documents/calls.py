"""The document of the calls to the desk. As in `documents`: keys are stable, new ones may be added."""

from __future__ import annotations

from collections.abc import Iterable

from matchledger.documents.document import Document, title
from matchledger_projections.record.desk_calls import Call
from matchledger_projections.record.record import Record


def calls_document(record: Record, found: Iterable[Call]) -> Document:
    """Calls in order; `disputes` is null where no result was recorded, `answer` until there is one."""
    return {
        "tournament": title(record),
        "position": record.position,
        "calls": [
            {
                "position": call.position,
                "state": call.state,
                "stage": call.fact.stage,
                "round": call.fact.round,
                "table": call.fact.table,
                "players": [record.players[player].name for player in call.fact.players],
                "by": record.players[call.fact.by].name,
                "claim": call.fact.claim,
                "disputes": call.fact.disputes,
                "answer": None if call.answer is None else call.answer.answer,
            }
            for call in found
        ],
    }
