"""The command line as a person at a desk uses it: a person types a line and gets text and an exit code."""

from __future__ import annotations

import secrets
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.desk import RunCli, Said
from tests.event import SECRET

Desk = Callable[..., Said]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "event.ledger"


@pytest.fixture(autouse=True)
def _at_a_desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ledger: Path) -> Iterator[None]:
    """Set up a desk: the same secret every time, clocks in UTC, a separate folder, and the ledger in the
    environment.
    """
    monkeypatch.setattr(secrets, "token_bytes", lambda _=None: SECRET)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(ledger))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(tmp_path)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def desk(run_cli: RunCli) -> Desk:
    """Run a line as a person types it after `matchledger`. `typed` is what the person types afterwards."""
    return lambda line, *more, typed="": run_cli(*shlex.split(line), *more, code=None, typed=typed)


@pytest.fixture
def four(desk: Desk) -> Desk:
    """Ann, Bo, Cy and Di in round 1: Ann plays Bo, and Cy plays Di."""
    for line in (
        "open Friday -b l5r-2018",
        "register Ann",
        "register Bo",
        "register Cy",
        "register Di",
        "pair --table Ann/Bo --table Cy/Di",
    ):
        said = desk(line)
        assert said.code == 0, said.err
    return desk


@pytest.fixture
def played(four: Desk) -> Desk:
    """The same four players after wins of Ann and Cy."""
    assert four("report 1 a 2 a").code == 0
    return four
