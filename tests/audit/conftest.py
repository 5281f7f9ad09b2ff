"""The scripted dispute: it is played once, and each test that uses it gets a copy."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.audit.scripted_dispute import Dispute, play


@pytest.fixture(scope="session")
def dispute_once(tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    """The finished dispute, which all tests share. Tests may only read this fixture; to change the dispute, use
    `dispute`.
    """
    return play(tmp_path_factory.mktemp("dispute"))


@pytest.fixture
def dispute(dispute_once: Dispute, tmp_path_factory: pytest.TempPathFactory) -> Dispute:
    """A copy of the dispute for this test alone."""
    return replace(dispute_once, ledger=dispute_once.copied_to(tmp_path_factory.mktemp("own")))
