"""The stages of a tournament at which each command makes sense, as the permissions are tried on them."""

from __future__ import annotations

from tests.doors.conftest import _stages, at_stage, key, tokens

__all__ = ["_stages", "at_stage", "key", "tokens"]
