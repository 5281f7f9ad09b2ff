"""The application: commands go in, entries are kept, records come out."""

from __future__ import annotations

import gc
import hashlib
import hmac
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from eventsourcing.application import Application
from eventsourcing.persistence import (
    IntegrityError,
    MapperDeserialisationError,
    OperationalError,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.utils import get_topic

from matchledger.events import Entry, PersonErased, PlayerArrivedLate, PlayerRegistered
from matchledger.ledger.admission import admit, clerk_of, need_admitted, need_free, shown
from matchledger.ledger.cache import LONG, RecordCache
from matchledger.ledger.draft import Clerk, Decision, Draft, at_one_moment, new_command, now, stamp
from matchledger.ledger.keyring import KEY_BYTES, KeyRing, KeyRingError, ring_of
from matchledger.ledger.mapper import EntryMapper, StoredEntry, decode, field_keys
from matchledger.ledger.mirror import Mirror
from matchledger.ledger.recorder import Busy, EntryRow, LedgerRecorder
from matchledger.ledger.sealing import players_in
from matchledger.ledger.sqlite import FileFactory, problem_with_file
from matchledger.proof import TreeHead
from matchledger.tournament.refusal import Refusal
from matchledger_projections.record import Record, fold

ATTEMPTS = 5  # how often a command is tried again when another station was first
LOCK_SECONDS = 30  # how long a station waits while another one writes


_HINTS = {
    "disk is full": ": nothing of the command was recorded; free some space and send it again",
    "disk I/O error": ": nothing of the command was recorded; see whether the disk is full or failing",
    "malformed": ": the file is damaged, restore a copy of it",
    "unable to open": ": the file and its folder must be writable, for reading too; copy it to such a folder",
    "readonly": ": the file and its folder must be writable; copy it to such a folder",
}


class LedgerError(Exception):
    """A ledger that cannot be opened or read; the message is one line that says what to do."""


class Conflict(Exception):
    """Other stations kept being first; nothing of the command was recorded."""


class Ledger(Application[UUID]):
    """All tournaments of one store."""

    name = "matchledger"
    recorder: LedgerRecorder
    mirror: Mirror | None = None

    def __init__(self, env: Mapping[str, str], ring: KeyRing | None = None) -> None:
        super().__init__(env)
        self.ring = KeyRing() if ring is None else ring
        assert isinstance(self.mapper, EntryMapper)  # noqa: S101 - the environment names it
        self.mapper.ring = self.ring
        self._records: dict[UUID, Record] = {}
        self._cached: dict[UUID, int] = {}
        file = env.get("SQLITE_DBNAME", ":memory:")
        self.cache = None if file == ":memory:" else RecordCache(Path(file))

    def entries(self, tournament: UUID, *, after: int = 0, through: int | None = None) -> Iterator[Entry]:
        """A tournament's entries in order, as they were recorded."""
        with as_ledger_errors():
            for row in self.recorder.entry_rows(tournament, after=after, through=through):
                yield decode(tournament, *row, self.ring)

    def entry(self, tournament: UUID, position: int) -> Entry:
        """One entry. Raises LedgerError if the log does not reach that far."""
        size = self.head(tournament).size
        if not 1 <= position <= size:
            raise LedgerError(f"there is no entry {position}: the log has {size}")
        found = next(self.entries(tournament, after=position - 1, through=position), None)
        if found is None:
            raise LedgerError(f"entry {position} is missing from the log: run verify")
        return found

    def record(self, tournament: UUID) -> Record:
        """The record of everything that is in the log now. It is kept between calls: do not change it."""
        with _without_collector():
            record = self._records.get(tournament)
            if record is None:
                record = self._records[tournament] = self._cached_record(tournament) or Record()
                self._cached[tournament] = record.position
            for entry in self.entries(tournament, after=record.position):
                record.apply(entry)
                if isinstance(entry.fact, PersonErased):
                    self._forget(tournament, entry.fact.player)
            self._cache_record(tournament, record)
        return record

    def _cached_record(self, tournament: UUID) -> Record | None:
        if self.cache is None:
            return None
        with as_ledger_errors():
            return self.cache.load(
                tournament, partial(self._root, tournament), partial(self._cache_key, tournament)
            )

    def _cache_record(self, tournament: UUID, record: Record) -> None:
        if self.cache is None or record.position - self._cached[tournament] < LONG:
            return
        self._cached[tournament] = record.position
        with as_ledger_errors():
            root = self._root(tournament, record.position)
            if root is not None:
                self.cache.store(record, root, partial(self._cache_key, tournament))

    def _root(self, tournament: UUID, position: int) -> bytes | None:
        row = self.recorder.tree_row(tournament, position)
        return None if row is None else row.root

    def _cache_key(self, tournament: UUID, players: int) -> bytes:
        """What a cached record of so many players is encrypted with: it takes the keys of them all."""
        keys = (self.ring.key(tournament, player) for player in range(1, players + 1))
        material = hashlib.sha256(b"".join(key or bytes(KEY_BYTES) for key in keys)).digest()
        return hmac.digest(self.recorder.sealed_secret(tournament) or b"", b"cache|" + material, hashlib.sha256)

    def _forget(self, tournament: UUID, player: int) -> None:
        """What the log says is erased is erased from every key ring that the log is read beside."""
        with as_ledger_errors():
            self.ring.destroy(tournament, player)

    def record_as_of(self, tournament: UUID, position: int) -> Record:
        """The record as it was known when the log had `position` entries; the caller's own."""
        with _without_collector():
            record = self._records.get(tournament)
            if record is not None and record.position >= position:
                return record.as_of(position)
            return fold(self.entries(tournament, through=position))

    def position_at(self, tournament: UUID, moment: datetime) -> int:
        """The position of the last entry that was recorded at or before a moment; 0 if there is none."""
        return max((entry.position for entry in self.entries(tournament) if entry.recorded_at <= moment), default=0)

    def tournaments(self) -> list[UUID]:
        """The tournaments in this ledger, in the order in which they were opened."""
        with as_ledger_errors():
            return self.recorder.tournaments()

    def head(self, tournament: UUID, size: int | None = None) -> TreeHead:
        """The tree head that stands beside a tournament's log, now or when it had `size` entries."""
        with as_ledger_errors():
            head = self.recorder.tree_head(tournament)
        if head is None:
            raise LedgerError(f"the ledger has no tournament {tournament}")
        if size is None or size == head.size:
            return head
        with as_ledger_errors():
            row = self.recorder.tree_row(tournament, size)
        if row is None:
            raise LedgerError(f"the hash of entry {size} is missing: run verify")
        return TreeHead(size, row.root)

    def secret(self, tournament: UUID) -> bytes:
        """The secret behind a tournament's draws. Raises LedgerError where it was not kept with the ledger."""
        with as_ledger_errors():
            secret = self.recorder.sealed_secret(tournament)
        if secret is None:
            raise LedgerError("this ledger does not hold the secret of the tournament: it cannot draw or close")
        return secret

    def decide(
        self,
        tournament: UUID,
        decision: Decision,
        *,
        clerk: Clerk,
        command: str | None = None,
        reason: str | None = None,
        anybody: bool = False,
    ) -> list[Entry]:
        """Carries a command out: decides on the record as it stands, and records what follows from it.

        `anybody` is for what everybody may record, such as a call to the desk: no token is asked for.

        A command that was recorded before is not recorded again; its entries are returned. When another station
        was first, the decision is made anew on what the log says now. Raises Refusal as the decision does,
        TokenRefused for a clerk who may not come in (any more), and Conflict when others kept being first, or when
        the id stands in the log for another command.
        """
        command = command or new_command()
        for _ in range(ATTEMPTS):
            record = self.record(tournament)
            if not anybody:
                need_admitted(record, clerk, now())
            if command in record.commands:
                return self._repeated(tournament, decision, command)
            with at_one_moment():
                with _without_collector():
                    facts = decision(record)
                if anybody:
                    need_free(facts)
                entries = stamp(
                    facts,
                    tournament=tournament,
                    record=record,
                    clerk=clerk,
                    command=command,
                    reason=reason,
                )
            try:
                self._save(entries, sealed=_is_sealed(record))
            except IntegrityError:
                continue
            self._mirrored(tournament)
            return entries
        raise Conflict("other stations kept writing to this tournament: nothing was recorded, try again")

    def _repeated(self, tournament: UUID, decision: Decision, command: str) -> list[Entry]:
        """The entries of a command that is sent again: one that, decided where it was then, says the same."""
        entries = [entry for entry in self.entries(tournament) if entry.command == command]
        first = entries[0]
        try:
            with at_one_moment(first.recorded_at):
                facts = list(decision(self.record_as_of(tournament, first.position - 1)))
        except (Refusal, LookupError):  # it makes no sense there: it may name a player who came later
            facts = []
        if facts != [entry.fact for entry in entries]:
            raise Conflict(
                f"command {command} stands in the log as entry {first.position} ({first.fact.kind}), and this is "
                "another command: nothing was recorded, give it an id of its own"
            )
        return entries

    def admit(self, tournament: UUID, text: str, **said: str) -> Clerk:
        """Whoever holds a station token, as the clerk who records; the first time, the log notes who came in.

        Whatever is `said` of the actor, role or station besides must be what the token says.
        The clerk stays as good as the token: `decide` holds it against the log and the clock each time. Raises
        TokenRefused.
        """
        token = shown(self.record(tournament), tournament, text, now())
        clerk = clerk_of(token, **said)
        self.decide(tournament, lambda record: admit(record, token), clerk=clerk)
        return clerk

    def begin(
        self, decision: Decision, *, secret: bytes, clerk: Clerk, command: str | None = None
    ) -> tuple[UUID, list[Entry]]:
        """Opens a tournament and keeps the secret behind its draws beside the log."""
        draft = Draft(uuid4(), clerk=clerk)
        draft.decide(decision, command=command)
        self.keep(draft, secret=secret)
        return draft.tournament, draft.entries

    def keys(self, tournament: UUID) -> dict[int, bytes]:
        """The keys to the personal data of a tournament's players, as far as they are here."""
        found = ((player, self.ring.key(tournament, player)) for player in self.record(tournament).players)
        return {player: key for player, key in found if key is not None}

    def person_keys(self, tournament: UUID, entries: Iterable[Entry]) -> dict[int, bytes]:
        """The keys that open the sealed registrations among some entries, and nothing else of those players."""
        if not _is_sealed(self.record(tournament)):
            return {}
        registered = [
            entry.fact for entry in entries if isinstance(entry.fact, PlayerRegistered | PlayerArrivedLate)
        ]
        keys = field_keys(self.ring)
        found = ((fact.number, keys(tournament, fact.number, "person")) for fact in registered)
        return {player: key for player, key in found if key is not None}

    def restore(
        self,
        tournament: UUID,
        rows: Iterable[EntryRow],
        *,
        secret: bytes | None = None,
        keys: Mapping[int, bytes] | None = None,
    ) -> None:
        """Takes a log in that was kept elsewhere, byte for byte, at once or not at all. Raises Conflict."""
        with as_ledger_errors():
            self.ring.put(tournament, keys or {})
        stored = [StoredEvent(tournament, row.position, row.topic, row.state) for row in rows]
        try:
            with as_ledger_errors():
                self.recorder.insert_events(stored, sealed_secret=secret)
        except IntegrityError:
            raise Conflict("the ledger holds this tournament already: nothing was recorded") from None

    def keep(self, draft: Draft, *, secret: bytes | None = None) -> None:
        """Records a whole draft at once, or nothing of it. Raises Conflict if another station was first."""
        try:
            self._save(draft.entries, sealed=_is_sealed(draft.record), sealed_secret=secret)
        except IntegrityError:
            raise Conflict("another station was first: nothing was recorded, try again") from None
        self._mirrored(draft.tournament)

    def _mirrored(self, tournament: UUID) -> None:
        if self.mirror is not None:
            self.mirror.follow(Path(self.env["SQLITE_DBNAME"]), self.record(tournament), self.ring.path)

    def _save(self, entries: Sequence[Entry], *, sealed: bool, **kwargs: Any) -> None:
        """Records entries at once or not at all, after the keys that their personal data is sealed with."""
        with as_ledger_errors():
            if sealed and (players := players_in(entry.fact for entry in entries)):
                self.ring.ensure(entries[0].tournament, players)
            self.save(*(StoredEntry(entry, sealed=sealed) for entry in entries), **kwargs)


def _is_sealed(record: Record) -> bool:
    return record.opening is not None and record.opening.sealed


@contextmanager
def _without_collector() -> Iterator[None]:
    """A replay makes hundreds of thousands of objects and no cycle: looking for cycles would take a third of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def as_ledger_errors() -> Iterator[None]:
    """Says in one line what is wrong with the store, whatever it raises; also a decorator."""
    try:
        yield
    except IntegrityError:
        raise
    except KeyRingError as error:
        raise LedgerError(str(error)) from None
    except MapperDeserialisationError as error:
        raise LedgerError(f"{error}: run verify") from None
    except (PersistenceError, sqlite3.Error) as error:
        is_locked = isinstance(error, OperationalError | sqlite3.OperationalError) and "locked" in str(error)
        if is_locked or isinstance(error, Busy):
            raise Conflict("another station is writing and does not end: nothing was recorded, try again") from None
        hint = next((hint for said, hint in _HINTS.items() if said in str(error)), "")
        raise LedgerError(f"the ledger cannot be used: {error}{hint}") from None


def open_ledger(location: str | Path, *, create: bool = False, mirror: Path | None = None) -> Ledger:
    """Opens the ledger in an SQLite file, in a PostgreSQL database, or a new one in memory for ":memory:".

    A file is copied into the folder `mirror` at the end of each round.

    Raises LedgerError if there is no such file or database and `create` is not asked for, or if it is not a ledger.
    """
    with as_ledger_errors():
        if is_database(location):
            if mirror is not None:
                raise LedgerError("a mirror is for a file: a database has standbys and backups of its own")
            return Ledger(_in_database(str(location), create=create), ring_of(location, in_database=True))
        if mirror is not None and not mirror.is_dir():
            raise LedgerError(f"there is no folder {mirror} to copy the ledger into")
        if str(location) != ":memory:":
            _need_place(Path(location), create=create)
        ledger = Ledger(
            {
                "PERSISTENCE_MODULE": get_topic(FileFactory),
                "MAPPER_TOPIC": get_topic(EntryMapper),
                "SQLITE_DBNAME": str(location),
                "SQLITE_LOCK_TIMEOUT": str(LOCK_SECONDS),
            },
            ring_of(location),
        )
        ledger.mirror = None if mirror is None else Mirror(mirror)
        return ledger


def is_database(location: str | Path) -> bool:
    """Whether a ledger is kept in a database, and not in a file."""
    return str(location).startswith(("postgresql://", "postgres://"))


def _in_database(url: str, *, create: bool) -> dict[str, str]:
    try:
        from matchledger.ledger.postgresql import (  # noqa: PLC0415 - psycopg comes with an extra
            DatabaseFactory,
            problem_with_database,
            without_password,
        )
    except ImportError:
        raise LedgerError("a ledger in PostgreSQL needs psycopg: pip install 'matchledger[postgresql]'") from None
    problem = problem_with_database(url, create=create)
    if problem is not None:
        raise LedgerError(f"{without_password(url)} {problem}")
    return {
        "PERSISTENCE_MODULE": get_topic(DatabaseFactory),
        "MAPPER_TOPIC": get_topic(EntryMapper),
        "MATCHLEDGER_URL": url,
    }


def _need_place(path: Path, *, create: bool) -> None:
    """Refuses a path that holds something else, before anything is written to it."""
    if path.is_dir():
        raise LedgerError(f"{path} is a folder: name a file to keep the ledger in")
    if not path.exists():
        if not create:
            raise LedgerError(f"there is no ledger {path}: open or import a tournament into it first")
        if not path.absolute().parent.is_dir():
            raise LedgerError(f"there is no folder {path.absolute().parent} to keep a ledger in")
        return
    try:
        problem = problem_with_file(path)
    except OSError as error:
        raise LedgerError(f"{path} cannot be read: {error.strerror}") from None
    if problem is not None:
        raise LedgerError(f"{path} {problem}: nothing was changed")
    if not create and path.is_file() and path.stat().st_size == 0:
        raise LedgerError("the ledger holds no tournament: open or import one first")
