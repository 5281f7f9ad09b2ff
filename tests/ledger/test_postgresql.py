"""PostgreSQL only: its guards, its roles, and features of the library that must stay unused."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from unittest.mock import Mock
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from matchledger.commands import access, roster
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.events import AnyFact, Person, Seating
from matchledger.ledger import Clerk, Conflict, Ledger, LedgerError, open_ledger, verify
from matchledger.ledger.location import without_password
from matchledger.ledger.verification import remarks
from matchledger.notation.slip import Written
from matchledger.proof.keys import SigningKey
from matchledger.proof.merkle import Frontier, leaf_hash
from matchledger_projections.record.record import Record

CLERK = Clerk()


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
def station(database: str, kept: tuple[Ledger, UUID]) -> Iterator[str]:
    """The address for a role that has the rights of a station in docs/stations.md."""
    _ = kept
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS station")
        owner.execute("CREATE ROLE station LOGIN")
        owner.execute("GRANT SELECT ON stored_events, merkle_tree TO station")
        owner.execute("GRANT EXECUTE ON FUNCTION matchledger_append TO station")
    yield database.replace("postgres:@", "station:@")
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DROP OWNED BY station")
        owner.execute("DROP ROLE station")


@pytest.mark.finding("A-3")
def test_a_station_may_append_and_do_nothing_else(station: str, kept: tuple[Ledger, UUID]) -> None:
    _, tournament = kept
    with open_ledger(station) as there:
        there.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
        assert there.record(tournament).status(1) == "dropped"
        assert verify(there, tournament) == []
        assert remarks(there, tournament) == []
    with psycopg.connect(station, autocommit=True) as connection:
        for statement in (
            "UPDATE stored_events SET topic = ''",
            "DELETE FROM stored_events",
            "DROP TABLE stored_events",
            "INSERT INTO stored_events SELECT * FROM stored_events",
            "INSERT INTO merkle_tree SELECT * FROM merkle_tree",
            "INSERT INTO sealed_secrets VALUES (gen_random_uuid(), '')",
            "SELECT secret FROM sealed_secrets",
            "SELECT matchledger_append(gen_random_uuid(), 1, ARRAY['tournament-opened'], ARRAY['{}'::bytea])",
            "SELECT matchledger_append(gen_random_uuid(), 2, ARRAY['tournament-opened'], ARRAY['{}'::bytea])",
            "DROP FUNCTION matchledger_append",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_without_a_right_to_the_partitions_a_station_lists_every_tournament(
    station: str, kept: tuple[Ledger, UUID], begin: Callable[..., UUID]
) -> None:
    ledger, _ = kept
    for name in ("Second", "Third"):
        begin(ledger, "A", name=name)
    with open_ledger(station) as there:
        assert list(there.sizes().items()) == list(ledger.sizes().items())
        assert len(there.tournaments()) == 3


@pytest.mark.finding("A-3")
def test_a_role_without_a_grant_appends_nothing(database: str, station: str, kept: tuple[Ledger, UUID]) -> None:
    """PostgreSQL lets every role execute a new function."""
    ledger, tournament = kept
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("REVOKE EXECUTE ON FUNCTION matchledger_append FROM station")
    with psycopg.connect(station) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(
            "SELECT matchledger_append(%s, %s, ARRAY['player-dropped'], ARRAY['{}'::bytea])",
            (tournament, ledger.head(tournament).size + 1),
        )


@pytest.mark.finding("A-3")
def test_only_the_role_of_the_organizer_can_draw(station: str, kept: tuple[Ledger, UUID]) -> None:
    ledger, tournament = kept
    with (
        open_ledger(station) as there,
        pytest.raises(LedgerError, match="this station may not read the draw secret"),
    ):
        there.secret(tournament)
    assert len(ledger.secret(tournament)) == 32


@pytest.mark.finding("A-3")
def test_an_entry_under_a_false_name_is_stored_and_never_counts(station: str, kept: tuple[Ledger, UUID]) -> None:
    """The function accepts a station's row, and every reader checks the signature."""
    ledger, tournament = kept
    key = str(SigningKey.generate("organizer").verification)
    trust = partial(access.trust_key, role="organizer", key=key, demanded=True)
    ledger.decide(tournament, trust, clerk=Clerk("Olga", "organizer"))
    size = ledger.head(tournament).size
    forged = json.loads(ledger.entry(tournament, size).model_dump_json()) | {
        "position": size + 1,
        "command": "forged",
        "token": "0" * 12,
        "fact": {"kind": "player-dropped", "player": 1, "after_round": 1},
    }
    with psycopg.connect(station, autocommit=True) as connection:
        # The table stays empty.
        connection.execute("CREATE TEMPORARY TABLE stored_events (LIKE public.stored_events)")
        connection.execute(
            "SELECT matchledger_append(%s, %s, %s::text[], %s::bytea[])",
            (tournament, size + 1, ["player-dropped"], [json.dumps(forged, separators=(",", ":")).encode()]),
        )
    assert ledger.record(tournament).status(1) == "active"
    assert [str(finding) for finding in verify(ledger, tournament)] == [
        f"entry {size + 1}: names token 000000000000, which never came in, as Olga (organizer, desk)"
    ]


@pytest.mark.finding("A-3")
def test_a_function_that_a_station_made_does_not_run_with_the_rights_of_the_owner(
    database: str, station: str, kept: tuple[Ledger, UUID]
) -> None:
    """PostgreSQL 14 lets every role create functions in the schema public, and calls the function whose types fit
    best.
    """
    ledger, tournament = kept
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("GRANT CREATE ON SCHEMA public TO station")
    with psycopg.connect(station, autocommit=True) as connection:
        steal = "'INSERT INTO public.loot SELECT secret FROM sealed_secrets; SELECT $1::text::bigint % 2'"
        for made in (
            "TABLE public.loot (secret bytea)",
            f"FUNCTION public.odd(bigint, integer) RETURNS bigint LANGUAGE sql AS {steal}",
            "OPERATOR public.& (FUNCTION = public.odd, LEFTARG = bigint, RIGHTARG = integer)",
            "FUNCTION public.hashtextextended(text, integer) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint & 1'",
        ):
            connection.execute(f"CREATE {made}")
        connection.execute("GRANT ALL ON public.loot TO PUBLIC")
    with open_ledger(station) as there:
        there.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    assert ledger.record(tournament).status(1) == "dropped"
    with psycopg.connect(database) as owner:
        assert owner.execute("SELECT * FROM public.loot").fetchall() == []


def test_the_database_function_makes_the_same_tree_as_the_program(database: str) -> None:
    """The test appends single entries, several together, and many. The program compares each hash with its own
    hash.
    """
    tournament = uuid4()
    with open_ledger(database, create=True) as ledger:
        ledger.recorder.insert_events([StoredEvent(tournament, 1, "t", b"1")], sealed_secret=bytes(32))
        frontier = Frontier()
        position = 1
        for count in (1, 1, 1, 5, 1, 64, 3, 600, 1):
            new = range(position + 1, position + count + 1)
            ledger.recorder.insert_events([StoredEvent(tournament, at, "ä", chr(at).encode()) for at in new])
            position += count
        for entry, tree in zip(
            ledger.recorder.entry_rows(tournament), ledger.recorder.tree_rows(tournament), strict=True
        ):
            assert tree.nodes == tuple(frontier.append(leaf_hash(*entry)))
            assert tree.root == frontier.head.root
        assert frontier.size == position == 678


def test_a_database_of_an_older_version_gets_the_function_from_its_owner(
    database: str, station: str, kept: tuple[Ledger, UUID]
) -> None:
    """Until the owner opens the ledger, stations keep their earlier rights."""
    _, tournament = kept
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DROP FUNCTION matchledger_append")
        owner.execute("GRANT INSERT ON stored_events, merkle_tree TO station")
    with open_ledger(station) as there:
        there.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    with open_ledger(database) as ledger:
        ledger.decide(tournament, partial(roster.rejoin, player=1), clerk=CLERK)
        assert verify(ledger, tournament) == []
    with psycopg.connect(database) as owner:
        made = owner.execute("SELECT to_regproc('matchledger_append') IS NOT NULL").fetchone()
    assert made == (True,)


def test_a_database_with_an_older_function_gets_the_new_one_and_keeps_the_rights(
    database: str, station: str, kept: tuple[Ledger, UUID]
) -> None:
    _, tournament = kept
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("COMMENT ON FUNCTION matchledger_append IS NULL")
    with open_ledger(station):
        pass  # the role may not create the table again
    with open_ledger(database):
        pass
    with psycopg.connect(database) as owner:
        [(comment,)] = owner.execute("SELECT obj_description('matchledger_append'::regproc, 'pg_proc')").fetchall()
    assert comment == "matchledger 7"
    with open_ledger(station) as there:
        there.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)


# -- pitfalls of the library's PostgreSQL module


def test_an_import_of_several_thousand_entries_works(database: str) -> None:
    """The library's pipeline hangs at three thousand entries or more."""
    tournament = uuid4()
    events = [StoredEvent(tournament, position, "t", bytes(600)) for position in range(1, 6001)]
    with open_ledger(database, create=True) as ledger:
        ledger.recorder.insert_events(events, sealed_secret=bytes(32))
        assert ledger.head(tournament).size == len(events)
        assert sum(1 for _ in ledger.recorder.entry_rows(tournament)) == len(events)
        assert ledger.recorder.sealed_secret(tournament) == bytes(32)


def test_stations_that_open_a_ledger_together_make_one_ledger(database: str) -> None:
    """If several stations create the tables at once, the library's own code fails with `tuple concurrently
    updated`.
    """
    problems: list[BaseException] = []

    def first() -> None:
        try:
            open_ledger(database, create=True).close()
        except BaseException as problem:  # noqa: BLE001 - the test reports every kind of error
            problems.append(problem)

    stations = [threading.Thread(target=first) for _ in range(8)]
    for station in stations:
        station.start()
    for station in stations:
        station.join()
    assert problems == []


def test_a_reader_of_a_growing_log_misses_no_entry(
    database: str, kept: tuple[Ledger, UUID], begin: Callable[..., UUID]
) -> None:
    """PostgreSQL assigns a number before the commit. A reader who follows the numbers of all tournaments loses
    entries.

    Readers follow each log by its own positions, which have no gaps.
    """
    ledger, _ = kept
    tournaments = [begin(ledger, name=f"T{number}") for number in range(4)]
    players = 15

    def write(tournament: UUID) -> None:
        with open_ledger(database) as station:
            for number in range(players):
                station.decide(tournament, partial(roster.register, person=Person(name=f"P{number}")), clerk=CLERK)

    stations = [threading.Thread(target=write, args=(tournament,)) for tournament in tournaments]
    seen: dict[UUID, list[int]] = {tournament: [] for tournament in tournaments}

    def follow() -> None:
        for tournament, positions in seen.items():
            after = positions[-1] if positions else 0
            positions += [entry.position for entry in ledger.entries(tournament, after=after)]

    for station in stations:
        station.start()
    while any(station.is_alive() for station in stations):
        follow()
    for station in stations:
        station.join()
    follow()
    assert seen == {tournament: list(range(1, players + 2)) for tournament in tournaments}


def test_conflicts_leave_no_gap_in_a_log(kept: tuple[Ledger, UUID], begin: Callable[..., UUID]) -> None:
    """In the library's table, a refused entry would use up a number."""
    ledger, tournament = kept
    size = ledger.head(tournament).size
    for position in (1, 1, size):
        with pytest.raises(IntegrityError):
            ledger.recorder.insert_events([StoredEvent(tournament, position, "t", b"{}")])
    other = begin(ledger, "A", name="Other")
    ledger.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    assert [entry.position for entry in ledger.entries(tournament)] == list(range(1, size + 2))
    assert ledger.tournaments() == [tournament, other]
    assert verify(ledger, tournament) == verify(ledger, other) == []


@pytest.mark.parametrize(
    "setting",
    [
        # This setting skips the lock, and without the lock stations miss one notification in seven.
        {"POSTGRES_ENABLE_DB_FUNCTIONS": "y"},
        {"POSTGRES_SCHEMA": "elsewhere"},
        {"POSTGRES_ORIGINATOR_ID_TYPE": "text"},
        {"CREATE_TABLE": "no"},
        # This setting changes the stored bytes, but hashes need the bytes that were validated.
        {"COMPRESSOR_TOPIC": "zlib"},
        {"MATCHLEDGER_MAPPER_TOPIC": "eventsourcing.persistence:Mapper"},
    ],
    ids=lambda setting: next(iter(setting)),
)
def test_settings_of_the_library_in_the_environment_are_ignored(
    place: str, begin: Callable[..., UUID], monkeypatch: pytest.MonkeyPatch, setting: dict[str, str]
) -> None:
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, "A", "B")
        assert verify(ledger, tournament) == []
        states = [row.state for row in ledger.recorder.entry_rows(tournament)]
    assert all(state.startswith(b'{"tournament":') for state in states)
    if place.startswith("postgresql"):
        with psycopg.connect(place) as connection:
            functions = connection.execute("SELECT proname FROM pg_proc WHERE proname LIKE 'es\\_%'").fetchall()
            schemas = connection.execute(
                "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename = 'stored_events'"
            )
            assert (functions, schemas.fetchall()) == ([], [("public",)])


def test_a_row_has_the_kind_of_its_fact_as_topic(place: str, play_everything: Callable[[Ledger], UUID]) -> None:
    """By default the library names a kind by module and class, and cannot read it after the class moved."""
    with open_ledger(place, create=True) as ledger:
        tournament = play_everything(ledger)
        rows, entries = ledger.recorder.entry_rows(tournament), ledger.entries(tournament)
        assert [row.topic for row in rows] == [entry.fact.kind for entry in entries]


def test_the_library_is_limited_to_compatible_releases() -> None:
    """Version 10 of the library cannot read or write a file of version 9.5."""
    from importlib.metadata import requires, version  # noqa: PLC0415 - asked here alone

    assert version("eventsourcing").startswith("9.")
    assert any(line.replace(" ", "").startswith("eventsourcing<10") for line in requires("matchledger") or [])


# -- what is the project's own


@pytest.mark.finding("A-1")
@pytest.mark.parametrize("table", ["stored_events", "merkle_tree"])
def test_a_trigger_that_leaves_rows_out_is_named_and_nothing_is_acknowledged(
    database: str, kept: tuple[Ledger, UUID], table: str
) -> None:
    ledger, tournament = kept
    before = ledger.head(tournament)
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$")
        owner.execute(f"CREATE TRIGGER a BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION swallow()")
    with pytest.raises(LedgerError, match="the database did not keep"):
        ledger.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    assert ledger.head(tournament) == before
    assert f"beside the log: the database has trigger a on {table}" in "\n".join(
        map(str, verify(ledger, tournament))
    )


@pytest.mark.finding("A-1")
def test_a_guard_that_is_switched_off_is_named(database: str, kept: tuple[Ledger, UUID]) -> None:
    ledger, tournament = kept
    assert verify(ledger, tournament) == []
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("ALTER TABLE stored_events_3 DISABLE TRIGGER never")
    [said] = map(str, verify(ledger, tournament))
    assert said.startswith("beside the log: the database has no trigger never on stored_events_3, which can change")


@pytest.mark.finding("A-3")
def test_a_function_of_a_station_never_runs_with_the_owners_rights(
    database: str, station: str, kept: tuple[Ledger, UUID]
) -> None:
    """PostgreSQL 14 lets every role create functions, and one with a better fitting type would be called."""
    ledger, tournament = kept
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("GRANT CREATE ON SCHEMA public TO PUBLIC")
    with psycopg.connect(station, autocommit=True) as connection:
        for said in ("text, integer", "text, bigint"):
            connection.execute(
                f"CREATE FUNCTION public.hashtextextended({said}) RETURNS bigint LANGUAGE plpgsql AS "
                "$$ BEGIN EXECUTE 'GRANT SELECT ON sealed_secrets TO station'; RETURN 1; END $$"
            )
    with ledger.together(tournament):
        ledger.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    with psycopg.connect(station) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT secret FROM sealed_secrets")
    [said] = map(str, verify(ledger, tournament))
    assert "every role may create functions in schema public" in said


@pytest.mark.finding("A-4")
@pytest.mark.parametrize("state", [b"\xff", b" " * (16 * 2**20 + 1)], ids=["no text", "too long"])
def test_a_station_adds_only_text_of_a_sensible_size(station: str, kept: tuple[Ledger, UUID], state: bytes) -> None:
    ledger, tournament = kept
    with psycopg.connect(station) as connection, pytest.raises((psycopg.DataError, psycopg.OperationalError)):
        connection.execute(
            "SELECT matchledger_append(%s, %s, ARRAY['player-dropped'], ARRAY[%s::bytea])",
            (tournament, ledger.head(tournament).size + 1, state),
        )


def test_a_locked_tournament_stops_only_its_own_commands(
    database: str, kept: tuple[Ledger, UUID], begin: Callable[..., UUID]
) -> None:
    ledger, tournament = kept
    other = begin(ledger, "C", "D", name="Other")
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("ALTER FUNCTION matchledger_append SET lock_timeout = '1s'")
    with psycopg.connect(database) as holding:
        holding.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('matchledger ' || %s, 0))", (str(tournament),)
        )
        ledger.decide(other, partial(roster.register, person=Person(name="E")), clerk=CLERK)
        with pytest.raises(Conflict, match=r"try again\. Role postgres holds the lock"):
            ledger.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)


def test_only_a_station_that_came_second_waits_for_its_turn(
    database: str, kept: tuple[Ledger, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, tournament = kept
    drop = partial(roster.drop, player=1)
    monkeypatch.setattr("matchledger.ledger.postgresql.LOCK_SECONDS", 1)
    with psycopg.connect(database) as before, open_ledger(database) as south:
        before.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('matchledger ' || %s, 0))", (f"turn {tournament}",)
        )
        times = 0

        def overtaken(record: Record) -> list[AnyFact]:
            nonlocal times
            times += 1
            south.decide(tournament, partial(roster.drop, player=2), clerk=CLERK)
            return drop(record)

        with pytest.raises(Conflict, match="another station keeps writing: nothing was recorded"):
            ledger.decide(tournament, overtaken, clerk=CLERK)
        assert times == 1
        before.rollback()
        assert [entry.fact.kind for entry in ledger.decide(tournament, drop, clerk=CLERK)] == ["player-dropped"]


def test_a_lost_connection_loses_no_entry(database: str, kept: tuple[Ledger, UUID]) -> None:
    ledger, tournament = kept
    times = 0

    def overtaken(record: Record) -> list[AnyFact]:
        nonlocal times
        times += 1
        with psycopg.connect(database, autocommit=True) as admin, open_ledger(database) as south:
            if times == 1:
                south.decide(tournament, partial(roster.drop, player=2), clerk=CLERK)
            else:
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
                )
        return roster.drop(record, player=1)

    assert [entry.fact.kind for entry in ledger.decide(tournament, overtaken, clerk=CLERK)] == ["player-dropped"]
    assert times == 2
    assert ledger.record(tournament).status(1) == "dropped"


def test_a_station_that_came_second_waits_for_its_turn_in_the_next_commands(
    database: str, kept: tuple[Ledger, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, tournament = kept
    monkeypatch.setattr("matchledger.ledger.application.CAREFUL_COMMANDS", 1)
    waits = Mock(wraps=ledger.recorder.in_turn)
    monkeypatch.setattr(ledger.recorder, "in_turn", waits)
    with open_ledger(database) as south:

        def overtaken(record: Record) -> list[AnyFact]:
            if record.status(2) == "active":
                south.decide(tournament, partial(roster.drop, player=2), clerk=CLERK)
            return roster.drop(record, player=1)

        ledger.decide(tournament, overtaken, clerk=CLERK)
        waits.reset_mock()
        for decision in (roster.rejoin, roster.drop):
            ledger.decide(tournament, partial(decision, player=1), clerk=CLERK)
            waits.assert_called_once()


def test_a_station_waits_for_its_turn_as_long_as_others_record(
    database: str, kept: tuple[Ledger, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, tournament = kept
    monkeypatch.setattr("matchledger.ledger.application.CAREFUL_COMMANDS", 1)
    waits = Mock(wraps=ledger.recorder.in_turn)
    monkeypatch.setattr(ledger.recorder, "in_turn", waits)
    with open_ledger(database) as south:

        def overtaken(record: Record) -> list[AnyFact]:
            if record.status(2) == "active":
                south.decide(tournament, partial(roster.drop, player=2), clerk=CLERK)
            return roster.drop(record, player=1)

        ledger.decide(tournament, overtaken, clerk=CLERK)
        for there, here in ((roster.rejoin, roster.rejoin), (roster.drop, roster.drop)):
            south.decide(tournament, partial(there, player=2), clerk=CLERK)
            ledger.decide(tournament, partial(here, player=1), clerk=CLERK)
    assert waits.call_count == 3


def test_a_station_whose_turn_goes_on_neither_locks_nor_reads_again(
    database: str, kept: tuple[Ledger, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, tournament = kept
    monkeypatch.setattr("matchledger.ledger.turns.SLICE_SECONDS", 60.0)
    monkeypatch.setattr("matchledger.ledger.turns._IDLE_SECONDS", 60.0)
    with open_ledger(database) as south:

        def overtaken(record: Record) -> list[AnyFact]:
            if record.status(2) == "active":
                south.decide(tournament, partial(roster.drop, player=2), clerk=CLERK)
            return roster.drop(record, player=1)

        ledger.decide(tournament, overtaken, clerk=CLERK)
    asked = Mock(wraps=ledger.recorder.entry_page)
    monkeypatch.setattr(ledger.recorder, "entry_page", asked)
    with psycopg.connect(database) as looking:
        held = looking.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        ledger.decide(tournament, partial(roster.rejoin, player=1), clerk=CLERK)
        assert (
            looking.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == held == (1,)
        )
    asked.assert_not_called()


def test_tournaments_are_listed_in_order_of_opening(kept: tuple[Ledger, UUID], begin: Callable[..., UUID]) -> None:
    ledger, first = kept
    others = [begin(ledger, "A", name=f"T{number}") for number in range(3)]
    assert ledger.tournaments() == [first, *others]


def test_a_database_without_a_ledger_is_refused_in_one_line(database: str) -> None:
    with pytest.raises(LedgerError, match="holds no ledger: open or import a tournament into it first"):
        open_ledger(database)
    with pytest.raises(LedgerError, match=r"cannot be reached: .* does not exist") as caught:
        open_ledger(database.replace("/event", "/nowhere").replace("postgres:@", "postgres:hush@"))
    assert "\n" not in str(caught.value)
    assert "hush" not in str(caught.value)


def test_a_database_that_does_not_answer_is_given_up_after_the_time_of_a_takeover(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matchledger.ledger.postgresql.TAKEOVER_SECONDS", 0.5)
    nowhere = database.replace("?host=", "?target_session_attrs=read-write&port=1,2&host=/nowhere,")
    began = time.monotonic()
    with pytest.raises(LedgerError, match="cannot be reached"):
        open_ledger(nowhere)
    assert 0.5 < time.monotonic() - began < 10


def test_a_refused_statement_is_not_retried(kept: tuple[Ledger, UUID], monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, tournament = kept
    tries: list[int] = []

    def full(*_: object) -> None:
        tries.append(1)
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    monkeypatch.setattr("matchledger.ledger.postgresql._append", full)
    with pytest.raises(LedgerError, match="No space left on device"):
        ledger.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    assert len(tries) == 1


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:secret@hall/event", "postgresql://ann@hall/event"),
        ("postgresql://ann:p@ss@hall/event", "postgresql://ann@hall/event"),
        ("postgresql://hall/event", "postgresql://hall/event"),
        ("postgresql://hall/event?user=ann&password=secret", "postgresql://hall/event?user=ann&password=..."),
        (
            "postgresql://hall/event?password=s@cret&sslmode=require",
            "postgresql://hall/event?password=...&sslmode=require",
        ),
        ("postgresql://ann:secret@hall/event?sslpassword=secret", "postgresql://ann@hall/event?sslpassword=..."),
        ("friday@home.ledger", "friday@home.ledger"),
    ],
)
def test_a_printed_url_has_no_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        (
            "postgresql://ann:se@cret@127.0.0.1:1/event",
            "postgresql://ann@127.0.0.1:1/event has an @ in its name or password: write it as %40",
        ),
        (
            "postgresql://ann:%zzcret@127.0.0.1:1/event",
            "postgresql://ann@127.0.0.1:1/event is no address of a database: write % in a name or password as %25",
        ),
    ],
)
def test_the_error_about_a_malformed_address_has_no_password(url: str, problem: str) -> None:
    with pytest.raises(LedgerError) as said:
        open_ledger(url)
    assert str(said.value) == problem
