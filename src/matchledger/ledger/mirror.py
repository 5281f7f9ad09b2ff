"""The mirror: a copy of the file on a second disk. The copy is made anew at the end of each round."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from matchledger.ledger.files import back_up, is_beginning, is_of_same_event, need_own
from matchledger_projections.record.record import Record


class Mirror:
    """A folder, best on another disk, with a copy of the ledger from the end of the last round.

    If copying fails, the reason is in `problem`. A failed copy never delays a slip, because the ledger itself is
    durable.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        gone = f"there is no folder {folder} to copy the ledger into; the ledger itself is safe"
        self.problem: str | None = None if folder.is_dir() else gone

    def follow(self, file: Path, record: Record, ring: Path | None = None) -> None:
        """Copy the ledger and its key ring when no table is open: between rounds, and before round 1."""
        latest = record.current_round
        if latest is not None and latest.outstanding:
            return
        try:
            keys = ring if ring is not None and ring.parent == file.parent and ring.exists() else None
            self._need_own_place(file, keys)
            self._copy(file)
            if keys is not None:
                _copy_in_place(keys, self._folder / keys.name)
        except (OSError, sqlite3.Error) as problem:
            self.problem = f"the copy in {self._folder} could not be made: {problem}; the ledger itself is safe"
        else:
            self.problem = None

    def _need_own_place(self, file: Path, keys: Path | None) -> None:
        """Refuse a folder with another ledger's files, and a copy in which somebody has recorded something."""
        whole = self._folder / file.name
        if whole.exists() and whole.samefile(file):
            raise OSError("it is the ledger itself: name another folder")
        if whole.exists() and whole.stat().st_size and not is_beginning(whole, file):
            if not is_of_same_event(whole, file):
                raise OSError(f"the {file.name} in it belongs to another event: name another folder")
            raise OSError(
                f"{file.name} is there already and has entries that this ledger lacks: merge it with merge-copy, "
                "or name another folder"
            )
        if keys is not None and not whole.exists() and (self._folder / keys.name).exists():
            raise OSError(f"{keys.name} is there already without its ledger: name another folder")

    def _copy(self, file: Path) -> None:
        """Make a new copy. The new copy replaces the old copy only when it is complete and on the disk."""
        whole, part = self._folder / file.name, self._folder / f".{file.name}.part"
        part.unlink(missing_ok=True)
        back_up(file, part)
        part.replace(whole)
        _to_disk(self._folder)


def _copy_in_place(ring: Path, copy: Path) -> None:
    """Copy a key ring in place, so that keys that were destroyed since the last copy are overwritten in the copy
    too. Raises OSError for a symbolic link, and for a file that another user made and can read.
    """
    handle = os.open(copy, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(handle, "r+b") as file:
        need_own(handle, copy)
        file.write(ring.read_bytes())
        file.truncate()
        file.flush()
        os.fsync(file.fileno())


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
