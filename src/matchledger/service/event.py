"""The Python API: one tournament in a ledger, with the same service as the command line and the pages."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self
from uuid import UUID, uuid4

from matchledger.commands.draft import Clerk
from matchledger.commands.registry import command_from
from matchledger.commands.tournaments import OpenTournament
from matchledger.ledger import Ledger, open_ledger
from matchledger.ledger.location import pick_tournament
from matchledger.service.execute import Done, Request, execute, preview
from matchledger.service.opening import open_once
from matchledger.service.preview import Foreseen
from matchledger.service.window import moment_of
from matchledger_projections.standings.standings import Standings, standings

ORGANIZER = Clerk("organizer", "organizer")


class Event:
    """A tournament to work on.

    Close the event after use, or use the event in a `with` statement.

    `clerk` is the person who gives all commands. Raises the errors of the service: Refusal, UsageProblem,
    LedgerError.
    """

    def __init__(self, ledger: Ledger, tournament: UUID, clerk: Clerk = ORGANIZER) -> None:
        self.ledger, self.tournament, self.clerk = ledger, tournament, clerk

    @classmethod
    def begin(cls, path: str, name: str, rulebook: str, clerk: Clerk = ORGANIZER) -> Event:
        """Open a new tournament in a ledger. Make the ledger if it does not exist."""
        with ExitStack() as failing:
            ledger = failing.enter_context(open_ledger(path, create=True))
            command = OpenTournament(name=name, rulebook=rulebook)
            begun = cls(ledger, open_once(ledger, command, clerk, str(uuid4()), second=True), clerk)
            failing.pop_all()
        return begun

    @classmethod
    def open(cls, path: str, tournament: str | None = None, clerk: Clerk = ORGANIZER) -> Event:
        """Continue a tournament, by name or id if the ledger has several."""
        ledger = open_ledger(path)
        return cls(ledger, pick_tournament(ledger, tournament), clerk)

    def execute(self, kind: str, *, reason: str | None = None, id: str | None = None, **fields: Any) -> Done:  # noqa: A002
        """Execute a command, given by its kind and its fields. Commands with the same `id` are recorded once."""
        return execute(self.ledger, self.tournament, self._request(kind, reason, id, fields))

    def preview(self, kind: str, *, reason: str | None = None, **fields: Any) -> Foreseen:
        """Return the entries that a command would record, and the changes. Nothing is recorded."""
        return preview(self.ledger, self.tournament, self._request(kind, reason, None, fields))

    def standings(
        self,
        round: int | None = None,  # noqa: A002 - the name in commands
        *,
        as_of: str | None = None,
        as_known: bool | None = None,
    ) -> Standings:
        """Return the standings now, after a round, or at a position or a time. With `as_known`, later corrections
        are left out.
        """
        moment = moment_of(self.ledger, self.tournament, round, as_of, as_known=as_known)
        return standings(moment.record, moment.round, moment.record.rulebook)

    def name(self, player: int) -> str:
        """The name of a player."""
        return self.ledger.record(self.tournament).players[player].name

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _request(self, kind: str, reason: str | None, id_: str | None, fields: dict[str, Any]) -> Request:
        return Request(command_from({"kind": kind, **fields}), self.clerk, id_, reason)
