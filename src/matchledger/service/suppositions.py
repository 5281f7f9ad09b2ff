"""Suppositions: a tournament as it would be if some results were others. Drafted, shown, and never recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands.refusal import Refusal
from matchledger.events import Entry
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.round import Round


@dataclass(frozen=True, slots=True)
class Supposition:
    """What is supposed: results by round and table, tables without their result, players who left."""

    results: Sequence[tuple[int, int, Written]] = ()
    removed: Sequence[tuple[int, int]] = ()
    dropped: Sequence[int] = ()


def suppose(entries: Sequence[Entry], supposition: Supposition) -> Draft:
    """The draft of a log as it would go on. Raises Refusal for what the rules know no way to.

    A closed tournament is opened again first, and a correction may come too late: it is only supposed.
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
    """Takes back every entry about a match that counts, or would count once the later ones are gone."""
    where = _round(draft.record, round_)
    players = where.tables.get(table)
    if players is None or where.report(table, players) is None:
        raise Refusal(
            sentence(
                "table %(table)s of round %(round)s has no result that could be removed", table=table, round=round_
            )
        )
    while (found := where.report(table, players)) is not None:
        entry = entries[found.position - 1]
        draft.decide(lambda record, entry=entry: slips.retract(record, entry=entry, override=True))  # type: ignore[misc] # bound now


def _round(record: Record, number: int) -> Round:
    where = record.round(number)
    if where is None:
        raise Refusal(sentence("round %(round)s is not paired", round=number))
    return where
