"""The cache: a record in a file next to its ledger, so that a long log opens without a full replay.

A cache is used only if the same user wrote the cache. A cache is encrypted with a key that comes from the user's
own folder. A person who can only write next to the ledger does not have the user's key. The encryption key also
depends on the tournament's secret and on the keys of all its players. Therefore a cache shows no name, and is
unreadable after a player is erased. A cache counts only if the same version of the code wrote the cache, and if
its last entry has the same hash in the log. The program ignores a cache that fails one of these checks. A file
that cannot be read or written is ignored too.
"""

from __future__ import annotations

import hmac
import os
import shutil
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic_core import PydanticSerializationError

import matchledger.events
import matchledger_projections
from matchledger.ledger.files import own_folder
from matchledger_projections.record.record import Record

LONG = 10_000
"""Entries that take a tenth of a second to fold. A station that has read as many at once writes a new cache."""

ENTRY_BYTES = 300
"""Bytes of an entry in the file, rounded up. With less disk space than that, no cache is written."""

_HEAD = struct.Struct("<16s32s16sQ32sQ12s")  # magic, code, tournament, position, root, number of players, nonce
_KEY_BYTES = 32
_MAGIC = b"matchledgercache"

# A function that returns the encryption key of a cached record with this number of players.
KeyOf = Callable[[int], bytes]


class RecordCache:
    """The cache next to the file of a ledger, for one tournament."""

    def __init__(self, ledger: Path) -> None:
        self._ledger = ledger
        self.file = ledger.with_name(f"{ledger.name}.cache")

    def load(self, tournament: UUID, root_of: Callable[[int], bytes | None], key_of: KeyOf) -> Record | None:
        """Return the cached record if it belongs to this log, else None. `root_of` returns the root of the Merkle
        tree up to an entry.
        """
        try:
            if not self.file.is_file():
                return None
            from matchledger_projections.record.snapshot import Snapshot, restored  # noqa: PLC0415 - only a long log has a cache

            with self.file.open("rb") as file:
                head = file.read(_HEAD.size)
                magic, code, whose, position, root, players, nonce = _HEAD.unpack(head)
                if (magic, code, whose) != (_MAGIC, _code(), tournament.bytes) or root_of(position) != root:
                    return None
                if players > position:  # a log has at least one entry for each player
                    return None
                body = AESGCM(_own(key_of(players))).decrypt(nonce, file.read(), head)
            record = restored(Snapshot.model_validate_json(body))
        except (OSError, ValueError, LookupError, struct.error, InvalidTag):
            return None
        return record if (record.tournament, record.position) == (tournament, position) else None

    def store(self, record: Record, root: bytes, key_of: KeyOf) -> None:
        """Replace the cached record, if possible."""
        if record.tournament is None:
            return
        from matchledger_projections.record.snapshot import snapshot  # noqa: PLC0415 - only a long log is cached

        # A number is too large for its column: do not cache the record. A log with scores in the billions is
        # therefore replayed each time.
        with suppress(OSError, PydanticSerializationError):
            folder = self._ledger.parent
            if shutil.disk_usage(folder).free < ENTRY_BYTES * record.position:
                return
            # First test whether a file can be made in the folder.
            with tempfile.NamedTemporaryFile(dir=folder, prefix=f"{self.file.name}-", delete=False) as new:
                try:
                    shutil.copymode(self._ledger, new.name)
                    data = snapshot(record)
                    body = data.__pydantic_serializer__.to_json(data)
                    players, nonce = max(record.players, default=0), os.urandom(12)
                    head = _HEAD.pack(
                        _MAGIC, _code(), record.tournament.bytes, record.position, root, players, nonce
                    )
                    new.write(head + AESGCM(_own(key_of(players))).encrypt(nonce, body, head))
                    new.close()
                    os.replace(new.name, self.file)  # noqa: PTH105 - the name of a temporary file is not a path
                except BaseException:
                    with suppress(OSError):
                        os.unlink(new.name)  # noqa: PTH108 - as above
                    raise

    def put_away(self) -> Path:
        """Rename a cache that contradicts the log, so that the cache is kept as evidence. Return the new name."""
        kept = self.file.with_name(f"{self.file.name}.false")
        with suppress(OSError):
            self.file.replace(kept)
        return kept


def _own(key: bytes) -> bytes:
    return hmac.digest(_user_key(own_folder() / "cache.key"), key, "sha256")


@cache
def _user_key(file: Path) -> bytes:
    """Return the encryption key of this user. The key is made on first use. Raises OSError if there is no place to
    store the key.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (
        suppress(FileExistsError),
        os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new,
    ):
        new.write(os.urandom(_KEY_BYTES))
    key = file.read_bytes()
    if len(key) != _KEY_BYTES or (os.name == "posix" and file.stat().st_mode & 0o077):
        raise OSError("it is not a key of this user alone")
    return key


@cache
def _code() -> bytes:
    """Return a hash of the source code that replays a log, to tell versions apart. Raises OSError if the source
    text is not available.
    """
    folders = [Path(package.__path__[0]) for package in (matchledger.events, matchledger_projections)]
    code = blake2b(digest_size=32)
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            code.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes() + b"\0")
    return code.digest()
