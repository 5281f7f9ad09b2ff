"""Trials: the cited tests of a rule, run in a process of its own in which one source is mutated."""

from __future__ import annotations

import contextlib
import io
import os
import pathlib
import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from tests.mutants.mutant import ROOT, Misplaced, Mutant

TESTS = ROOT / "tests"
LONGEST = 60  # seconds of a trial
_FAILED = (AssertionError, pytest.fail.Exception)  # what a test says of an outcome; anything else is a crash


@dataclass(eq=False)
class Trial:
    """What the cited tests made of a mutant: the test that caught it, or why none did."""

    rule: str
    says: str
    caught_by: str | None = None
    because: str = "no cited test failed"
    ran: list[str] = field(default_factory=list)


@dataclass(eq=False)
class _Observer:
    """Lets the cited tests run and no others, and stops with the first that fails by an assertion."""

    cited: tuple[str, ...]
    trial: Trial

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if any(_shows(shown, item.nodeid) for shown in self.cited)]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
        yield
        if call.when == "call":
            self.trial.ran.append(item.nodeid)
        if call.excinfo is None or call.excinfo.errisinstance(pytest.skip.Exception):
            return
        if call.when == "call" and call.excinfo.errisinstance(_FAILED):
            self.trial.caught_by = item.nodeid.removeprefix("tests/")
            item.session.shouldstop = "caught"
        else:
            self.trial.because = f"{item.nodeid} crashed: {call.excinfo.typename}"


def _shows(shown: str, node: str) -> bool:
    """Whether a test is the one that is cited, by its file and name or by the id of a vector."""
    if "::" in shown:
        return node.partition("[")[0] == f"tests/{shown}"
    return bool(re.search(rf"(?<![A-Z0-9]){re.escape(shown)}(?![A-Z0-9])", _as_vector(node)))


def _as_vector(text: str) -> str:
    return text.upper().replace("_", "-")


def run(mutant: Mutant | None, rule: str, cited: tuple[str, ...]) -> Trial:
    """Runs the cited tests against a mutant, or the sources as they are. It spoils the process that it runs in.

    A trial that takes longer than `LONGEST` is not caught.
    """
    trial = Trial(rule, mutant.says if mutant else "")
    try:
        if mutant is not None:
            _mutate(mutant.source(), mutant.text())
    except Misplaced as problem:
        trial.because = str(problem)
        return trial
    os.chdir(ROOT)
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LONGEST)
    quiet = ["-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        code = pytest.main([*quiet, *_files(cited)], plugins=[_Observer(cited, trial)])
    signal.alarm(0)
    if not trial.ran and trial.because == "no cited test failed":
        trial.because = f"no cited test ran (pytest ended with {code})"
    if mutant is None and code == pytest.ExitCode.OK:
        trial.because = ""
    return trial


def _too_long(*_: object) -> None:
    raise TimeoutError(f"a trial takes {LONGEST} seconds at most")


def _mutate(mutated: Path, text: str) -> None:
    """Has one source read as another text from now on, by the import system and by whoever opens it as data."""
    if any(getattr(module, "__file__", None) == str(mutated) for module in list(sys.modules.values())):
        raise Misplaced(f"{mutated} is imported before it is mutated")
    compiled, read = SourceFileLoader.get_code, pathlib.Path.read_text

    def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if loader.get_filename(fullname) == str(mutated):
            return compile(text, str(mutated), "exec", dont_inherit=True)
        return compiled(loader, fullname)

    def read_text(path: Path, *args: Any, **options: Any) -> str:
        return text if path == mutated else read(path, *args, **options)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    pathlib.Path.read_text = read_text  # type: ignore[method-assign,assignment]


def _files(cited: tuple[str, ...]) -> list[str]:
    """The files that may hold the cited tests, found by their text: to collect every test takes too long."""
    found = {f"tests/{shown.partition('::')[0]}" for shown in cited if "::" in shown}
    for shown in cited:
        if "::" not in shown:
            found.update(path for path, text in _test_files().items() if shown in text)
            if shown in _fixtures():
                found.add("tests/test_vectors.py")
    return sorted(found)


@cache
def _test_files() -> dict[str, str]:
    mine = TESTS / "mutants"
    return {
        file.relative_to(ROOT).as_posix(): _as_vector(file.read_text("utf-8"))
        for file in TESTS.rglob("test_*.py")
        if mine not in file.parents and file.parent.name != "rules"
    }


@cache
def _fixtures() -> str:
    return "".join(
        _as_vector(f"{file} {file.read_text('utf-8')}") for file in ROOT.glob("fixtures/*/expected.json")
    )
