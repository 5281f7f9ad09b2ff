"""Files that a command writes where it was told to, and never over something else."""

from __future__ import annotations

from pathlib import Path

from matchledger.usage import UsageProblem

_SAME = 4  # bytes by which a file is known to be of the same kind


def write_file(path: Path, data: bytes) -> None:
    """Writes a file, over an older one of the same kind at most: a ledger that is named by mistake is not lost.

    Raises UsageProblem where it cannot be written.
    """
    try:
        if path.exists():
            with path.open("rb") as older:
                begins = older.read(_SAME)
            if begins and begins != data[:_SAME]:
                raise UsageProblem(f"{path} is another kind of file, and is left as it is: name another --out")
        path.write_bytes(data)
    except OSError as problem:
        raise UsageProblem(f"{path} cannot be written: {problem.strerror}; name another --out") from None
