"""Windows: a tournament in a ledger at a moment, as a reader may see it. Every face reads with `look`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar
from uuid import UUID

from matchledger.ledger import Ledger
from matchledger.service.moments import Moment
from matchledger.service.redaction import Discretion
from matchledger_projections.views.sight import Sight

Asked = ParamSpec("Asked")
View = TypeVar("View")
Seen = TypeVar("Seen", bound=Sight)


@dataclass(frozen=True, kw_only=True)
class Window(Sight):
    """A view of a tournament in a ledger."""

    ledger: Ledger
    tournament: UUID


def open_window(ledger: Ledger, tournament: UUID, moment: Moment, discretion: Discretion | None = None) -> Window:
    """The view of a moment. Without `discretion`, everything."""
    whole = moment.record
    record = whole if discretion is None else discretion.record(whole)
    return Window(
        whole=whole,
        record=record,
        round=moment.round,
        clock=moment.clock,
        through=moment.through,
        read=lambda after: ledger.entries(tournament, after=after, through=moment.position),
        shown=iter if discretion is None else lambda entries: discretion.entries(entries, record),
        is_public=discretion is not None,
        ledger=ledger,
        tournament=tournament,
    )


def look(
    window: Seen, answer: Callable[Concatenate[Seen, Asked], View], *args: Asked.args, **asked: Asked.kwargs
) -> View:
    """An answer's view of a window. Raises UsageProblem for an impossible request."""
    return answer(window, *args, **asked)
