"""Check the prose of README, CHANGELOG and docs with proselint and our own words: python -m tests.docs.prose

`--sentences` prints forty sentences for a fresh reader, five from each kind of text, and the commit chooses them.
Each sentence comes with what its reader sees around it: its place, the sentence before it in parentheses, the
signature above a docstring, the code below a comment, and the English of a German message.
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
from dataclasses import dataclass
from itertools import pairwise
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
_NAMED = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
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


@dataclass(frozen=True)
class Sentence:
    """A sentence, with what its reader sees around it: the place, the text before it and the code below it."""

    place: str
    text: str
    before: str = ""
    below: str = ""

    def __str__(self) -> str:
        around = (self.place, self.before and f"({self.before})", self.text, self.below)
        return "\n    ".join(part for part in around if part)


def sentences(place: str, text: str, below: str = "") -> Iterator[Sentence]:
    """Yield the sentences and list items of the prose, including inline code."""
    text = re.sub(r"<!--.*?-->|^```.*?^```$|^\|[^\n]*|^#[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    text = _INDENTED.sub("", text)
    every = [""]
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. ))", text):
        every += re.split(r"(?<=[.!?])\s+(?=[A-Z0-9`\"(*])", re.sub(r"^[-*] ", "", " ".join(block.split())))
    for before, sentence in pairwise(every):
        if len(sentence.split()) >= FEWEST_WORDS:
            yield Sentence(place, sentence, before, below)


def pages() -> Iterator[Sentence]:
    """Yield the sentences of README, CHANGELOG and docs, with the page and the heading."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for section in re.split(r"^(?=#)", text, flags=re.MULTILINE):
            heading, _, words = section.partition("\n")
            yield from sentences(f"{page.relative_to(ROOT)}, {heading}", words)


def helps() -> Iterator[Sentence]:
    """Yield the sentences of `--help`, with the command and the argument or option."""
    page = re.sub(r"\s*\[(?:env\s+var|default|required)[^]]*\]", "", HELP.read_text("utf-8"))
    for command, block in re.findall(r"^## (.*?)\n+```\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        for paragraph in re.split(r"\n\s*\n", block):
            heading, _, listed = paragraph.partition("\n")
            if heading in ("Arguments:", "Options:"):
                for entry in re.split(r"\n(?=  \S)", listed):
                    name, _, words = entry.strip().partition("  ")
                    yield from sentences(f"{command} --help, {name}", words)
            elif not heading.startswith("Usage:"):
                yield from sentences(f"{command} --help", paragraph)


def messages() -> Iterator[Sentence]:
    """Yield the texts of messages, pages and PDFs, with the function, the class or the file that has the text."""
    homes = _homes()
    for english, _ in _catalogue():
        yield from (Sentence(homes.get(form, ""), form) for form in english)


def german() -> Iterator[Sentence]:
    """Yield the German texts, each after its English."""
    homes = _homes()
    for english, translated in _catalogue():
        yield from (Sentence(homes.get(english[0], ""), form, english[0]) for form in translated)


def _homes() -> dict[str, str]:
    """Return the innermost function or class of each text in the code, or the template of the text."""
    found: dict[str, str] = {}
    for path, text in _modules(CODE):
        for node in ast.walk(ast.parse(text)):
            name = f" {node.name}" if isinstance(node, _NAMED) else ""
            if name or isinstance(node, ast.Module):
                texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
                found |= {one: f"{path}{name}" for one in texts if isinstance(one, str)}
    for template in sorted(CODE[0].rglob("*.html")):
        for one in re.findall(
            r"_\('(.*?)'\)|{% trans.*?%}(.*?){% endtrans %}", template.read_text("utf-8"), re.DOTALL
        ):
            found["".join(one)] = str(template.relative_to(ROOT))
    return found


def _catalogue() -> Iterator[tuple[list[str], list[str]]]:
    """Yield each text of at least four words in English and in German, each with its plurals."""
    with GERMAN.open("rb") as file:
        for entry in read_po(file, locale="de"):
            english, german = (
                [one] if isinstance(one, str) else list(one or ()) for one in (entry.id, entry.string)
            )
            if len(english[0].split()) >= FEWEST_WORDS:
                yield english, german


def docstrings(folders: Iterable[Path]) -> Iterator[Sentence]:
    """Yield the sentences of every docstring, with the module and the signature."""
    for path, text in _modules(folders):
        tree, lines = ast.parse(text), text.splitlines()
        homes = {
            part: f"{path}, {node.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for part in node.body
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Module):
                yield from sentences(str(path), ast.get_docstring(node) or "")
            elif isinstance(node, _NAMED):
                signature = " ".join(line.strip() for line in lines[node.lineno - 1 : node.body[0].lineno - 1])
                yield from sentences(f"{homes.get(node, path)}, {signature}", ast.get_docstring(node) or "")


def comments(folders: Iterable[Path]) -> Iterator[Sentence]:
    """Yield the sentences of every comment, with the module and the line of code below. A comment at the end of a
    line of code comes together with the code.
    """
    for path, text in _modules(folders):
        lines = [line.strip() for line in text.splitlines()]
        last, words = 0, ""
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.COMMENT or _IGNORE.search(token.string):
                continue
            row, line = token.start[0], token.line.strip()
            if not line.startswith("#"):
                yield Sentence(str(path), line)
                continue
            if words and row != last + 1:
                yield from sentences(str(path), words, lines[last])
                words = ""
            words, last = f"{words} {token.string.lstrip('#! ')}", row
        yield from sentences(str(path), words, lines[last] if last < len(lines) else "")


def names_of_tests() -> Iterator[Sentence]:
    """Yield the name of every test, with the module."""
    for path, text in _modules([ROOT / "tests"]):
        yield from (Sentence(str(path), name) for name in re.findall(r"def (test_\w+)\(", text))


def _modules(folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text("utf-8")


def rooms() -> dict[str, list[Sentence]]:
    """Return every sentence that people read, by the kind of text."""
    return {
        "README, CHANGELOG and docs": list(pages()),
        "--help": list({one.text: one for one in helps()}.values()),
        "messages, pages and PDFs": list(messages()),
        "German": list(german()),
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
            print(f"\n{kind} ({len(every)} sentences)\n", *chance.sample(every, EACH), sep="\n\n")
        return 0
    register()
    texts = {str(page.relative_to(ROOT)): page.read_text("utf-8") for page in PAGES}
    found = [line for name, text in texts.items() for line in problems(name, text)]
    print(*found, sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
