"""The clock as a leader uses it: at a desk, with a watch that each test sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from tests.cli.conftest import (  # noqa: F401 - fixtures, which pytest finds by their names here
    Desk,
    _at_a_desk,
    desk,
    four,
    ledger,
)
from tests.desk import Said

Watch = FrozenDateTimeFactory
Do = Callable[[str], Said]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """A watch that shows 14:00 until a test changes it."""
    with freeze_time("2026-05-03 14:00:00") as frozen:
        assert isinstance(frozen, FrozenDateTimeFactory)
        yield frozen
