"""Mutants: each breaks one rule in the way a careless reader would."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (ROOT / "src", ROOT / "projections")


class Misplaced(ValueError):
    """No source has the text that a mutant changes, or several places have it. The message says where."""


@dataclass(frozen=True)
class Mutant:
    """A rule and a plausible mistake: in the one source that contains `right`, the mutant replaces it with `wrong`.

    `says` states the wrong rule. If several sources have the text, `within` is the end of the right path. The tests
    that must fail are those that `shown_by.toml` names for the rule.
    """

    rule: str
    says: str
    right: str
    wrong: str
    within: str = ""

    def source(self) -> Path:
        """Return the source that contains the text once.

        Raises: Misplaced: no source contains the text, or several places do.
        """
        found = [
            (path, text.count(self.right))
            for path, text in _sources().items()
            if path.as_posix().endswith(self.within) and self.right in text
        ]
        if len(found) != 1 or found[0][1] != 1:
            where = ", ".join(f"{path.relative_to(ROOT)} ({count})" for path, count in found) or "no source"
            raise Misplaced(f"{self.rule}, {self.says!r}: {self.right!r} must be in one place, and is in {where}")
        return found[0][0]

    def text(self) -> str:
        return _sources()[self.source()].replace(self.right, self.wrong)


@cache
def _sources() -> dict[Path, str]:
    files = (file for top in SOURCES for file in sorted(top.rglob("*")) if file.suffix in {".py", ".toml"})
    return {file: file.read_text("utf-8") for file in files}
