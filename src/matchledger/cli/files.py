"""Reading files up to a limit, and writing files without overwriting others."""

from __future__ import annotations

import select
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from matchledger.formats.text import MAX_FILE_BYTES, FormatError
from matchledger.ledger.files import is_endless, may_be_held
from matchledger.notation.problems import UsageProblem
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text

_SAME = 4  # the first bytes identify the kind of file


def read_file(path: Path, *, most: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a file.

    Raises UsageProblem if the file is unreadable or has more than `most` bytes.

    The function reads no more than `most` bytes, so an endless device cannot fill the memory.
    """
    need_plain(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except (OSError, ValueError) as error:  # a name with a NUL raises ValueError
        raise UsageProblem(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise UsageProblem(f"{path} is larger than {most // 2**20} MiB: name another file")
    return data


@contextmanager
def in_file(path: Path) -> Iterator[None]:
    """Put the file's name before the message of a format error, and raise the error as UsageProblem."""
    try:
        yield
    except FormatError as problem:
        raise UsageProblem(f"{path}{':' if problem.line is None else ','} {problem}") from None


def read_text(path: Path) -> str:
    """The text of a UTF-8 file. Raises UsageProblem."""
    try:
        return read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageProblem(f"{path} cannot be read: byte {error.start + 1} is not UTF-8") from None


def need_plain(path: Path) -> None:
    """Refuse a pipe or a device, which may never end, and the file of an open ledger, which only SQLite may open.

    Raises UsageProblem.
    """
    if is_endless(path):
        raise UsageProblem(f"{path} is a pipe or a device: name a file")
    if may_be_held(path):
        raise UsageProblem(f"{path} is the ledger itself: name another file")


def write_file(path: Path, data: bytes) -> None:
    """Write a file. Replace only an older file of the same kind, so that a ledger named by mistake survives.

    Raises UsageProblem if the file cannot be written.
    """
    need_plain(path)
    try:
        if path.exists():
            with path.open("rb") as older:
                begins = older.read(_SAME)
            if begins and begins != data[:_SAME]:
                raise UsageProblem(f"{path} is another kind of file, and is left as it is: name another file")
        path.write_bytes(data)
    except OSError as problem:
        raise UsageProblem(f"{path} cannot be written: {problem.strerror}; name another file") from None


def need_own_sheet(path: Path, tournament: UUID) -> None:
    """Refuse to replace a printed sheet of another event, or any other PDF. Raises UsageProblem."""
    need_plain(path)
    try:
        older = path.read_bytes() if path.exists() else b""
    except OSError as problem:
        raise UsageProblem(f"{path} cannot be read: {problem.strerror}; name another file") from None
    if older and str(tournament).encode() not in older:
        raise UsageProblem(f"{path} is no sheet of this event, and is left as it is: name another file with --out")


def give(lines: Iterable[str], out: Path | None) -> None:
    """Write lines to the file of --out, or to stdout."""
    if out is not None and str(out) != "-":
        if out.suffix.casefold() == ".pdf":
            raise UsageProblem(f"{out} would be text: for a PDF use print, or name another file")
        write_file(out, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        lines = [f"{out} is written."]
    sys.stdout.writelines(f"{line}\n" for line in lines)


def read_rulebook(rulebook: str) -> str:
    """Return the text of a shipped rulebook, or of a house rulebook in a .toml file."""
    if not rulebook.endswith(".toml"):
        return rulebook_text(rulebook)
    return read_text(Path(rulebook))


def other_rulebook(rulebook: str | None) -> Rulebook | None:
    """Return the rulebook for another ranking, or None if the named rulebook is the tournament's own."""
    return None if rulebook is None else parse_rulebook(read_rulebook(rulebook))


_PATIENCE = 0.5  # seconds to wait for the first line of a pipe


def piped_lines() -> list[str]:
    """Return the lines from a pipe, without outer spaces. Return an empty list if no program writes to the pipe."""
    try:
        if not select.select([sys.stdin], [], [], _PATIENCE)[0]:
            return []
        return [line.strip() for line in sys.stdin.read().splitlines()]
    except (OSError, ValueError):  # the stream does not exist, or select cannot watch it
        return []
