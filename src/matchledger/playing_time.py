"""Playing time: how far the round in progress is, for the choice of what to do about it."""

from __future__ import annotations

from matchledger.ledger.draft import now
from matchledger_projections.pairing.repair import Clock
from matchledger_projections.record.record import Record
from matchledger_projections.record.round_clock import MINUTE


def repair_clock(record: Record) -> Clock:
    """When play in the last round began, if somebody said so, and what time it is."""
    latest = record.latest_round()
    if latest is None:
        return Clock(now())
    told = record.clock(latest)
    return Clock(now(), told.origin, None if told.seconds is None else told.seconds // MINUTE)
