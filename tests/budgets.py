"""The budget of the tests: how many seconds each suite may take, and how long its searches last.

A suite is a folder of `tests`, or "." for the modules in it. The seconds of a suite are processor seconds,
including those of programs that the tests start and wait for. Therefore a busy machine does not exceed the budget.
A slow machine does not exceed it either: the seconds are divided by the pace of the machine. The pace is the
duration of a small piece of work, measured again and again beside the tests, in units of its usual duration.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Generator
from statistics import median
from typing import NamedTuple

import pytest


class Suite(NamedTuple):
    """The budget of a suite in seconds, and whether `pytest -m core` runs the suite."""

    seconds: int
    core: bool = False


SUITES = {
    ".": Suite(60, core=True),
    "audit": Suite(80),
    "cli": Suite(70),
    "clock": Suite(15, core=True),
    "commands": Suite(60),
    "conduct": Suite(15, core=True),
    "decks": Suite(10, core=True),
    "divisions": Suite(15, core=True),
    "docs": Suite(40),
    "doors": Suite(70),
    "drawings": Suite(10),
    "faults": Suite(95),
    "formats": Suite(30, core=True),
    "fuzzing": Suite(120),
    "games": Suite(25, core=True),
    "ledger": Suite(60),
    "mutants": Suite(60),
    "pairing": Suite(60),
    "paper": Suite(10, core=True),
    "printing": Suite(20),
    "projections": Suite(10, core=True),
    "rules": Suite(45),
    "stages": Suite(10, core=True),
    "storm": Suite(200),
    "tournament": Suite(10, core=True),
    "web": Suite(280),
}
FAR = 2  # CI fails a suite that needs this many times its budget
USUAL = 0.007  # processor seconds of `_work` on a machine of usual speed
APART = 5  # seconds between two measurements of the pace

# Searches without an end: their duration before a change lands, and with --long.
FUZZING = (1, 60)  # seconds for each target of atheris
TOURNAMENTS = (40, 1000)  # plans of 40 steps that hypothesis tries
LONG_TOURNAMENTS = (10, 600)  # plans of 100 steps
INTERVENTIONS = (500, 5000)  # plans of events with deliberate departures that hypothesis plays
REQUESTS = (5, 300)  # requests of schemathesis to each route of the API
ALIKE = (1, 3)  # the most requests of one kind to a route: valid, or invalid for the same reason
NUMBERS = (5, 25)  # millions of numbers in one line of a hostile file
# The number of times that each store's station is killed. On a busy machine there are fewer kills, and the test
# reports their number.
KILLS = (40, 200)
KILLING = (10, 60)  # the most seconds of killing, for each store
SERVER_KILLS = (12, 50)
SERVER_KILLING = (15, 45)

EVERY_TEST = pytest.StashKey[list[str]]()  # `with_vectors` of every test, in a run of all tests

_long = False


def with_vectors(item: pytest.Item) -> str:
    """The node id of a test, followed by the acceptance vectors of its marker in brackets."""
    vectors = [vector for marker in item.iter_markers("vector") for vector in marker.args]
    return f"{item.nodeid}[{' '.join(vectors)}]" if vectors else item.nodeid


def lengthen() -> None:
    """Make every search from now on long."""
    global _long  # noqa: PLW0603 - an option of the whole run, read where tests are defined
    _long = True


def at_length(budget: tuple[int, int]) -> int:
    """Return the short budget of a search. With --long, return the long budget."""
    return budget[_long]


def suite_of(node: str) -> str:
    """Return the suite of a test from its node id."""
    _, *folders, _ = node.partition("::")[0].split("/")
    return folders[0] if folders else "."


class Stopwatch:
    """A plugin that measures each suite, gives the fast tests the mark `core`, and reports suites over budget."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()
        self._before = _processor_seconds()
        self._paces = [_pace()]
        self._measured = time.monotonic()

    @pytest.hookimpl(tryfirst=True)  # run this hook before -m leaves tests out
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if config.args == config.getini("testpaths"):
            config.stash[EVERY_TEST] = [with_vectors(item) for item in items]
        if unknown := {suite_of(item.nodeid) for item in items} - SUITES.keys():
            raise pytest.UsageError(f"give {', '.join(sorted(unknown))} a budget in tests/budgets.py")
        for item in items:
            if SUITES[suite_of(item.nodeid)].core:
                item.add_marker("core")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        self._before = _processor_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        before, self._before = self._before, _processor_seconds()
        report.user_properties = [*report.user_properties, ("processor", self._before - before)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seconds = dict(report.user_properties).get("processor", 0)
        self._used[suite_of(report.nodeid)] += seconds  # type: ignore[operator] # seconds, as above
        if time.monotonic() - self._measured > APART:
            self._paces.append(_pace())
            self._measured = time.monotonic()

    def _overrun(self, times: int) -> list[str]:
        return [name for name in self._used if self._needed(name) > times * SUITES[name].seconds]

    def _needed(self, suite: str) -> float:
        """Return the processor seconds of a suite on a machine of usual speed."""
        return self._used[suite] / self._slowness

    @property
    def _slowness(self) -> float:
        """The median pace during the tests. A machine that is faster than usual counts as usual."""
        return max(1, median(self._paces))

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if os.environ.get("CI") and exitstatus == pytest.ExitCode.OK and self._overrun(FAR):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        shown = self._used if os.environ.get("CI") else self._overrun(1)
        if shown:
            pace = f" (this machine: {self._slowness:.1f} times as slow)"
            terminalreporter.section(f"processor seconds of each suite at the usual speed, and its budget{pace}")
        for name in sorted(shown, key=lambda name: -self._used[name]):
            budget = SUITES[name].seconds
            over = "  over budget" if name in self._overrun(1) else ""
            terminalreporter.line(f"{name:12} {self._needed(name):6.1f} {budget:4}{over}")
        if too_long := ", ".join(self._overrun(FAR)):
            terminalreporter.line(f"more than {FAR} times the budget: {too_long}", red=True)


def _processor_seconds() -> float:
    return sum(os.times()[:4])


def _pace() -> float:
    """Measure how slow the machine is now: 1 is the usual speed, 2 is half of it."""
    start = time.process_time()
    _work()
    return (time.process_time() - start) / USUAL


def _work() -> None:
    """Do some of what the tests do most: read and write JSON, format, sort."""
    read = json.loads(json.dumps({str(number): [number] * 3 for number in range(4000)}))
    sorted(f"{key} {value}" for key, value in read.items())
