"""The scripted dispute, played once, and a copy of it for each test that uses it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.audit.scripted_dispute import Dispute, play


@pytest.fixture(scope="session")
def dispute_once(tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    """The finished dispute. All tests share it, so only read it; to change it, use `dispute`."""
    return play(tmp_path_factory.mktemp("dispute"))


@pytest.fixture
def dispute(dispute_once: Dispute, tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    """The test's own copy of the dispute."""
    return replace(dispute_once, ledger=dispute_once.copied_to(tmp_path_factory.mktemp("own")))
