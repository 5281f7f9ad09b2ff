"""Tests marked `alone` measure time: while one of them runs, every other worker waits."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

if sys.platform != "win32":
    import fcntl


class Turns:
    """The plugin that makes the workers of one run take turns. Two locks are needed, or a test that runs alone
    could wait for ever.
    """

    def __init__(self, run: str) -> None:
        """`run` names the test run: all its workers pass the same name."""
        room = Path(tempfile.gettempdir())
        self._door, self._hall = ((room / f"matchledger-{run}-{name}.lock").open("wb") for name in ("door", "hall"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        kind = fcntl.LOCK_EX if item.get_closest_marker("alone") else fcntl.LOCK_SH
        fcntl.flock(self._door, kind)  # a test that waits to run alone lets no other test begin
        fcntl.flock(self._hall, kind)
        fcntl.flock(self._door, fcntl.LOCK_UN)
        try:
            return (yield)
        finally:
            fcntl.flock(self._hall, fcntl.LOCK_UN)

    def pytest_unconfigure(self) -> None:
        for lock in (self._door, self._hall):
            lock.close()
            Path(lock.name).unlink(missing_ok=True)


def turns(config: pytest.Config) -> Turns | None:
    """Return the plugin that makes workers take turns, or None if the run has only one worker. Also return None
    on Windows, which lacks the file locks of Unix.

    A test can start another run, as the test of the mutants does. That run has the turn of its test. If it took
    turns too, it would wait behind a test that waits to run alone, and that test would wait for it.
    """
    found: dict[str, str] = getattr(config, "workerinput", {})  # only a worker has it, not a run inside a test
    return Turns(found["testrunuid"]) if found and sys.platform != "win32" else None
