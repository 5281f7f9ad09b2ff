"""The scripted dispute, played once for all tests that look at it."""

from __future__ import annotations

import pytest
from tests.audit.scripted_dispute import Dispute, play


@pytest.fixture(scope="session")
def dispute(tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    """The dispute as it ended. It is shared: do things to a copy."""
    return play(tmp_path_factory.mktemp("dispute"))
