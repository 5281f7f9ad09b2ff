"""In CI, chance is the same in each run: a test always draws the same seats.

The same chance applies only within the process of the tests. Programs that the tests start have their own chance.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Generator
from random import Random

import pytest


class SameChance:
    """A plugin that gives each test, and each shared fixture, its own sequence of random bytes."""

    def __init__(self) -> None:
        self._row = Random(0)  # noqa: S311 - nobody's secrets
        os.urandom = self._bytes
        secrets.token_bytes = lambda nbytes=None: self._bytes(32 if nbytes is None else nbytes)
        # Forked processes share the state of the random generator, so each process seeds it again with other bytes.
        os.register_at_fork(before=self._row.random, after_in_child=lambda: self._row.seed(self._row.random()))

    def _bytes(self, size: int, /) -> bytes:
        return self._row.randbytes(size)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._row.seed(item.nodeid)
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        before = self._row.getstate()
        self._row.seed(f"{fixturedef.baseid}::{fixturedef.argname}[{getattr(request, 'param_index', 0)}]")
        try:
            return (yield)
        finally:
            self._row.setstate(before)
