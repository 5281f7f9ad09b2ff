"""The PostgreSQL database: many stations, many tournaments, append-only, with the Merkle tree next to the entries.

The recorder uses the library's own table and pool. The recorder avoids three features of the library. With the
pipeline, a large import never returns. With the database functions, notifications are lost. With the lock on the
whole table, stations of different tournaments would wait for each other. Instead, the recorder uses a lock for each
tournament, and a trigger that accepts an entry only after the last entry.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import partial, wraps
from importlib import resources
from typing import Any, LiteralString, ParamSpec, TypeVar
from uuid import UUID

import psycopg
from eventsourcing.persistence import InterfaceError, OperationalError, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.utils import Environment, EnvType
from psycopg import Cursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row, tuple_row
from psycopg.sql import SQL, Composed, Identifier

from matchledger.ledger.patience import Patience
from matchledger.ledger.recorder import Busy, LedgerRecorder, Transaction, grown, stored_frontier
from matchledger.ledger.turns import Place, Turns
from matchledger.proof.merkle import Frontier, TreeHead
from matchledger_projections.message import plain

BATCH = 500  # entries per statement: a parameter of several megabytes is slow, and an import can have that many
LOCK_SECONDS = 30
CONNECT_SECONDS = 5
# A standby needs some seconds to take over, and a server to restart. Retry every operation for this time.
TAKEOVER_SECONDS, PAUSE = 30, 0.25
# A commit takes some milliseconds. A commit takes longer only if it waits for a standby. After this many seconds,
# tell the user.
PATIENCE_SECONDS = 4.0
_UNCONFIRMED = (
    "note: the database has taken the command and not confirmed it yet: a standby that it waits for may be away. "
    "It goes on by itself when that is back; the command may be sent again under its id, and is recorded once"
)

# The partitions of the tree, or the one table of an older ledger, and whether this station may read each by its
# key. A right to a table gives no right to its partitions. Citus cannot run a recursive query over several
# machines.
_PARTS = """
SELECT part::regclass::text, has_table_privilege(part, 'SELECT') AND to_regclass('pg_dist_partition') IS NULL
FROM (SELECT COALESCE(inhrelid, oid) AS part FROM pg_class LEFT JOIN pg_inherits ON inhparent = oid
    WHERE oid = to_regclass('merkle_tree')) AS parts"""
_WHOLE = "SELECT originator_id, MAX(originator_version) FROM merkle_tree GROUP BY originator_id"
# This query jumps from one tournament to the next along the index, and skips the rows between.
_PART = """(
WITH RECURSIVE found AS (
    (SELECT originator_id FROM {part} ORDER BY originator_id LIMIT 1)
    UNION ALL
    SELECT (SELECT originator_id FROM {part} WHERE originator_id > found.originator_id
            ORDER BY originator_id LIMIT 1)
    FROM found WHERE found.originator_id IS NOT NULL
)
SELECT originator_id, (SELECT MAX(originator_version) FROM {part} AS part
    WHERE part.originator_id = found.originator_id)
FROM found WHERE originator_id IS NOT NULL)"""
# Do not read the bytes as JSON, because any entry may have been altered.
_OPENED = """
SELECT originator_id, COALESCE(substring(encode(state, 'escape') FROM '"recorded_at":"([^"Z]*)'), 'unknown')
FROM stored_events WHERE originator_version = 1 AND originator_id = ANY(%s)"""
_APPEND = "SELECT matchledger_append(%s, %s, %s::text[], %s::bytea[])"
_APPEND_ONE = "SELECT matchledger_append(%s, %s, ARRAY[%s::text], ARRAY[%s::bytea])"
_HAS_FUNCTION = "SELECT to_regprocedure('matchledger_append(uuid, bigint, text[], bytea[])') IS NOT NULL AS made"
# This reads the table of tables. PostgreSQL's own look-up of a name may still miss a table that another station
# made while this one waited.
_IS_MADE = """
SELECT EXISTS (SELECT FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = 'sealed_secrets' AND nspname = ANY (pg_catalog.current_schemas(false))) AS made"""
_LACKS_FUNCTION = """
SELECT obj_description(to_regprocedure('matchledger_append(uuid, bigint, text[], bytea[])'), 'pg_proc')
    IS DISTINCT FROM 'matchledger 7' AND pg_has_role(relowner, 'USAGE') AS lacks FROM pg_class
WHERE oid = to_regclass('stored_events')"""
# The triggers and rules of the ledger's tables that are not ours, or that are switched off.
_FOREIGN = """
WITH parts AS (
    SELECT relation FROM pg_catalog.unnest(
        ARRAY['stored_events', 'merkle_tree', 'sealed_secrets']::pg_catalog.text[]) AS named (name),
        LATERAL (SELECT pg_catalog.to_regclass(name) AS relation UNION ALL
            SELECT inhrelid FROM pg_catalog.pg_inherits WHERE inhparent = pg_catalog.to_regclass(name)) AS each
)
SELECT pg_catalog.concat(CASE WHEN tgenabled = 'D' THEN 'no ' END, 'trigger ', tgname, ' on ', relation::regclass)
FROM pg_catalog.pg_trigger JOIN parts ON relation = tgrelid JOIN pg_catalog.pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal
    AND (tgenabled = 'D' OR (tgname, proname) NOT IN (('never', 'ledger_never'), ('gapless', 'ledger_gapless')))
UNION ALL
SELECT pg_catalog.concat('rule ', rulename, ' on ', relation::regclass)
FROM pg_catalog.pg_rewrite JOIN parts ON relation = ev_class
ORDER BY 1"""
# Find the schema of the tables if every role may create functions in this schema, and a role besides the owner may
# append entries.
_OPEN_SCHEMA = """
SELECT nspname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
WHERE pg_class.oid = pg_catalog.to_regclass('stored_events')
    AND EXISTS (SELECT FROM pg_catalog.aclexplode(nspacl) AS may
        WHERE may.grantee = 0 AND may.privilege_type = 'CREATE')
    AND EXISTS (SELECT FROM pg_catalog.pg_proc, LATERAL pg_catalog.aclexplode(proacl) AS may
        WHERE pg_proc.oid = to_regprocedure('matchledger_append(uuid, bigint, text[], bytea[])')
        AND may.grantee != proowner)"""
_HOLDERS = """
SELECT usename, pg_locks.pid FROM pg_catalog.pg_locks JOIN pg_catalog.pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND granted AND pg_locks.database = pg_stat_activity.datid
    AND datname = pg_catalog.current_database() AND pg_locks.pid != pg_catalog.pg_backend_pid()
ORDER BY xact_start LIMIT 1"""
_STRAYS = """
SELECT COUNT(*) FROM stored_events AS entries WHERE originator_version < 1
    OR NOT EXISTS (SELECT FROM merkle_tree WHERE merkle_tree.originator_id = entries.originator_id)"""

P = ParamSpec("P")
T = TypeVar("T")


def _persistent(method: Callable[P, T]) -> Callable[P, T]:
    """Retry a method after an outage, for the time that a standby server needs to take over the database."""

    @wraps(method)
    def persistent(*args: P.args, **kwargs: P.kwargs) -> T:
        deadline = time.monotonic() + TAKEOVER_SECONDS
        while True:
            try:
                return method(*args, **kwargs)
            except (InterfaceError, OperationalError, psycopg.OperationalError) as problem:
                if not _is_outage(problem) or time.monotonic() > deadline:
                    raise
                time.sleep(PAUSE)

    return persistent


def _is_outage(problem: Exception) -> bool:
    """Return whether the connection failed: the server did not answer, or is stopping or starting."""
    said = problem if isinstance(problem, psycopg.Error) else problem.__cause__
    state = getattr(said, "sqlstate", None)
    return state is None or state[:2] in _OUTAGES


_OUTAGES = ("08", "57")  # SQLSTATE classes: failed connection, operator intervention


class _Transaction(Transaction):
    connection: psycopg.Connection[Any]


class _Turn(Place):
    """A turn that lasts as long as a lock in the database, on a connection of its own."""

    def __init__(self, taken: Callable[[UUID], ExitStack], tournament: UUID) -> None:
        super().__init__(tournament)
        self._taken = taken
        self._lock = ExitStack()

    def wait(self, meanwhile: Callable[[], object]) -> None:  # noqa: ARG002 - nothing tells which station is next
        self._lock = self._taken(self.tournament)
        self.began = time.monotonic()

    def leave(self) -> None:
        super().leave()
        # A lost connection has released the lock. Recorded entries stay recorded.
        with suppress(PersistenceError, psycopg.Error):
            self._lock.close()


class DatabaseRecorder(PostgresApplicationRecorder, LedgerRecorder):
    """Stores entries and hashes in a PostgreSQL database."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._listing: Composed | None = None
        self._opened: dict[UUID, str] = {}  # the time in each opening entry, which orders the list of tournaments
        self._turns = Turns(partial(_Turn, self._turn))
        self._patience = Patience(PATIENCE_SECONDS, partial(logging.getLogger(__name__).warning, _UNCONFIRMED))

    @_persistent
    def create_table(self) -> None:
        """Make missing tables, and the triggers and roles that guard them. A station without the right to make
        tables needs existing tables.
        """
        with self.datastore.transaction(commit=True) as curs:
            if _is_made(curs) and not _lacks_function(curs):
                return
            # Two stations may open a new ledger at the same moment.
            _lock(curs, "tables")
            if not _is_made(curs):
                _run(curs, "postgresql.sql")
            if _lacks_function(curs):
                _run(curs, "postgresql_append.sql")

    @_persistent
    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, sealed_secret: bytes | None = None, **_: Any
    ) -> Sequence[int] | None:
        if not stored_events:
            return None
        tournament = stored_events[0].originator_id
        if self._transaction is not None:
            self._transaction.add(stored_events, sealed_secret)
            return None
        commit = object()
        with ExitStack() as stack:
            stack.callback(self._patience.end, commit)
            connection = stack.enter_context(self.datastore.get_connection())
            curs = connection.cursor()
            by_function = self._has_function(curs)
            try:
                if by_function and not _opens(stored_events, sealed_secret) and len(stored_events) <= BATCH:
                    self._patience.begin(commit)  # this one message both appends and commits
                    _append(curs, stored_events)
                    return None
                stack.enter_context(connection.transaction())
                _record(curs, stored_events, sealed_secret, by_function=by_function)
            except psycopg.errors.LockNotAvailable:
                raise self._held(tournament) from None
            self._patience.begin(commit)  # the commit is sent next
        return None

    def _held(self, tournament: UUID | str) -> Busy:
        """Return the error of a station that waited in vain. It names the role with the oldest lock."""
        busy = Busy(f"tournament {tournament} is locked")
        with suppress(PersistenceError, psycopg.Error):
            busy.holder = next(iter(self._select(_HOLDERS, ())), None)
        return busy

    @contextmanager
    def together(self, tournament: UUID) -> Iterator[None]:
        commit = object()
        with ExitStack() as stack:
            stack.callback(self._patience.end, commit)
            connection = stack.enter_context(self.datastore.get_connection())
            curs = connection.cursor()
            write = partial(_record, curs, by_function=self._has_function(curs))
            whole = _Transaction(connection=connection, write=write)
            stack.enter_context(connection.transaction())
            try:
                _lock(curs, str(tournament))
            except psycopg.errors.LockNotAvailable:
                raise self._held(tournament) from None
            with self._during(whole):
                yield
            self._patience.begin(commit)  # the commit is sent next

    _transaction: _Transaction | None = None

    def _has_function(self, curs: Cursor[Any]) -> bool:
        """Return whether the database has the append function, which its owner makes by opening it."""
        if not self._function:
            row = curs.execute(_HAS_FUNCTION).fetchone()
            self._function = row is not None and bool(row["made"])
        return self._function

    _function = False

    def in_turn(self, tournament: UUID, meanwhile: Callable[[], object]) -> AbstractContextManager[bool]:
        return self._turns.turn(tournament, meanwhile)

    @_persistent
    def _turn(self, tournament: UUID) -> ExitStack:
        with ExitStack() as stack:
            curs = stack.enter_context(self.datastore.transaction(commit=True))
            try:
                _lock(curs, f"turn {tournament}")
            except psycopg.errors.LockNotAvailable:
                raise self._held(tournament) from None
            return stack.pop_all()

    def entry_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        return self._select(
            "SELECT originator_version, convert_to(topic, 'UTF8'), state FROM stored_events "
            "WHERE originator_id = %s AND originator_version > %s AND originator_version <= %s "
            "ORDER BY originator_version LIMIT %s",
            (tournament, after, through, limit),
        )

    def tree_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        return self._select(
            "SELECT originator_version, nodes, root FROM merkle_tree "
            "WHERE originator_id = %s AND originator_version > %s AND originator_version <= %s "
            "ORDER BY originator_version LIMIT %s",
            (tournament, after, through, limit),
        )

    def tree_head(self, tournament: UUID) -> TreeHead | None:
        rows = self._select(
            "SELECT originator_version, root FROM merkle_tree WHERE originator_id = %s "
            "ORDER BY originator_version DESC LIMIT 1",
            (tournament,),
        )
        return TreeHead(*rows[0]) if rows else None

    def tournaments(self) -> list[UUID]:
        return list(self.sizes())

    def sizes(self) -> dict[UUID, int]:
        if self._listing is None:
            parts = self._select(_PARTS, ())
            along = all(may for _, may in parts)
            self._listing = SQL(" UNION ALL ").join(
                [SQL(_PART).format(part=Identifier(name)) for name, _ in parts] if along else [SQL(_WHOLE)]
            )
        sizes = dict(self._select(self._listing, ()))
        if new := sizes.keys() - self._opened.keys():
            opened = dict.fromkeys(new, "unknown") | dict(self._select(_OPENED, (list(new),)))
            moments = {**self._opened, **opened}
            self._opened = dict(sorted(moments.items(), key=lambda one: (one[1], one[0])))
        return {tournament: sizes[tournament] for tournament in self._opened if tournament in sizes}

    def strays(self) -> int:
        [(count,)] = self._select(_STRAYS, ())
        return int(count)

    def foreign(self) -> list[str]:
        altering = [plain(part) for (part,) in self._select(_FOREIGN, ())]
        more = f" and {len(altering) - 1} more" if len(altering) > 1 else ""
        found = [f"the database has {part}{more}, which can change what is recorded" for part in altering[:1]]
        for (schema,) in self._select(_OPEN_SCHEMA, ()):
            found.append(
                f"every role may create functions in schema {schema}, which commands of the owner could run: a "
                f"superuser ends that with REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC"
            )
        return found

    @_persistent
    def set_aside(self, tournament: UUID) -> None:
        with self.datastore.transaction(commit=True) as curs:
            curs.execute("CREATE TABLE IF NOT EXISTS set_aside (originator_id uuid PRIMARY KEY)")
            # Stations also verify the log, and therefore read this table.
            curs.execute("GRANT SELECT ON set_aside TO PUBLIC")
            curs.execute("INSERT INTO set_aside VALUES (%s) ON CONFLICT DO NOTHING", (tournament,))

    def aside(self) -> set[UUID]:
        if not self._select("SELECT 1 WHERE to_regclass('set_aside') IS NOT NULL", ()):
            return set()
        return {tournament for (tournament,) in self._select("SELECT originator_id FROM set_aside", ())}

    def may_read_secrets(self) -> bool:
        [(may,)] = self._select("SELECT has_table_privilege('sealed_secrets', 'SELECT')", ())
        return bool(may)

    def sealed_secret(self, tournament: UUID) -> bytes | None:
        if not self.may_read_secrets():
            return None
        rows = self._select("SELECT secret FROM sealed_secrets WHERE originator_id = %s", (tournament,))
        return rows[0][0] if rows else None

    @_persistent
    def _select(self, query: LiteralString | Composed, parameters: tuple[Any, ...]) -> list[Any]:
        whole = self._transaction
        if whole is not None:
            whole.write_waiting()
        with (
            self.datastore.get_connection() if whole is None else nullcontext(whole.connection) as connection,
            connection.cursor(binary=True, row_factory=tuple_row) as curs,
        ):
            return curs.execute(query, parameters, prepare=True).fetchall()


def _lock(curs: Cursor[Any], what: str) -> None:
    """Wait for other stations that write to the tournament, and keep them out until the transaction ends."""
    # The statement names the schema of each function and the type of each argument. Otherwise PostgreSQL could
    # choose another role's function of the same name, and run that function with the owner's rights.
    curs.execute(
        "SELECT pg_catalog.set_config('lock_timeout'::pg_catalog.text, %s::pg_catalog.text, true), "
        "pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(%s::pg_catalog.text, 0::pg_catalog.int8))",
        (f"{LOCK_SECONDS}s", f"matchledger {what}"),
        prepare=True,
    )


def _is_made(curs: Cursor[Any]) -> bool:
    curs.execute(_IS_MADE)
    row = curs.fetchone()
    return row is not None and bool(row["made"])


def _lacks_function(curs: Cursor[Any]) -> bool:
    """Return whether this database role must make or replace the append function. Only the owner of the tables can
    make the function.
    """
    curs.execute(_LACKS_FUNCTION)
    row = curs.fetchone()
    return row is not None and bool(row["lacks"])


def _run(curs: Cursor[Any], script: str) -> None:
    curs.execute((resources.files("matchledger.ledger") / script).read_bytes())


def _opens(events: Sequence[StoredEvent], sealed_secret: bytes | None) -> bool:
    return events[0].originator_version == 1 or sealed_secret is not None


def _record(
    curs: Cursor[Any], events: Sequence[StoredEvent], sealed_secret: bytes | None, *, by_function: bool
) -> None:
    if not by_function or _opens(events, sealed_secret):
        _open(curs, events, sealed_secret)
        return
    for begin in range(0, len(events), BATCH):
        _append(curs, events[begin : begin + BATCH])


def _append(curs: Cursor[Any], batch: Sequence[StoredEvent]) -> None:
    """Append through the database's own function, which computes the hashes. A station needs no other right."""
    tournament, first = batch[0].originator_id, batch[0].originator_version
    topics, states = [event.topic for event in batch], [event.state for event in batch]
    if len(batch) == 1:  # most commands record one entry, and the driver encodes values faster than lists
        curs.execute(_APPEND_ONE, (tournament, first, topics[0], states[0]), prepare=True)
    else:
        curs.execute(_APPEND, (tournament, first, topics, states), prepare=True)


def _open(curs: Cursor[Any], events: Sequence[StoredEvent], sealed_secret: bytes | None) -> None:
    """Insert a tournament from its first entry on, with its secret. Only the owner of the tables has the right to
    do this.
    """
    tournament = events[0].originator_id
    _lock(curs, str(tournament))
    _insert_entries(curs, events)
    _grow_tree(curs, events)
    if sealed_secret is not None:
        curs.execute("INSERT INTO sealed_secrets VALUES (%s, %s)", (tournament, sealed_secret))


def _insert_entries(curs: Cursor[Any], events: Sequence[StoredEvent]) -> None:
    for begin in range(0, len(events), BATCH):
        batch = events[begin : begin + BATCH]
        curs.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
            "SELECT * FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %s::bytea[])",
            (
                [event.originator_id for event in batch],
                [event.originator_version for event in batch],
                [event.topic for event in batch],
                [event.state for event in batch],
            ),
        )
        _need_kept(curs, batch[0].originator_version, len(batch))


def _need_kept(curs: Cursor[Any], first: int, count: int) -> None:
    """Raise PersistenceError if a foreign trigger or rule has left out rows of the last statement (A-1)."""
    if curs.rowcount != count:
        raise PersistenceError(f"the database did not keep entry {first}, so nothing was recorded: run verify")


def _grow_tree(curs: Cursor[Any], events: Sequence[StoredEvent]) -> None:
    tournament = events[0].originator_id
    query = "SELECT COALESCE(MAX(originator_version), 0) AS hashed FROM merkle_tree WHERE originator_id = %s"
    found = curs.execute(query, (tournament,)).fetchone()

    # Ask for all values in one query: each query is a round trip while the tournament is locked.
    curs.execute(
        "SELECT originator_version, nodes FROM merkle_tree "
        "WHERE originator_id = %s AND originator_version = ANY(%s::bigint[])",
        (tournament, Frontier.ends(events[0].originator_version - 1)),
    )
    nodes = {row["originator_version"]: bytes(row["nodes"]) for row in curs}
    recorded = events[0].originator_version - 1  # a trigger of the database has checked the order
    rows = grown(
        events, recorded, 0 if found is None else found["hashed"], lambda size: stored_frontier(size, nodes.get)
    )
    for begin in range(0, len(rows), BATCH):
        positions, joined, roots = zip(*rows[begin : begin + BATCH], strict=True)
        curs.execute(
            "INSERT INTO merkle_tree SELECT %s, * FROM unnest(%s::bigint[], %s::bytea[], %s::bytea[])",
            (tournament, list(positions), list(joined), list(roots)),
        )
        _need_kept(curs, positions[0], len(positions))


class DatabaseFactory(PostgresFactory):
    """Makes the recorder above, on connections with every option of the URL."""

    application_recorder_class = DatabaseRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        given = dict(env or {})
        # The library demands a setting for each of these values, and ignores all other options of a URL. The
        # library gets placeholders, and the connection pool gets the URL unchanged.
        wanted = {f"POSTGRES_{name}": "-" for name in ("DBNAME", "HOST", "USER", "PASSWORD")}
        pool = {"POSTGRES_POOL_SIZE": "1", "POSTGRES_MAX_OVERFLOW": "9"}
        super().__init__(Environment(name="", env={**given, **wanted, **pool}))
        # Otherwise, the library would ask the database about unused types each time a ledger is opened.
        self.datastore.db_type_names = _NoNames()
        # A pool that retries by itself doubles its waiting time, and would sleep through a takeover.
        self.datastore.pool.reconnect_timeout = CONNECT_SECONDS
        self.datastore.pool.kwargs = {**_connecting(given["MATCHLEDGER_URL"]), "row_factory": dict_row}


class _NoNames(set[str]):
    """A set that stays empty: it drops every added name."""

    def add(self, name: str) -> None:
        """Drop the name, and keep the set empty."""


def problem_with_database(url: str, *, create: bool) -> str | None:
    """Return why a database cannot be used as a ledger, or None."""
    # The driver's message about a malformed address quotes parts of the password.
    if re.match(r"[^/]*//[^/?]*@[^/?]*@", url) is not None:
        return "has an @ in its name or password: write it as %40"
    try:
        several = "," in str(conninfo_to_dict(url).get("host", ""))
    except psycopg.ProgrammingError:
        return "is no address of a database: write % in a name or password as %25"
    # If a URL has only one address, and the address does not answer, the address is wrong. If a URL has several
    # addresses, one of the servers may be about to take over.
    look = _persistent(_holds_ledger) if several else _holds_ledger
    try:
        made = look(url)
    except psycopg.Error as problem:
        return f"cannot be reached: {' '.join(str(problem).split())}"
    return None if made or create else "holds no ledger: open or import a tournament into it first"


def _holds_ledger(url: str) -> bool:
    with psycopg.connect(**_connecting(url), row_factory=dict_row) as connection:
        return _is_made(connection.cursor())


def _connecting(url: str) -> dict[str, Any]:
    """Return the connection options of a URL, with a time limit for each address."""
    return {"connect_timeout": CONNECT_SECONDS, **conninfo_to_dict(url)}
