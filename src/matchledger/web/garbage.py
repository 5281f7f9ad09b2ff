"""Garbage collection: a search of all objects for cycles stops every thread, in a large event for a tenth of a
second.

Therefore the server searches only new objects while requests come in, and all objects in a quiet moment.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

QUIET_SECONDS = 5.0  # seconds without a request
LONGEST_SECONDS = 30.0  # the most seconds between two searches in a busy hall
NEW = 20_000  # new objects before a search. A page makes about as many, and most are garbage after it is sent
_NEVER = 10**9


async def collect(last_request: Callable[[], float]) -> None:
    """Collect garbage until the task is cancelled. `last_request` returns the time of the last request
    (monotonic).
    """
    before = gc.get_threshold()
    gc.set_threshold(NEW, before[1], _NEVER)
    gc.freeze()  # the program's own objects never become garbage
    searched = time.monotonic()  # when the last search ended
    try:
        while True:
            now, last = time.monotonic(), last_request()
            if searched <= last < now - QUIET_SECONDS:
                gc.unfreeze()
                gc.collect()
                gc.freeze()  # the next quiet moment searches the objects that are in use now
                searched = now
            elif now - searched > LONGEST_SECONDS:
                gc.collect()
                searched = now
            await asyncio.sleep(QUIET_SECONDS)
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
