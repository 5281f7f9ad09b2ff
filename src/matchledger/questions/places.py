"""Questions about places: why somebody has one, and the way there."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.documents.audit import explanation_document
from matchledger.documents.charts import course_document
from matchledger.documents.document import Document
from matchledger.events import Entry
from matchledger.notation.problems import UsageProblem
from matchledger.questions.window import Window
from matchledger_projections.message import sentence
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import standings as rank
from matchledger_projections.views.explanation import Explanation
from matchledger_projections.views.explanation import explain as explain_place


class Explained(NamedTuple):
    """A place explained, with the entries that it cites and the document of it."""

    explanation: Explanation
    entries: dict[int, Entry]
    document: Document


def explain(window: Window, player: int, rulebook: Rulebook | None = None) -> Explained:
    """Why a player has a place. Raises UsageProblem for one who is in no standings yet."""
    record, law = window.record, rulebook or window.whole.rulebook
    name = record.players[window.need_player(player)].name
    table = rank(window.whole, window.moment.round, law)
    if player not in table.table.players:
        raise UsageProblem(
            sentence("%(name)s had not entered by the end of round %(round)s", name=name, round=table.round)
        )
    explanation = explain_place(record, table, law, player)
    cited = {line.entry for line in explanation.lines} | {part.entry for part in explanation.comparisons}
    entries = {entry.position: entry for entry in window.shown(window.log()) if entry.position in cited}
    document = explanation_document(
        record, explanation, entries, clock=window.moment.clock, rulebook=law, hypothetical=rulebook is not None
    )
    return Explained(explanation, entries, document)


def course(window: Window, player: int) -> Document:
    """A player's rank after each round."""
    return course_document(window.record, window.need_player(player), through=window.moment.round)
