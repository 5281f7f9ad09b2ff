"""The disk is full: one line refuses the slip, earlier slips are safe, and later the work continues."""

from __future__ import annotations

import json
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import OperationalError
from tests.desk import RunCli
from tests.faults.serving import Server
from tests.faults.station import Station, command_of, event, need_sound

from matchledger.cli import run
from matchledger.ledger.sqlite import FileRecorder

SHEET = "rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\n"
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


def filled(disk: Path, room: int) -> Path:
    """Fill a disk up to `room` bytes, and return the file that fills it."""
    ballast, free = disk / "ballast", os.statvfs(disk)
    ballast.write_bytes(bytes(free.f_bavail * free.f_frsize - room))
    return ballast


@pytest.mark.faults
def test_a_full_disk_loses_no_acknowledged_slip(small_disk: Path, run_cli: RunCli) -> None:
    place = small_disk / "event.ledger"
    tournament = event(str(place), TABLES)
    ballast = filled(small_disk, ROOM)
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


# Room on the disk for a command that needs more than that, and the commands.
SHORT = {
    "import": (100_000, "import {disk}/event.sheet --ledger {disk}/new.ledger"),
    "migrate": (60_000, "migrate {ledger} {disk}/copy.ledger"),
    "keys new": (0, "keys new --yes --ledger {ledger}"),
    "keys merge": (0, "keys merge {disk}/other.keys --ledger {ledger}"),
    "key": (0, "key {disk}/organizer.key --name organizer"),
    "erase": (4096, "erase #3 --role organizer --reason asked --yes --out {disk}/erased.txt --ledger {ledger}"),
}


@pytest.mark.faults
@pytest.mark.parametrize(("room", "line"), SHORT.values(), ids=SHORT)
def test_a_command_without_space_says_so_in_one_line_and_works_later(
    small_disk: Path, run_cli: RunCli, room: int, line: str
) -> None:
    """Before the fix, a full disk left an empty key file, which was in the way of the next `key`."""
    place = small_disk / "event.ledger"
    tournament = event(str(place), TABLES)
    acknowledged = [1, 2, 3]
    assert Station.start(str(place), acknowledged).end() == (0, acknowledged)
    (small_disk / "event.sheet").write_text(SHEET, "utf-8")
    keys = Path(f"{place}.keys")
    if line.startswith("keys"):
        keys.rename(small_disk / "other.keys")
    if "merge" in line:
        run_cli("keys", "new", "--yes", "--ledger", str(place))
    words = line.format(disk=small_disk, ledger=place).split()
    ballast = filled(small_disk, room)
    problem = run_cli(*words, code=2).err
    assert problem.count("\n") == 1
    assert "full" in problem or "No space left" in problem
    ballast.unlink()
    run_cli(*words)
    need_sound(place, tournament, acknowledged)


@pytest.mark.faults
def test_a_line_of_slips_names_the_recorded_slips_when_the_disk_is_full(
    path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the fix, the line said that entry 123 is recorded, and that the command was not recorded."""
    event(str(path), TABLES)
    insert, room = FileRecorder.insert_events, [1]

    def without_space(recorder: FileRecorder, *given: Any, **more: Any) -> Any:
        if not room:
            raise OperationalError("database or disk is full")
        room.pop()
        return insert(recorder, *given, **more)

    monkeypatch.setattr(FileRecorder, "insert_events", without_space)
    last = run_cli("report", "1", "a", "2", "a", "--ledger", str(path), code=2).err.splitlines()[-1]
    assert last == (
        "matchledger: entry 123 is recorded, and nothing after it: the ledger cannot be used: database or disk is "
        "full: free some space and try again"
    )


@pytest.mark.faults
def test_a_server_goes_on_when_there_is_space_again(small_disk: Path) -> None:
    place = small_disk / "event.ledger"
    tournament = event(str(place), TABLES)
    server = Server.start(str(place))
    try:
        assert server.enter(tournament, 1)
        ballast = filled(small_disk, 0)
        slip = json.dumps({"kind": "report-slip", "table": 2, "outcome": "a"})
        headers = {"content-type": "application/json", "idempotency-key": command_of(2)}
        status, said = server.ask("POST", f"/api/tournaments/{tournament}/commands", slip, headers)
        assert (status, b"the command was not recorded; free some space" in said) == (503, True)
        ballast.unlink()
        assert server.enter(tournament, 2)
    finally:
        server.kill_in(0)
        server.end()
    need_sound(place, tournament, [1, 2])
