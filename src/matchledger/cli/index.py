"""The index of the command line: which module has each command.

A command imports only its own module, because a scorekeeper waits for every command.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

import typer

from matchledger.cli.suggesting import Suggesting
from matchledger.commands.registry import WORDS

T = TypeVar("T")

# For each command, the module of this package that defines it.
MODULES: Mapping[str, str] = {
    **dict.fromkeys(("open", "register", "late"), "setup"),
    **dict.fromkeys(("drop", "rejoin", "disqualify"), "leaving"),
    "close": "setup",
    **dict.fromkeys(("divisions", "decide-divisions", "flights", "draw-flights"), "divisions"),
    **dict.fromkeys(("pair", "amend"), "rounds"),
    **dict.fromkeys(("pairings", "slip"), "seating"),
    **dict.fromkeys(("tie", "swap-tables"), "rounds"),
    "start": "timekeeping",
    "clock": "clock",
    **dict.fromkeys(("extend", "pause", "resume", "mark", "first-player"), "timekeeping"),
    **dict.fromkeys(("report", "concede", "no-show"), "results"),
    **dict.fromkeys(("correct", "retract", "undo", "redo"), "correcting"),
    "desk": "desk",
    **dict.fromkeys(("structure", "announce", "cut", "replace", "time-tiebreak", "bracket", "places"), "stages"),
    **dict.fromkeys(("call", "calls", "answer"), "calling"),
    **dict.fromkeys(("penalty", "ruling", "card", "conduct"), "conduct"),
    "repair": "repairing",
    **dict.fromkeys(("standings", "players"), "reading"),
    "log": "entries",
    "explain": "explaining",
    "history": "entries",
    "diff": "comparing",
    "replay": "comparing",
    **dict.fromkeys(("whatif", "clinch"), "supposing"),
    **dict.fromkeys(("scorecard", "overview", "rating", "file-overview"), "paper"),
    **dict.fromkeys(("import", "check"), "importing"),
    "post": "proving",
    **dict.fromkeys(("verify", "set-aside"), "verifying"),
    **dict.fromkeys(("witness", "witnessed"), "witnessing"),
    "key": "keys",
    "checkpoint": "proving",
    **dict.fromkeys(("bundle", "export"), "handing"),
    "integrity": "proving",
    "publish": "serving",
    "erase": "forgetting",
    "serve": "serving",
    **dict.fromkeys(("rules", "rulebook", "policies"), "citing"),
    **dict.fromkeys(("migrate", "merge-copy"), "copying"),
}
# Commands of several words, grouped by the first word.
GROUP_MODULES: Mapping[str, str] = {
    "deck": "decks",
    "keys": "key_rings",
    "token": "tokens",
    "draw": "drawing",
    "print": "printing",
    "staff": "staff",
}


class OnDemand(Mapping[str, T]):
    """A mapping with known names, which imports each object on first use."""

    def __init__(self, names: Mapping[str, object], fetch: Callable[[str], T]) -> None:
        self._names = names
        self._fetch = fetch

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        return self._fetch(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names  # the inherited method would import every module

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _module(name: str) -> ModuleType:
    """Import a module of this package without garbage collection.

    Imported objects stay. Garbage collection during imports would take a fifth of the time.
    """
    full = f"matchledger.cli.{name}"
    if full in sys.modules:
        return sys.modules[full]
    was_on = gc.isenabled()
    gc.disable()
    try:
        return import_module(full)
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def _command(name: str) -> Callable[..., None]:
    """Return a command's function: made from the command's declaration, or written in the command's module."""
    module = _module(MODULES[name]) if name in MODULES else None
    if name not in WORDS:
        return _written(module, name.replace("-", "_"))
    recording = _module("recording")
    told = getattr(module, "PRINTERS", {}).get(name, recording.tell_entries)
    made: Callable[..., None] = recording.recording(name, told)
    return made


def _written(module: ModuleType | None, name: str) -> Callable[..., None]:
    """Return a command's function by its name in a module. If Python reserves the name, the function's name ends in
    an underscore.
    """
    found: Callable[..., None] = getattr(module, name, None) or getattr(module, f"{name}_")
    return found


NAMES = {**MODULES, **{words: "" for words in WORDS if " " not in words}}
COMMANDS: Mapping[str, Callable[..., None]] = OnDemand(NAMES, _command)
GROUPS: Mapping[str, ModuleType] = OnDemand(GROUP_MODULES, lambda name: _module(GROUP_MODULES[name]))


@cache  # the desk, tests and docs run one command many times in one process
def _as_typed(name: str) -> Any:
    """Return the typer object that runs a command or a group of commands."""
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    if name in GROUPS:
        group = typer.Typer(cls=Suggesting, help=GROUPS[name].HELP, rich_markup_mode=None)
        for word, command in GROUPS[name].COMMANDS.items():
            group.command(word)(command)
        alone.add_typer(group, name=name)
    else:
        alone.command(name)(COMMANDS[name])
    return typer.main.get_group(alone).commands[name]


TYPED: Mapping[str, Any] = OnDemand({**NAMES, **GROUP_MODULES}, _as_typed)
