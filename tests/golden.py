"""Golden files: output that a person has checked, stored next to its score sheet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Golden:
    """Compares output with golden files. With `--refresh-golden`, rewrites the files."""

    refresh: bool

    def holds(self, file: Path, text: str) -> None:
        """Assert that a golden file contains exactly `text`."""
        if self.refresh:
            file.write_text(text, "utf-8")
        assert file.is_file(), f"there is no {file.name}: run pytest --refresh-golden, and read what it writes"
        assert text == file.read_text("utf-8"), f"{file.name} says something else"
