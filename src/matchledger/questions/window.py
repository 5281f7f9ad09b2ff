"""Windows: a tournament as somebody looks at it, at a moment, and through discretion where that is not all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from matchledger.events import Entry
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.moments import Moment
from matchledger.service.redaction import Discretion
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record


@dataclass(frozen=True)
class Window:
    """What somebody sees of a tournament; without `discretion`, all of it.

    `record` and `entries` hold nothing that is not to be seen. `whole` and `log` are what numbers are worked out
    from; nothing of them is shown.
    """

    ledger: Ledger
    tournament: UUID
    moment: Moment
    discretion: Discretion | None = None

    @property
    def whole(self) -> Record:
        return self.moment.record

    @cached_property
    def record(self) -> Record:
        return self.whole if self.discretion is None else self.discretion.record(self.whole)

    def log(self, *, after: int = 0) -> list[Entry]:
        """The entries up to the moment, as they are."""
        return list(self.ledger.entries(self.tournament, after=after, through=self.moment.position))

    def entries(self) -> list[Entry]:
        """Those of them that are to be seen, as they are to be seen."""
        return list(self.shown(self.log()))

    def shown(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Entries as they are to be seen; what is private is left out."""
        return iter(entries) if self.discretion is None else self.discretion.entries(entries, self.record)

    def entry(self, position: int) -> Entry | None:
        """An entry as it is to be seen, None for one that is not."""
        return next(self.shown([self.ledger.entry(self.tournament, position)]), None)

    def need_player(self, number: int) -> int:
        """A number that somebody has. Raises UsageProblem for one that nobody had at the moment."""
        if number not in self.record.players:
            raise UsageProblem(sentence("there is no player #%(player)s at that moment", player=number))
        return number
