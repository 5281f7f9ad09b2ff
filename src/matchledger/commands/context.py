"""What a decision may need besides the record: the secret behind the draws, entries of the log, and the clerk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from matchledger.commands.draft import Clerk
from matchledger.events import Entry
from matchledger_projections.record.record import Record


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a command. `replay` returns a record as of a position, which the caller may change."""

    secret: Callable[[], bytes]
    entry: Callable[[int], Entry]
    replay: Callable[[int], Record]
    clerk: Clerk = Clerk()  # noqa: RUF009 - it is frozen
    reason: str | None = None
