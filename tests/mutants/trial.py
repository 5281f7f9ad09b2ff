"""Trials: the cited tests of a rule run in their own process, in which one source is mutated.

The tests are collected once. Each trial is a fork of that process. In the fork, mutated functions, constants and
data replace the originals.
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import io
import multiprocessing
import os
import pathlib
import re
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import SourceFileLoader
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from tests.budgets import with_vectors
from tests.mutants.mutant import ROOT, Misplaced, Mutant

TESTS = ROOT / "tests"
LONGEST = 120  # the most seconds of a trial
PROCESSES = 2
_FAILED = (AssertionError, pytest.fail.Exception)  # these exceptions are failed tests. Any other is a crash
_OURS = ("matchledger", "tests.")
_PLAIN = (int, str, tuple, frozenset, dict, re.Pattern)  # a trial can replace constants of these types
_Cached = type(cache(len))


@dataclass(eq=False)
class Trial:
    """The result of a mutant: the test that caught it, or why no test did."""

    mutant: Mutant
    caught_by: str | None = None
    because: str = "no cited test failed"


@dataclass(eq=False)
class _Trials:
    """Collects only the cited tests, and runs those of each mutant in a fork instead of pytest's usual loop."""

    mutants: Sequence[Mutant]
    cited: Callable[[str], tuple[str, ...]]
    told: Callable[[Trial], None]
    items: dict[str, list[pytest.Item]] = field(default_factory=dict)
    now: Trial | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for rule in {mutant.rule for mutant in self.mutants}:
            cited = self.cited(rule)
            self.items[rule] = [item for item in items if any(_shows(by, with_vectors(item)) for by in cited)]
        wanted = {item for found in self.items.values() for item in found}
        items[:] = [item for item in items if item in wanted]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        with tempfile.TemporaryDirectory() as room:
            waiting = [_Fork(self, session, mutant, Path(room) / str(n)) for n, mutant in enumerate(self.mutants)]
            for place, fork in enumerate(waiting):
                for ahead in waiting[place : place + PROCESSES]:
                    ahead.start()
                self.told(fork.result())
        return True

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
        yield
        if self.now is None or call.excinfo is None or call.excinfo.errisinstance(pytest.skip.Exception):
            return
        if call.when == "call" and call.excinfo.errisinstance(_FAILED):
            self.now.caught_by = item.nodeid.removeprefix("tests/")
            item.session.shouldstop = "caught"
        else:
            self.now.because = f"{item.nodeid} crashed: {call.excinfo.typename}"

    def run(self, session: pytest.Session, mutant: Mutant) -> Trial:
        """Run the cited tests against a mutant. The mutant stays in the process, so this process is a fork."""
        self.now = Trial(mutant)
        items = self.items[mutant.rule]
        if not items:
            self.now.because = "no cited test was collected"
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(LONGEST)
        try:
            _mutate(mutant)
            for item, following in zip(items, [*items[1:], None], strict=False):
                if not session.shouldstop:
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        except Exception as problem:  # noqa: BLE001 - whatever it is, it caught nothing
            self.now.because = f"{type(problem).__name__}: {problem}"
        signal.alarm(0)
        return self.now


class _Fork:
    """A trial in its own process, with a folder for its temporary files."""

    def __init__(self, trials: _Trials, session: pytest.Session, mutant: Mutant, room: Path) -> None:
        self._trials, self._session, self._mutant, self._room = trials, session, mutant, room
        self._process: multiprocessing.process.BaseProcess | None = None
        self._end: Connection

    def start(self) -> None:
        if self._process is not None:
            return
        self._end, other = multiprocessing.Pipe(duplex=False)
        self._process = multiprocessing.get_context("fork").Process(target=self._run, args=(other,))
        self._process.start()
        other.close()

    def result(self) -> Trial:
        try:
            caught_by, because = self._end.recv()
        except EOFError:
            caught_by, because = None, "the trial ended early"
        assert self._process is not None
        self._process.join()
        return Trial(self._mutant, caught_by, because)

    def _run(self, end: Connection) -> None:
        self._room.mkdir()
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(self._room)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        trial = self._trials.run(self._session, self._mutant)
        end.send((trial.caught_by, trial.because))
        end.close()
        os._exit(0)


def run(mutants: Sequence[Mutant], cited: Callable[[str], tuple[str, ...]], told: Callable[[Trial], None]) -> None:
    """Try each mutant on the tests that `cited` gives for its rule, and report the trials in order.

    A trial that takes longer than `LONGEST` does not count as caught.
    """
    os.chdir(ROOT)
    files = _files(tuple(shown for rule in {mutant.rule for mutant in mutants} for shown in cited(rule)))
    quiet = ["-p", "no:cacheprovider", "--capture=sys", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        code = pytest.main([*quiet, "-m", "", *files], plugins=[_Trials(mutants, cited, told)])
    if code != pytest.ExitCode.OK:
        raise RuntimeError(f"the cited tests could not be collected:\n{said.getvalue()}")


def _shows(shown: str, node: str) -> bool:
    """Return whether a test is cited, either by file and name or by the id of a vector."""
    if "::" in shown:
        return node.partition("[")[0] == f"tests/{shown}"
    return bool(re.search(rf"(?<![A-Z0-9]){re.escape(shown)}(?![A-Z0-9])", _as_vector(node)))


def _as_vector(text: str) -> str:
    return text.upper().replace("_", "-")


def _too_long(*_: object) -> None:
    raise TimeoutError(f"a trial takes {LONGEST} seconds at most")


# -- replace imported code and data


def _mutate(mutant: Mutant) -> None:
    """Replace one source by the mutant for everything that is imported or read afterwards."""
    mutated, text = mutant.source(), mutant.text()
    compiled, read = SourceFileLoader.get_code, pathlib.Path.read_text

    def get_code(loader: SourceFileLoader, fullname: str) -> CodeType | None:
        if loader.get_filename(fullname) == str(mutated):
            return compile(text, str(mutated), "exec", dont_inherit=True)
        return compiled(loader, fullname)

    def read_text(path: Path, *args: Any, **options: Any) -> str:
        return text if path == mutated else read(path, *args, **options)

    right = read(mutated, "utf-8")
    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    pathlib.Path.read_text = read_text  # type: ignore[method-assign,assignment]
    for module in [module for module in sys.modules.values() if getattr(module, "__file__", None) == str(mutated)]:
        _replace(module, right, text)
    for each in gc.get_objects():
        if isinstance(each, _Cached) and each.__module__.startswith(_OURS):
            each.cache_clear()


def _replace(module: ModuleType, right: str, wrong: str) -> None:
    """Put mutated code into the functions of an imported module, and mutated values into its constants."""
    file = str(module.__file__)
    before = _codes(compile(right, file, "exec", dont_inherit=True))
    after = _codes(compile(wrong, file, "exec", dont_inherit=True))
    changed = {name for name in before if list(map(_own, before[name])) != list(map(_own, after.get(name, [])))}
    functions = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
    replaced = set()
    for function in functions:
        old = function.__code__
        if old.co_filename == file and old.co_qualname in changed:
            place = [code.co_firstlineno for code in before[old.co_qualname]].index(old.co_firstlineno)
            function.__code__ = after[old.co_qualname][place]
            replaced.add(old.co_qualname)
    inside = {name for name in changed if any(name.startswith(f"{outer}.<locals>.") for outer in replaced)}
    if changed - replaced - inside:
        replaced |= _rebind(module, compile(wrong, file, "exec", dont_inherit=True))
    if changed - replaced - inside:
        raise Misplaced(f"{file}: {', '.join(sorted(changed))} cannot be replaced while it runs")


def _rebind(module: ModuleType, wrong: CodeType) -> set[str]:
    """Put mutated values into the constants of a module and its classes, and into other modules that imported
    these constants.

    Return the qualified names of the changed objects.
    """
    fresh = ModuleType(module.__name__)
    fresh.__file__ = module.__file__
    exec(wrong, vars(fresh))  # noqa: S102 - our own source
    found = set()
    for name, value in _constants(vars(fresh)):
        if value != (old := vars(module).get(name)):
            found.add("<module>")
            for other in list(sys.modules.values()):
                if getattr(other, "__dict__", {}).get(name) is old:
                    setattr(other, name, value)
    for kind in [each for each in vars(fresh).values() if getattr(each, "__module__", "") == module.__name__]:
        own = vars(module).get(getattr(kind, "__name__", ""))
        for name, value in _constants(vars(kind)) if isinstance(kind, type) and isinstance(own, type) else ():
            if value != vars(own).get(name):
                found.add(kind.__qualname__)
                setattr(own, name, value)
    return found


def _constants(names: Mapping[str, object]) -> list[tuple[str, object]]:
    return [
        (name, value) for name, value in names.items() if isinstance(value, _PLAIN) and not name.startswith("__")
    ]


def _codes(code: CodeType) -> dict[str, list[CodeType]]:
    """Return a compiled source and everything defined in it, by qualified name."""
    found: dict[str, list[CodeType]] = defaultdict(list)
    waiting = [code]
    for each in waiting:
        found[each.co_qualname].append(each)
        waiting += [const for const in each.co_consts if isinstance(const, CodeType)]
    return found


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what a code object itself does, without the functions that its module or class defines."""
    is_function = bool(code.co_flags & inspect.CO_OPTIMIZED)
    consts = [_own(const) if is_function else None for const in code.co_consts if isinstance(const, CodeType)]
    values = [repr(const) for const in code.co_consts if not isinstance(const, CodeType)]
    return code.co_code, consts, values, code.co_names, code.co_varnames, code.co_freevars


# -- finding the cited tests


def _files(cited: tuple[str, ...]) -> list[str]:
    """Return the files that may contain the cited tests. The function searches the text of the files, because
    collecting every test takes too long.
    """
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
