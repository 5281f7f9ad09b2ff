"""Questions about stages and divisions: which bracket is meant, and which flights."""

from __future__ import annotations

from matchledger.documents.divisions import flights_document
from matchledger.documents.document import Document
from matchledger.documents.stages import bracket_document, places_document
from matchledger.notation.problems import UsageProblem
from matchledger_projections.hint import demanding
from matchledger_projections.message import joined, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import Bracket
from matchledger_projections.stages.bracket import brackets as drawn_brackets
from matchledger_projections.stages.placing import places_by_division

_NONE = demanding(sentence("no bracket is drawn at that moment"), "the places")


def brackets(record: Record, division: str | None = None) -> list[Bracket]:
    """The brackets that are drawn, or that of a division. Raises UsageProblem where there is none."""
    drawn = drawn_brackets(record)
    if not drawn:
        raise UsageProblem(_NONE)
    found = [one for one in drawn if division is None or one.division == division.casefold()]
    if not found:
        raise UsageProblem(
            demanding(sentence("there is no bracket of %(division)r", division=division), "another bracket")
        )
    return found


def the_bracket(record: Record, division: str | None = None) -> Bracket:
    """The one bracket, or that of a division. Raises UsageProblem where it is not clear which is meant."""
    drawn = drawn_brackets(record)
    if not drawn:
        raise UsageProblem(_NONE)
    found = [one for one in drawn if division is None or one.division == division.casefold()]
    if len(found) != 1:
        names = joined(one.division or sentence("all") for one in drawn)
        raise UsageProblem(
            demanding(
                sentence("there are brackets of %(names)s: name one of them", names=names), "a bracket's division"
            )
        )
    return found[0]


def bracket(record: Record, division: str | None = None) -> Document:
    """The bracket; of several the first, which holds all of them."""
    documents = [bracket_document(record, found) for found in brackets(record, division)]
    return documents[0] if len(documents) == 1 else {**documents[0], "brackets": documents}


def places(record: Record) -> Document:
    """Everybody's final place, division by division where they play apart."""
    return places_document(record, [place for _, inside in places_by_division(record) for place in inside])


def flights(record: Record, division: str | None = None) -> Document:
    """The flights of every division, or of one. Raises UsageProblem for a division that there is not."""
    document = flights_document(record)
    found = [one for one in document["divisions"] if division in (None, one["division"])]
    if not found:
        known = joined(one["division"] or sentence("no division") for one in document["divisions"])
        raise UsageProblem(
            sentence(
                "there is no division %(division)r: there are %(known)s",
                division=division,
                known=known or sentence("none"),
            )
        )
    return {**document, "divisions": found}
