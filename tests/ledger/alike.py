"""Entries that the program reads in two ways: for folding and for showing."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from matchledger.events import Entry, PlainEntry


def alike(folded: Entry | PlainEntry | str, shown: Entry | str) -> bool:
    """Return whether the two readers give the same entry, or refuse it in the same words.

    The program writes times to the microsecond. If a log has more digits, one reader truncates them and the other
    rounds them.
    """
    if not isinstance(folded, PlainEntry):
        return folded == shown
    if isinstance(shown, str) or abs(folded.recorded_at - shown.recorded_at) > timedelta(microseconds=1):
        return False
    return Entry.model_validate({**msgspec.to_builtins(folded), "recorded_at": shown.recorded_at}) == shown
