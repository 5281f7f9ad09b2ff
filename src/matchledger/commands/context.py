"""The inputs of a decision besides the record: the secret behind the draws, the log, and the clerk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from matchledger.commands.draft import Clerk
from matchledger.events import Entry
from matchledger_projections.record.record import Record


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a command. `replay` returns a record as of a position, which the caller may change.

    `leaves` returns the leaf hashes of the entries at some positions.
    """

    secret: Callable[[], bytes]
    entry: Callable[[int], Entry]
    replay: Callable[[int], Record]
    leaves: Callable[[Iterable[int]], list[bytes]]
    clerk: Clerk = Clerk()  # noqa: RUF009 - it is frozen
    reason: str | None = None
