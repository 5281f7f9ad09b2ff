"""Check the prose of README, CHANGELOG and docs with proselint and our own words: python -m tests.docs.prose

`--sentences` prints forty sentences for a fresh reader, five from each kind of text. The commit chooses the
sentences.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages.pofile import read_po
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
# The pages are typed in ASCII, and each game chooses the spelling of its name.
CHECKS = {"misc.capitalization": False, **DEFAULT["checks"], "typography": False, "voice": True}
_CODE = re.compile(r"<!--.*?-->|^```.*?^```$|`[^`\n]*`|\]\([^)]*\)|^\|[^\n]*|^#[^\n]*", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}[^\n]*\n)+")
_IGNORE = re.compile(r"noqa|type: ignore|fmt: |--")
EACH, FEWEST_WORDS = 5, 4
HELP = ROOT / "docs" / "commands.md"
GERMAN = ROOT / "src" / "matchledger" / "locale" / "de" / "LC_MESSAGES" / "matchledger.po"
CODE = [ROOT / "src", ROOT / "projections", ROOT / "docs"]


def prose(text: str) -> str:
    """Replace code, tables, headings and links with blanks. Every other word keeps its place."""
    return _CODE.sub(lambda code: re.sub(r"\S", " ", code[0]), text)


def problems(name: str, text: str) -> Iterator[str]:
    """Yield the problems of a text, one line each."""
    for found in LintFile(source=name, content=prose(text)).lint({**DEFAULT, "checks": CHECKS}):
        yield f"{name}:{found.pos[0]}: {found.check_result.message}"


def register() -> None:
    """Register proselint's checks and ours, once."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many((*__register__, *OURS))


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences and list items of the prose, including inline code."""
    text = re.sub(r"<!--.*?-->|^```.*?^```$|^\|[^\n]*|^#[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    text = _INDENTED.sub("", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. ))", text):
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9`\"(*])", re.sub(r"^[-*] ", "", " ".join(block.split()))):
            if len(sentence.split()) >= FEWEST_WORDS:
                yield sentence


def helps() -> Iterator[str]:
    """Yield the sentences of `--help`: the descriptions of commands, arguments and options."""
    for block in re.findall(r"^```\n(.*?)^```$", HELP.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        for paragraph in re.split(r"\n\s*\n", re.sub(r"\s*\[(?:env var|default|required)[^]]*\]", "", block)):
            heading, _, listed = paragraph.partition("\n")
            if heading in ("Arguments:", "Options:"):
                for entry in re.split(r"\n(?=  \S)", f"\n{listed}"):
                    yield from sentences(re.sub(r"^\s*\S.*?(?:\s{2,}|$)", "", entry, count=1))
            elif not heading.startswith("Usage:"):
                yield from sentences(paragraph)


def catalogued() -> tuple[list[str], list[str]]:
    """Return the texts of messages, pages and PDFs in English and in German."""
    with GERMAN.open("rb") as file:
        entries = [entry for entry in read_po(file, locale="de") if entry.id]
    english = [text for entry in entries for text in _forms(entry.id)]
    german = [text for entry in entries for text in _forms(entry.string)]
    return english, german


def _forms(text: str | Iterable[str] | None) -> list[str]:
    forms = [text] if isinstance(text, str) else text or []
    return [form for form in forms if len(form.split()) >= FEWEST_WORDS]


def docstrings(folders: Iterable[Path]) -> Iterator[str]:
    """Yield the sentences of every docstring, after the module and the name."""
    for path, text in _modules(folders):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                where = " ".join((str(path), *([] if isinstance(node, ast.Module) else [node.name])))
                yield from (f"{where}: {one}" for one in sentences(ast.get_docstring(node) or ""))


def comments(folders: Iterable[Path]) -> Iterator[str]:
    """Yield the sentences of every comment, after the module. A comment at the end of a line of code comes
    together with the code.
    """
    for path, text in _modules(folders):
        last, words = 0, ""
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and not _IGNORE.search(token.string):
                alone = token.line.lstrip().startswith("#")
                goes_on = alone and token.start[0] == last + 1
                if not alone:
                    yield f"{path}: {token.line.strip()}"
                    continue
                if words and not goes_on:
                    yield from (f"{path}: {one}" for one in sentences(words))
                words = f"{words if goes_on else ''} {token.string.lstrip('#! ')}"
                last = token.start[0]
        yield from (f"{path}: {one}" for one in sentences(words))


def names_of_tests() -> Iterator[str]:
    """Yield the name of every test as words, after the module."""
    for path, text in _modules([ROOT / "tests"]):
        for name in re.findall(r"def (test_\w+)\(", text):
            yield f"{path}: {name}"


def _modules(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text("utf-8")


def rooms() -> dict[str, list[str]]:
    """Return every sentence that people read, by the kind of text."""
    english, german = catalogued()
    pages = ((page.relative_to(ROOT), page.read_text("utf-8")) for page in PAGES)
    return {
        "README, CHANGELOG and docs": [f"{name}: {one}" for name, text in pages for one in sentences(text)],
        "--help": sorted(set(helps())),
        "messages, pages and PDFs": english,
        "German": german,
        "docstrings": list(docstrings(CODE)),
        "comments": list(comments([*CODE, ROOT / "tests"])),
        "docstrings of tests": list(docstrings([ROOT / "tests"])),
        "names of tests": list(names_of_tests()),
    }


def main() -> int:
    """Print every problem, or forty sentences. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.docs.prose", description=__doc__)
    parser.add_argument(
        "--sentences", nargs="?", const="", metavar="COMMIT", help="print forty sentences for a commit"
    )
    commit = parser.parse_args().sentences
    if commit is not None:
        git = ["git", "-C", str(ROOT), "rev-parse", commit or "HEAD"]
        chosen = subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - our own words
        chance = random.Random(chosen)  # noqa: S311 - a sample
        print(f"Commit {chosen}")
        for kind, every in rooms().items():
            print(f"\n{kind} ({len(every)} sentences)", *chance.sample(every, EACH), sep="\n")
        return 0
    register()
    texts = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in PAGES}
    found = [line for name, text in texts.items() for line in problems(name, text)]
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
