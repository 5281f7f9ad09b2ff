"""Demands (what a refused command still needs): the core names no options, and the command line adds its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import typer
from tests.test_translation import SOURCE, called_sentences, pages

from matchledger.cli import COMMANDS, GROUPS, app
from matchledger.cli.ways import WAYS, problem_here, said_here
from matchledger.commands.refusal import Refusal
from matchledger_projections.message import Demand, demanding, demands_of, joined, sentence

FACES = ("cli", "printing", "web")
_OPTION = re.compile(r"--[a-z%]")
_COMMAND = re.compile(r"`|\b(?:staff|token) (?:add|leave|list|rest|return|issue|trust|show)\b")


def _of_the_domain() -> list[str]:
    return [text for file, text in called_sentences() if not _is_face(file)]


def _is_face(file: Path) -> bool:
    return file.is_relative_to(SOURCE) and file.relative_to(SOURCE).parts[0] in FACES


def test_no_sentence_of_the_core_names_an_option_or_a_command() -> None:
    domain = _of_the_domain()
    dashed = [f": use {name}" for name in COMMANDS if "-" in name]
    assert len(domain) > 500, "the sentences are found"
    assert [text for text in domain if _OPTION.search(text) or _COMMAND.search(text)] == []
    assert [text for text in domain if any(name in text for name in dashed)] == []


def test_a_page_names_only_options_of_the_server() -> None:
    shown = [*pages(), *(text for file, text in called_sentences() if _is_face(file) and "web" in file.parts)]
    naming = [text for text in shown if _OPTION.search(text)]
    assert naming, "a page says how the server is started"
    assert [text for text in naming if _OPTION.search(re.sub(r"\bserve --[a-z]+", "", text))] == []


def test_the_command_line_has_an_option_for_every_demand() -> None:
    assert set(WAYS) == set(get_args(Demand))


def test_every_suggested_option_or_command_exists() -> None:
    program: Any = typer.main.get_command(app)
    for way in WAYS.values():
        alone = re.split(r" or |, ", way)[0].split()[1:]
        if not alone[0].startswith("--"):
            command = program
            for word in alone[: 2 if alone[0] in GROUPS else 1]:
                command = command.commands[word]
            assert set(re.findall(r"--[a-z-]+", " ".join(alone))) <= _options(command), way
    everywhere = {option for command in _commands(program) for option in _options(command)}
    assert {word for way in WAYS.values() for word in re.findall(r"--[a-z-]+", way)} <= everywhere


def _commands(command: Any) -> Iterator[Any]:
    for inside in getattr(command, "commands", {}).values():
        yield from _commands(inside)
    yield command


def _options(command: Any) -> set[str]:
    return {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}


def test_demands_in_nested_sentences_are_found() -> None:
    late = demanding(sentence("enter %(player)s as a late arrival", player="Ann"), "a late arrival")
    line = sentence("line %(line)s: %(problem)s", line=3, problem=joined((late, late)))
    assert demands_of(line) == ("a late arrival",)
    assert demands_of("enter Ann as a late arrival") == ()


def test_the_advice_follows_the_message_and_its_rule() -> None:
    said = demanding(sentence("allow rematches, or pair it by hand"), "a rematch", "pairings by hand")
    assert said_here(said) == f"{said}; use --allow-rematch or pair --table"
    assert problem_here(Refusal(said, "ASH-NOREMATCH")) == (
        "allow rematches, or pair it by hand (ASH-NOREMATCH); use --allow-rematch or pair --table"
    )
    assert problem_here(Refusal(sentence("the tournament is closed"))) == "the tournament is closed"
