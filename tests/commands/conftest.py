"""A stage of a tournament for each command, shared with the tests of permissions."""

from __future__ import annotations

import pytest
from tests.doors.conftest import _stages, at_stage, key, tokens

from matchledger.events import Derivation

__all__ = ["_stages", "at_stage", "key", "tokens"]


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md for new tournaments."""
    return 2
