"""Questions about the standings: of all players, or of a division."""

from __future__ import annotations

from matchledger.documents.document import Document
from matchledger.documents.tables import standings_document
from matchledger.notation.problems import UsageProblem
from matchledger.questions.window import Window
from matchledger.service.moments import Moment
from matchledger_projections.divisions.tables import DivisionTable, division_tables, ranked_apart
from matchledger_projections.message import joined, sentence
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import standings as rank


def divisions_shown(moment: Moment, law: Rulebook, wanted: str | None) -> list[DivisionTable]:
    """The division that was asked for; all of them, if that was asked for or if they play apart."""
    record = moment.record
    if wanted is None and not ranked_apart(record):
        return []
    known = division_tables(record, moment.round, law)
    if wanted in (None, "all"):
        return known
    found = [table for table in known if table.division == (wanted or "").casefold()]
    if not found:
        named = joined(table.division for table in known if table.division) or sentence("none")
        raise UsageProblem(
            sentence("there is no division %(division)r: there are %(known)s", division=wanted, known=named)
        )
    return found


def standings(window: Window, rulebook: Rulebook | None = None, division: str | None = None) -> Document:
    """The standings; under another `rulebook`, hypothetical ones. Raises UsageProblem for an unknown division."""
    law = rulebook or window.whole.rulebook
    return standings_document(
        window.record,
        rank(window.whole, window.moment.round, law),
        clock=window.moment.clock,
        rulebook=law,
        hypothetical=rulebook is not None,
        divisions=divisions_shown(window.moment, law, division) if division is not None else (),
    )
