"""The search for garbage waits for a quiet moment. A stopped server resets the collector."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from contextlib import suppress

import pytest

from matchledger.web import garbage


class Knot:
    """An object that only the garbage collector can free."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize("quiet", [True, False])
def test_the_search_for_garbage_waits_for_a_quiet_moment(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    monkeypatch.setattr(garbage, "QUIET_SECONDS", 0.01)
    before = gc.get_threshold()

    async def serve() -> bool:
        asked = 0.0
        task = asyncio.create_task(garbage.collect(lambda: asked))
        knot = Knot()
        await asyncio.sleep(0)  # now the objects in use are frozen
        asked = time.monotonic() + (0 if quiet else 1000)
        assert gc.get_freeze_count() > 0
        freed = asyncio.Event()
        left = weakref.ref(knot, lambda _: freed.set())
        del knot
        gc.collect()
        assert left() is not None
        with suppress(TimeoutError):
            await asyncio.wait_for(freed.wait(), 20 if quiet else 0.1)
        task.cancel()
        await asyncio.wait([task])
        return left() is None

    assert asyncio.run(serve()) is quiet
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
