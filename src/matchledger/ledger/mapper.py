"""How entries become rows: pydantic's JSON, byte for byte, under the kind of fact as topic."""

from __future__ import annotations

from uuid import UUID

from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from pydantic import ValidationError

from matchledger.events import Entry

# A stored row that is no entry. Other modules ask for it here, so that only this package knows the event store.
Unreadable = MapperDeserialisationError


class StoredEntry:
    """An entry as the event store wants to see it."""

    __slots__ = ("entry", "originator_id", "originator_version")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.originator_id = entry.tournament
        self.originator_version = entry.position


def decode(tournament: UUID, position: int, topic: str, state: bytes) -> Entry:
    """The entry in a row. Raises MapperDeserialisationError if the row is not one, or is another's."""
    try:
        entry: Entry = Entry.__pydantic_validator__.validate_json(state)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, problem["loc"]))
        raise MapperDeserialisationError(f"cannot be read: {place}: {problem['msg']}") from None
    if entry.position != position or entry.tournament != tournament or entry.fact.kind != topic:
        raise MapperDeserialisationError(
            f"it holds entry {entry.position} ({entry.fact.kind}): rows were moved or renamed"
        )
    return entry


class EntryMapper(Mapper[UUID]):
    """Maps entries to stored events and back; what is stored is what was validated."""

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        assert isinstance(domain_event, StoredEntry)  # noqa: S101 - only the ledger saves, and only these
        entry = domain_event.entry
        state = entry.__pydantic_serializer__.to_json(entry)
        return StoredEvent(entry.tournament, entry.position, entry.fact.kind, state)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        tournament = stored_event.originator_id
        assert isinstance(tournament, UUID)  # noqa: S101 - the ledger's streams are named by UUID
        return StoredEntry(
            decode(tournament, stored_event.originator_version, stored_event.topic, stored_event.state)
        )
