"""Golden files: text that a command printed once, was read, and has been kept beside its score sheet since."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Golden:
    """Holds what is printed now against golden files, or rewrites them under `--refresh-golden`."""

    refresh: bool

    def holds(self, file: Path, text: str) -> None:
        """Asserts that a golden file says exactly `text`."""
        if self.refresh:
            file.write_text(text, "utf-8")
        assert file.is_file(), f"there is no {file.name}: run pytest --refresh-golden, and read what it writes"
        assert text == file.read_text("utf-8"), f"{file.name} says something else"
