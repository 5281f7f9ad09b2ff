"""Documents of a record, for tests of the command line, the pages and the API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from matchledger.events import Entry
from matchledger_projections.record.record import Record
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.tables import standings


def document_of(
    record: Record,
    answer: Callable[..., object],
    *,
    entries: Sequence[Entry] = (),
    round_: int | None = None,
    **asked: object,
) -> Any:
    """Return an answer's document of a record, without hiding anything."""
    sight = replace(Sight.of(record, entries, round_), clock="as-corrected")
    return sight.document(answer(sight, **asked))


def standings_document(record: Record, round_: int | None = None) -> Any:
    return document_of(record, standings, round_=round_)
