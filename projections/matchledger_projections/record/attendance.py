"""Attendance: how many players of each division were present for round 1, and how many registered in time."""

from __future__ import annotations

from collections import Counter

from matchledger_projections.record.record import Record


def attendance(record: Record) -> Counter[str]:
    """Return how many players of each division were present for round 1. The key "" counts players without a
    division.

    A late player does not count, and neither does a player who left before round 1. A player who leaves later
    counts (L5R-V.1-BASIC).
    """
    players = record.entered()
    if moved := record.movements:
        players = [one for one in players if one.number not in moved or record.status(one.number, 0) == "active"]
    return Counter([player.division or "" for player in players if player.losses is None])


def registration(record: Record) -> Counter[str]:
    """Return how many players of each division registered in time, including those who left before round 1."""
    return Counter(player.division or "" for player in record.entered() if player.losses is None)
