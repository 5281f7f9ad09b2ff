"""The correction window: how long the result of a Swiss round can be corrected (POL-ALL-CORRECTION-WINDOW)."""

from __future__ import annotations

from typing import Literal

from matchledger_projections.record.record import Record

Closed = Literal["played", "posted"]


def window_closed(record: Record, round_: int) -> Closed | None:
    """Why the results of a Swiss round can no longer be corrected.

    None while they can.

    `played`: an elimination game settled the cut (L5R-IV.2b-CUTDROP, PKM-3.3.6-FREEZE). `posted`: the standings
    after a later round have been posted, so everybody has seen this one and the next.
    """
    window = record.rulebook.readings.correction_window
    if window == "any":
        return None
    if any(report is not None for later in record.rounds("elimination") for _, _, report in later.results()):
        return "played"
    if window == "until-next-posting" and any(fact.round > round_ for _, fact in record.postings):
        return "posted"
    return None
