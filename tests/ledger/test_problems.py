"""A problem of the store is reported in one line with advice. No station sees a locked database."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
import warnings
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import OperationalError, PersistenceError, ProgrammingError
from tests.desk import RunCli
from tests.faults.station import Station, event, need_sound

from matchledger.events import Entry
from matchledger.ledger import Conflict, Ledger, LedgerError
from matchledger.ledger.problems import as_ledger_errors
from matchledger_projections.record.record import Record

AWAY = "send the command again under its id when the database is back: it is not recorded twice"
FULL = "the command was not recorded; free some space and send it again"

# The message for a command that only reads.
WHILE_READING = {
    AWAY: "try again when the database is back",
    FULL: "free some space and try again",
    "the command was not recorded; check whether the disk is full or failing": (
        "check whether the disk is full or failing"
    ),
    "run verify, and send the command again": "run verify, and try again",
}


@pytest.mark.parametrize(
    ("problem", "what_to_do"),
    [
        (sqlite3.OperationalError("database or disk is full"), FULL),
        (
            sqlite3.OperationalError("disk I/O error"),
            "the command was not recorded; check whether the disk is full or failing",
        ),
        (sqlite3.DatabaseError("database disk image is malformed"), "the file is damaged: restore a copy"),
        (sqlite3.DatabaseError("file is not a database"), "the file is damaged: restore a copy"),
        (OperationalError("no such table: merkle_tree"), "the file is damaged: restore a copy"),
        (
            OperationalError("attempt to write a readonly database"),
            "the file and its folder must be writable; copy it to such a folder",
        ),
        (OperationalError("could not extend file: No space left on device"), FULL),
        (
            OperationalError("cannot execute INSERT in a read-only transaction"),
            "this is a standby: give the address of the primary, or both",
        ),
        (
            ProgrammingError("permission denied for table stored_events"),
            "grant this role what a station needs, as the owner of the database",
        ),
        (
            OperationalError("FATAL:  sorry, too many clients already"),
            "end other programs that use the database, or raise its max_connections",
        ),
        (OperationalError("couldn't get a connection after 5.00 sec"), AWAY),
        (OperationalError("server closed the connection unexpectedly\n\tThis probably means"), AWAY),
        (OperationalError("FATAL:  the database system is shutting down"), AWAY),
        (
            OperationalError('value too long\nCONTEXT:  SQL statement "SELECT secret FROM sealed_secrets"\nLINE 1'),
            "run verify, and send the command again",
        ),
        (PersistenceError("something new\n  on two lines"), "run verify, and send the command again"),
    ],
    ids=str,
)
def test_every_problem_of_a_store_is_one_line_that_says_what_to_do(problem: Exception, what_to_do: str) -> None:
    said = f"the ledger cannot be used: {' '.join(str(problem).partition('CONTEXT')[0].split())}"
    with pytest.raises(LedgerError) as caught, as_ledger_errors(recording=True):
        raise problem
    assert str(caught.value) == f"{said}: {what_to_do}"
    with pytest.raises(LedgerError) as caught, as_ledger_errors():
        raise problem
    assert str(caught.value) == f"{said}: {WHILE_READING.get(what_to_do, what_to_do)}"


@pytest.mark.parametrize(
    "problem",
    [
        sqlite3.OperationalError("database is locked"),
        sqlite3.OperationalError("database table is locked: stored_events"),
        OperationalError("database is locked"),
    ],
    ids=str,
)
def test_a_lock_is_reported_as_a_conflict(problem: Exception) -> None:
    with pytest.raises(Conflict) as caught, as_ledger_errors(recording=True):
        raise problem
    assert str(caught.value) == "another station keeps writing: nothing was recorded, try again"
    with pytest.raises(Conflict) as caught, as_ledger_errors():
        raise problem
    assert str(caught.value) == "another station keeps writing: try again"


def listened_to(heard: Path) -> None:
    """Write the messages of the station in which this function runs into a file."""
    sys.stderr = heard.open("a", buffering=1, encoding="utf-8")


def held(path: Path, seconds: float) -> int:
    """Start a process that locks the file, as a running copy or a database editor does."""
    ready, say = os.pipe()
    with warnings.catch_warnings():
        # Python warns about a fork with threads, but the child needs no thread of its parent.
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process == 0:
        with suppress(BaseException), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            os.write(say, b".")
            time.sleep(seconds)
            connection.execute("ROLLBACK")
        os._exit(0)
    assert os.read(ready, 1)
    os.close(ready)
    os.close(say)
    return process


@pytest.mark.faults
def test_processes_that_share_a_file_never_see_a_lock(path: Path, tmp_path: Path) -> None:
    """Six stations run, and another process locks the file longer than the library waits (five seconds)."""
    stations, tables = 6, 36
    tournament = event(str(path), tables)
    heard = tmp_path / "stderr"
    heard.touch()
    holder = held(path, 6)
    working = [
        Station.start(str(path), range(first, tables + 1, stations), before=partial(listened_to, heard))
        for first in range(1, stations + 1)
    ]
    ended = [station.end() for station in working]
    os.waitpid(holder, 0)
    said = heard.read_text("utf-8")
    assert "locked" not in said
    assert {code for code, _ in ended} <= {0, 4}, said
    acknowledged = sorted(table for _, tables in ended for table in tables)
    need_sound(path, tournament, acknowledged)
    left = [table for table in range(1, tables + 1) if table not in acknowledged]
    assert Station.start(str(path), left).end() == (0, left)
    need_sound(path, tournament, range(1, tables + 1))


@pytest.mark.faults
def test_a_permanently_locked_file_is_a_conflict(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matchledger.ledger.location.LOCK_SECONDS", 1)
    event(str(path), 1)
    heard = tmp_path / "stderr"
    holder = held(path, 60)
    ended = Station.start(str(path), [1], before=partial(listened_to, heard)).end()
    os.kill(holder, signal.SIGKILL)
    os.waitpid(holder, 0)
    assert ended == (4, [])
    assert heard.read_text("utf-8") == (
        "matchledger: another station keeps writing: nothing was recorded, try again\n"
    )


@pytest.mark.finding("A-12")
@pytest.mark.parametrize(
    "said",
    [
        "database is locked",
        'canceling statement due to lock timeout\nCONTEXT:  SQL statement "INSERT INTO stored_events"',
        "deadlock detected\nDETAIL:  Process 1 waits for ShareLock",
    ],
)
def test_an_unexpected_lock_is_reported_without_sql(said: str) -> None:
    with pytest.raises(Conflict) as caught, as_ledger_errors(recording=True):
        raise OperationalError(said)
    assert str(caught.value) == "another station keeps writing: nothing was recorded, try again"


def cut_after_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first reading after a recording find no connection to the database."""
    recorded: list[Ledger] = []
    decide, read = Ledger.decide, Ledger.record

    def decided(ledger: Ledger, *given: Any, **more: Any) -> list[Entry]:
        entries = decide(ledger, *given, **more)
        recorded.append(ledger)
        return entries

    def lost(ledger: Ledger, tournament: UUID) -> Record:
        with as_ledger_errors():
            if recorded:
                raise OperationalError("server closed the connection unexpectedly")
            return read(ledger, tournament)

    monkeypatch.setattr(Ledger, "decide", decided)
    monkeypatch.setattr(Ledger, "record", lost)


@pytest.mark.parametrize("line", ["report 1 a", "drop Ann", "correct-player Ann --contact here"])
def test_a_connection_that_is_cut_after_the_commit_leaves_no_doubt(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """Once, the answer said "try again", although the entry was in the log."""
    at = ("--ledger", str(tmp_path / "event.ledger"))
    for before in ("open Friday -b l5r-2018", "register Ann", "register Bo", "pair"):
        run_cli(*before.split(), *at)
    cut_after_commit(monkeypatch)
    said = run_cli(*line.split(), *at, code=2).err
    last = said.splitlines()[-1]
    assert last == "matchledger: entry 5 is recorded. After that: server closed the connection unexpectedly"
    assert "try again" not in said
