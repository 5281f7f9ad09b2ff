"""A ledger on a read-only medium can be read like any other, and refuses slips in one line."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.faults.station import Station, event
from tests.watch import copy_apart

from matchledger.cli import run
from matchledger.ledger import open_ledger
from matchledger.ledger.files import address_of

TABLES = 3
Burn = Callable[..., Path]


@pytest.fixture
def burn(tmp_path: Path) -> Iterator[Burn]:
    """Put files on a separate read-only medium, and return its path."""
    medium = tmp_path / "medium"
    medium.mkdir()
    mounted = os.geteuid() == 0 and _mount("-t", "tmpfs", "-o", "size=16m", "tmpfs", str(medium))

    def burn(*files: Path) -> Path:
        for file in files:
            copy_apart(file, medium)
        if mounted:
            assert _mount("-o", "remount,ro", str(medium))
        elif os.geteuid() == 0:
            pytest.skip("root writes everywhere, and this one may not mount a file system")
        else:
            for file in (*medium.iterdir(), medium):
                file.chmod(0o500 if file.is_dir() else 0o400)
        return medium / files[0].name

    yield burn
    if mounted:
        subprocess.run(["umount", "-l", str(medium)], check=True)  # noqa: S603, S607 - what was mounted above
    with suppress(FileNotFoundError):
        medium.chmod(0o700)


def _mount(*options: str) -> bool:
    return subprocess.run(["mount", *options], check=False, capture_output=True).returncode == 0  # noqa: S603, S607


@pytest.fixture
def ledger(path: Path) -> Path:
    """A round of three tables, of which one has reported."""
    event(str(path), TABLES)
    assert Station.start(str(path), [1]).end() == (0, [1])
    return path


def ring(ledger: Path) -> Path:
    return ledger.with_name(f"{ledger.name}.keys")


READS = (["standings"], ["log"], ["verify"], ["pairings", "--json"], ["history", "P0001"], ["log", "--as-of", "4"])


@pytest.mark.faults
def test_a_read_only_ledger_can_be_read(ledger: Path, burn: Burn, capsys: pytest.CaptureFixture[str]) -> None:
    def said(place: Path) -> list[str]:
        for words in READS:
            assert run([*words, "--ledger", str(place)]) == 0, capsys.readouterr().err
        return capsys.readouterr().out.splitlines()

    expected = said(ledger)
    burned = burn(ledger, ring(ledger))
    before = sorted(burned.parent.iterdir())
    assert said(burned) == expected
    assert sorted(burned.parent.iterdir()) == before, "and nothing was copied there"


@pytest.mark.faults
@pytest.mark.parametrize("words", [["report", "2", "a"], ["late", "Zoe"], ["drop", "P0005"]])
def test_a_read_only_ledger_refuses_writes_in_one_line(
    ledger: Path, burn: Burn, run_cli: RunCli, words: list[str]
) -> None:
    burned = burn(ledger, ring(ledger))
    problem = run_cli(*words, "--ledger", str(burned), code=2).err
    assert problem.count("\n") == 1
    assert problem.endswith("copy it to such a folder\n") or "Read-only" in problem or "Permission" in problem
    assert run(["verify", "--ledger", str(burned)]) == 0


@pytest.mark.faults
def test_entries_in_the_wal_file_are_never_left_out(
    ledger: Path, burn: Burn, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ledger was copied while it was open. `log` shows the entries in the -wal file too, or shows no entry at
    all.
    """
    with open_ledger(ledger) as still_open:
        assert Station.start(str(ledger), [2]).end() == (0, [2])
        size = still_open.head(still_open.tournaments()[0]).size
        log = ledger.with_name(f"{ledger.name}-wal")
        assert log.stat().st_size > 0
        burned = burn(ledger, ring(ledger), log)
    code = run(["log", "--ledger", str(burned), "--json"])
    said = capsys.readouterr()
    assert (code, said.out.count("\n")) == (0, size) or (code, said.err.count("\n")) == (2, 1)
    assert code == 0 or "ends in -wal, copy both to a writable folder" in said.err


@pytest.mark.faults
def test_only_a_closed_file_may_be_treated_as_unchanging(ledger: Path, burn: Burn) -> None:
    index = ledger.with_name(f"{ledger.name}-shm")
    index.touch()
    assert address_of(ledger) == str(ledger)
    assert address_of(burn(ledger, index)).endswith("?mode=ro")
