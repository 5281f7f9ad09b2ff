"""A watch on ledger files: only SQLite may open them.

If a process closes any descriptor of a file, it drops all its locks on the file. The hook notices every `open` in
Python. The hook does not notice SQLite, which opens its files in C. The watch also records what forked stations
and servers open.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType

SOURCE = f"{Path(__file__).parents[1] / 'src'}{os.sep}"
ENDINGS = ("", "-wal", "-shm")

_place = Path(tempfile.mkstemp(prefix="watch-")[1])
_log = os.open(_place, os.O_RDWR | os.O_APPEND)
_place.unlink()
_ledgers: set[str] = set()


def begin() -> None:
    """Listen until the process ends, because a hook cannot be removed."""
    sys.addaudithook(_hear)


def seen() -> list[str]:
    """Return the ledger files that code other than SQLite opened since the last call, in this process and its
    forks.
    """
    size = os.fstat(_log).st_size
    said = os.pread(_log, size, 0).decode()
    os.ftruncate(_log, 0)
    return said.splitlines()


def copy_apart(file: Path, to: Path) -> None:
    """Copy a file in another process, because closing the file in this one would drop its locks."""
    subprocess.run(["cp", file, to], check=True)  # noqa: S603, S607 - coreutils


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        path, _, flags = arguments
        if isinstance(flags, int) and flags & os.O_EXCL:  # this call creates a file, so it opens no existing one
            return
        if isinstance(path, str | bytes) and _is_ledger(name := os.path.realpath(os.fsdecode(path))):
            who = _ours()
            if who is not None or _is_held(name):
                os.write(_log, f"{who or 'a test'} opens {name}\n".encode())
    elif event == "sqlite3.connect" and isinstance(database := arguments[0], str | bytes | Path):
        path = os.fsdecode(database)
        if path != ":memory:" and not path.startswith("file:"):
            _ledgers.add(os.path.realpath(path))


def _is_ledger(name: str) -> bool:
    return any(name.removesuffix(ending) in _ledgers for ending in ENDINGS) or name.endswith(
        tuple(f".ledger{ending}" for ending in ENDINGS)
    )


def _ours() -> str | None:
    """Return the product's module that opens the file, from anywhere in the call stack, or None if only test code
    does.
    """
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the hook itself has no other way to see who asks
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(SOURCE):
            return file.removeprefix(SOURCE)
        if f"{os.sep}tests{os.sep}" in file and "site-packages" not in file:
            return None
        frame = frame.f_back
    return None


def _is_held(name: str) -> bool:
    """Return whether this process has the file open already, as SQLite does. Without /proc this is unknown."""
    try:
        return any(os.path.realpath(one) == name for one in Path("/proc/self/fd").iterdir())
    except OSError:
        return False
