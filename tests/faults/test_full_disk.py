"""The disk is full: one line refuses the slip, earlier slips are safe, and later the work continues."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.faults.station import Station, command_of, event, need_sound

from matchledger.cli import run

TABLES = 60
ROOM = 60_000  # how many bytes the disk has left


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A separate file system of 16 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:  # noqa: S603
        pytest.skip("a file system can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603, S607 - what was mounted above


@pytest.mark.faults
def test_a_full_disk_loses_no_acknowledged_slip(small_disk: Path, run_cli: RunCli) -> None:
    place = small_disk / "event.ledger"
    tournament = event(str(place), TABLES)
    ballast = small_disk / "ballast"
    free = os.statvfs(small_disk)
    ballast.write_bytes(bytes(free.f_bavail * free.f_frsize - ROOM))
    code, said = Station.start(str(place), range(1, TABLES + 1)).end()
    assert code == 2
    assert 0 < len(said) < TABLES
    table = len(said) + 1
    problem = run_cli(
        "report", str(table), "a", "--ledger", str(place), "--command-id", command_of(table), code=2
    ).err
    assert problem.count("\n") == 1
    assert "disk is full" in problem
    assert "the command was not recorded; free some space" in problem
    ballast.write_bytes(bytes(ballast.stat().st_size + os.statvfs(small_disk).f_bavail * 4096))
    assert run(["standings", "--ledger", str(place)]) == 0, "what is there can be read"
    ballast.unlink()
    need_sound(place, tournament, said)
    assert Station.start(str(place), range(1, TABLES + 1)).end() == (0, list(range(1, TABLES + 1)))
    need_sound(place, tournament, range(1, TABLES + 1))


@pytest.mark.faults
def test_a_quota_loses_no_acknowledged_slip(path: Path) -> None:
    """A limit on the size of files replaces the full disk, for users who may not mount a file system."""
    tournament = event(str(path), TABLES)
    size = path.stat().st_size + 20_000

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    code, said = Station.start(str(path), range(1, TABLES + 1), before=limit).end()
    assert code == 2
    assert 0 < len(said) < TABLES
    need_sound(path, tournament, said)
    assert Station.start(str(path), range(1, TABLES + 1)).end()[0] == 0
    need_sound(path, tournament, range(1, TABLES + 1))
