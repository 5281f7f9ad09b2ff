"""The ledger: tournaments in an event store. Only this package imports the eventsourcing library, which stores the
entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matchledger.commands.draft import Clerk, Decision, Draft, new_command, now
from matchledger.ledger.admission import shown
from matchledger.ledger.application import Ledger
from matchledger.ledger.location import open_ledger
from matchledger.ledger.problems import Conflict, Contradiction, LedgerError, UnreadableLog
from matchledger.ledger.tree import Tree, sound_tree

if TYPE_CHECKING:
    from matchledger.ledger.signing import sign_checkpoint
    from matchledger.ledger.verification import Finding, verify


def __getattr__(name: str) -> object:
    """Import verification and signing on first use, because few commands need them."""
    if name == "sign_checkpoint":
        from matchledger.ledger.signing import sign_checkpoint  # noqa: PLC0415 - only signing needs it

        return sign_checkpoint
    if name in ("Finding", "verify"):
        from matchledger.ledger import verification  # noqa: PLC0415 - only verifying needs it

        return getattr(verification, name)
    raise AttributeError(name)


__all__ = [
    "Clerk",
    "Conflict",
    "Contradiction",
    "Decision",
    "Draft",
    "Finding",
    "Ledger",
    "LedgerError",
    "Tree",
    "UnreadableLog",
    "new_command",
    "now",
    "open_ledger",
    "shown",
    "sign_checkpoint",
    "sound_tree",
    "verify",
]
