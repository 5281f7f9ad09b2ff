"""What the documents share. Keys are stable; new ones may be added. Exact numbers are "p/q"."""

from __future__ import annotations

from typing import Any

from matchledger_projections.record.record import Record

Document = dict[str, Any]

# What a player plays with is between the player and the staff: views show its hash, which stands beside it.
PRIVATE = {"fact": {"deck", "difference", "finding"}}


def title(record: Record) -> str:
    return record.opening.name if record.opening is not None else ""
