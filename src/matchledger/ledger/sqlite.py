"""The SQLite file: append-only, with the Merkle tree beside the entries in the same transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.persistence import PersistenceError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType

from matchledger.proof import HASH_BYTES, Frontier, TreeHead, leaf_hash

PAGE = 200  # rows: enough to hide the cost of a query, few enough that the garbage collector stays cheap

_NEVER = "BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END"
_TREE = """
CREATE TABLE IF NOT EXISTS merkle_tree (
    originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL, nodes BLOB NOT NULL, root BLOB NOT NULL,
    PRIMARY KEY (originator_id, originator_version)
) WITHOUT ROWID"""
_SECRETS = """
CREATE TABLE IF NOT EXISTS sealed_secrets (
    originator_id TEXT PRIMARY KEY, secret BLOB NOT NULL
) WITHOUT ROWID"""
_GAPLESS = """
CREATE TRIGGER IF NOT EXISTS {events}_gapless BEFORE INSERT ON {events}
WHEN NEW.originator_version != (
    SELECT COALESCE(MAX(originator_version), 0) + 1 FROM {events} WHERE originator_id = NEW.originator_id
)
BEGIN SELECT RAISE(ABORT, 'another station was first'); END"""
# REPLACE deletes the row in its way without firing the trigger against deletion: it is stopped before it inserts.
_NO_REPLACE = """
CREATE TRIGGER IF NOT EXISTS {events}_no_replace BEFORE INSERT ON {events}
WHEN EXISTS (SELECT 1 FROM {events} WHERE rowid = NEW.rowid) {never}"""
_TREE_GROWS = """
CREATE TRIGGER IF NOT EXISTS merkle_tree_grows BEFORE INSERT ON merkle_tree
WHEN NEW.originator_version != (
    SELECT COALESCE(MAX(originator_version), 0) + 1 FROM merkle_tree WHERE originator_id = NEW.originator_id
) OR NOT EXISTS (
    SELECT 1 FROM {events}
    WHERE originator_id = NEW.originator_id AND originator_version = NEW.originator_version
) {never}"""
_SEALED_ONCE = """
CREATE TRIGGER IF NOT EXISTS sealed_secrets_once BEFORE INSERT ON sealed_secrets
WHEN EXISTS (SELECT 1 FROM sealed_secrets WHERE originator_id = NEW.originator_id) {never}"""


class EntryRow(NamedTuple):
    """A stored entry, not yet decoded."""

    position: int
    topic: str
    state: bytes


class TreeRow(NamedTuple):
    """What stands beside an entry: the hashes that it completes, and the root of the tree up to it."""

    position: int
    nodes: tuple[bytes, ...]
    root: bytes


class LedgerRecorder(SQLiteApplicationRecorder):
    """Records entries, refuses to forget them, and grows each tournament's Merkle tree with them."""

    def construct_create_table_statements(self) -> list[str]:
        guards = [
            f"CREATE TRIGGER IF NOT EXISTS {table}_no_{action.lower()} BEFORE {action} ON {table} {_NEVER}"
            for table in (self.events_table_name, "merkle_tree", "sealed_secrets")
            for action in ("UPDATE", "DELETE")
        ]
        guards += [
            guard.format(events=self.events_table_name, never=_NEVER)
            for guard in (_GAPLESS, _NO_REPLACE, _TREE_GROWS, _SEALED_ONCE)
        ]
        return [*super().construct_create_table_statements(), _TREE, _SECRETS, *guards]

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        *,
        sealed_secret: bytes | None = None,
        **kwargs: Any,
    ) -> Sequence[int] | None:
        recorded = super()._insert_events(c, stored_events, **kwargs)
        if stored_events:
            self._grow_tree(c, stored_events)
        if sealed_secret is not None:
            c.execute(
                "INSERT INTO sealed_secrets VALUES (?, ?)", (_key(stored_events[0].originator_id), sealed_secret)
            )
        return recorded

    def _grow_tree(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent]) -> None:
        tournament, recorded = _key(stored_events[0].originator_id), stored_events[0].originator_version - 1
        c.execute("SELECT MAX(originator_version) FROM merkle_tree WHERE originator_id = ?", (tournament,))
        if (hashed := c.fetchone()[0] or 0) != recorded:
            raise PersistenceError(f"the log has {recorded} entries and hashes for {hashed}: run verify")

        def nodes_at(position: int) -> Sequence[bytes]:
            c.execute(
                "SELECT nodes FROM merkle_tree WHERE originator_id = ? AND originator_version = ?",
                (tournament, position),
            )
            row = c.fetchone()
            if row is None:
                raise PersistenceError(f"the hashes of entry {position} are missing: run verify")
            return _hashes(row[0])

        frontier = Frontier.at(recorded, nodes_at)
        rows = []
        for event in stored_events:
            nodes = frontier.append(leaf_hash(event.originator_version, event.topic, event.state))
            rows.append((tournament, event.originator_version, b"".join(nodes), frontier.head.root))
        c.executemany("INSERT INTO merkle_tree VALUES (?, ?, ?, ?)", rows)

    def entry_rows(self, tournament: UUID, *, after: int = 0, through: int | None = None) -> Iterator[EntryRow]:
        """The stored entries of a tournament in order of position, a page at a time."""
        last = 2**62 if through is None else through
        query = (
            "SELECT originator_version, CAST(topic AS BLOB), CAST(state AS BLOB) "  # noqa: S608 - own constant
            f"FROM {self.events_table_name} "
            "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? "
            "ORDER BY originator_version LIMIT ?"
        )
        while page := self._select(query, (tournament.hex, after, last, PAGE)):
            for position, topic, state in page:
                # A row may have been altered into anything; verify names it, so it must come out of here.
                yield EntryRow(position, (topic or b"").decode(errors="replace"), state or b"")
            after = page[-1][0]

    def tree_rows(self, tournament: UUID, *, after: int = 0) -> Iterator[TreeRow]:
        """The Merkle tree of a tournament in order of position, a page at a time."""
        query = (
            "SELECT originator_version, CAST(nodes AS BLOB), CAST(root AS BLOB) FROM merkle_tree "
            "WHERE originator_id = ? AND originator_version > ? ORDER BY originator_version LIMIT ?"
        )
        while page := self._select(query, (tournament.hex, after, PAGE)):
            yield from (TreeRow(position, _hashes(nodes), root) for position, nodes, root in page)
            after = page[-1][0]

    def tree_row(self, tournament: UUID, position: int) -> TreeRow | None:
        """What stands beside one entry."""
        rows = self._select(
            "SELECT nodes, root FROM merkle_tree WHERE originator_id = ? AND originator_version = ?",
            (tournament.hex, position),
        )
        return TreeRow(position, _hashes(rows[0][0]), rows[0][1]) if rows else None

    def tree_head(self, tournament: UUID) -> TreeHead | None:
        """The head of a tournament's tree as it stands beside the log."""
        rows = self._select(
            "SELECT originator_version, CAST(root AS BLOB) FROM merkle_tree WHERE originator_id = ? "
            "ORDER BY originator_version DESC LIMIT 1",
            (tournament.hex,),
        )
        return TreeHead(rows[0][0], rows[0][1] or b"") if rows else None

    def tournaments(self) -> list[UUID]:
        """The tournaments in the file, in the order in which they were opened."""
        query = f"SELECT originator_id FROM {self.events_table_name} GROUP BY originator_id ORDER BY MIN(rowid)"  # noqa: S608
        return [UUID(row[0]) for row in self._select(query, ())]

    def sealed_secret(self, tournament: UUID) -> bytes | None:
        """The secret behind a tournament's draws. It is no part of the log until the tournament closes."""
        rows = self._select("SELECT secret FROM sealed_secrets WHERE originator_id = ?", (tournament.hex,))
        return bytes(rows[0][0]) if rows else None

    def _select(self, query: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self.datastore.transaction(commit=False) as c:
            c.sqlite_cursor.row_factory = None  # plain tuples: half the time of sqlite3.Row
            c.execute(query, parameters)
            rows: list[tuple[Any, ...]] = c.fetchall()
            return rows


class DurablePool(SQLiteConnectionPool):
    """Connections that wait for the disk: what a command has recorded survives a loss of power.

    Most builds of SQLite do so by default, and some, the one that comes with macOS among them, do not.
    """

    def _create_connection(self) -> SQLiteConnection:
        connection = super()._create_connection()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = FULL")
        return connection


class LedgerFactory(SQLiteFactory):
    """Makes the recorder and the connections above wherever the library asks for one."""

    application_recorder_class = LedgerRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        self.datastore.pool = DurablePool(db_name=pool.db_name, lock_timeout=pool.lock_timeout)
        pool.close()


def problem_with_file(path: Path) -> str | None:
    """What keeps an existing file from being a ledger; None if it is one, or an SQLite file with nothing in it."""
    with path.open("rb") as file:
        beginning = file.read(len(_MAGIC))
    if beginning and beginning != _MAGIC:
        return "is not a ledger"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not {"stored_events", "merkle_tree"} <= tables:
        return "is an SQLite file of something else, and not a ledger"
    return None


_MAGIC = b"SQLite format 3\x00"


def _key(originator_id: UUID | str) -> str:
    return originator_id.hex if isinstance(originator_id, UUID) else originator_id


def _hashes(joined: bytes | None) -> tuple[bytes, ...]:
    joined = joined or b""
    return tuple(joined[begin : begin + HASH_BYTES] for begin in range(0, len(joined), HASH_BYTES))
