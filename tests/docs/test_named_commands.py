"""Every command on a page exists and has the options that the page names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from tests.docs.test_docs import ROOT

from matchledger.cli import COMMANDS, GROUPS, app

PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
OTHERS = {
    "commands.md",
    "extending.md",
    "rules.md",
    "score-sheet.md",
}  # words of the help, of the rules, and of sheets
_SPAN = re.compile(r"`([^`\n]+)`")
_OPTION = re.compile(r"^--[a-z][a-z-]*")


def named(text: str) -> Iterator[list[str]]:
    """Yield the words of each code line that begins with the program's name, or that has a command and an
    option.
    """
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        code = line.strip().removeprefix("$ ") if fenced or line.startswith(("    ", "$ ")) else ""
        for found in [code, *_SPAN.findall(line)]:
            words = _words(found.partition(" > ")[0].partition(" | ")[0])
            if words[:1] == ["matchledger"]:
                yield words[1:]
            elif words[:1] and words[0] in {*COMMANDS, *GROUPS} and found != code and len(words) > 1:
                yield words


def _words(code: str) -> list[str]:
    try:
        return shlex.split(code, comments=True)
    except ValueError:  # the text has an apostrophe, not a quotation
        return []


def options(words: list[str]) -> set[str]:
    """Return the long options of a command."""
    found = typer.main.get_command(app)
    for word in words[: 2 if words[0] in GROUPS else 1]:
        found = found.commands[word]  # type: ignore[attr-defined] # the program and its groups have them
    return {option for parameter in found.params for option in (*parameter.opts, *parameter.secondary_opts)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_on_a_page_exist_with_their_options(page: Path) -> None:
    for words in named(page.read_text("utf-8")) if page.name not in OTHERS else ():
        if not words or words[0].startswith("-") or words[0] in ("...", "COMMAND"):
            continue
        assert words[0] in {*COMMANDS, *GROUPS}, (page.name, words)
        if words[0] in GROUPS and (len(words) < 2 or not words[1].isalpha()):
            continue
        given = {match[0] for word in words if (match := _OPTION.match(word))} - {"--help"}
        assert given <= options(words), (page.name, words, given - options(words))


def test_an_unknown_option_on_a_page_is_found() -> None:
    [words] = named("$ matchledger report --frobnicate 1 a\n")
    assert words == ["report", "--frobnicate", "1", "a"]
    assert "--frobnicate" not in options(words)
    assert "--slip" in options(words)
