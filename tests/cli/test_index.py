"""The index of the command line agrees with the modules, and a command imports only what it needs."""

from __future__ import annotations

import gc
import importlib.util
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import isfunction, signature
from types import ModuleType

import pytest
from typer.models import ParameterInfo

from matchledger import cli
from matchledger.cli import COMMANDS, GROUPS
from matchledger.cli.contents import HEADINGS
from matchledger.cli.index import GROUP_MODULES, MODULES
from matchledger.commands.registry import WORDS

SAID = {name: said for names in HEADINGS.values() for name, said in names.items()}


def _first_sentence(text: str | None) -> str:
    paragraph = " ".join((text or "").partition("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".")


def _names(module: ModuleType) -> set[str]:
    """Return the hand-written commands of a module, and the commands whose messages it prints."""
    written = {
        name.rstrip("_").replace("_", "-")
        for name, function in vars(module).items()
        if isfunction(function) and function.__module__ == module.__name__ and _is_typed(function)
    }
    return {*written, *getattr(module, "PRINTERS", ())}


def _is_typed(function: Callable[..., object]) -> bool:
    """Return whether a function has arguments or options of the command line."""
    annotations = [found.annotation for found in signature(function, eval_str=True).parameters.values()]
    return any(isinstance(mark, ParameterInfo) for one in annotations for mark in getattr(one, "__metadata__", ()))


def test_the_index_has_exactly_the_commands_of_the_modules() -> None:
    held = {
        (name, module.name)
        for module in pkgutil.iter_modules(cli.__path__)
        if module.name not in {"index", "recording", *GROUP_MODULES.values()}
        for name in _names(import_module(f"matchledger.cli.{module.name}"))
    }
    assert held == set(MODULES.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_shows_the_first_sentence_of_each_help(name: str) -> None:
    assert SAID[name] == _first_sentence(COMMANDS[name].__doc__)


@pytest.mark.parametrize("name", GROUPS)
def test_the_list_of_commands_shows_the_first_sentence_of_each_group(name: str) -> None:
    assert SAID[name] == _first_sentence(GROUPS[name].HELP)


def test_a_name_outside_the_index_is_not_a_command() -> None:
    assert ("delete" in COMMANDS, COMMANDS.get("delete")) == (False, None)
    assert COMMANDS.keys() == MODULES.keys() | {words for words in WORDS if " " not in words}


# -- what a command imports

# Every start of the program needs these modules, which have only the commands' names.
_CLI = ("", ".codes", ".contents", ".index", ".suggesting", ".terminal")
ALWAYS = {"matchledger", "matchledger.commands", "matchledger.commands.registry"} | {
    f"matchledger.cli{part}" for part in _CLI
}
# Only pages, sheets, pictures and database connections need these libraries.
FOR_FEW = {"fastapi", "starlette", "uvicorn", "jinja2", "babel", "typst", "segno", "psycopg", "PIL"}
ELSEWHERE = ("matchledger.web", "matchledger.printing", "matchledger.drawings")
# Modules that explain, preview, draw, check decks, read other programs' files, or show a running clock.
NOT_AT_THE_DESK = {
    "matchledger_projections.views.explanation",
    "matchledger_projections.views.meetings",
    "matchledger.service.preview",
    "matchledger.formats.reader",
    "matchledger.formats.transcript",
    "matchledger_projections.views.changes",
    "matchledger_projections.decks.checking",
    "matchledger_projections.pairing.drawing",
    "rich",
}


def imported(*words: str, code: int = 0) -> set[str]:
    """Return the modules that a command has imported when it exits."""
    started = "import sys; from matchledger.cli import run; code = run(); print(*sys.modules, file=sys.stderr)"
    ended = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", f"{started}; sys.exit(code)", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )
    *said, modules = ended.stderr.splitlines()
    assert ended.returncode == code, said
    return set(modules.split())


def ours(modules: set[str]) -> set[str]:
    return {name for name in modules if name.partition(".")[0] in ("matchledger", "matchledger_projections")}


def test_a_command_leaves_with_its_code_after_all_exit_handlers() -> None:
    program = """
import atexit
from matchledger import cli
def run():
    atexit.register(print, "last", end="")
    return 4
cli.run = run
cli.main()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603 - as above
    assert (ended.returncode, ended.stdout, ended.stderr) == (4, "last", "")


@pytest.mark.parametrize(("words", "code"), [("--version", 0), ("--help", 0), ("delete", 2), ("reprot", 2)])
def test_help_and_errors_import_no_command(words: str, code: int) -> None:
    modules = imported(words, code=code)
    assert ours(modules) == ALWAYS
    assert modules & {"eventsourcing", "cryptography", *FOR_FEW} == set()


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize("line", ["pairings", "correct 1 1 b --help", "verify", "rules", "log"])
def test_commands_import_no_pages_sheets_or_pictures(line: str) -> None:
    modules = imported(*line.split())
    assert modules & FOR_FEW == set()
    assert not [name for name in modules if name.startswith(ELSEWHERE)]


@pytest.mark.usefixtures("four")
@pytest.mark.parametrize(
    "line", ["report 1 a", "concede Ann", "late Eve", "start", "standings", "players", "calls"]
)
def test_a_frequent_command_imports_only_the_ledger_and_its_rules(line: str) -> None:
    modules = imported(*line.split())
    assert modules & {*FOR_FEW, *NOT_AT_THE_DESK} == set()
    assert not [name for name in modules if name.startswith(ELSEWHERE)]


def test_every_forbidden_import_is_a_real_module() -> None:
    for name in [*ELSEWHERE, *NOT_AT_THE_DESK]:
        assert importlib.util.find_spec(name) is not None, name


def test_an_import_does_not_change_the_garbage_collector() -> None:
    COMMANDS["report"]
    assert gc.isenabled()
    gc.disable()
    try:
        COMMANDS["report"]
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_import_builds_only_the_validator_of_an_entry() -> None:
    """It takes a millisecond to build a validator, and a ledger has few kinds of facts."""
    listed = """
import matchledger.cli.results
from pydantic import BaseModel
def below(one): return [one, *(deeper for part in one.__subclasses__() for deeper in below(part))]
ready = [one for one in below(BaseModel)[1:] if one.__pydantic_complete__]
print(*(one.__name__ for one in ready if "matchledger" in one.__module__))
"""
    ended = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", listed], capture_output=True, text=True, check=True
    )
    assert set(ended.stdout.split()) <= {"Entry", "Fact", "RulebookPart", "Command"}
