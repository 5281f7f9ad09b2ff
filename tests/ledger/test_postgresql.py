"""What is PostgreSQL's own: its guards, its roles, and the ways of the library that are not used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from matchledger.events import Person, Seating
from matchledger.ledger import Clerk, Conflict, Ledger, LedgerError, open_ledger, verify
from matchledger.ledger.postgresql import without_password
from matchledger.tournament import roster, rounds, slips
from matchledger.tournament.slips import Written

CLERK = Clerk()
TABLES = ("stored_events", "merkle_tree", "sealed_secrets")


@pytest.fixture
def kept(database: str, begin: Callable[..., UUID]) -> Iterator[tuple[Ledger, UUID]]:
    """A match of two players in a database."""
    with open_ledger(database, create=True) as ledger:
        tournament = begin(ledger, "A", "B", rules="house", name="T")
        ledger.decide(
            tournament, partial(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2))]), clerk=CLERK
        )
        ledger.decide(tournament, partial(slips.report, table=1, written=Written(winner=0)), clerk=CLERK)
        yield ledger, tournament


@pytest.fixture
def vandal(database: str, kept: tuple[Ledger, UUID]) -> Iterator[psycopg.Connection]:
    """The owner of the database, who has taken the guards away."""
    assert kept
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        yield connection


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET originator_id = originator_id",
        "DELETE FROM {table}",
        "TRUNCATE {table} CASCADE",
    ],
)
def test_no_table_of_a_ledger_can_be_changed(
    database: str, kept: tuple[Ledger, UUID], table: str, statement: str
) -> None:
    with (
        psycopg.connect(database, autocommit=True) as owner,
        pytest.raises(psycopg.IntegrityError, match="a ledger is append-only"),
    ):
        owner.execute(statement.format(table=table))
    assert verify(*kept) == []


@pytest.mark.parametrize("position", [0, 1, 3, 5, 7, -1])
def test_an_entry_can_only_follow_the_last_one(database: str, kept: tuple[Ledger, UUID], position: int) -> None:
    ledger, tournament = kept
    assert ledger.head(tournament).size == 5
    position = position if position != 5 else 99
    with psycopg.connect(database, autocommit=True) as owner, pytest.raises(psycopg.IntegrityError):
        owner.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (%s, %s, 't', 's')",
            (tournament, position),
        )


@pytest.mark.parametrize("position", range(1, 6))
def test_an_altered_entry_is_found_and_named(
    kept: tuple[Ledger, UUID], vandal: psycopg.Connection, position: int
) -> None:
    vandal.execute(
        "UPDATE stored_events SET state = set_bit(state, 100, 1 - get_bit(state, 100)) "
        "WHERE originator_version = %s",
        (position,),
    )
    assert [finding.position for finding in verify(*kept)] == [position]


def test_a_missing_entry_and_a_cut_log_are_found(kept: tuple[Ledger, UUID], vandal: psycopg.Connection) -> None:
    ledger, tournament = kept
    head = ledger.head(tournament)
    vandal.execute("DELETE FROM stored_events WHERE originator_version = 3")
    assert 3 in {finding.position for finding in verify(ledger, tournament)}
    vandal.execute("DELETE FROM stored_events WHERE originator_version > 2")
    vandal.execute("DELETE FROM merkle_tree WHERE originator_version > 2")
    assert verify(ledger, tournament) == []
    assert verify(ledger, tournament, known=head) != []


def test_a_station_has_the_right_to_append_and_no_other(database: str, kept: tuple[Ledger, UUID]) -> None:
    _, tournament = kept
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS station")
        owner.execute("CREATE ROLE station LOGIN")
        owner.execute("GRANT SELECT, INSERT ON stored_events, merkle_tree, sealed_secrets TO station")
        owner.execute("GRANT USAGE ON SEQUENCE stored_events_notification_id_seq TO station")
    url = database.replace("postgres:@", "station:@")
    try:
        with open_ledger(url) as station:
            station.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
            assert station.record(tournament).status(1) == "dropped"
            assert verify(station, tournament) == []
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in (
                "UPDATE stored_events SET topic = ''",
                "DELETE FROM stored_events",
                "DROP TABLE stored_events",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement)
    finally:
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute("DROP OWNED BY station")
            owner.execute("DROP ROLE station")


def test_stations_that_come_first_at_the_same_moment_make_one_ledger(database: str) -> None:
    problems: list[BaseException] = []

    def first() -> None:
        try:
            open_ledger(database, create=True).close()
        except BaseException as problem:  # noqa: BLE001 - whatever it was, the test is to know
            problems.append(problem)

    stations = [threading.Thread(target=first) for _ in range(8)]
    for station in stations:
        station.start()
    for station in stations:
        station.join()
    assert problems == []


def test_a_log_of_several_thousand_entries_comes_in_at_once(database: str) -> None:
    """The library's own way hangs from some thousand entries on."""
    tournament = uuid4()
    events = [StoredEvent(tournament, position, "t", bytes(600)) for position in range(1, 6001)]
    with open_ledger(database, create=True) as ledger:
        ledger.recorder.insert_events(events, sealed_secret=bytes(32))
        assert ledger.head(tournament).size == len(events)
        assert sum(1 for _ in ledger.recorder.entry_rows(tournament)) == len(events)
        assert ledger.secret(tournament) == bytes(32)


def test_a_station_that_holds_a_tournament_is_a_conflict_for_it_and_nobody_else(
    database: str, kept: tuple[Ledger, UUID], begin: Callable[..., UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, tournament = kept
    other = begin(ledger, "C", "D", name="Other")
    monkeypatch.setattr("matchledger.ledger.postgresql.LOCK_SECONDS", 1)
    with psycopg.connect(database) as holding:
        holding.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('matchledger ' || %s, 0))", (str(tournament),)
        )
        ledger.decide(other, partial(roster.register, person=Person(name="E")), clerk=CLERK)
        with pytest.raises(Conflict, match="another station is writing and does not end: nothing was recorded"):
            ledger.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)


def test_whoever_listens_hears_of_every_append(database: str, kept: tuple[Ledger, UUID]) -> None:
    ledger, tournament = kept
    with psycopg.connect(database, autocommit=True) as listener:
        listener.execute("LISTEN matchledger")
        ledger.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
        heard = next(listener.notifies(timeout=10, stop_after=1))
    assert heard.payload == str(tournament)


def test_tournaments_stand_in_the_order_of_their_opening(
    kept: tuple[Ledger, UUID], begin: Callable[..., UUID]
) -> None:
    ledger, first = kept
    others = [begin(ledger, "A", name=f"T{number}") for number in range(3)]
    assert ledger.tournaments() == [first, *others]


def test_a_database_that_is_not_there_or_holds_no_ledger_is_said_in_one_line(database: str) -> None:
    with pytest.raises(LedgerError, match="holds no ledger: open or import a tournament into it first"):
        open_ledger(database)
    with pytest.raises(LedgerError, match=r"cannot be reached: .* does not exist") as caught:
        open_ledger(database.replace("/event", "/nowhere").replace("postgres:@", "postgres:hush@"))
    assert "\n" not in str(caught.value)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:secret@hall/event", "postgresql://ann@hall/event"),
        ("postgresql://ann:p@ss@hall/event", "postgresql://ann@hall/event"),
        ("postgresql://hall/event", "postgresql://hall/event"),
    ],
)
def test_a_url_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(url) == shown
