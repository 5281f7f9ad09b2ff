"""Somebody at a desk, in a role of their own: a line goes in, an exit code and text come out."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
    def refused(self) -> str:
        """The one line of a command that the rules refuse."""
        assert self.code == 3, self.out + self.err
        [line] = self.err.splitlines()
        return line.removeprefix("matchledger: ")


Desk = Callable[..., Said]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "event.ledger"


@pytest.fixture
def desk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ledger: Path) -> Desk:
    """Carries lines out, as they are typed after `matchledger`; the last one is what is looked at."""
    monkeypatch.setattr(secrets, "token_bytes", lambda _=None: SECRET)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(ledger))
    monkeypatch.chdir(tmp_path)

    def desk(*lines: str) -> Said:
        for line in lines[:-1]:
            assert run(shlex.split(line)) == 0, (line, capsys.readouterr().err)
        capsys.readouterr()
        code = run(shlex.split(lines[-1]))
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return desk
