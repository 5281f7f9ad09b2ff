"""Who was there for round 1, and who registered in time, by division."""

from __future__ import annotations

from collections import Counter

from matchledger_projections.record.record import Record


def attendance(record: Record) -> Counter[str]:
    """How many players of each division were there for round 1; "" stands for players without a division.

    Who came late, or left before round 1, does not count; who leaves afterwards does (L5R-V.1-BASIC).
    """
    return Counter(
        player.division or ""
        for player in record.entered()
        if player.losses is None and record.status(player.number, 0) == "active"
    )


def registration(record: Record) -> Counter[str]:
    """How many players of each division registered in time, those who left before round 1 included."""
    return Counter(player.division or "" for player in record.entered() if player.losses is None)
