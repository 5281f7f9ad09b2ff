"""What whoever starts the server decides about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """How a ledger is served.

    `initials` shows juniors by their initials on public pages. `watch_seconds` is how often the ledger is looked at
    for entries of other processes, `host_names` the names besides localhost that the server may be called by.
    """

    initials: bool = False
    watch_seconds: float = 0.5
    host_names: tuple[str, ...] = ()
