"""Suppositions: a tournament with hypothetical results. A supposition is drafted and shown, but never recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands.refusal import Refusal
from matchledger.events import Entry
from matchledger.ledger import Draft
from matchledger.notation.outcomes import read_outcome
from matchledger.notation.slip import Written
from matchledger.service.window import Window
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.cut import cuts_known
from matchledger_projections.views.cutline import cut_lines
from matchledger_projections.views.sight import Asked, Sight, answers
from matchledger_projections.views.supposition import SuppositionPage, supposition_page
from matchledger_projections.views.tables import UnderRulebook


class Supposition(Struct, frozen=True):
    """The hypothetical changes: results by round and table, tables without their results, and players who left."""

    results: Sequence[tuple[int, int, Written]] = ()
    removed: Sequence[tuple[int, int]] = ()
    dropped: Sequence[int] = ()


def suppose(entries: Sequence[Entry], supposition: Supposition) -> Draft:
    """Return the draft of a log under a supposition.

    Raises Refusal for an impossible supposition.

    In the draft, a closed tournament is open again, and late corrections are accepted.
    """
    draft = Draft(entries[0].tournament, fold(entries))
    _reopen(draft, entries)
    for round_, table in supposition.removed:
        _remove(draft, entries, round_, table)
    for round_, table, written in supposition.results:
        _set(draft, round_, table, written)
    for player in supposition.dropped:
        draft.decide(lambda record, player=player: roster.drop(record, player=player))  # type: ignore[misc] # bound now
    return draft


def _reopen(draft: Draft, entries: Sequence[Entry]) -> None:
    if draft.record.closing is not None:
        closing = next(
            entry
            for entry in reversed(entries)
            if entry.fact == draft.record.closing and not draft.record.is_dead(entry.position)
        )
        draft.decide(lambda record: slips.retract(record, entry=closing, override=True))


def _set(draft: Draft, round_: int, table: int, written: Written) -> None:
    where = _round(draft.record, round_)
    players = where.tables.get(table)
    if players is not None and where.report(table, players) is not None:
        draft.decide(
            lambda record: slips.correct(record, table=table, round_=round_, written=written, override=True)
        )
    else:
        draft.decide(
            lambda record: slips.report(record, table=table, written=written, stage="swiss", round_=round_)
        )


def _remove(draft: Draft, entries: Sequence[Entry], round_: int, table: int) -> None:
    """Retract every result of a match in the draft, until the table has no result."""
    where = _round(draft.record, round_)
    players = where.tables.get(table)
    if players is None or where.report(table, players) is None:
        raise Refusal(
            sentence("table %(table)s of round %(round)s has no result to remove", table=table, round=round_)
        )
    while (found := where.report(table, players)) is not None:
        entry = entries[found.position - 1]
        draft.decide(lambda record, entry=entry: slips.retract(record, entry=entry, override=True))  # type: ignore[misc] # bound now


def _round(record: Record, number: int) -> Round:
    where = record.round(number)
    if where is None:
        raise Refusal(sentence("round %(round)s is not paired", round=number))
    return where


# -- the request

MOST = 100  # suppositions


@answers("whatif", "staff", slow=True)
def what_if(
    window: Window,
    *,
    set_: Annotated[
        tuple[str, ...], Asked("A result: `3 12 b` is round 3, table 12, b wins.", longest=MOST, name="set")
    ] = (),
    remove: Annotated[tuple[str, ...], Asked("A table without its result: `2 4`.", longest=MOST)] = (),
    drop: Annotated[tuple[int, ...], Asked("A player who leaves, by number.", longest=MOST)] = (),
    rulebook: UnderRulebook = None,
    cut: Annotated[int | None, Asked("The players in a cut of this size.", least=1, most=10**6)] = None,
) -> SuppositionPage:
    """Return the standings with hypothetical results. Nothing is recorded."""
    gone = [window.need_player(number) for number in drop]
    record = window.whole
    draft = suppose(
        window.log(),
        Supposition([_result(text, record.rulebook) for text in set_], [_table(text) for text in remove], gone),
    )
    of_all: dict[str | None, int] = {None: cut or 0}
    sizes = cuts_known(record) if cut is None else of_all
    then = Sight.of(draft.record, round_=window.round)
    through = window.round if window.round is not None else record.finished_rounds
    after = draft.record.finished_rounds if window.round is None else window.round
    lines = zip(cut_lines(record, sizes, through), cut_lines(draft.record, sizes, after, rulebook), strict=True)
    return supposition_page(window, then, draft.entries, list(lines), rulebook=rulebook)


def _result(text: str, rulebook: Rulebook) -> tuple[int, int, Written]:
    words = text.split()
    round_, table = _table(" ".join(words[:2]))
    return round_, table, read_outcome(words[2:], rulebook)


def _table(text: str) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):  # noqa: PLR2004 - a round and a table
        raise UsageProblem(sentence("%(text)r is not a round and a table, such as '3 12'", text=text))
    return int(words[0]), int(words[1])
