"""Pages with a clock show exactly what their commands print: README, the tutorial and the how-to pages."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import secrets
import time
import traceback
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from tests.docs.console import played
from tests.event import SECRET
from tests.golden import Golden

import matchledger.web.app  # noqa: F401 - pydantic makes no schema of a date while the clock is held
from matchledger.cli import run
from matchledger.events import Derivation

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "<!-- clock: " in page.read_text("utf-8")
]


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md that a reader's own tournaments use."""
    return 2


def _is_of_the_program() -> bool:
    """Return whether the program itself asks for random bytes, and not a module that is being imported."""
    names = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_stack(None)]
    own = itertools.takewhile(lambda name: not name.startswith("tests."), names[2:])
    return not any(name.startswith("importlib") for name in own)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the fixtures, in UTC, where every run has the same random bytes. `serve` returns at once."""
    numbers, elsewhere = itertools.count(), itertools.count(2**32)

    def foreseen(size: int) -> bytes:
        number = next(numbers if _is_of_the_program() else elsewhere)
        return hashlib.shake_256(number.to_bytes(8)).digest(size)

    with monkeypatch.context() as patched:
        patched.setattr(os, "urandom", foreseen)
        patched.setattr(secrets, "token_bytes", lambda _=None: SECRET)
        patched.setattr("matchledger.web.connections.run", lambda *_, **__: None)
        patched.setenv("TZ", "UTC")
        patched.delenv("MATCHLEDGER_LEDGER", raising=False)
        patched.setenv("COLUMNS", "110")
        (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
        patched.chdir(tmp_path)
        time.tzset()
        yield tmp_path
    time.tzset()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_commands_print(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    def runner(words: list[str]) -> str:
        printed = io.StringIO()  # both streams go to one place, as on a terminal
        program, *rest = words
        if program == "export":
            monkeypatch.setenv(*rest[0].split("=", 1))
        elif program == "mkdir":
            Path(rest[0]).mkdir()
        else:
            assert program == "matchledger"
            with redirect_stdout(printed), redirect_stderr(printed):
                run(rest)
        return printed.getvalue()

    golden.holds(page, played(page.read_text("utf-8"), folder, runner))


def test_a_page_with_other_output_fails(tmp_path: Path) -> None:
    page = "```console\n$ matchledger standings\nAnn is first\n```\n"
    assert played(page, tmp_path, lambda _: "Cy is first\n") == page.replace("Ann", "Cy")
