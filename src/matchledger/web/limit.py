"""Limits: how often one visitor may send a form without an account."""

from __future__ import annotations

import time
from collections import OrderedDict, deque

REMEMBERED = 10_000  # visitors


class Limit:
    """Allows each visitor at most `times` attempts in `seconds`. Refused attempts do not count."""

    def __init__(self, times: int, seconds: float) -> None:
        self._times = times
        self._seconds = seconds
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def allows(self, visitor: str) -> bool:
        """Return whether a visitor may send now, and count the attempt if so."""
        now = time.monotonic()
        seen = self._seen.setdefault(visitor, deque())
        self._seen.move_to_end(visitor)
        while seen and seen[0] <= now - self._seconds:
            seen.popleft()
        while len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        if len(seen) >= self._times:
            return False
        seen.append(now)
        return True
