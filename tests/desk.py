"""The command line in this process, as a person at a desk uses it: words go in, and text and an exit code come
out.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from matchledger.cli import run


@dataclass(frozen=True, slots=True)
class Said:
    """The output of a command on both streams, and its exit code."""

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
        """The one line on stderr of a failed command, without the name of the program."""
        assert self.code not in (0, 1), self.out
        [line] = self.err.splitlines()
        name, _, problem = line.partition(": ")
        assert name == "matchledger"
        assert "Traceback" not in problem
        return problem

    @property
    def refused(self) -> str:
        assert self.code == 3, self.out + self.err
        return self.problem


class Terminal(io.StringIO):
    """A keyboard with a person at it."""

    def isatty(self) -> bool:
        return True


RunCli = Callable[..., Said]


@pytest.fixture
def run_cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> RunCli:
    """Run a line. Its exit code must be `code`, unless `code` is None. `typed` is the input from the keyboard."""

    def run_cli(*words: str, code: int | None = 0, typed: str | None = None) -> Said:
        if typed is not None:
            monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        said = Said(run([*words]), *capsys.readouterr())
        assert code in (None, said.code), said
        return said

    return run_cli


def printed_or_problem(run_cli: RunCli, *words: str, code: int = 0) -> str:
    """Return the output of a command. If the command should fail, return its problem."""
    said = run_cli(*words, code=code)
    return said.problem if code else said.out
