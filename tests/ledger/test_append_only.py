"""The store never forgets: no statement updates, deletes, replaces or skips a row."""

from __future__ import annotations

import sqlite3
from typing import LiteralString

import pytest
from tests.ledger.behind import TABLES, Behind, in_a_database, on_a_file

from matchledger.ledger import Ledger
from matchledger.ledger.sqlite import FileRecorder

REFUSED = "a ledger is append-only"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET originator_id = originator_id",
        "DELETE FROM {table}",
        "INSERT INTO {table} SELECT * FROM {table} LIMIT 1",
    ],
)
def test_no_table_of_a_ledger_accepts_changes(raw: Behind, table: LiteralString, statement: LiteralString) -> None:
    _refused(raw, statement.format(table=table))


@on_a_file
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE OR REPLACE {table} SET originator_id = originator_id",
        "UPDATE OR IGNORE {table} SET originator_id = originator_id",
        "INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",
        "REPLACE INTO {table} SELECT * FROM {table}",
    ],
)
def test_no_statement_in_sqlite_avoids_a_guard(raw: Behind, table: LiteralString, statement: LiteralString) -> None:
    _refused(raw, statement.format(table=table))


@in_a_database
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE {table} CASCADE",
        "DELETE FROM {table} WHERE false",
        "MERGE INTO {table} t USING (SELECT 1) o ON true WHEN MATCHED THEN DELETE",
        "WITH gone AS (DELETE FROM {table} RETURNING 1) SELECT count(*) FROM gone",
    ],
)
def test_no_statement_in_postgresql_avoids_a_guard(
    raw: Behind, table: LiteralString, statement: LiteralString
) -> None:
    _refused(raw, statement.format(table=table))


def _refused(store: Behind, statement: LiteralString) -> None:
    before = store.rows()
    with pytest.raises(store.refused, match=f"{REFUSED}|another station was first|duplicate key"):
        store.execute(statement)
    assert store.rows() == before


def test_an_upsert_cannot_change_an_entry(raw: Behind) -> None:
    before = raw.rows()
    with pytest.raises(raw.refused):
        raw.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
            "SELECT originator_id, originator_version, topic, state FROM stored_events "
            "WHERE originator_version = 2 ON CONFLICT (originator_id, originator_version) DO UPDATE SET topic = 'x'"
        )
    assert raw.rows() == before


@pytest.mark.parametrize("position", [0, 1, 3, 7, 9, 100, -1])
def test_an_entry_can_only_follow_the_last_entry(raw: Behind, position: int) -> None:
    assert raw.execute("SELECT MAX(originator_version) FROM stored_events") == [(7,)]
    with pytest.raises(raw.refused, match="another station was first"):
        raw.copy(2, to=position)


@on_a_file
def test_a_new_entry_cannot_take_the_row_of_an_old_one(small: Ledger, raw: Behind) -> None:
    [(rowid,)] = raw.execute("SELECT rowid FROM stored_events WHERE originator_version = 2")
    with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
        raw.execute(
            "INSERT OR REPLACE INTO stored_events (rowid, originator_id, originator_version, topic, state) "
            "VALUES (?, ?, 8, 'topic', 'state')",
            rowid,
            *small.tournaments(),
        )


def test_a_hash_is_added_only_together_with_its_entry(small: Ledger, raw: Behind) -> None:
    with pytest.raises(raw.refused):
        raw.execute("INSERT INTO merkle_tree VALUES (?, 8, ?, ?)", *small.tournaments(), bytes(1), bytes(1))


def test_the_secret_of_a_tournament_cannot_be_changed(small: Ledger, raw: Behind) -> None:
    with pytest.raises(raw.refused):
        raw.execute("INSERT INTO sealed_secrets VALUES (?, ?)", *small.tournaments(), bytes(1))


@on_a_file
def test_opening_a_file_restores_its_guards(small: Ledger, tampering: Behind) -> None:
    before = tampering.guards()
    assert isinstance(small.recorder, FileRecorder)
    small.recorder.create_table()
    assert before == set()
    assert tampering.guards() == {
        "merkle_tree_grows",
        "merkle_tree_no_delete",
        "merkle_tree_no_update",
        "sealed_secrets_no_delete",
        "sealed_secrets_no_update",
        "sealed_secrets_once",
        "stored_events_gapless",
        "stored_events_no_delete",
        "stored_events_no_replace",
        "stored_events_no_update",
    }


@in_a_database
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "statement", ["UPDATE {part} SET originator_id = NULL", "DELETE FROM {part}", "TRUNCATE {part}"]
)
def test_no_partition_of_a_table_accepts_changes(raw: Behind, table: str, statement: str) -> None:
    """A statement that names a partition would pass the guard of the table."""
    for part in raw.execute(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = ?::regclass", table
    ):
        _refused(raw, statement.format(part=part[0]))


@in_a_database
def test_each_table_of_a_database_has_its_guards_and_only_their_owner_can_pass_them(raw: Behind) -> None:
    assert raw.guards() == {
        *(f"{table}{part} never" for table in TABLES for part in ("", *(f"_{number}" for number in range(8)))),
        *(
            f"{table}{part} gapless"
            for table in TABLES[:2]
            for part in ("", *(f"_{number}" for number in range(8)))
        ),
    }
    raw.disarm()
    raw.execute("DELETE FROM stored_events")
    assert raw.execute("SELECT * FROM stored_events") == []
