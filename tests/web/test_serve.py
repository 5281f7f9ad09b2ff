"""The command `serve`: what it refuses before it takes a port."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from tests.benchmarks.serving import free_port
from tests.desk import RunCli

from matchledger.cli import run


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "::", "hall.example"])  # noqa: S104 - refused
def test_other_machines_can_connect_only_with_the_network_option(ledger: Path, host: str, run_cli: RunCli) -> None:
    assert (
        "lets other machines in: say so with --network"
        in run_cli("serve", "--ledger", str(ledger), "--host", host, code=2).err
    )


def test_the_error_names_a_port_in_use(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "--ledger", str(ledger), "--port", port]) == 2
    assert f"127.0.0.1:{port} cannot be listened on" in capsys.readouterr().err


def test_a_missing_ledger_is_reported_before_the_server_starts(tmp_path: Path, run_cli: RunCli) -> None:
    assert "there is no ledger" in run_cli("serve", "--ledger", str(tmp_path / "none.ledger"), code=2).err


def test_the_error_names_a_missing_extra(ledger: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'matchledger[web]'" in run_cli("serve", "--ledger", str(ledger), code=2).err


def test_the_password_of_a_database_is_never_printed(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"{database}&password=not-to-be-seen"
    sheet = tmp_path / "event.sheet"
    sheet.write_text("rulebook l5r-2018\nplayers Ann Bo\n", "utf-8")
    assert run(["import", str(sheet), "--ledger", url]) == 0
    assert run(["import", str(sheet), "--ledger", url]) == 2
    monkeypatch.setattr("matchledger.web.connections.run", lambda *_, **__: None)
    assert run(["serve", "--ledger", url, "--port", str(free_port())]) == 0
    said = capsys.readouterr()
    assert "password=... holds a tournament already" in said.err
    assert "password=... at http" in said.out
    assert "not-to-be-seen" not in said.out + said.err


def test_an_interrupted_server_with_an_open_page_ends_silently(ledger: Path) -> None:
    """Before the fix, Ctrl-C printed sixty lines about the stream of each open page."""
    serve = [sys.executable, "-m", "matchledger", "serve", "--ledger", str(ledger), "--port", str(free_port())]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:  # noqa: S603 - our own words
        assert server.stdout is not None
        link = next(line for line in server.stdout if line.startswith("Desk: ")).split()[1]
        address = link.partition("/enter")[0]
        with httpx2.Client(base_url=address, follow_redirects=True, timeout=20) as reader:
            home = next(answer for answer in (_asked(reader) for _ in range(200)) if answer is not None)
            with reader.stream("GET", f"{home}stream") as stream:
                lines = stream.iter_lines()
                assert next(lines)
                server.send_signal(signal.SIGINT)
                _, said = server.communicate(timeout=20)
    assert said.splitlines()[1:] == [], "the first line is about the link"


def _asked(reader: httpx2.Client) -> str | None:
    """Return the address of the tournament, after the server listens."""
    try:
        return str(reader.get("/").url)
    except httpx2.ConnectError:
        time.sleep(0.05)
        return None
