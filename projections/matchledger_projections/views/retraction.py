"""Retractions against the rules: of results after the time for corrections, and of drops before a missed round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from matchledger.events import AnyFact, EntryRetracted, PlayerDisqualified, PlayerDropped, PolicyChanged
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.sections import UNWRITTEN

Closed = Literal["played", "posted"]


def window_closed(record: Record, round_: int) -> Closed | None:
    """Return the reason why results of a Swiss round can no longer be corrected.

    Return None while results can be corrected.

    `played`: an elimination game settled the cut (L5R-IV.2b-CUTDROP, PKM-3.3.6-FREEZE). `posted`: the standings
    after a later round have been posted, so that everybody has seen the standings of this round and the next.
    """
    window = record.rulebook.readings.correction_window
    if window == "any":
        return None
    if any(report is not None for later in record.rounds("elimination") for _, _, report in later.results()):
        return "played"
    if window == "until-next-posting" and any(fact.round > round_ for _, fact in record.postings):
        return "posted"
    return None


def rules_against(record: Record, position: int) -> Iterator[str]:
    """Yield the rules that the retraction of an entry departs from. `record` does not include the retraction."""
    round_ = round_of_result(record, record.root_of(position))
    rule = record.rulebook.policy_rule("POL-ALL-CORRECTION-WINDOW")
    if rule is not None and round_ is not None and window_closed(record, round_) is not None:
        yield rule
    if round_missed(record, position) is not None:
        yield record.rulebook.permission_rule("rejoin") or UNWRITTEN


def round_of_result(record: Record, position: int) -> int | None:
    """Return the Swiss round of the result in an entry, or None."""
    rounds = (
        round_.number
        for round_ in record.rounds()
        for report in round_.every_report()
        if report.position == position
    )
    return next(rounds, None)


def round_missed(record: Record, position: int) -> int | None:
    """Return the first round that was paired without the player whom an entry dropped or disqualified, or None.

    Without the drop, the player would have neither a result nor a loss for the round (L5R-IV.2-REJOIN).
    """
    moved = (fact for all_ in record.movements.values() for at, fact in all_ if at == position)
    fact = next(moved, None)
    if not isinstance(fact, PlayerDropped | PlayerDisqualified):
        return None
    rounds = (
        round_.number
        for round_ in record.rounds(fact.stage)
        if round_.position > position and fact.player not in round_.players
    )
    return next(rounds, None)


def policy_taken_back(record: Record, fact: AnyFact) -> str | None:
    """Return the policy whose change a retraction takes back or restores, or None."""
    root = record.root_of(fact.retracts) if isinstance(fact, EntryRetracted) else None
    return next((changed.flag for at, changed in record.every(PolicyChanged) if at == root), None)
