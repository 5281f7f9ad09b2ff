"""Questions about paper: score cards, the overview, and what an event needs to go on without a computer."""

from __future__ import annotations

from collections.abc import Sequence

from matchledger.documents.document import Document
from matchledger.documents.paper import overview_document, score_cards_document
from matchledger.documents.sheets import blank_document
from matchledger.questions.window import Window
from matchledger_projections.record.record import Record


def score_cards(window: Window, players: Sequence[int]) -> Document:
    """The score cards of some players, of everybody if none is named."""
    numbers = [window.need_player(player) for player in players]
    numbers = numbers or [player.number for player in window.record.entered()]
    return score_cards_document(window.record, window.entries(), numbers)


def overview(window: Window) -> Document:
    """The tournament overview; where names of the staff are not to be seen, their roles stand for them."""
    return overview_document(window.record, window.entries())


def blank(record: Record, tables: int | None) -> Document:
    """The emergency set, for so many tables, or for as many as are needed."""
    return blank_document(record, tables=tables or max(1, len(record.active_players()) // 2))
