"""Copied entries: what another copy of the log had recorded before an entry that a merge took over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from msgspec import MsgspecError, Struct
from msgspec.json import decode

from matchledger.events import CopyMerged, Stage
from matchledger_projections.record.record import Record


class _Fact(Struct, frozen=True):
    kind: str
    round: int | None = None
    stage: Stage = "swiss"


class _Stored(Struct, frozen=True):
    recorded_at: datetime
    fact: _Fact


class There(Struct, frozen=True):
    """The entries of another copy before an entry that came from it."""

    entries: Sequence[_Stored]

    def has_posted(self, kind: str, round_: int, stage: Stage = "swiss") -> bool:
        """Return whether the other copy posted the standings or the pairings of a round."""
        return any(entry.fact == _Fact(kind, round_, stage) for entry in self.entries)

    def paired_at(self, round_: int, stage: Stage) -> datetime | None:
        """Return when the other copy paired a round. Return None if both copies share the pairing."""
        paired = _Fact("round-paired", round_, stage)
        return max((entry.recorded_at for entry in self.entries if entry.fact == paired), default=None)


def before_in_copy(record: Record) -> There | None:
    """Return the other copy's entries before the next entry of the log, if a merge took that entry over."""
    position = record.position + 1
    for at, merged in record.every(CopyMerged):
        for index, came in enumerate(merged.entries):
            if came.entry == position > at:
                return There(list(_read(one.state for one in merged.entries[:index])))
    return None


def _read(states: Iterable[str]) -> Iterator[_Stored]:
    for state in states:
        with suppress(MsgspecError):  # a copy may hold junk, which counts nowhere
            yield decode(state, type=_Stored)
