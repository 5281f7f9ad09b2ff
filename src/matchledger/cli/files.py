"""Files that commands read, up to a limit, and files that they write without overwriting."""

from __future__ import annotations

import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from matchledger.formats.problem import FormatError
from matchledger.formats.text import MAX_FILE_BYTES
from matchledger.ledger.files import may_be_held
from matchledger.notation.problems import UsageProblem
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text

_SAME = 4  # bytes by which a file is known to be of the same kind


def read_file(path: Path, *, most: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a file. Raises UsageProblem if the file is unreadable or has more than `most` bytes.

    No more than that is ever read: a device that never ends fills no memory.
    """
    need_no_ledger(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except (OSError, ValueError) as error:  # a ValueError is a NUL in the name
        raise UsageProblem(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise UsageProblem(f"{path} is larger than {most // 2**20} MiB: name another file")
    return data


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Names the file in which something cannot be read, besides the place in it."""
    try:
        yield
    except FormatError as problem:
        raise UsageProblem(f"{path}{':' if problem.line is None else ','} {problem}") from None


def read_text(path: Path) -> str:
    """The text in a file in UTF-8. Raises UsageProblem."""
    try:
        return read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageProblem(f"{path} cannot be read: byte {error.start + 1} is not UTF-8") from None


def need_no_ledger(path: Path) -> None:
    """Refuses the ledger that this command has open: only SQLite may open its file. Raises UsageProblem."""
    if may_be_held(path):
        raise UsageProblem(f"{path} is the ledger itself: name another file")


def write_file(path: Path, data: bytes) -> None:
    """Writes a file, over an older one of the same kind at most: a ledger that is named by mistake is not lost.

    Raises UsageProblem where it cannot be written.
    """
    need_no_ledger(path)
    try:
        if path.exists():
            with path.open("rb") as older:
                begins = older.read(_SAME)
            if begins and begins != data[:_SAME]:
                raise UsageProblem(f"{path} is another kind of file, and is left as it is: name another file")
        path.write_bytes(data)
    except OSError as problem:
        raise UsageProblem(f"{path} cannot be written: {problem.strerror}; name another file") from None


def read_rulebook(rulebook: str) -> str:
    """The text of a shipped rulebook, or of a house rulebook in a .toml file."""
    if not rulebook.endswith(".toml"):
        return rulebook_text(rulebook)
    return read_text(Path(rulebook))


def other_rulebook(rulebook: str | None) -> Rulebook | None:
    """The rulebook that somebody wants to rank under, if not the tournament's own."""
    return None if rulebook is None else parse_rulebook(read_rulebook(rulebook))


_PATIENCE = 0.5  # seconds for a pipe to hold its first line


def piped_lines() -> list[str]:
    """The lines that another program piped in, without outer spaces; none from a pipe that nobody writes to."""
    try:
        if not select.select([sys.stdin], [], [], _PATIENCE)[0]:
            return []
        return [line.strip() for line in sys.stdin.read().splitlines()]
    except (OSError, ValueError):  # no stream, or none that can be waited for
        return []
