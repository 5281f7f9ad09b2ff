"""What the tests of file formats share."""

from __future__ import annotations

from pathlib import Path

import pytest

_REAL_EVENTS = Path(__file__).resolve().parents[3] / "shared" / "real-events"


@pytest.fixture(scope="session")
def real_events() -> Path:
    """The folder of real events next to the project. Tests of real events are skipped if this folder does not
    exist.
    """
    if not _REAL_EVENTS.is_dir():
        pytest.skip("the real events are not beside the project")
    return _REAL_EVENTS
