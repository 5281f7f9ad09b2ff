"""The mapper between entries and rows: an entry is stored as pydantic's JSON, with the kind of fact as topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from pydantic import ValidationError

from matchledger.events import KINDS, Entry, PlainEntry, ResultReported
from matchledger.ledger.keyring import KeyRing
from matchledger.ledger.recorder import EntryRow
from matchledger.ledger.sealing import PERSONAL, FieldKeys, field_key, is_sealed, opened, sealed
from matchledger.proof import authorship
from matchledger.proof.station_token import StationToken
from matchledger_projections.message import one_line

_Read = TypeVar("_Read", bound=Entry | PlainEntry)
_SLIP = ResultReported.model_fields["kind"].default
# A stored slip leaves out these members without a value. No text within JSON contains an unescaped quotation mark.
_LEFT_OUT = (b',"games":null', b',"confirms":null')


class Unreadable(MapperDeserialisationError):
    """A stored row that is not an entry, at `position` of the log."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(problem)
        self.position = position


class StoredEntry:
    """An entry in the form that the event store needs. With `sealed`, its personal data are encrypted. With a
    `token`, the entry is signed for the place behind the entry with the leaf hash `after`.
    """

    __slots__ = ("after", "entry", "originator_id", "originator_version", "sealed", "token")

    def __init__(
        self, entry: Entry, *, sealed: bool = False, token: StationToken | None = None, after: bytes | None = None
    ) -> None:
        self.after = after
        self.entry = entry
        self.sealed = sealed
        self.token = token
        self.originator_id = entry.tournament
        self.originator_version = entry.position


def field_keys(ring: KeyRing) -> FieldKeys:
    """Return a function that derives the key for one field of a player from a ring."""

    def key(tournament: UUID, player: int, field: str) -> bytes | None:
        whole = ring.key(tournament, player)
        return None if whole is None else field_key(whole, field)

    return key


def decode(tournament: UUID, position: int, topic: str, state: bytes, ring: KeyRing | None = None) -> Entry:
    """Return the entry in a row.

    If the ring lacks a person's key, or has only the key of another copy, the person gets a pseudonym.

    Raises Unreadable if the row is not an entry, or belongs to another tournament.
    """
    state = authorship.unsigned(state)
    if is_sealed(state):
        ring = ring or KeyRing()
        state = opened(tournament, position, state, field_keys(ring), ring.reject)
    try:
        entry = _entry_of(state)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, problem["loc"]))
        raise Unreadable(position, one_line(f"cannot be read: {place}: {problem['msg']}")) from None
    if not _stands_at(entry, tournament, position, topic):
        raise _moved(entry, position)
    return entry


def plain_slip(row: EntryRow) -> PlainEntry | None:
    """Return the entry of a plain slip that is written byte for byte as this program writes a plain slip, or
    None.
    """
    if row.topic != _SLIP:
        return None
    state = authorship.unsigned(row.state)
    try:
        entry = _plain_entry_of(state)
    except ValueError:
        return None
    written = msgspec.json.encode(entry)
    for absent in _LEFT_OUT:
        written = written.replace(absent, b"")
    return entry if written == state else None


def is_written_plainly(tournament: UUID, row: EntryRow) -> bool:
    """Return whether an entry has its values in the form in which this program writes them.

    The program also reads `"5"` and `5.0` as the number 5. Other readers of the log do not, so they would see a
    different entry. For an entry that cannot be read, return True, because reading it reports the problem anyway.
    """
    state = authorship.unsigned(row.state)
    try:
        shown = opened(tournament, row.position, state, field_keys(KeyRing())) if is_sealed(state) else state
        entry = _entry_of(shown)
    except ValueError:
        return True
    return _is_part(msgspec.json.decode(shown), msgspec.json.decode(entry.__pydantic_serializer__.to_json(entry)))


def _is_part(said: Any, written: Any) -> bool:
    """Return whether `written` has every value of `said` in the same form. An older version may have stored fewer
    values.
    """
    if isinstance(said, dict) and isinstance(written, dict):
        return all(name in written and _is_part(value, written[name]) for name, value in said.items())
    if isinstance(said, list) and isinstance(written, list):
        return len(said) == len(written) and all(map(_is_part, said, written))
    return type(said) is type(written) and bool(said == written)


def is_newer(row: EntryRow) -> bool:
    """Return whether a row has a kind of fact from a newer version of this program."""
    return row.topic not in KINDS and b'"kind":"%b"' % row.topic.encode() in row.state


def decode_all(tournament: UUID, rows: Sequence[EntryRow], ring: KeyRing) -> Iterator[Entry]:
    """Yield the entries in some rows, in order, each decoded as in `decode`.

    A row that is not an entry raises Unreadable, after the entries before the row.
    """
    return _decoded(tournament, rows, ring, _entry_of)


def decode_to_fold(tournament: UUID, rows: Sequence[EntryRow], ring: KeyRing) -> Iterator[Entry | PlainEntry]:
    """Yield the entries in some rows for a replay: as in `decode_all`, but with simple slips as plain structs,
    which takes half the time.
    """
    return _decoded(tournament, rows, ring, _plain_of)


def _decoded(
    tournament: UUID, rows: Sequence[EntryRow], ring: KeyRing, read_slip: Callable[[bytes], _Read]
) -> Iterator[Entry | _Read]:
    """Yield the entries in some rows, with slips read by `read_slip`. A person whose key is another copy's gets a
    pseudonym.

    All rows are decrypted before the first row is parsed. To alternate between decrypting and parsing would take
    half as long again.
    """
    keys = field_keys(ring)
    try:
        states = [
            opened(tournament, position, state, keys, ring.reject)
            if topic in PERSONAL and is_sealed(state)
            else state
            for position, topic, state in (
                (row.position, row.topic, authorship.unsigned(row.state)) for row in rows
            )
        ]
        entries = [
            read_slip(state) if row.topic == _SLIP else _entry_of(state)
            for row, state in zip(rows, states, strict=True)
        ]
    except ValidationError:  # to find the bad row, read the rows one by one
        for row in rows:
            yield decode(tournament, *row, ring)
        return
    for entry, (position, topic, _) in zip(entries, rows, strict=True):
        if not _stands_at(entry, tournament, position, topic):
            raise _moved(entry, position)
        yield entry


_entry_of: Callable[[bytes], Entry] = Entry.__pydantic_validator__.validate_json
_plain_entry_of = msgspec.json.Decoder(PlainEntry).decode


def _plain_of(state: bytes) -> Entry | PlainEntry:
    try:
        return _plain_entry_of(state)
    except ValueError:  # the value is not plain JSON. pydantic's message names its kind or the error
        return _entry_of(state)


def _stands_at(entry: Entry | PlainEntry, tournament: UUID, position: int, topic: str) -> bool:
    # Compare numbers, because this runs for every entry of a log and UUIDs compare more slowly.
    return entry.position == position and entry.tournament.int == tournament.int and entry.fact.kind == topic


def _moved(entry: Entry | PlainEntry, position: int) -> Unreadable:
    return Unreadable(position, f"it holds entry {entry.position} ({entry.fact.kind}): rows were moved or renamed")


class EntryMapper(Mapper[UUID]):
    """Turns entries into stored events and back. The stored bytes are the entry's validated JSON, with personal
    data encrypted.
    """

    ring: KeyRing

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        assert isinstance(domain_event, StoredEntry)  # noqa: S101 - the ledger saves nothing else
        entry = domain_event.entry
        state = entry.__pydantic_serializer__.to_json(entry)
        if domain_event.sealed:
            state = sealed(entry, state, field_keys(self.ring))
        if domain_event.token is not None:
            state = authorship.signed(state, domain_event.token, domain_event.after)
        return StoredEvent(entry.tournament, entry.position, entry.fact.kind, state)

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        tournament = stored_event.originator_id
        assert isinstance(tournament, UUID)  # noqa: S101 - the ledger's streams have UUIDs as names
        return StoredEntry(
            decode(tournament, stored_event.originator_version, stored_event.topic, stored_event.state, self.ring)
        )
