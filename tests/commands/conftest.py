"""The stages of a tournament at which each command makes sense, as the permissions are tried on them."""

from __future__ import annotations

import pytest
from tests.doors.conftest import _stages, at_stage, key, tokens

from matchledger.events import Derivation

__all__ = ["_stages", "at_stage", "key", "tokens"]


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md that new tournaments are opened with."""
    return 2
