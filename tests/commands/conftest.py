"""A tournament at the right stage for each command. The tests of permissions use these tournaments too."""

from __future__ import annotations

import pytest
from tests.doors.conftest import _stages, at_stage, key, tokens

from matchledger.events import Derivation

__all__ = ["_stages", "at_stage", "key", "tokens"]


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md that new tournaments use."""
    return 2
