"""Copied entries: what another copy of the log had recorded before an entry that a merge took over."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from msgspec import Struct

from matchledger.events import CopyMerged, Stage
from matchledger_projections.record.record import Record


class There(Struct, frozen=True):
    """The entries of another copy, as stored, before an entry that came from it."""

    entries: Sequence[dict[str, Any]]

    def has_posted(self, kind: str, round_: int, stage: Stage = "swiss") -> bool:
        """Return whether the other copy posted the standings or the pairings of a round."""
        return any(True for _ in self._about(kind, round_, stage))

    def paired_at(self, round_: int, stage: Stage) -> datetime | None:
        """Return when the other copy paired a round. Return None if both copies share the pairing."""
        found = list(self._about("round-paired", round_, stage))
        return datetime.fromisoformat(found[-1]["recorded_at"]) if found else None

    def _about(self, kind: str, round_: int, stage: Stage) -> Iterator[dict[str, Any]]:
        for entry in self.entries:
            fact = entry["fact"]
            if (fact["kind"], fact.get("round"), fact.get("stage", "swiss")) == (kind, round_, stage):
                yield entry


def before_in_copy(record: Record) -> There | None:
    """Return the other copy's entries before the next entry of the log, if a merge took that entry over."""
    position = record.position + 1
    for at, merged in record.every(CopyMerged):
        for index, came in enumerate(merged.entries):
            if came.entry == position > at:
                return There(list(_read(one.state for one in merged.entries[:index])))
    return None


def _read(states: Iterable[str]) -> Iterator[dict[str, Any]]:
    for state in states:
        with suppress(ValueError):  # a copy may hold junk, which counts nowhere
            entry = json.loads(state)
            if isinstance(entry, dict) and isinstance(entry.get("fact"), dict) and "kind" in entry["fact"]:
                yield entry
