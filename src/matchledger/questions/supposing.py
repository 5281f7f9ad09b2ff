"""Questions about what is not so, or not yet: what would be if results were others, and whose place is certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matchledger.documents.audit import clinch_document, supposition_document
from matchledger.documents.document import Document
from matchledger.ledger import Draft
from matchledger.notation.outcomes import read_outcome
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip import Written
from matchledger.questions.window import Window
from matchledger.service.suppositions import Supposition, suppose
from matchledger_projections.divisions.grouping import divisions_of
from matchledger_projections.divisions.tables import ranked_apart
from matchledger_projections.hint import demanding
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.cut import cuts_known
from matchledger_projections.standings.standings import Standings
from matchledger_projections.standings.standings import standings as rank
from matchledger_projections.views.clinch import Clinch
from matchledger_projections.views.clinch import clinch as work_out
from matchledger_projections.views.cutline import CutLine, cut_lines


class Supposed(NamedTuple):
    """The draft of what is supposed, the standings before and after, each cut as it is and would be."""

    draft: Draft
    before: Standings
    after: Standings
    cuts: list[tuple[CutLine, CutLine]]
    document: Document


def supposition(results: Sequence[str], removed: Sequence[str], dropped: Sequence[int]) -> Supposition:
    """What is supposed, as written: `3 12 b` is round 3, table 12, b wins; `2 4` a table without its result."""
    return Supposition([_result(text) for text in results], [_table(text) for text in removed], list(dropped))


def what_if(
    window: Window, supposed: Supposition, *, rulebook: Rulebook | None = None, cut: int | None = None
) -> Supposed:
    """What the standings would be. Nothing is recorded. Raises Refusal for what the rules know no way to."""
    record, moment = window.whole, window.moment
    law = rulebook or record.rulebook
    draft = suppose(window.log(), supposed)
    before, after = rank(record, moment.round), rank(draft.record, moment.round, law)
    of_all: dict[str | None, int] = {None: cut or 0}
    sizes = cuts_known(record) if cut is None else of_all
    was = cut_lines(record, sizes, before.round)
    lines = list(zip(was, cut_lines(draft.record, sizes, after.round, law), strict=True))
    document = supposition_document(draft.record, before, after, lines, draft.entries, rulebook=law)
    return Supposed(draft, before, after, lines, document)


def _result(text: str) -> tuple[int, int, Written]:
    words = text.split()
    round_, table = _table(" ".join(words[:2]))
    return round_, table, read_outcome(words[2:])


def _table(text: str) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):  # noqa: PLR2004 - a round and a table
        raise UsageProblem(sentence("%(text)r is not a round and a table, such as '3 12'", text=text))
    return int(words[0]), int(words[1])


class Prospects(NamedTuple):
    """Everybody's prospects of each cut, and the document of them."""

    found: list[Clinch]
    document: Document


def clinch(
    window: Window,
    *,
    rounds_left: int | None = None,
    cut: int | None = None,
    highest: int | None = None,
    division: str | None = None,
) -> Prospects:
    """Whose place in a cut is certain, impossible or open. Raises UsageProblem where it cannot be said of what."""
    if window.moment.through is not None:
        raise UsageProblem(
            demanding(
                sentence(
                    "what is certain follows from what was known at a moment, not from rounds as "
                    "corrected: name a moment"
                ),
                "a known moment",
            )
        )
    record, entries = window.whole, window.log()
    try:
        found = [
            work_out(
                entries,
                rounds_left=_rounds_left(record, rounds_left, of_division),
                cut=size,
                highest=highest,
                division=of_division,
            )
            for of_division, size in _cuts(record, cut, division).items()
        ]
    except ValueError as problem:
        raise UsageProblem(problem.args[0]) from None
    return Prospects(found, clinch_document(window.record, found))


def _rounds_left(record: Record, given: int | None, division: str | None) -> int:
    if given is not None:
        return given
    announced = record.structure
    if announced is None:
        raise UsageProblem(
            demanding(sentence("no structure was announced: say how many rounds are left"), "rounds to come")
        )
    rounds = announced.division_rounds.get(division or "", announced.rounds)
    return max(rounds - record.finished_rounds, 0)


def _cuts(record: Record, given: int | None, division: str | None) -> dict[str | None, int]:
    """How many go on, by division: as given, else as cut or announced."""
    known = cuts_known(record)
    named = None if division is None else division.casefold()
    if named is not None and named not in divisions_of(record):
        raise UsageProblem(
            sentence(
                "there is no division %(division)r: there are %(known)s",
                division=division,
                known=", ".join(divisions_of(record)),
            )
        )
    if given:
        if named is None and ranked_apart(record):
            raise UsageProblem(
                demanding(sentence("the divisions play apart: say of which one the cut is"), "a bracket's division")
            )
        return {named: given}
    found = {one: size for one, size in known.items() if named in (None, one)}
    if not found:
        raise UsageProblem(demanding(sentence("no cut was announced: say how many go on"), "a cut"))
    return found
