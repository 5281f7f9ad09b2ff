"""The file refuses to forget, whoever asks: nothing is updated, deleted, replaced or left out."""

from __future__ import annotations

import sqlite3

import pytest

from matchledger.ledger import Ledger
from matchledger.ledger.sqlite import FileRecorder

REFUSED = "a ledger is append-only"


@pytest.mark.parametrize("table", ["stored_events", "merkle_tree", "sealed_secrets"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET originator_id = 'x'",
        "UPDATE OR REPLACE {table} SET originator_id = originator_id",
        "UPDATE OR IGNORE {table} SET originator_id = originator_id",
        "DELETE FROM {table}",
        "INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",
        "REPLACE INTO {table} SELECT * FROM {table}",
        "INSERT INTO {table} SELECT * FROM {table} LIMIT 1",
    ],
)
def test_no_table_of_a_ledger_can_be_changed(raw: sqlite3.Connection, table: str, statement: str) -> None:
    before = list(raw.iterdump())
    with pytest.raises(sqlite3.IntegrityError, match=f"{REFUSED}|another station was first"):
        raw.execute(statement.format(table=table))
    assert list(raw.iterdump()) == before


def test_an_upsert_cannot_change_an_entry(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(
            "INSERT INTO stored_events SELECT * FROM stored_events WHERE originator_version = 2 "
            "ON CONFLICT (originator_id, originator_version) DO UPDATE SET state = 'x'"
        )


@pytest.mark.parametrize("position", [0, 1, 3, 7, 9, 100, -1])
def test_an_entry_can_only_follow_the_last_one(raw: sqlite3.Connection, position: int) -> None:
    assert raw.execute("SELECT MAX(originator_version) FROM stored_events").fetchone() == (7,)
    with pytest.raises(sqlite3.IntegrityError, match="another station was first"):
        raw.execute("INSERT INTO stored_events VALUES (?, ?, 'topic', 'state')", (_tournament(raw), position))


def test_a_new_entry_cannot_take_the_row_of_an_old_one(raw: sqlite3.Connection) -> None:
    rowid = raw.execute("SELECT rowid FROM stored_events WHERE originator_version = 2").fetchone()[0]
    with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
        raw.execute(
            "INSERT OR REPLACE INTO stored_events (rowid, originator_id, originator_version, topic, state) "
            "VALUES (?, ?, 8, 'topic', 'state')",
            (rowid, _tournament(raw)),
        )


def test_hashes_grow_only_with_entries(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
        raw.execute("INSERT INTO merkle_tree VALUES (?, 8, x'00', x'00')", (_tournament(raw),))


def test_a_tournament_has_one_secret_for_ever(raw: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=REFUSED):
        raw.execute("INSERT OR REPLACE INTO sealed_secrets VALUES (?, x'00')", (_tournament(raw),))


def test_the_guards_are_back_when_a_ledger_is_opened_again(small: Ledger, tampering: sqlite3.Connection) -> None:
    before = _triggers(tampering)
    assert isinstance(small.recorder, FileRecorder)
    small.recorder.create_table()
    assert before == set()
    assert _triggers(tampering) == {
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


def _triggers(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}


def _tournament(connection: sqlite3.Connection) -> str:
    [(tournament,)] = connection.execute("SELECT DISTINCT originator_id FROM stored_events").fetchall()
    return str(tournament)
