"""Locations: how to open a ledger in a file, a database or memory, and how to find a tournament in it."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import UUID

from eventsourcing.utils import get_topic

from matchledger.ledger.application import Ledger
from matchledger.ledger.files import address_of, discard, make, make_private, problem_with_file
from matchledger.ledger.keyring import ring_of
from matchledger.ledger.mapper import EntryMapper
from matchledger.ledger.mirror import Mirror
from matchledger.ledger.problems import LedgerError, as_ledger_errors
from matchledger.ledger.sqlite import FileFactory
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import demanding, joined, sentence
from matchledger_projections.record.record import Record

SYNCHRONIZED = (
    "Dropbox",
    "OneDrive",
    "Google Drive",
    "GoogleDrive",
    "iCloud",
    "Nextcloud",
    "ownCloud",
    "Syncthing",
)
# Folders and files that synchronizing programs leave behind.
SYNCHRONIZED_BY = (".stfolder", ".dropbox", ".sync", ".nextcloudsync.log")
NETWORK_DRIVES = (
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "fuse.sshfs",
    "fuse.rclone",
    "9p",
    "afs",
    "davfs",
    "fuse.davfs2",
)
MOUNTS = Path("/proc/mounts")
LOCK_SECONDS = 30  # seconds that a station waits while another station writes


def open_ledger(
    location: str | Path, *, create: bool = False, mirror: Path | None = None, own_keys: bool = False
) -> Ledger:
    """Open the ledger in an SQLite file or a PostgreSQL database. The location ":memory:" opens a new ledger in
    memory.

    At the end of each round, the ledger file is copied into the folder `mirror`. A file without write permission
    can be read. With `own_keys`, the keys next to the ledger file are used even if MATCHLEDGER_KEYS names a
    different file. Raises LedgerError if the file or database does not exist (unless `create`), or is not a ledger.
    """
    with as_ledger_errors():
        if is_database(location):
            if mirror is not None:
                raise LedgerError("a mirror is for a file: a database has standbys and backups of its own")
            return Ledger(_in_database(str(location), create=create), ring_of(location, in_database=True))
        if str(location).startswith("file:"):  # SQLite would read the name as an address
            raise LedgerError(f"the name of a ledger cannot begin with file: - write the whole path of {location}")
        if mirror is not None and create and not mirror.is_dir():
            raise LedgerError(f"there is no folder {mirror} to copy the ledger into")
        made = str(location) != ":memory:" and _need_place(Path(location), create=create)
        address = str(location) if str(location) == ":memory:" else address_of(Path(location))
        try:
            ledger = Ledger(
                {
                    "PERSISTENCE_MODULE": get_topic(FileFactory),
                    "MAPPER_TOPIC": get_topic(EntryMapper),
                    "SQLITE_DBNAME": address,
                    "SQLITE_LOCK_TIMEOUT": str(LOCK_SECONDS),
                    "CREATE_TABLE": "yes" if address == str(location) else "no",
                },
                ring_of(location, own=own_keys),
            )
        except BaseException:
            if made:
                discard(Path(location))
            raise
        ledger.made = Path(location) if made else None
        ledger.mirror = None if mirror is None else Mirror(mirror)
        return ledger


def unsafe_place(location: str | Path, mounts: Path = MOUNTS) -> str | None:
    """Return the reason why a ledger in this folder may lose slips, if file locks do not work there, else None."""
    if is_database(location) or str(location) == ":memory:":
        return None
    folder = Path(location).resolve().parent  # SQLite follows a symbolic link to the file, too
    for part in (folder, *folder.parents):
        if part.name.startswith(SYNCHRONIZED) or any((part / mark).exists() for mark in SYNCHRONIZED_BY):
            return f"{part} is synchronized with other machines"
    try:
        lines = [line.split() for line in mounts.read_text("utf-8", "replace").splitlines()]
    except OSError:  # this system is not Linux
        return None
    mounted = [(_unescaped(at), kind) for _, at, kind, *_ in lines]
    under = [(at, kind) for at, kind in mounted if folder.is_relative_to(at)]
    # The last file system in the list counts for a folder: automount lists its own file system first.
    place, kind = max(reversed(under), key=lambda found: len(found[0]), default=("", ""))
    return f"{place} is a network drive ({kind})" if kind in NETWORK_DRIVES else None


def _unescaped(mount: str) -> str:
    r"""Return the folder of a mount from the system's list of mounts. The list writes a space in the folder's name
    as \040.
    """
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), mount)


def without_password(location: str) -> str:
    """Return the location of a ledger for display. A URL may contain passwords, before and after its host."""
    if not is_database(location):
        return location
    shown = re.sub(r"(?<=[?&])((?:ssl)?password)=[^&]*", r"\1=...", location)
    before, at, host = shown.rpartition("@")
    scheme, slashes, user = before.partition("://")
    return f"{scheme}{slashes}{user.partition(':')[0]}{at}{host}" if at else shown


def is_database(location: str | Path) -> bool:
    """Return whether a ledger is in a database, and not in a file."""
    return str(location).startswith(("postgresql://", "postgres://"))


def _in_database(url: str, *, create: bool) -> dict[str, str]:
    try:
        from matchledger.ledger.postgresql import (  # noqa: PLC0415 - it comes with an extra
            DatabaseFactory,
            problem_with_database,
        )
    except ImportError:
        raise LedgerError("a ledger in PostgreSQL needs psycopg: pip install 'matchledger[postgresql]'") from None
    problem = problem_with_database(url, create=create)
    if problem is not None:
        raise LedgerError(f"{without_password(url)} {problem}")
    return {
        "PERSISTENCE_MODULE": get_topic(DatabaseFactory),
        "MAPPER_TOPIC": get_topic(EntryMapper),
        "MATCHLEDGER_URL": url,
    }


def _need_place(path: Path, *, create: bool) -> bool:
    """Refuse a path to a folder or to a file that is not a ledger, before anything is written. Return whether this
    call made the file.
    """
    if path.is_dir():
        raise LedgerError(f"{path} is a folder: name a file to keep the ledger in")
    if not path.exists():
        _need_room(path, create=create)
        make(path)
        return True
    try:
        problem = problem_with_file(path)
    except OSError as error:
        raise LedgerError(f"{path} cannot be read: {error.strerror}") from None
    if problem is not None:
        raise LedgerError(f"{path} {problem}: nothing was changed")
    if path.is_file() and path.stat().st_size == 0:
        if not create:
            raise LedgerError("the ledger holds no tournament: open or import one first")
        if not make_private(path):
            raise LedgerError(f"{path} belongs to another user, who could read the draw secret: name another file")
    return False


def _need_room(path: Path, *, create: bool) -> None:
    """Refuse a path at which no ledger can be made."""
    if path.is_symlink():
        raise LedgerError(f"{path} is a symbolic link to {path.readlink()}, which does not exist")
    if not create:
        raise LedgerError(f"there is no ledger {path}: open or import a tournament into it first")
    if not path.absolute().parent.is_dir():
        raise LedgerError(f"there is no folder {path.absolute().parent} to keep a ledger in")


_SHORT, _SHORTEST = 8, 4  # the number of characters of an id to show, and the fewest to type


def pick_tournament(ledger: Ledger, wanted: str | None) -> UUID:
    """Return the only tournament of a ledger, or the tournament with this name, id or beginning of an id."""
    known = ledger.readable() or ledger.tournaments()
    if not known:
        raise UsageProblem(sentence("the ledger holds no tournament: open or import one first"))
    if wanted is None and len(known) == 1:
        return known[0]
    if wanted is None:
        found = [tournament for tournament in known if not is_given_up(ledger, tournament)]
    else:
        # The first name is in the first entry. The present name needs the whole log, so few logs are read for it.
        first = [tournament for tournament in known if _first_title(ledger, tournament) == wanted]
        found = (
            [tournament for tournament in first if _title(ledger, tournament) == wanted]
            or [tournament for tournament in known if _begins(tournament, wanted)]
            or [tournament for tournament in known if _title(ledger, tournament) == wanted]
            or first
        )
    if len(found) == 1:
        return found[0]
    if found and wanted is not None:
        raise UsageProblem(
            sentence(
                "several tournaments are called %(name)r: name one by its id, %(known)s",
                name=wanted,
                known=joined(map(short_id, found)),
            )
        )
    names = {tournament: _title(ledger, tournament) for tournament in known}
    titles = list(names.values())
    listed = ", ".join(
        repr(name) if titles.count(name) == 1 else f"{name!r} ({short_id(tournament)})"
        for tournament, name in names.items()
    )
    raise UsageProblem(
        demanding(sentence("name one tournament: the ledger holds %(known)s", known=listed), "a tournament")
        if wanted is None
        else sentence("there is no tournament %(name)r: the ledger holds %(known)s", name=wanted, known=listed)
    )


def short_id(tournament: UUID) -> str:
    """Return the first eight characters of a tournament's id, enough to tell a few tournaments apart."""
    return str(tournament)[:_SHORT]


def _begins(tournament: UUID, wanted: str) -> bool:
    return len(wanted) >= _SHORTEST and str(tournament).startswith(wanted.casefold())


def is_given_up(ledger: Ledger, tournament: UUID) -> bool:
    """Return whether a tournament was closed before anyone registered, because it was opened by mistake."""
    record = _readable(ledger, tournament)
    return record is not None and record.closing is not None and not record.players


def _readable(ledger: Ledger, tournament: UUID) -> Record | None:
    try:
        return ledger.record(tournament)
    except LedgerError:
        return None


def _title(ledger: Ledger, tournament: UUID) -> str:
    record = _readable(ledger, tournament)
    return (_first_title(ledger, tournament) if record is None else record.name) or str(tournament)


def _first_title(ledger: Ledger, tournament: UUID) -> str:
    """Return the name of a tournament at its opening. The function reads no other entry."""
    opening = ledger.record_as_of(tournament, 1).opening
    return "" if opening is None else opening.name
