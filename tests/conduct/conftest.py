"""A person with a role at a desk types a line and gets an exit code and text."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.desk import RunCli, Said
from tests.event import SECRET

Desk = Callable[..., Said]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "event.ledger"


@pytest.fixture
def desk(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ledger: Path) -> Desk:
    """Run lines as a person types them after `matchledger`, and return the last result."""
    monkeypatch.setattr(secrets, "token_bytes", lambda _=None: SECRET)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(ledger))
    monkeypatch.chdir(tmp_path)

    def desk(*lines: str) -> Said:
        for line in lines[:-1]:
            run_cli(*shlex.split(line))
        return run_cli(*shlex.split(lines[-1]), code=None)

    return desk
