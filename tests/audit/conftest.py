"""The scripted dispute, played once, and a copy of it for each test that looks at it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.audit.scripted_dispute import Dispute, play


@pytest.fixture(scope="session")
def dispute_once(tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    """The dispute as it ended. It is shared: look at it, and do things to `dispute`."""
    return play(tmp_path_factory.mktemp("dispute"))


@pytest.fixture
def dispute(dispute_once: Dispute, tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    """A copy of the dispute, the test's own."""
    return replace(dispute_once, ledger=dispute_once.copied_to(tmp_path_factory.mktemp("own")))
