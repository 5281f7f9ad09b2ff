"""Ledger files: only this module opens a ledger file, and always through SQLite.

A process that closes any descriptor of a file drops all its locks on the file (POSIX; SQLite, "How to corrupt",
2.2). Without the locks, another program could delete the write-ahead log of a running server, with acknowledged
slips. Therefore no code opens a ledger file to read its beginning, to copy it or to hash it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from errno import EACCES
from pathlib import Path
from typing import Any, NamedTuple

from eventsourcing.persistence import InterfaceError, PersistenceError
from eventsourcing.sqlite import SQLITE3_DEFAULT_LOCK_TIMEOUT, SQLiteConnection, SQLiteConnectionPool, SQLiteCursor
from msgspec import Struct

from matchledger_projections.message import sentence

_ENDINGS = ("", "-wal", "-shm")
_SMALLEST = 512  # SQLite's smallest page has this many bytes. SQLite treats a file of one byte as empty
_opened: set[str] = set()


def own_folder() -> Path:
    """Return the folder for this program's files that only this user can read."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path("~/.local/state").expanduser()) / "matchledger"


class Moved(PersistenceError):
    """A ledger file was moved or replaced after it was opened."""


def may_be_held(path: Path) -> bool:
    """Return whether this process has the file open as a ledger. Nothing except SQLite may open a ledger file."""
    return os.path.realpath(path) in _opened


def is_endless(path: Path) -> bool:
    """Return whether a path is a pipe or a device, because reading it could take forever."""
    return path.exists() and not path.is_file() and not path.is_dir()


def remember(path: Path | str) -> None:
    """Note that only SQLite may open a file and the SQLite files next to it."""
    _opened.update(f"{os.path.realpath(path)}{ending}" for ending in _ENDINGS)


def address_of(path: Path) -> str:
    """Return the address of a file for SQLite: the path, or a read-only address for a file without write
    permission.

    To read a file in use, SQLite needs the write-ahead log next to it. Without a write-ahead log, no program has
    the file open, and the file does not change. The address must then say `immutable`, because otherwise SQLite
    would write next to the file before it reads.
    """
    folder = path.absolute().parent
    if not path.exists() or (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):
        return str(path)
    log, index = (path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm"))
    is_open = index.exists() or (log.exists() and log.stat().st_size > 0)
    return f"{path.absolute().as_uri()}?{'mode=ro' if is_open else 'immutable=1'}"


def is_kept(address: str) -> bool:
    """Return whether SQLite opens this address as a file that can be written, not as memory or read-only."""
    return address != ":memory:" and not address.startswith("file:")


def problem_with_file(path: Path) -> str | None:
    """Return the reason why an existing file is not a ledger.

    Return None for a ledger, and for an SQLite file without tables.

    Raises PermissionError for an unreadable file.
    """
    if not os.access(path, os.R_OK):
        raise PermissionError(EACCES, os.strerror(EACCES))
    if not path.is_file() or 0 < path.stat().st_size < _SMALLEST:
        return "is not a ledger"
    remember(path)
    with closing(sqlite3.connect(address_of(path), uri=True, isolation_level=None)) as connection:
        try:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                return "is not a ledger"
            raise
        except UnicodeDecodeError:  # SQLite quotes the damaged bytes in its message
            raise sqlite3.DatabaseError("malformed database schema") from None
    if tables and not {"stored_events", "merkle_tree"} <= tables:
        return "is an SQLite file of something else, and not a ledger"
    return None


def make(path: Path) -> None:
    """Make an empty file that only its owner can read, because a ledger contains the secret behind the draws
    (A-11). SQLite itself would make a file that others can read, and open until somebody changes its mode.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def make_private(path: Path) -> bool:
    """Let only its owner read an empty file. Return whether the file is this user's own."""
    if os.name == "posix" and path.stat().st_uid != os.geteuid():
        return False
    path.chmod(0o600)
    return True


def need_own(descriptor: int, path: Path) -> None:
    """Refuse a file for secrets that belongs to another user and that others can read. Raises PermissionError."""
    found = os.fstat(descriptor)
    if os.name == "posix" and found.st_mode & 0o077 and found.st_uid != os.geteuid():
        raise PermissionError(EACCES, "it belongs to another user, and others can read it", str(path))


def discard(path: Path) -> None:
    """Remove a ledger file that this program made and in which it recorded nothing. Its connections must be
    closed.
    """
    for ending in _ENDINGS:
        Path(f"{path}{ending}").unlink(missing_ok=True)


def back_up(source: Path, copy: Path) -> None:
    """Copy a ledger file through SQLite, completely and to the disk, even while other programs write to it."""
    remember(copy)
    make(copy)
    with closing(sqlite3.connect(source)) as ledger, closing(sqlite3.connect(copy)) as target:
        target.execute("PRAGMA synchronous = EXTRA")
        ledger.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")


def is_beginning(earlier: Path, ledger: Path) -> bool:
    """Return whether a ledger file has every row of an `earlier` ledger file, with the same bytes. Return False
    for a file that is not a ledger.
    """
    rows = (
        "SELECT 1 FROM earlier.stored_events AS old LEFT JOIN main.stored_events AS new "
        "USING (originator_id, originator_version) WHERE new.state IS NOT old.state LIMIT 1"
    )
    remember(earlier)
    try:
        with closing(sqlite3.connect(ledger)) as opened:
            opened.execute("ATTACH ? AS earlier", (str(earlier),))
            return opened.execute(rows).fetchone() is None
    except sqlite3.DatabaseError:
        return False


def is_of_same_event(one: Path, ledger: Path) -> bool:
    """Return whether two ledger files have an event in common. Return False for a file that is not a ledger."""
    query = (
        "SELECT 1 FROM other.stored_events WHERE originator_id IN (SELECT originator_id FROM main.stored_events)"
    )
    try:
        with closing(sqlite3.connect(ledger)) as opened:
            opened.execute("ATTACH ? AS other", (str(one),))
            return opened.execute(f"{query} LIMIT 1").fetchone() is not None
    except sqlite3.DatabaseError:
        return False


class Place(Struct):
    """The identity and size of a connection's file, of its write-ahead log and of the log's index (`-shm`).

    This program never makes these files shorter while a connection is open. A shorter file was overwritten, or
    another program emptied the log (`wal_checkpoint(TRUNCATE)`, `VACUUM`). A new connection can tell which.
    For a symbolic link, SQLite keeps the write-ahead log and its index beside the link's target.
    """

    paths: tuple[str, ...]
    found: tuple[_File | None, ...]

    @classmethod
    def of(cls, path: str) -> Place:
        paths = path, *(f"{os.path.realpath(path)}{ending}" for ending in _ENDINGS if ending)
        return cls(paths, tuple(map(_file, paths)))

    def need_unmoved(self) -> None:
        """Raise Moved if the file was moved or replaced, so that other programs would not see this connection's
        writes.
        """
        here = tuple(map(_file, self.paths))
        for before, now in zip(self.found, here, strict=True):
            if before is not None and (now is None or before[:2] != now[:2] or before.size > now.size):
                raise Moved(
                    sentence(
                        "%(file)s was moved, deleted, replaced, overwritten or shortened while it was open: "
                        "nothing more is recorded here, and the last command may be lost. End every program that "
                        "uses it, put the file back if it is gone, and enter the last slip again",
                        file=self.paths[0],
                    )
                )
        self.found = here


class _File(NamedTuple):
    device: int
    inode: int
    size: int
    names: int


def _file(path: str) -> _File | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - twice for each transaction: a Path takes as long as the call
    except FileNotFoundError:
        return None
    return _File(found.st_dev, found.st_ino, found.st_size, found.st_nlink)


def need_one_name(path: str) -> None:
    """Raise Moved for a ledger file that has a hard link. SQLite keeps a second write-ahead log beside a hard link,
    and programs that use the two logs overwrite each other's entries.
    """
    found = _file(path) if is_kept(path) else None
    if found is not None and found.names > 1:
        raise Moved(
            sentence(
                "%(file)s has a second name, a hard link: nothing is recorded, because programs that use different "
                "names overwrite each other's entries. Remove the other name, or replace it with a copy",
                file=path,
            )
        )


class DurableConnection(SQLiteConnection):
    """A connection that waits until data are on the disk, and that notices when its file is no longer the ledger.

    Most builds of SQLite wait by default. The SQLite of macOS does not wait.
    """

    def __init__(self, sqlite_conn: sqlite3.Connection, max_age: float | None, path: str) -> None:
        super().__init__(sqlite_conn, max_age)
        sqlite_conn.execute("PRAGMA synchronous = FULL")
        # This statement makes the write-ahead log if the file has none.
        sqlite_conn.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        self._place = Place.of(path) if is_kept(path) else None

    def rows(self, query: str, parameters: tuple[Any, ...]) -> list[Any]:
        """Return the rows of one query as plain tuples, which takes half the time of sqlite3.Row."""
        if self._place is not None:
            self._place.need_unmoved()
        cursor = self._sqlite_conn.cursor()
        cursor.row_factory = None
        return cursor.execute(query, parameters).fetchall()

    def state(self) -> tuple[object, ...]:
        """Return a value that changes whenever an entry is written to the file. The value is available without
        reading a table.
        """
        [(version,)] = self.rows("PRAGMA data_version", ())  # this number changes when another connection writes
        return self, version, self._sqlite_conn.total_changes

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """Raise Moved before the transaction begins, and also before a recorded transaction is acknowledged."""
        if self._place is not None:
            self._place.need_unmoved()
        with super().transaction(commit=commit) as cursor:
            yield cursor
        if self._place is not None and commit:
            self._place.need_unmoved()


class DurablePool(SQLiteConnectionPool):
    """A pool that makes `DurableConnection`s, and notes that this process may have the file open."""

    def _create_connection(self) -> SQLiteConnection:
        remember(self.db_name)
        try:
            # Our own function, because the library keeps only one prepared statement. Because of the triggers, to
            # prepare a statement again takes longer than to execute the statement.
            made = sqlite3.connect(
                self.db_name,
                uri=True,
                check_same_thread=False,
                isolation_level=None,
                timeout=self.lock_timeout or SQLITE3_DEFAULT_LOCK_TIMEOUT,
            )
        except sqlite3.Error as error:
            raise InterfaceError(error) from error
        if not self.is_sqlite_memory_mode and not self.is_journal_mode_wal:
            if made.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                made.execute("PRAGMA journal_mode = WAL")
            self.is_journal_mode_wal = True
        made.row_factory = sqlite3.Row
        return DurableConnection(made, self.max_age, self.db_name)
