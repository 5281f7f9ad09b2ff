"""The SQLite file: append-only, with the Merkle tree next to the entries in the same transaction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.persistence import PersistenceError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteCursor,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType

from matchledger.ledger.files import DurableConnection, DurablePool, is_kept, need_one_name, own_folder
from matchledger.ledger.recorder import LedgerRecorder, Transaction, grown, stored_frontier
from matchledger.ledger.turns import Tickets, Turns
from matchledger.proof.merkle import Frontier, TreeHead
from matchledger_projections.message import plain

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
# REPLACE deletes a row without firing the trigger against deletion. Therefore a trigger stops REPLACE before the
# insertion.
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

# SQLite accepts a value of any type in any column. `_IS_ID` tests whether a row's id has the form of a tournament's
# id, and `_HASHED` whether the tournament has hashes.
_IS_ID = "(typeof(originator_id) = 'text' AND length(originator_id) = 32 AND originator_id NOT GLOB '*[^0-9a-f]*')"
_HASHED = "EXISTS (SELECT 1 FROM merkle_tree WHERE merkle_tree.originator_id = entries.originator_id)"

# This query jumps from one tournament to the next along the primary key, and skips the rows between.
_SIZES = """
WITH RECURSIVE found (id) AS (
    SELECT MIN(originator_id) FROM merkle_tree
    UNION ALL
    SELECT (SELECT MIN(originator_id) FROM merkle_tree WHERE originator_id > found.id)
    FROM found WHERE found.id IS NOT NULL
)
SELECT id, (SELECT MAX(originator_version) FROM merkle_tree
    WHERE originator_id = found.id AND typeof(originator_version) = 'integer')
FROM found WHERE id IS NOT NULL
ORDER BY (SELECT rowid FROM {events} WHERE originator_id = id ORDER BY originator_version LIMIT 1)"""


class _Transaction(Transaction):
    connection: DurableConnection


class FileRecorder(SQLiteApplicationRecorder, LedgerRecorder):
    """Stores entries and hashes in one SQLite file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sizes = (
            f"SELECT (SELECT MAX(originator_version) FROM {self.events_table_name} "  # noqa: S608 - own constant
            "WHERE originator_id = ?1 AND originator_version <= ?2), "
            "(SELECT MAX(originator_version) FROM merkle_tree WHERE originator_id = ?1), "
            "(SELECT root FROM merkle_tree WHERE originator_id = ?1 AND originator_version = ?2), "
            "(SELECT COUNT(*) FROM merkle_tree WHERE originator_id = ?1 AND originator_version IN ({ends}))"
        )
        self._kept = (
            f"SELECT (SELECT COUNT(*) FROM {self.events_table_name} "  # noqa: S608 - own constant
            "WHERE originator_id = ? AND originator_version = ?) "
            "+ (SELECT COUNT(*) FROM merkle_tree WHERE originator_id = ? AND originator_version = ?)"
        )
        self._frontiers: dict[str, Frontier] = {}
        self._last_sizes: tuple[tuple[object, ...], dict[UUID, int]] = ((), {})
        file = self.datastore.pool.db_name
        self._turns = Turns(Tickets(Path(file), own_folder() / "turns").place) if is_kept(file) else None

    def construct_create_table_statements(self) -> list[str]:
        return [*super().construct_create_table_statements(), _TREE, _SECRETS, *self._guards()]

    def _guards(self) -> list[str]:
        """Return the statements that make the triggers of a ledger."""
        guards = [
            f"CREATE TRIGGER IF NOT EXISTS {table}_no_{action.lower()} BEFORE {action} ON {table} {_NEVER}"
            for table in (self.events_table_name, "merkle_tree", "sealed_secrets")
            for action in ("UPDATE", "DELETE")
        ]
        guards += [
            guard.format(events=self.events_table_name, never=_NEVER)
            for guard in (_GAPLESS, _NO_REPLACE, _TREE_GROWS, _SEALED_ONCE)
        ]
        return guards

    _transaction: _Transaction | None = None
    attempts_out_of_turn = 0

    def in_turn(self, tournament: UUID, meanwhile: Callable[[], object]) -> AbstractContextManager[bool]:
        return (
            super().in_turn(tournament, meanwhile)
            if self._turns is None
            else self._turns.turn(tournament, meanwhile)
        )

    @contextmanager
    def together(self, tournament: UUID) -> Iterator[None]:  # noqa: ARG002 - a file has one writer for all tournaments
        need_one_name(self.datastore.pool.db_name)
        with self.datastore.get_connection(commit=True) as connection:
            assert isinstance(connection, DurableConnection)  # noqa: S101 - the pool makes only these
            with connection.transaction(commit=True) as cursor:
                cursor.execute(
                    "ROLLBACK"
                )  # the library's transaction begins with a read, whose data may be out of date at the first write
                cursor.execute("BEGIN IMMEDIATE")
                write = partial(self._write, cursor)
                with self._during(_Transaction(connection=connection, write=write)):
                    yield

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, sealed_secret: bytes | None = None, **_: Any
    ) -> Sequence[int] | None:
        if self._transaction is not None:
            self._transaction.add(stored_events, sealed_secret)
            return None
        need_one_name(self.datastore.pool.db_name)
        return super().insert_events(stored_events, sealed_secret=sealed_secret)

    def _write(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], sealed_secret: bytes | None) -> None:
        self._insert_events(c, stored_events, sealed_secret=sealed_secret)

    def _insert_events(
        self,
        c: SQLiteCursor,
        stored_events: Sequence[StoredEvent],
        *,
        sealed_secret: bytes | None = None,
        **_: Any,
    ) -> Sequence[int] | None:
        rows = [
            (_key(event.originator_id), event.originator_version, event.topic, event.state)
            for event in stored_events
        ]
        c.executemany(self.insert_events_statement, rows)
        if stored_events:
            self._grow_tree(c, stored_events)
        if sealed_secret is not None:
            c.execute(
                "INSERT INTO sealed_secrets VALUES (?, ?)", (_key(stored_events[0].originator_id), sealed_secret)
            )
        if stored_events:
            self._need_kept(c, stored_events[-1])
        return None

    def _need_kept(self, c: SQLiteCursor, last: StoredEvent) -> None:
        """Raise PersistenceError if a trigger that another program added has removed the last entry or its hash
        (A-1).
        """
        tournament, position = _key(last.originator_id), last.originator_version
        c.execute(self._kept, (tournament, position, tournament, position))
        if c.fetchone()[0] != 2:  # noqa: PLR2004 - the entry and its hash
            raise PersistenceError(f"the file did not keep entry {position}, so nothing was recorded: run verify")

    def _grow_tree(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent]) -> None:
        tournament = _key(stored_events[0].originator_id)
        before = stored_events[0].originator_version - 1
        ends = Frontier.ends(before)
        marks = ",".join("?" * len(ends))
        c.execute(self._sizes.format(ends=marks), (tournament, before, *ends))
        recorded, hashed, root, there = c.fetchone()

        def frontier_at(size: int) -> Frontier:
            known = self._frontiers.get(tournament)
            # The known frontier is out of date if another station has recorded an entry. A hash may be missing.
            if known is None or known.head != TreeHead(size, root) or there != len(ends):
                c.execute(
                    "SELECT originator_version, nodes FROM merkle_tree "  # noqa: S608 - question marks alone
                    f"WHERE originator_id = ? AND originator_version IN ({marks})",
                    (tournament, *ends),
                )
                nodes = {position: bytes(joined) for position, joined in c.fetchall()}
                known = self._frontiers[tournament] = stored_frontier(size, nodes.get)
            return known

        rows = [(tournament, *row) for row in grown(stored_events, recorded or 0, hashed or 0, frontier_at)]
        c.executemany("INSERT INTO merkle_tree VALUES (?, ?, ?, ?)", rows)

    def entry_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        query = (
            "SELECT originator_version, CAST(topic AS BLOB), CAST(state AS BLOB) "  # noqa: S608 - own constant
            f"FROM {self.events_table_name} "
            "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? "
            "AND typeof(originator_version) = 'integer' ORDER BY originator_version LIMIT ?"
        )
        return self._select(query, (tournament.hex, after, through, limit))

    def tree_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        query = (
            "SELECT originator_version, CAST(nodes AS BLOB), CAST(root AS BLOB) FROM merkle_tree "
            "WHERE originator_id = ? AND originator_version > ? AND originator_version <= ? "
            "AND typeof(originator_version) = 'integer' ORDER BY originator_version LIMIT ?"
        )
        return self._select(query, (tournament.hex, after, through, limit))

    def tree_head(self, tournament: UUID) -> TreeHead | None:
        rows = self._select(
            "SELECT originator_version, CAST(root AS BLOB) FROM merkle_tree "
            "WHERE originator_id = ? AND typeof(originator_version) = 'integer' "
            "ORDER BY originator_version DESC LIMIT 1",
            (tournament.hex,),
        )
        return TreeHead(rows[0][0], rows[0][1] or b"") if rows else None

    def tournaments(self) -> list[UUID]:
        query = (
            f"SELECT originator_id FROM {self.events_table_name} AS entries GROUP BY originator_id "  # noqa: S608 - own constants
            f"HAVING {_HASHED} ORDER BY MIN(rowid)"
        )
        return [UUID(one) for (one,) in self._select(query, ()) if _is_id(one)]

    def sizes(self) -> dict[UUID, int]:
        if self._transaction is not None:  # a failed append has rolled the transaction back
            return self._read_sizes()
        with self.datastore.get_connection(commit=False) as connection:
            assert isinstance(connection, DurableConnection)  # noqa: S101 - the pool makes only these
            state = connection.state()
        if self._last_sizes[0] != state:
            self._last_sizes = state, self._read_sizes()
        return dict(self._last_sizes[1])

    def _read_sizes(self) -> dict[UUID, int]:
        rows = self._select(_SIZES.format(events=self.events_table_name), ())
        return {UUID(one): size for one, size in rows if _is_id(one)}

    def strays(self) -> int:
        # Only the position differs from row to row. The id is tested once for all rows of a tournament.
        query = (
            f"SELECT SUM(CASE WHEN {_IS_ID} AND {_HASHED} THEN misplaced ELSE every END) FROM ("  # noqa: S608 - own constants
            "SELECT originator_id, COUNT(*) AS every, "
            "SUM(typeof(originator_version) != 'integer' OR originator_version < 1) AS misplaced "
            f"FROM {self.events_table_name} GROUP BY originator_id) AS entries"
        )
        [(count,)] = self._select(query, ())
        return int(count or 0)

    def foreign(self) -> list[str]:
        query = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name"
        own = {guard.strip().replace("IF NOT EXISTS ", "") for guard in self._guards()}
        return [
            f"the file has {plain(f'{kind} {name}')}, which can change what is recorded: restore a backup"
            for kind, name, made in self._select(query, ())
            if made not in own
        ]

    def set_aside(self, tournament: UUID) -> None:
        with self.datastore.transaction(commit=True) as c:
            c.execute("CREATE TABLE IF NOT EXISTS set_aside (originator_id TEXT PRIMARY KEY) WITHOUT ROWID")
            c.execute("INSERT OR IGNORE INTO set_aside VALUES (?)", (tournament.hex,))

    def aside(self) -> set[UUID]:
        if not self._select("SELECT 1 FROM sqlite_master WHERE name = 'set_aside'", ()):
            return set()
        return {UUID(one) for (one,) in self._select("SELECT originator_id FROM set_aside", ()) if _is_id(one)}

    def sealed_secret(self, tournament: UUID) -> bytes | None:
        query = "SELECT CAST(secret AS BLOB) FROM sealed_secrets WHERE originator_id = ?"
        rows = self._select(query, (tournament.hex,))
        return rows[0][0] if rows else None

    def _select(self, query: str, parameters: tuple[Any, ...]) -> list[Any]:
        if self._transaction is not None:
            self._transaction.write_waiting()
            return self._transaction.connection.rows(query, parameters)
        with self.datastore.get_connection(commit=False) as connection:
            assert isinstance(connection, DurableConnection)  # noqa: S101 - the pool makes only these
            return connection.rows(query, parameters)


class FileFactory(SQLiteFactory):
    """Makes the recorder and its connections for the eventsourcing library."""

    application_recorder_class = FileRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        self.datastore.pool = DurablePool(db_name=pool.db_name, lock_timeout=pool.lock_timeout)
        pool.close()


def _is_id(stored: object) -> bool:
    return isinstance(stored, str) and re.fullmatch("[0-9a-f]{32}", stored) is not None


def _key(originator_id: UUID | str) -> str:
    return originator_id.hex if isinstance(originator_id, UUID) else originator_id
