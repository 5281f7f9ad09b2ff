"""Drafts: entries that follow a log but are not recorded, or not yet.

An import is drafted completely before any entry is recorded. A check or a preview is drafted and then dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from uuid import UUID, uuid4

from msgspec import Struct

from matchledger.commands.permission import need_permission
from matchledger.events import AnyFact, Entry, Role
from matchledger.proof.station_token import StationToken
from matchledger_projections.record.record import Record

Decision = Callable[[Record], Sequence[AnyFact]]


SERVER = "server"
"""The server's desk. A terminal on the same ledger is another station, so neither undoes the other's actions."""


class Clerk(Struct, frozen=True):
    """The person who records, with role, station and token."""

    actor: str = "scorekeeper"
    role: Role = "scorekeeper"
    station: str = "desk"
    token: StationToken | None = None


_moment: ContextVar[datetime | None] = ContextVar("moment", default=None)


def now() -> datetime:
    """Return the current time for an entry, in UTC. While a command is being decided, the time does not advance."""
    return _moment.get() or datetime.now(UTC)


@contextmanager
def at_one_moment(moment: datetime | None = None) -> Iterator[None]:
    """Stop the clock of `now` inside the block: at the present, or for a repeated command at the time of its first
    entry.
    """
    held = _moment.set(moment or now())
    try:
        yield
    finally:
        _moment.reset(held)


def new_command() -> str:
    """Return an id for a command that has none."""
    return str(uuid4())


_PART = re.compile(r"(.+)/(?:[0-9]+of[0-9]+|part-.+)")  # the id of one command in a line with several commands


def parts_of(line: str | None, number: int) -> list[str]:
    """Return the ids of the commands in one typed line. `line` is the id of the line, or None for a new line."""
    line = line or new_command()
    return [f"{line}/{part}of{number}" for part in range(1, number + 1)]


def named_part(line: str, name: str) -> str:
    """Return the id of the command with a name of its own in one typed line."""
    return f"{line}/part-{name}"


def line_of(command: str) -> str | None:
    """Return the line in which a command was typed with others, or None for a command with a line of its own."""
    found = _PART.fullmatch(command)
    return None if found is None else found[1]


def stamp(
    facts: Sequence[AnyFact],
    *,
    tournament: UUID,
    record: Record,
    clerk: Clerk,
    command: str,
    reason: str | None = None,
) -> list[Entry]:
    """Return facts as the next entries of a record. All these entries have the same command id and time.

    Raises Refusal if the clerk may not record a fact.
    """
    need_permission(record, facts, actor=clerk.actor, role=clerk.role)
    recorded_at = now()
    return [
        Entry(
            tournament=tournament,
            position=position,
            recorded_at=recorded_at,
            actor=clerk.actor,
            role=clerk.role,
            station=clerk.station,
            command=command,
            reason=reason,
            token=None if clerk.token is None else clerk.token.id,
            fact=fact,
        )
        for position, fact in enumerate(facts, record.position + 1)
    ]


class Draft:
    """A record that grows with each decision, and the new entries."""

    def __init__(self, tournament: UUID, record: Record | None = None, clerk: Clerk | None = None) -> None:
        """Begin with an empty log, or with a record that the draft may change.

        Without a clerk, the draft acts for the organizer, because previews and imports need no permission.
        """
        self.tournament = tournament
        self.record = Record() if record is None else record
        self.clerk = Clerk(role="organizer") if clerk is None else clerk
        self.entries: list[Entry] = []

    def decide(self, decision: Decision, *, reason: str | None = None, command: str | None = None) -> list[Entry]:
        """Apply a decision to the draft. If the decision raises Refusal, the draft is unchanged."""
        entries = stamp(
            decision(self.record),
            tournament=self.tournament,
            record=self.record,
            clerk=self.clerk,
            command=command or new_command(),
            reason=reason,
        )
        for entry in entries:
            self.record.apply(entry)
        self.entries += entries
        return entries
