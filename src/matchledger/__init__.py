"""matchledger: record a tournament as a log of facts. `Event` is its Python API."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matchledger.service.event import Event as Event


def __getattr__(name: str) -> object:
    """Import the API on first use, because the command line does not need it."""
    if name == "Event":
        from matchledger.service.event import Event  # noqa: PLC0415 - only Python programs need it

        return Event
    raise AttributeError(name)
