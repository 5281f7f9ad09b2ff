"""Check the prose of README, CHANGELOG and docs with proselint and our own words: python -m tests.docs.prose

`--sentences` prints forty sentences for a fresh reader. The commit chooses them.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from proselint.checks import __register__
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.registry.checks import Check
from proselint.registry.checks.types import ExistenceSimple
from proselint.tools import LintFile

ROOT = Path(__file__).resolve().parents[2]
GENERATED = {"api.md", "commands.md", "rules.md", "benchmarks.md"}
PAGES = [
    page
    for page in [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if page.name not in GENERATED
]
# Words that hide who does what.
AVOIDED = (
    "stands?",
    "stood",
    "hangs?",
    "hung",
    "whoever",
    "whatever",
    "nobody",
    "(?:is|are) (?:said|told)",
    "what there is",
    "as it (?:was|is)",
    "of it",
    "(?:is|are) held against",
    "speaks? of",
    "comes? of",
    "goes by",
    "that which",
    "those (?:who|that|which)",
    "one that",
)
BECAUSE = r", for (?:it|they|he|she|there|this|nobody|no one)\b"
OURS = (
    Check(
        check_type=ExistenceSimple(rf"\b(?:{'|'.join(AVOIDED)})\b"),
        path="voice.words",
        message="Avoid '{}': say who does what.",
    ),
    Check(
        check_type=ExistenceSimple(BECAUSE), path="voice.because", message="'{}' reads as 'because': write that."
    ),
)
# The pages are typed in ASCII, and a game writes its own name as it likes.
CHECKS = {"misc.capitalization": False, **DEFAULT["checks"], "typography": False, "voice": True}
_CODE = re.compile(r"<!--.*?-->|^```.*?^```$|`[^`\n]*`|\]\([^)]*\)|^\|[^\n]*|^#[^\n]*", re.DOTALL | re.MULTILINE)
SENTENCES, FEWEST_WORDS = 40, 4


def prose(text: str) -> str:
    """Blank out code, tables, headings and links. Every other word keeps its place."""
    return _CODE.sub(lambda code: re.sub(r"\S", " ", code[0]), text)


def problems(name: str, text: str) -> Iterator[str]:
    """The problems of a text, one line each."""
    for found in LintFile(source=name, content=prose(text)).lint({**DEFAULT, "checks": CHECKS}):
        yield f"{name}:{found.pos[0]}: {found.check_result.message}"


def register() -> None:
    """Give proselint its checks and ours, once."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many((*__register__, *OURS))


def sentences(text: str) -> Iterator[str]:
    """The sentences of the prose, and list items, with their code."""
    text = re.sub(r"<!--.*?-->|^```.*?^```$|^\|[^\n]*|^#[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. ))", text):
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9`\"(*])", re.sub(r"^[-*] ", "", " ".join(block.split()))):
            if len(sentence.split()) >= FEWEST_WORDS:
                yield sentence


def main() -> int:
    """Print every problem, or forty sentences; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.docs.prose", description=__doc__)
    parser.add_argument("--sentences", action="store_true", help="print forty sentences chosen by the commit")
    texts = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in PAGES}
    if parser.parse_args().sentences:
        git = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
        commit = subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - our own words
        every = [f"{name}: {one}" for name, text in texts.items() for one in sentences(text)]
        print(f"Commit {commit}", *random.Random(commit).sample(every, SENTENCES), sep="\n")  # noqa: S311 - a sample
        return 0
    register()
    found = [line for name, text in texts.items() for line in problems(name, text)]
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
