"""The side file: people who wait for a place, logos, phones that get news by Web Push, and links of stations.

These data must be deleted some day, but a log deletes nothing. The file is next to the keys to the names, and only
its owner can read it. Texts of people who wait and of stations are encrypted with a key of their tournament, and
texts of phones with the key of their player. If a ledger has no key file, the data stay in memory until the program
ends.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag

from matchledger.commands.draft import now
from matchledger.ledger.files import make
from matchledger.ledger.keyring import SUFFIX, KeyRing, KeyRingError
from matchledger.ledger.problems import LedgerError
from matchledger.ledger.sealing import PUSH, STATION, WAITING, field_key, shut, unshut
from matchledger_projections.message import sentence

BESIDE = ".side"
LOCK_SECONDS = 5  # seconds that one program waits for another
LOGOS = 8  # the most logos of one event
EVERYBODY = 0  # the key ring's number for people who are not players yet
_TABLES = """
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS waiting (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tournament TEXT NOT NULL, code TEXT NOT NULL UNIQUE, since TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting', text BLOB, entry INTEGER
);
CREATE TABLE IF NOT EXISTS logo (tournament TEXT, name TEXT, data BLOB NOT NULL, PRIMARY KEY (tournament, name));
CREATE TABLE IF NOT EXISTS push (
  tournament TEXT, name TEXT, player INTEGER NOT NULL, text BLOB NOT NULL, PRIMARY KEY (tournament, name)
);
CREATE TABLE IF NOT EXISTS station (
  tournament TEXT, name TEXT, text BLOB NOT NULL, PRIMARY KEY (tournament, name)
);
"""
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_COLUMNS = "id, code, since, state, text, entry"

State = Literal["waiting", "accepted", "declined"]


class Waiting(NamedTuple):
    """A person on the list. `entry` is the position of the person's registration in the log. From then on `text`
    is empty.
    """

    id: int
    code: str
    since: datetime
    state: State
    text: str
    entry: int | None


class SideFile:
    """The file next to a key ring. Several threads and programs may use the file at once. Every method that reads
    or writes the file can raise LedgerError.
    """

    def __init__(self, ring: KeyRing) -> None:
        self._ring = KeyRing() if ring.nowhere else ring
        self._path = None if self._ring.path is None else _beside(self._ring.path)
        self._lock = Lock()
        self._file: sqlite3.Connection | None = None
        self._version: int | None = None  # of the contents, as SQLite counts the changes of other programs

    def changed(self) -> bool:
        """Return whether another program has written to the file since the last call.

        The function never waits: while another thread uses the file, it returns False, and the next call tells.
        """
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._file is None:
                if self._path is None or not self._path.exists():
                    return False
                self._file = _connected(self._path)
            version: int = self._file.execute("PRAGMA data_version").fetchone()[0]
        except (sqlite3.Error, OSError):
            return False  # the next method that reads the file reports the error
        else:
            has_changed, self._version = version != self._version, version
            return has_changed
        finally:
            self._lock.release()

    def look_again(self) -> None:
        """Let the next call of `changed` return True, because the contents could not be read."""
        self._version = None

    @property
    def lasts(self) -> bool:
        """Return whether the contents are on disk, and survive a restart."""
        return self._path is not None

    def close(self) -> None:
        """Close the file. Data that are only in memory are lost."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def add(self, tournament: UUID, code: str, text: str, *, most: int) -> bool:
        """Put a person at the end of the list. Return whether fewer than `most` people waited. When the function
        returns, the text is on the disk.
        """
        name = _secret(code)
        with self._open(write=True) as file:
            self._ring.ensure(tournament, [EVERYBODY])
            data = shut(self._key(tournament), text.encode(), _place(tournament, name))
            added = file.execute(
                "INSERT INTO waiting (tournament, code, since, text) SELECT ?, ?, ?, ? WHERE "
                "(SELECT count(*) FROM waiting WHERE tournament = ? AND state = 'waiting') < ?",
                (str(tournament), name, now().isoformat(), data, str(tournament), most),
            )
            return added.rowcount == 1

    def people(self, tournament: UUID) -> list[Waiting]:
        """Return everybody on the list in order of arrival, also people about whom the desk has decided."""
        with self._open() as file:
            found = file.execute(
                f"SELECT {_COLUMNS} FROM waiting WHERE tournament = ? ORDER BY id",  # noqa: S608 - our own words
                (str(tournament),),
            )
            return [self._read(tournament, row) for row in found]

    def number(self, tournament: UUID, undone: Collection[int]) -> int:
        """Return how many people wait. The entries in `undone` registered people who wait again."""
        with self._open() as file:
            query = (
                "SELECT count(*) FROM waiting WHERE tournament = ? AND (state = 'waiting' OR "
                "(state = 'accepted' AND entry IN (SELECT value FROM json_each(?))))"
            )
            [(count,)] = file.execute(query, (str(tournament), json.dumps(sorted(undone))))
            return int(count)

    def count(self, tournament: UUID, undone: Collection[int]) -> int:
        """Return the number of people who wait, or 0 if the file is unreadable, because the desk works without the
        list.
        """
        try:
            return self.number(tournament, undone)
        except LedgerError:
            return 0

    def person(self, tournament: UUID, code: str) -> Waiting | None:
        """Return the person on the list with a code, even after the desk's decision. Return None for an unknown
        code.
        """
        with self._open() as file:
            row = file.execute(
                f"SELECT {_COLUMNS} FROM waiting WHERE tournament = ? AND code = ?",  # noqa: S608 - our own words
                (str(tournament), _secret(code)),
            ).fetchone()
            return None if row is None else self._read(tournament, row)

    def settle(self, waiting: int, state: State, entry: int | None = None) -> None:
        """Store the desk's decision about a person. With the `entry` of a registration, delete the person's text,
        because the log has the data.
        """
        with self._open(write=True) as file:
            file.execute(
                "UPDATE waiting SET state = ?, entry = coalesce(?, entry), text = iif(? IS NULL, text, NULL) "
                "WHERE id = ?",
                (state, entry, entry, waiting),
            )

    def forget(self, tournament: UUID, waiting: int | None = None) -> None:
        """Delete a person, or everybody, from the list."""
        if self._path is not None and not self._path.exists():
            return
        with self._open(write=True) as file:
            query = "DELETE FROM waiting WHERE tournament = ? AND ? IN (id, 0)"
            file.execute(query, (str(tournament), waiting or 0))

    def keep_logo(self, tournament: UUID, name: str, data: bytes) -> None:
        """Store a logo, and keep the few logos before it, because a retraction restores an earlier logo."""
        with self._open(write=True) as file:
            file.execute("INSERT OR REPLACE INTO logo VALUES (?, ?, ?)", (str(tournament), name, data))
            file.execute(
                "DELETE FROM logo WHERE tournament = ? AND rowid NOT IN "
                "(SELECT rowid FROM logo WHERE tournament = ? ORDER BY rowid DESC LIMIT ?)",
                (str(tournament), str(tournament), LOGOS),
            )

    def logo(self, tournament: UUID, name: str) -> bytes | None:
        """Return the bytes of a picture. Return None if the picture is not stored."""
        with self._open() as file:
            query = "SELECT data FROM logo WHERE tournament = ? AND name = ?"
            row = file.execute(query, (str(tournament), name)).fetchone()
            return None if row is None else bytes(row[0])

    def push_seed(self, tournament: UUID) -> bytes:
        """Return the random bytes of the key with which a tournament sends push messages."""
        with self._open():
            self._ring.ensure(tournament, [EVERYBODY])
            return self._key(tournament, field=PUSH)

    def keep_push(self, tournament: UUID, player: int, endpoint: str, text: str, *, most: int) -> None:
        """Store the subscription of a player's phone, and keep the `most` newest subscriptions of the player.
        When the function returns, the subscriptions are on the disk.
        """
        name = _secret(endpoint)
        with self._open(write=True) as file:
            self._ring.ensure(tournament, [player])
            data = shut(self._key(tournament, player, PUSH), text.encode(), _place(tournament, name, PUSH))
            file.execute("INSERT OR REPLACE INTO push VALUES (?, ?, ?, ?)", (str(tournament), name, player, data))
            file.execute(
                "DELETE FROM push WHERE (tournament, player) = (?, ?) AND rowid NOT IN "
                "(SELECT rowid FROM push WHERE (tournament, player) = (?, ?) ORDER BY rowid DESC LIMIT ?)",
                (str(tournament), player, str(tournament), player, most),
            )

    def pushes(self, tournament: UUID) -> list[tuple[int, str]]:
        """Return the subscriptions with their players. If a player's key was destroyed, delete the player's
        subscriptions.
        """
        query = "SELECT player, name, text FROM push WHERE tournament = ? ORDER BY rowid"
        found = []
        with self._open() as file:
            for player, name, data in file.execute(query, (str(tournament),)).fetchall():
                try:
                    key = self._key(tournament, player, PUSH)
                    found.append((player, unshut(key, data, _place(tournament, name, PUSH)).decode()))
                except (KeyRingError, InvalidTag, ValueError):
                    file.execute("DELETE FROM push WHERE tournament = ? AND name = ?", (str(tournament), name))
        return found

    def pushed(self) -> set[UUID]:
        """Return the tournaments with subscriptions."""
        with self._open() as file:
            return {UUID(tournament) for (tournament,) in file.execute("SELECT DISTINCT tournament FROM push")}

    def forget_push(self, tournament: UUID, endpoint: str | None = None) -> None:
        """Delete the subscription of the phone with an address, or of all phones."""
        name = None if endpoint is None else _secret(endpoint)
        with self._open(write=True) as file:
            query = "DELETE FROM push WHERE tournament = ? AND name = coalesce(?, name)"
            file.execute(query, (str(tournament), name))

    def keep_station(self, tournament: UUID, code: str, text: str) -> None:
        """Store a station's link. When the function returns, the link is on the disk."""
        name = _secret(code)
        with self._open(write=True) as file:
            self._ring.ensure(tournament, [EVERYBODY])
            data = shut(self._key(tournament, field=STATION), text.encode(), _place(tournament, name, STATION))
            file.execute("INSERT OR REPLACE INTO station VALUES (?, ?, ?)", (str(tournament), name, data))

    def stations(self) -> list[tuple[UUID, str]]:
        """Return the texts of the stations with their tournaments. Without a tournament's key, its stations are
        left out.
        """
        found = []
        with self._open() as file:
            for tournament, name, data in file.execute("SELECT * FROM station ORDER BY rowid").fetchall():
                which = UUID(tournament)
                with suppress(KeyRingError, InvalidTag, ValueError):
                    key = self._key(which, field=STATION)
                    found.append((which, unshut(key, data, _place(which, name, STATION)).decode()))
        return found

    def forget_station(self, tournament: UUID, code: str) -> None:
        """Delete the link of a station."""
        if self._path is not None and not self._path.exists():
            return
        with self._open(write=True) as file:
            query = "DELETE FROM station WHERE tournament = ? AND name = ?"
            file.execute(query, (str(tournament), _secret(code)))

    def _read(self, tournament: UUID, row: tuple[int, str, str, State, bytes | None, int | None]) -> Waiting:
        waiting, code, since, state, data, entry = row
        try:
            text = b"" if data is None else unshut(self._key(tournament), data, _place(tournament, code))
        except (InvalidTag, ValueError):
            raise LedgerError(f"the list in {self._path} was altered, or belongs to other keys") from None
        return Waiting(waiting, code, datetime.fromisoformat(since), state, text.decode(), entry)

    def _key(self, tournament: UUID, player: int = EVERYBODY, field: str = WAITING) -> bytes:
        key = self._ring.key(tournament, player)
        if key is None:
            raise KeyRingError(f"the key to the list in {self._path} is not here")
        return field_key(key, field)

    @contextmanager
    def _open(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """Open the side file. Reading does not create a missing file."""
        with self._lock:
            try:
                if self._file is None and (write or self._path is None or self._path.exists()):
                    self._file = _connected(self._path)
                yield self._file or _connected(None)
            except (sqlite3.Error, OSError, KeyRingError) as error:
                if getattr(error, "sqlite_errorcode", None) in _DAMAGED and self._path is not None:
                    raise LedgerError(
                        sentence(
                            "%(file)s is damaged: move it to another folder, and the waiting list begins anew",
                            file=self._path.name,
                        )
                    ) from None
                raise LedgerError(
                    sentence("the waiting list cannot be saved: %(problem)s", problem=str(error))
                ) from None


def _connected(path: Path | None) -> sqlite3.Connection:
    if path is not None and not path.exists():
        make(path)
    file = sqlite3.connect(path or ":memory:", timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    file.executescript(_TABLES)
    return file


def _beside(ring: Path) -> Path:
    return ring.with_name(f"{ring.name.removesuffix(SUFFIX)}{BESIDE}")


def _secret(code: str) -> str:
    """Return the stored form of a code, so that the file alone does not open a player's page."""
    return sha256(code.encode()).hexdigest()


def _place(tournament: UUID, name: str, field: str = WAITING) -> bytes:
    return f"{tournament}|{field}|{name}".encode()
