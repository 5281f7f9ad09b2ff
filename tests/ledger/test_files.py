"""Ledger files and other files: each problem gets one clear line, and the file is not changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.desk import RunCli
from tests.ledger.behind import Behind, on_a_file

from matchledger.cli import run
from matchledger.commands import roster
from matchledger.events import Person
from matchledger.ledger import Clerk, Ledger, LedgerError, open_ledger, verify
from matchledger.ledger.sqlite import FileRecorder
from matchledger.service.event import Event


def refusal(path: Path, *, create: bool = False) -> str:
    with pytest.raises(LedgerError) as caught, open_ledger(path, create=create):
        pass
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_reading_a_missing_ledger_does_not_create_a_file(path: Path) -> None:
    assert refusal(path) == f"there is no ledger {path}: open or import a tournament into it first"
    assert not path.exists()


def test_the_error_names_a_missing_folder(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "event.ledger"
    assert refusal(path, create=True) == f"there is no folder {tmp_path / 'nowhere'} to keep a ledger in"


@pytest.mark.finding("A-11")
def test_a_new_ledger_is_never_readable_by_others(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who opens the file before its mode changes could read the draw secret later."""
    modes: list[str] = []
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def noting(*words: Any, **more: Any) -> sqlite3.Connection:
        modes.append(oct(path.stat().st_mode & 0o777) if path.exists() else "made by SQLite")
        return connect(*words, **more)

    monkeypatch.setattr(sqlite3, "connect", noting)
    with open_ledger(path, create=True):
        assert set(modes) == {"0o600"}


@pytest.mark.finding("A-11")
def test_an_empty_file_becomes_a_ledger_that_only_its_owner_can_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.touch(mode=0o666)
    with open_ledger(path, create=True):
        assert path.stat().st_mode & 0o777 == 0o600
    other = path.with_name("other.ledger")
    other.touch()
    monkeypatch.setattr("os.geteuid", lambda: other.stat().st_uid + 1)
    assert "belongs to another user, who could read the draw secret" in refusal(other, create=True)
    assert other.stat().st_size == 0


def test_a_symbolic_link_to_nothing_is_named(path: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone.ledger"
    path.symlink_to(gone)
    assert refusal(path, create=True) == f"{path} is a symbolic link to {gone}, which does not exist"


@pytest.mark.finding("A-1")
def test_a_name_that_sqlite_would_read_as_an_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file:a.ledger"):
        assert run(["open", "Cup", "--rulebook", "magic-mtr", "--ledger", name]) == 2
        assert run(["serve", "--create", "--ledger", name]) == 2
    assert list(tmp_path.iterdir()) == []
    assert "write the whole path" in capsys.readouterr().err
    assert run(["open", "Cup", "--rulebook", "magic-mtr", "--ledger", str(tmp_path / "file:a.ledger")]) == 0
    assert (tmp_path / "file:a.ledger").exists()


@pytest.mark.parametrize("create", [True, False])
def test_a_folder_is_refused_as_a_ledger(tmp_path: Path, create: bool) -> None:
    assert refusal(tmp_path, create=create) == f"{tmp_path} is a folder: name a file to keep the ledger in"


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize(
    "content", [b"rulebook l5r-2018\nplayers A B\n", b"\x00" * 5000, b"S", b"SQLite format 2\x00"]
)
def test_a_file_of_another_kind_is_not_changed(path: Path, content: bytes, create: bool) -> None:
    path.write_bytes(content)
    assert refusal(path, create=create) == f"{path} is not a ledger: nothing was changed"
    assert path.read_bytes() == content


@pytest.mark.parametrize("create", [True, False])
def test_a_database_of_another_program_is_not_changed(path: Path, create: bool) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    assert refusal(path, create=create) == (
        f"{path} is an SQLite file of something else, and not a ledger: nothing was changed"
    )
    assert path.read_bytes() == before


def test_an_empty_file_can_become_a_ledger(path: Path, begin: Callable[..., UUID]) -> None:
    path.touch()
    with open_ledger(path, create=True) as ledger:
        assert ledger.tournaments() == []
        tournament = begin(ledger, "Ann")
        assert verify(ledger, tournament) == []


def test_a_ledger_with_a_damaged_list_of_tables_is_refused_in_one_line(
    path: Path, begin: Callable[..., UUID]
) -> None:
    with open_ledger(path, create=True) as ledger:
        begin(ledger, "Ann")
    path.write_bytes(path.read_bytes().replace(b"merkle_tree_grows BEFORE", b"merkle_tree_grows \xce\xceFORE"))
    assert refusal(path) == (
        "the ledger cannot be used: malformed database schema: the file is damaged: restore a copy"
    )


@pytest.mark.parametrize("missing", [1, 3])
def test_if_an_entry_is_missing_the_error_suggests_verify(
    path: Path, play_everything: Callable[[Ledger], UUID], missing: int
) -> None:
    with open_ledger(path, create=True) as ledger:
        tournament = play_everything(ledger)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER stored_events_no_delete")
        connection.execute("DELETE FROM stored_events WHERE originator_version = ?", [missing])
    with open_ledger(path) as ledger, pytest.raises(LedgerError) as caught:
        ledger.record(tournament)
    assert str(caught.value) == f"entry {missing} is missing from the log: run verify"


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.8, 0.99])
def test_a_truncated_ledger_is_reported_as_damaged(
    path: Path, tmp_path: Path, play_everything: Callable[[Ledger], UUID], share: float
) -> None:
    with open_ledger(path, create=True) as ledger:
        play_everything(ledger)
    content = path.read_bytes()
    truncated = tmp_path / "truncated.ledger"
    truncated.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(LedgerError) as caught:
        _read_everything(truncated)
    assert str(caught.value) == (
        "the ledger cannot be used: database disk image is malformed: the file is damaged: restore a copy"
    )


def _read_everything(path: Path) -> None:
    with open_ledger(path) as ledger:
        for tournament in ledger.tournaments():
            ledger.record(tournament)
            verify(ledger, tournament)


@on_a_file
def test_an_unreadable_file_is_reported(path: Path, small: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    assert small.tournaments()

    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda _, mode: mode != os.R_OK)
        assert refusal(path) == f"{path} cannot be read: Permission denied"


@on_a_file
def test_an_unwritable_file_is_reported(small: Ledger) -> None:
    """File permissions do not stop the root user, so the test tells SQLite to refuse writes."""
    [tournament] = small.tournaments()
    assert isinstance(small.recorder, FileRecorder)
    with small.recorder.datastore.get_connection(commit=True) as connection:
        connection.cursor().execute("PRAGMA query_only = ON")
    with pytest.raises(LedgerError) as caught:
        small.decide(tournament, partial(roster.drop, player=1), clerk=Clerk())
    assert str(caught.value) == (
        "the ledger cannot be used: attempt to write a readonly database: "
        "the file and its folder must be writable; copy it to such a folder"
    )
    assert small.record(tournament).status(1) == "active"


def test_tournaments_in_one_ledger_are_independent(place: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(place, create=True) as ledger:
        morning = begin(ledger, "Ann", "Bo", name="Morning")
        evening = begin(ledger, "Cy", name="Evening")
        ledger.decide(morning, partial(roster.register, person=Person(name="Cy")), clerk=Clerk())
        assert ledger.tournaments() == [morning, evening]
        assert [player.name for player in ledger.record(morning).entered()] == ["Ann", "Bo", "Cy"]
        assert [player.name for player in ledger.record(evening).entered()] == ["Cy"]
        assert [entry.position for entry in ledger.entries(morning)] == [1, 2, 3, 4]
        assert [entry.position for entry in ledger.entries(evening)] == [1, 2]
        assert ledger.head(morning).size == 4
        assert ledger.head(evening).size == 2
        assert verify(ledger, morning) == verify(ledger, evening) == []


def test_a_ledger_in_memory_is_new_every_time(begin: Callable[..., UUID]) -> None:
    with open_ledger(":memory:") as one, open_ledger(":memory:") as other:
        begin(one, "Ann")
        assert other.tournaments() == []


def test_the_error_names_a_missing_tournament(small: Ledger) -> None:
    stranger = uuid4()
    with pytest.raises(LedgerError) as caught:
        small.head(stranger)
    assert str(caught.value) == f"the ledger has no tournament {stranger}"


@pytest.mark.parametrize("position", [0, 8, -1, 2**63, 10**25])
def test_the_error_names_a_missing_entry_number(small: Ledger, position: int) -> None:
    [tournament] = small.tournaments()
    with pytest.raises(LedgerError) as caught:
        small.entry(tournament, position)
    assert str(caught.value) == f"there is no entry {position}: the log has 7 entries"


def test_a_gap_in_the_log_is_reported(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    tampering.execute("DELETE FROM stored_events WHERE originator_version = 3")
    with pytest.raises(LedgerError) as caught:
        small.entry(tournament, 3)
    assert str(caught.value) == "entry 3 is missing from the log: run verify"


@pytest.mark.parametrize("words", [("import", "e.sheet"), ("open", "T", "--rulebook", "l5r-2018")])
def test_a_first_command_that_fails_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e.sheet").write_text("rulebook l5r-2018\nplayers A B\nround 1\n  A > B\n", encoding="utf-8")

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(FileRecorder, "insert_events", full)
        assert run_cli(*words, "--ledger", "event.ledger", code=2).err.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} <= {"e.sheet", "event.ledger.keys"}
    assert run_cli(*words, "--ledger", "event.ledger").code == 0
    with monkeypatch.context() as patch:
        patch.setattr(FileRecorder, "insert_events", full)
        run_cli("open", "Second", "--rulebook", "l5r-2018", "--ledger", "event.ledger", code=2)
    assert (tmp_path / "event.ledger").exists()


def test_an_import_without_a_place_for_its_keys_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_KEYS", "nowhere/keys")
    (tmp_path / "e.sheet").write_text("rulebook l5r-2018\nplayers A B\n", encoding="utf-8")
    said = run_cli("import", "e.sheet", "--ledger", "event.ledger", code=2)
    assert said.problem.endswith("No such file or directory; nothing was recorded")
    assert [path.name for path in tmp_path.iterdir()] == ["e.sheet"]


def test_a_ledger_that_cannot_make_its_tables_leaves_no_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: FileRecorder) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(FileRecorder, "create_table", full)
    with pytest.raises((LedgerError, sqlite3.Error)):
        open_ledger(path, create=True)
    assert list(path.parent.iterdir()) == []


def test_an_event_that_cannot_begin_leaves_no_file(path: Path) -> None:
    with pytest.raises(ValueError, match="rulebook"):
        Event.begin(str(path), "T", "chess")
    assert list(path.parent.iterdir()) == []
