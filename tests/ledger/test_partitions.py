"""A database separates its tournaments by keys and partitions. Older databases have no partitions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent
from psycopg.sql import SQL, Identifier
from tests import databases

from matchledger.commands import roster
from matchledger.evidence.migration import copy_ledger
from matchledger.ledger import Clerk, open_ledger, verify

# The tables of a database from before 2026-11-24.
_WITHOUT_PARTITIONS = """
CREATE TABLE stored_events (
    originator_id uuid, originator_version bigint, topic text NOT NULL, state bytea NOT NULL,
    notification_id bigserial UNIQUE, PRIMARY KEY (originator_id, originator_version)
);
CREATE TABLE merkle_tree (
    originator_id uuid, originator_version bigint, nodes bytea NOT NULL, root bytea NOT NULL,
    PRIMARY KEY (originator_id, originator_version),
    FOREIGN KEY (originator_id, originator_version) REFERENCES stored_events
);
CREATE TABLE sealed_secrets (originator_id uuid PRIMARY KEY, secret bytea NOT NULL);
"""
_KEYS = """
SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indexrelid AND attnum = 1
WHERE indisunique AND indrelid::regclass::text !~ '^pg_'"""


def test_every_key_of_a_database_begins_with_the_tournament(database: str) -> None:
    with open_ledger(database, create=True), psycopg.connect(database) as owner:
        assert set(owner.execute(_KEYS)) == {("originator_id",)}


def test_without_triggers_a_position_is_still_recorded_once(database: str, begin: Callable[..., UUID]) -> None:
    """Citus, a distributed PostgreSQL, has no triggers."""
    with open_ledger(database, create=True) as ledger:
        tournament = begin(ledger, "A")
        with psycopg.connect(database) as owner:
            for table in ("stored_events", "merkle_tree"):
                owner.execute(SQL("DROP TRIGGER gapless ON {}").format(Identifier(table)))
        for position in (1, 2, 4):
            with pytest.raises(IntegrityError):
                ledger.recorder.insert_events([StoredEvent(tournament, position, "t", b"{}")])
        assert verify(ledger, tournament) == []


def test_a_citus_database_lists_the_same_tournaments(database: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(database, create=True) as ledger:
        sizes = {begin(ledger, "A", name=name): 2 for name in ("First", "Second", "Third")}
        assert list(ledger.sizes().items()) == list(sizes.items())
    with psycopg.connect(database) as owner:
        owner.execute("CREATE TABLE pg_dist_partition ()")  # a table of this name marks a database as Citus
    with open_ledger(database) as ledger:
        assert list(ledger.sizes().items()) == list(sizes.items())


def test_a_database_without_partitions_can_be_migrated_with_the_same_tree_heads(
    database: str, postgresql: str, begin: Callable[..., UUID]
) -> None:
    with psycopg.connect(database) as owner:
        owner.execute(_WITHOUT_PARTITIONS)
    with open_ledger(database) as old:
        tournaments = [begin(old, "A", "B", name=name) for name in ("First", "Second", "Third")]
        old.decide(tournaments[1], partial(roster.drop, player=1), clerk=Clerk())
        heads = {tournament: old.head(tournament) for tournament in tournaments}
        assert old.sizes() == {tournament: head.size for tournament, head in heads.items()}
        with databases.database(postgresql) as url, open_ledger(url, create=True) as new:
            assert {copied.tournament: copied.head for copied in copy_ledger(old, new)} == heads
            assert {tournament: new.head(tournament) for tournament in new.tournaments()} == heads
            assert new.tournaments() == old.tournaments() == tournaments
            assert [verify(new, tournament) for tournament in tournaments] == [[], [], []]
