"""The cache: a record kept in a file beside its ledger, so that a long log need not be folded anew to be opened.

It is derived and never trusted over the log. It counts only where it was written by somebody who had the ledger (it
is sealed with the tournament's secret), by the very code that reads it, and where the hash of its last entry is the
one in the log. Anything else is as good as no cache, and so is a file that cannot be read or written.
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

import matchledger.events
import matchledger_projections
from matchledger_projections.record import Record
from matchledger_projections.snapshot import Snapshot, restored, snapshot

LONG = 10_000
"""Entries that take a tenth of a second to fold: so many must have come since the last cache for another one."""

ENTRY_BYTES = 300
"""What an entry takes in the file, generously: where the disk has less room than that, none is written."""

_HEAD = struct.Struct("<16s32s16sQ32s")  # magic, code, tournament, position, root
_MAGIC = b"matchledgercache"
_SEAL_BYTES = 32


class RecordCache:
    """The cache beside the file of a ledger: it has room for one tournament."""

    def __init__(self, ledger: Path) -> None:
        self._ledger = ledger
        self.file = ledger.with_name(f"{ledger.name}.cache")

    def load(self, tournament: UUID, root_of: Callable[[int], bytes | None], secret: bytes) -> Record | None:
        """The record that was kept, if it is one of this log; `root_of` is the root up to an entry of the log."""
        try:
            if not self.file.is_file():
                return None
            with self.file.open("rb") as file:
                head, seal = file.read(_HEAD.size), file.read(_SEAL_BYTES)
                magic, code, whose, position, root = _HEAD.unpack(head)
                if (magic, code, whose) != (_MAGIC, _code(), tournament.bytes) or root_of(position) != root:
                    return None
                body = file.read()
            if not hmac.compare_digest(seal, _seal(head, body, secret)):
                return None
            record = restored(Snapshot.model_validate_json(body))
        except (OSError, ValueError, LookupError, struct.error):
            return None
        return record if (record.tournament, record.position) == (tournament, position) else None

    def store(self, record: Record, root: bytes, secret: bytes) -> None:
        """Keeps a record in place of the one that was kept, if that can be done."""
        if record.tournament is None:
            return
        with suppress(OSError):
            folder = self._ledger.parent
            if shutil.disk_usage(folder).free < ENTRY_BYTES * record.position:
                return
            # Whether the folder takes a file shows before anything is done for it.
            with tempfile.NamedTemporaryFile(dir=folder, prefix=f"{self.file.name}-", delete=False) as new:
                try:
                    shutil.copymode(self._ledger, new.name)
                    data = snapshot(record)
                    body = data.__pydantic_serializer__.to_json(data)
                    head = _HEAD.pack(_MAGIC, _code(), record.tournament.bytes, record.position, root)
                    new.write(head + _seal(head, body, secret) + body)
                    new.close()
                    os.replace(new.name, self.file)  # noqa: PTH105 - the name of a temporary file is no path
                except BaseException:
                    with suppress(OSError):
                        os.unlink(new.name)  # noqa: PTH108 - as above
                    raise

    def drop(self) -> None:
        """Forgets what was kept: the next record is folded from the log."""
        with suppress(OSError):
            self.file.unlink(missing_ok=True)


def _seal(head: bytes, body: bytes, secret: bytes) -> bytes:
    return blake2b(head + body, key=secret, digest_size=_SEAL_BYTES, person=_MAGIC).digest()


@cache
def _code() -> bytes:
    """What tells one version of the fold from another: its own text. Raises OSError where that is not at hand."""
    folders = [Path(package.__path__[0]) for package in (matchledger.events, matchledger_projections)]
    code = blake2b(digest_size=32)
    for file in sorted(file for folder in folders for file in folder.glob("*.py")):
        code.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return code.digest()
