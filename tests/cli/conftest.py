"""The command line as somebody at a desk uses it: a line goes in, text and an exit code come out."""

from __future__ import annotations

import io
import json
import secrets
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.event import SECRET

from matchledger.cli import run


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said, on both streams, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def problem(self) -> str:
        """The one line on stderr of a command that failed, without the name of the program."""
        assert self.code not in (0, 1), self.out
        [line] = self.err.splitlines()
        name, _, problem = line.partition(": ")
        assert name == "matchledger"
        assert "Traceback" not in problem
        return problem


Desk = Callable[..., Said]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "event.ledger"


@pytest.fixture(autouse=True)
def _at_a_desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ledger: Path) -> Iterator[None]:
    """The same secret every time, clocks in UTC, a folder of one's own, and the ledger named once."""
    monkeypatch.setattr(secrets, "token_bytes", lambda _=None: SECRET)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(ledger))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(tmp_path)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def desk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Carries a line out, as it is typed after `matchledger`; `typed` is what comes from the keyboard."""

    def desk(line: str, *more: str, typed: str = "") -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        code = run([*shlex.split(line), *more])
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return desk


@pytest.fixture
def four(desk: Desk) -> Desk:
    """Ann, Bo, Cy and Di at two tables of round 1: Ann against Bo, Cy against Di."""
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
    """The same after Ann and Cy have won."""
    assert four("report 1 a 2 a").code == 0
    return four
