"""Direct access to a ledger's tables: SQL for a person who has every right to the file or the database."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest

from matchledger.ledger.location import is_database

TABLES: tuple[LiteralString, ...] = ("stored_events", "merkle_tree", "sealed_secrets")

# Marks for tests of features that only files have, and for tests of features that only databases have.
on_a_file = pytest.mark.parametrize("place", ["sqlite"], indirect=True)
in_a_database = pytest.mark.parametrize("place", ["postgresql"], indirect=True)


class Behind(ABC):
    """The tables of a ledger, for direct access. Write statements that both stores understand, with ? for a
    value.
    """

    refused: type[Exception]  # the error that the guard raises

    @abstractmethod
    def execute(self, statement: LiteralString, *values: object) -> list[Any]:
        """Return the rows that a statement gives. Give a tournament as its UUID."""

    @abstractmethod
    def disarm(self) -> None:
        """Remove the guards, as the owner of the tables can do."""

    @abstractmethod
    def guards(self) -> set[str]:
        """Return the names of the active guards."""

    def rows(self) -> dict[str, list[Any]]:
        return {table: sorted(self.execute(f"SELECT * FROM {table}")) for table in TABLES}  # noqa: S608 - own names

    def state(self, position: int) -> bytes:
        """Return the stored bytes of an entry."""
        [(state,)] = self.execute("SELECT state FROM stored_events WHERE originator_version = ?", position)
        return bytes(state)

    def set_state(self, position: int, state: object) -> None:
        self.execute("UPDATE stored_events SET state = ? WHERE originator_version = ?", state, position)

    def replace_in_state(self, position: int, old: bytes, new: bytes) -> None:
        """Replace a text in an entry. The entry must contain the old text."""
        state = self.state(position)
        assert old in state
        self.set_state(position, state.replace(old, new))

    def copy(self, position: int, to: int) -> None:
        """Copy the bytes of an entry into a new row."""
        self.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
            "SELECT originator_id, CAST(? AS INTEGER), topic, state FROM stored_events "
            "WHERE originator_version = ?",
            to,
            position,
        )


class BehindFile(Behind):
    refused = sqlite3.IntegrityError

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, statement: LiteralString, *values: object) -> list[Any]:
        given = [value.hex if isinstance(value, UUID) else value for value in values]
        return self._connection.execute(statement, given).fetchall()

    def disarm(self) -> None:
        for guard in self.guards():
            self._connection.execute(f"DROP TRIGGER {guard}")

    def guards(self) -> set[str]:
        return {name for (name,) in self.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}


class BehindDatabase(Behind):
    refused = psycopg.IntegrityError

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def execute(self, statement: LiteralString, *values: object) -> list[Any]:
        cursor = self._connection.execute(statement.replace("?", "%s"), values)
        return cursor.fetchall() if cursor.description is not None else []

    def disarm(self) -> None:
        self.execute("SET session_replication_role = replica")  # no trigger runs for this connection
        for column in ("topic", "state"):
            self.execute(f"ALTER TABLE stored_events ALTER COLUMN {column} DROP NOT NULL")

    def guards(self) -> set[str]:
        query = (
            "SELECT tgrelid::regclass || ' ' || tgname FROM pg_trigger WHERE tgenabled = 'O' AND NOT tgisinternal"
        )
        return {name for (name,) in self.execute(query)}


@contextmanager
def behind(place: str) -> Iterator[Behind]:
    """Open direct access to a ledger's store."""
    if is_database(place):
        with psycopg.connect(place, autocommit=True) as connection:
            yield BehindDatabase(connection)
    else:
        with closing(sqlite3.connect(place, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            yield BehindFile(connection)
