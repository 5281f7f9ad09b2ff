"""Charts at the desk: the slips of a round over time, a player's ranks, and the points of the field."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from markupsafe import Markup

from matchledger.drawings import points_of_the_field, rank_over_rounds, slips_over_the_clock
from matchledger.ledger import Ledger
from matchledger.text.translation import speaker
from matchledger_projections.document import Document, document
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.views import charts


def pace_of(ledger: Ledger, tournament: UUID, record: Record, round_: Round) -> Document | None:
    """Return the times at which the slips of a round came in, or None before the first slip."""
    if not round_.tables or len(round_.outstanding) == len(round_.tables) or not round_.position:
        return None
    entries = ledger.entries(tournament, after=round_.position - 1)
    recorded_at = {entry.position: entry.recorded_at for entry in entries}
    return _document(charts.pace_of(record, round_, recorded_at=recorded_at), record)


def course_of(record: Record, player: int) -> Document | None:
    """Return a player's rank after each round, or None before there are two rounds."""
    return _document(charts.course_of(record, player), record) if record.finished_rounds > 1 else None


def field_of(record: Record) -> Document | None:
    """Return how many players had each number of points after each round, or None before round 1 ends."""
    return _document(charts.field_of(record), record) if record.finished_rounds else None


def _document(view: object, record: Record) -> Document:
    made: Document = document(view, record)
    return made


def pace_chart(document: Document, language: str) -> Markup:
    return _picture(slips_over_the_clock, document, language)


def course_chart(document: Document, language: str) -> Markup:
    return _picture(rank_over_rounds, document, language)


def field_chart(document: Document, language: str) -> Markup:
    return _picture(points_of_the_field, document, language)


def _picture(draw: Callable[..., str], document: Document, language: str) -> Markup:
    return Markup(draw(document, say=speaker(language)))  # noqa: S704 - it escapes every text
