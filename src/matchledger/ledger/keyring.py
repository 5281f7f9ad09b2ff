"""Key rings: a random key for each player's personal data, in a separate file from the ledger.

A ring is a text file. Each line has a tournament, a player and a key, and all lines have the same length. Lines are
only added, never removed. Each line is added in one write, which is on the disk before the first entry that needs
the key. If two stations make a key for one player at the same moment, the first line counts. To destroy a key, the
ring overwrites the key in its line. The line of a destroyed key stays. Therefore the player never gets another key,
and no trace of the old key remains.
"""

from __future__ import annotations

import os
import re
from binascii import a2b_hex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from matchledger.ledger.files import is_endless, need_own
from matchledger_projections.message import Sentence, demanding, sentence

KEY_BYTES = 32
SUFFIX = ".keys"
_HEADER = b"matchledger-keys/1\n"
# Two stations may begin a ring at the same moment. One station may then write keys before the other station writes
# the header.
_BEGINNING = re.compile(rb"\n*(?:matchledger-keys/1\n|[0-9a-f]{32} [0-9]{10} )")
_LINE = re.compile(rb"^([0-9a-f]{32}) ([0-9]{10}) ([0-9a-f]{64}|x{64})$", re.MULTILINE)
_TORN = re.compile(rb"matchledger-keys/1|[0-9a-f]{1,32}(?: [0-9]{0,10}(?: [0-9a-f]{0,63})?)?")
_DESTROYED = b"x" * (2 * KEY_BYTES)
_OTHERS = 0o077
_NOWHERE = sentence(
    "names in a database are sealed with keys that are kept elsewhere: set MATCHLEDGER_KEYS to a file "
    "for them, the same for every station"
)
# The tournament's UUID as a number, because Python hashes a UUID slowly, and the player's number.
_Player = tuple[int, int]


class KeyRingError(Exception):
    """A key ring that cannot be used. The message is one line and never contains a key."""


@dataclass(slots=True)
class KeyRing:
    """The keys in a file. Without a file, the keys are in memory."""

    path: Path | None = None
    nowhere: bool = False  # the ring has no place to store keys, so no key can be made
    instead: str = "name another with MATCHLEDGER_KEYS"  # the advice if the file holds no keys
    missed: set[_Player] = field(default_factory=set)  # players whose keys a reader wanted and this ring lacks
    # None means that the key was destroyed.
    _keys: dict[_Player, bytes | None] = field(default_factory=dict, repr=False)
    _rejected: set[tuple[_Player, bytes | None]] = field(default_factory=set, repr=False)  # keys of another copy
    _seen: tuple[int, int] | None = field(
        default=None, repr=False
    )  # the file's time and size when it was last read

    def key(self, tournament: UUID, player: int) -> bytes | None:
        """Return the key to a player's personal data. Return None if the ring lacks the key, or if the key was
        destroyed.
        """
        whose = (tournament.int, player)
        try:
            key = self._keys[whose]
        except KeyError:
            self._refresh()
            key = self._keys.get(whose)
        if key is None:
            self.missed.add(whose)
        return key

    def reject(self, tournament: UUID, player: int) -> None:
        """Leave out a key that does not open the player's data, because it is the key of another copy of the
        ledger. The file may have the right key in a later line.
        """
        whose = (tournament.int, player)
        if (key := self._keys.pop(whose, None)) is not None:
            self._rejected.add((whose, key))
            self._seen = None

    def is_rejected(self, tournament: UUID, player: int) -> bool:
        """Return whether the file's only keys of a player do not open the player's data."""
        whose = (tournament.int, player)
        return whose not in self._keys and any(whose == other for other, _ in self._rejected)

    def problems(self) -> list[str]:
        """Return the problems of the key file. After a failed read, the ring no longer uses the file."""
        try:
            self._refresh()
        except KeyRingError as problem:
            self.path, self.nowhere = None, True
            return [str(problem)]
        lines = [] if self.path is None or not self.path.exists() else self.path.read_bytes().splitlines()
        return [f"line {number} of {self.path} is no key" for number, line in enumerate(lines, 1) if _is_odd(line)]

    def remedy(self) -> Sentence:
        """Return the sentence that names the key file with the missing keys to names (C-D7)."""
        if self.path is None:
            return sentence("set MATCHLEDGER_KEYS to the file with their keys")
        if self.is_begun:
            return demanding(
                sentence("the keys to the others are not in %(file)s", file=self.path.name), "another key file"
            )
        return sentence(
            "copy %(file)s from the machine that has it, or set MATCHLEDGER_KEYS to the file with the keys",
            file=self.path.name,
        )

    @property
    def is_begun(self) -> bool:
        """Return whether the file exists and is not empty. Without a file, return True. An empty file may be an
        interrupted copy.
        """
        return self.path is None or (self.path.exists() and self.path.stat().st_size > 0)

    def need_file(self) -> None:
        """Refuse to start a second key file for names that are encrypted with the keys in another file (C-D7)."""
        if self.path is not None and not self.is_begun:
            raise KeyRingError(
                demanding(
                    sentence(
                        "the names are sealed with keys that are not here: copy %(file)s from the machine that "
                        "has it, or set MATCHLEDGER_KEYS to the file with the keys",
                        file=self.path.name,
                    ),
                    "a second key file",
                )
            )

    def need_own_file(self, tournaments: Iterable[UUID]) -> None:
        """Refuse a file that has keys, but none to a name in these tournaments, because it is another ledger's."""
        here = {tournament.int for tournament in tournaments}
        if self.path is not None and self._keys and not any(whose[0] in here for whose in self._keys):
            raise KeyRingError(
                sentence(
                    "%(file)s has the keys of another ledger, and no key to a name here: move it away, and copy "
                    "this ledger's key file from the machine that has it. If both were mixed already, keys merge "
                    "adds the keys of the right file",
                    file=self.path.name,
                )
            )

    def need_no_file(self) -> Path:
        """Return the path of a new key file. Raises KeyRingError if the file exists, or has no place."""
        if self.path is None or self.nowhere:
            raise KeyRingError(_NOWHERE)
        if self.is_begun:
            raise KeyRingError(f"{self.path} is there already: copy it, or merge another with keys merge")
        return self.path

    def begin(self) -> None:
        """Make the file, without keys. Raises KeyRingError for the reasons in `need_no_file`."""
        path = self.need_no_file()
        try:
            _append(path, _HEADER)
        except OSError as error:
            raise KeyRingError(f"{path} cannot be written: {error.strerror}") from None

    def tournaments(self) -> set[UUID]:
        """Return the tournaments that have a key in this ring, even a destroyed key."""
        self._refresh()
        return {UUID(int=tournament) for tournament, _ in self._keys}

    def of(self, tournament: UUID) -> dict[int, bytes | None]:
        """Return the keys of a tournament by player, with None for a destroyed key."""
        self._refresh()
        return {player: key for (known, player), key in self._keys.items() if known == tournament.int}

    def ensure(self, tournament: UUID, players: Iterable[int]) -> None:
        """Make the missing keys of some players, and return when the keys are on the disk."""
        wanted = sorted(set(players))
        if any((tournament.int, player) not in self._keys for player in wanted):
            self._refresh()
        if self.nowhere and wanted:
            raise KeyRingError(
                demanding(sentence("%(problem)s, or store names unencrypted", problem=_NOWHERE), "names in clear")
            )
        new = [player for player in wanted if (tournament.int, player) not in self._keys]
        self._add(tournament, {player: os.urandom(KEY_BYTES) for player in new})
        if any((tournament.int, player) not in self._keys for player in wanted):
            raise KeyRingError(f"{self.path} does not keep the keys that are written to it; nothing was recorded")
        destroyed = [player for player in wanted if self._keys[tournament.int, player] is None]
        if destroyed:
            raise KeyRingError(f"the personal data of player {destroyed[0]} was erased: no more of it is recorded")

    def need_place(self, tournament: UUID, keys: Mapping[int, bytes]) -> None:
        """Raise KeyRingError if the ring has no place to store the keys of a log that is about to be copied.
        Nothing is written.
        """
        if self.nowhere and keys:
            raise KeyRingError(_NOWHERE)
        self._refresh()
        if self.path is None or all((tournament.int, player) in self._keys for player in keys):
            return
        written = self.path if self.path.exists() else self.path.absolute().parent
        if not os.access(written, os.W_OK):
            raise KeyRingError(f"the keys to personal data cannot be kept in {self.path}: name another file")

    def put(self, tournament: UUID, keys: Mapping[int, bytes]) -> None:
        """Add keys that came with a log. A key that this ring already has, or has destroyed, does not change."""
        if self.nowhere and keys:
            raise KeyRingError(_NOWHERE)
        self._refresh()
        self._add(
            tournament, {player: key for player, key in keys.items() if (tournament.int, player) not in self._keys}
        )

    def destroy(self, tournament: UUID, player: int) -> bool:
        """Overwrite a player's key everywhere in the ring. Return whether the ring had a key of the player."""
        self._refresh()
        had = self._keys.get((tournament.int, player)) is not None
        if self.path is not None and had:
            self._overwrite(self.path, _whose(tournament.int, player))
        if self.path is None or had:
            self._keys[tournament.int, player] = None
        return had

    def _overwrite(self, path: Path, whose: bytes) -> None:
        """Overwrite the key in every line of a player in one file."""
        try:
            with path.open("r+b") as file:
                content = file.read()
                for line in re.finditer(rb"^%b(?=[0-9a-f]{64}$)" % whose, content, re.MULTILINE):
                    file.seek(line.end())
                    file.write(_DESTROYED)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise KeyRingError(f"the key in {path} cannot be destroyed: {error.strerror}; erase again") from None

    def _add(self, tournament: UUID, keys: Mapping[int, bytes]) -> None:
        if not keys:
            return
        if self.path is None:
            self._keys |= {(tournament.int, player): key for player, key in keys.items()}
            return
        lines = "".join(f"{tournament.hex} {player:010} {key.hex()}\n" for player, key in keys.items())
        try:
            is_new = not self.path.exists()
            # A power failure may have cut the last line. A line break ends a line that a power failure cut.
            _append(self.path, (_HEADER if is_new else b"\n") + lines.encode())
            if is_new:
                _sync_folder(self.path.absolute().parent)
        except OSError as error:
            raise KeyRingError(
                f"the keys to personal data cannot be kept in {self.path}: {error.strerror}; nothing was recorded"
            ) from None
        self._refresh()

    def _refresh(self) -> None:
        """Read the keys that other stations have added or destroyed."""
        if self.path is None:
            return
        if is_endless(self.path):
            raise KeyRingError(f"{self.path} is a pipe or a device: name a file with MATCHLEDGER_KEYS")
        try:
            now = self.path.stat()
            if self._seen == (now.st_mtime_ns, now.st_size):
                return
            content = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise KeyRingError(f"the keys in {self.path} cannot be read: {error.strerror}") from None
        if os.name == "posix" and now.st_mode & _OTHERS:
            with suppress(OSError):  # only the owner of the file can close it to others
                self.path.chmod(0o600)
        if content and not _BEGINNING.match(content):
            raise KeyRingError(f"{self.path} is not a key ring of matchledger: {self.instead}")
        destroyed = [whose for whose, key in self._keys.items() if key is None]
        self._keys, self._seen = {}, (now.st_mtime_ns, now.st_size)
        lines = _LINE.findall(content)
        tournaments = {tournament: int(tournament, 16) for tournament in {line[0] for line in lines}}
        for tournament, number, written in lines:
            player = (tournaments[tournament], int(number))
            key = None if written == _DESTROYED else a2b_hex(written)
            # A destroyed key stays destroyed, even if a later line has a key for the player.
            if (player not in self._keys or key is None) and (player, key) not in self._rejected:
                self._keys[player] = key
        self._destroy_again(self.path, destroyed)

    def _destroy_again(self, path: Path, destroyed: Iterable[_Player]) -> None:
        """Keep destroyed keys destroyed, even if somebody restored an older file."""
        for whose in destroyed:
            if self._keys.get(whose) is not None:
                self._overwrite(path, _whose(*whose))
            self._keys[whose] = None


def _whose(tournament: int, player: int) -> bytes:
    """Return the beginning of the lines that have a player's key."""
    return b"%032x %010d " % (tournament, player)


def _is_odd(line: bytes) -> bool:
    """Return whether a line is neither a key line nor the beginning of a key line that a power failure cut."""
    return bool(line) and _LINE.match(line) is None and _TORN.fullmatch(line) is None


def _append(path: Path, data: bytes) -> None:
    """Append to a file in one write, and wait for the disk. From the first moment only the owner can read the
    file. Raises PermissionError for a file that another user made and can read.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        need_own(descriptor, path)
        while data:  # an almost full disk takes only a part at a time
            data = data[os.write(descriptor, data) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def ring_of(location: str | Path, *, in_database: bool = False, own: bool = False) -> KeyRing:
    """Return the key ring of a ledger: MATCHLEDGER_KEYS, or the file next to the ledger. The key ring of a ledger
    in memory is in memory too.

    With `own`, the file next to the ledger comes first, because its keys are to be copied to MATCHLEDGER_KEYS. A
    database stores no keys, because deleted rows survive in its log and its backups.
    """
    beside = Path(f"{location}{SUFFIX}")
    if own and not in_database and beside.exists():
        return KeyRing(beside)
    if named := os.environ.get("MATCHLEDGER_KEYS"):
        return KeyRing(Path(named))
    if in_database:
        return KeyRing(nowhere=True)
    if str(location) == ":memory:":
        return KeyRing()
    return KeyRing(beside)
