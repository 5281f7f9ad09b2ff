"""What whoever starts the server decides about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """How a ledger is served.

    `initials` are the divisions that public pages show by initials, "all" for every player. `watch_seconds` is how
    often the ledger is looked at for entries of other processes, `host_names` the names besides localhost that the
    server may be called by. `address` is where phones find the server, for the code on the wall; None where only
    this machine can.
    """

    initials: tuple[str, ...] = ()
    watch_seconds: float = 0.5
    host_names: tuple[str, ...] = ()
    address: str | None = None
