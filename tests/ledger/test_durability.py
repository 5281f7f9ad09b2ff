"""An entry is on the disk before its command acknowledges it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest
from tests import watch
from tests.ledger.behind import Behind, on_a_file
from tests.watch import copy_apart

from matchledger.cli import files
from matchledger.cli.files import read_file, write_file
from matchledger.commands import roster
from matchledger.commands import tournaments as opening
from matchledger.events import Person
from matchledger.ledger import Clerk, Conflict, Ledger, LedgerError, open_ledger, verify
from matchledger.ledger.sqlite import FileRecorder
from matchledger.notation.problems import UsageProblem
from matchledger.proof.merkle import Frontier

CLERK = Clerk()
MOVED = "was moved, deleted, replaced, overwritten or shortened while it was open"
KILLED = 9


@on_a_file
@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2)])
@pytest.mark.parametrize("commit", [True, False])
def test_every_connection_waits_for_the_disk(small: Ledger, pragma: str, value: object, commit: bool) -> None:
    assert isinstance(small.recorder, FileRecorder)
    with small.recorder.datastore.transaction(commit=commit) as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone()[0] == value


def test_a_slip_survives_the_death_of_its_station(place: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, "Ann")
    program = f"""
import os, sys
from functools import partial
from uuid import UUID
from matchledger.events import Person
from matchledger.ledger import Clerk, open_ledger
from matchledger.commands import roster

ledger = open_ledger(sys.argv[1])
ledger.decide(UUID("{tournament}"), partial(roster.register, person=Person(name="Bo")), clerk=Clerk())
os._exit({KILLED})  # the process ends without closing or printing anything
"""
    died = subprocess.run(  # noqa: S603 # our own interpreter
        [sys.executable, "-c", program, place],
        check=False,
        timeout=60,
        env=os.environ | {"PYTHONPATH": ":".join(sys.path)},
    )
    assert died.returncode == KILLED
    with open_ledger(place) as ledger:
        assert [player.name for player in ledger.record(tournament).entered()] == ["Ann", "Bo"]
        assert verify(ledger, tournament) == []


@contextmanager
def no_hashes(place: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The hash of an entry cannot be made, or the database cannot store it."""

    def fails(*_: object) -> None:
        raise MemoryError

    if not place.startswith("postgresql"):
        with monkeypatch.context() as patched:
            patched.setattr(Frontier, "append", fails)
            yield
        return
    with psycopg.connect(place, autocommit=True) as owner:
        owner.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON merkle_tree FOR EACH ROW EXECUTE FUNCTION ledger_never()"
        )
        yield
        owner.execute("DROP TRIGGER broken ON merkle_tree")


def test_an_entry_without_its_hash_is_not_recorded(
    place: str, begin: Callable[..., UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, "Ann")
        head = ledger.head(tournament)
        with no_hashes(place, monkeypatch), pytest.raises((MemoryError, Conflict)):
            ledger.decide(tournament, partial(roster.register, person=Person(name="Bo")), clerk=CLERK)
        assert ledger.head(tournament) == head
        assert [entry.position for entry in ledger.entries(tournament)] == [1, 2]
        assert verify(ledger, tournament) == []


def test_a_reopened_ledger_is_the_same(place: str, play_everything: Callable[[Ledger], UUID]) -> None:
    with open_ledger(place, create=True) as ledger:
        tournament = play_everything(ledger)
        entries, head, secret = list(ledger.entries(tournament)), ledger.head(tournament), ledger.secret(tournament)
    with open_ledger(place) as ledger:
        assert ledger.tournaments() == [tournament]
        assert list(ledger.entries(tournament)) == entries
        assert ledger.head(tournament) == head
        assert ledger.secret(tournament) == secret
        assert verify(ledger, tournament, known=head) == []


def test_the_secret_is_stored_separately_until_it_is_revealed(small: Ledger) -> None:
    [tournament] = small.tournaments()
    secret = small.secret(tournament)
    log = b"".join(row.state for row in small.recorder.entry_rows(tournament))
    assert secret.hex().encode() not in log
    small.decide(tournament, partial(opening.close, secret=secret, deviating=True), clerk=CLERK)
    log = b"".join(row.state for row in small.recorder.entry_rows(tournament))
    assert secret.hex().encode() in log


def test_a_tournament_without_its_secret_cannot_draw(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    tampering.execute("DELETE FROM sealed_secrets")
    with pytest.raises(LedgerError) as caught:
        small.secret(tournament)
    assert str(caught.value) == "this ledger does not hold the secret of the tournament, so it cannot draw or close"


def _put_elsewhere(path: Path) -> None:
    path.rename(path.with_name("elsewhere.ledger"))


def _replace(path: Path) -> None:
    copy_apart(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def _take_the_log_away(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def _take_the_index_away(path: Path) -> None:
    """Remove SQLite's -shm file, so that another program would make a new one and share no locks with us."""
    path.with_name(f"{path.name}-shm").unlink()


def _empty_the_log(path: Path) -> None:
    os.truncate(f"{path}-wal", 0)


def _shorten(path: Path) -> None:
    """Shorten a file as `cp old.ledger event.ledger` does: it stays the same file."""
    os.truncate(path, 0)


@pytest.mark.finding("A-1")
@on_a_file
@pytest.mark.parametrize(
    ("lose", "when"),
    [
        *product(
            [_put_elsewhere, _replace, _take_the_log_away, _take_the_index_away, _shorten], ["before", "meanwhile"]
        ),
        (_empty_the_log, "before"),
    ],
)
def test_a_slip_for_a_moved_file_is_not_acknowledged(
    path: Path, small: Ledger, lose: Callable[[Path], None], when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it acknowledges a slip, the store checks that the file and its write-ahead log still exist."""
    [tournament] = small.tournaments()
    assert isinstance(small.recorder, FileRecorder)
    if when == "before":
        lose(path)
    else:
        insert = small.recorder._insert_events  # noqa: SLF001 - the moment between a command and its commit

        def insert_and_lose(*given: Any, **more: Any) -> object:
            lose(path)
            return insert(*given, **more)

        monkeypatch.setattr(small.recorder, "_insert_events", insert_and_lose)
    for _ in range(2):  # the ledger refuses the second command too
        with pytest.raises(LedgerError, match=MOVED):
            small.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)


@pytest.mark.finding("A-1")
@on_a_file
def test_a_slip_for_a_file_with_a_hard_link_is_not_acknowledged(path: Path, small: Ledger, tmp_path: Path) -> None:
    """SQLite keeps a second log beside a hard link. The ledger goes on when the link is removed."""
    [tournament] = small.tournaments()
    link = tmp_path / "link.ledger"
    link.hardlink_to(path)
    for _ in range(2):
        with pytest.raises(LedgerError, match="has a second name, a hard link"):
            small.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    with pytest.raises(LedgerError, match="has a second name, a hard link"), small.together(tournament):
        small.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    entries = len(list(small.entries(tournament)))
    assert verify(small, tournament) == []
    link.unlink()
    small.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    assert len(list(small.entries(tournament))) == entries + 1


@pytest.mark.finding("A-1")
@on_a_file
def test_a_slip_behind_a_symbolic_link_is_not_acknowledged_without_its_log(
    path: Path, small: Ledger, tmp_path: Path
) -> None:
    """SQLite keeps the log beside the file, and not beside the link."""
    [tournament] = small.tournaments()
    link = tmp_path / "link.ledger"
    link.symlink_to(path)
    with open_ledger(link) as linked:
        linked.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
        _take_the_log_away(path)
        with pytest.raises(LedgerError, match=MOVED):
            linked.decide(tournament, partial(roster.drop, player=2), clerk=CLERK)


@pytest.mark.finding("A-1")
@on_a_file
@pytest.mark.parametrize(
    "hidden",
    [
        "CREATE TRIGGER hidden BEFORE INSERT ON stored_events BEGIN SELECT RAISE(IGNORE); END",
        """CREATE TRIGGER hidden AFTER INSERT ON merkle_tree BEGIN
        DELETE FROM stored_events WHERE originator_version = NEW.originator_version;
        DELETE FROM merkle_tree WHERE originator_version = NEW.originator_version; END""",
    ],
    ids=["ignored", "deleted"],
)
def test_a_slip_that_a_foreign_trigger_swallows_is_not_acknowledged(
    small: Ledger, tampering: Behind, hidden: LiteralString
) -> None:
    [tournament] = small.tournaments()
    tampering.execute(hidden)
    with pytest.raises(LedgerError, match="did not keep entry 8"):
        small.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    assert [str(finding) for finding in verify(small, tournament)] == [
        "beside the log: the file has trigger hidden, which can change what is recorded: restore a backup"
    ]


@pytest.mark.finding("A-1")
@on_a_file
@pytest.mark.parametrize(
    "hidden",
    [
        """CREATE TRIGGER hidden BEFORE INSERT ON stored_events WHEN NEW.topic = 'player-dropped'
        BEGIN SELECT RAISE(ABORT, 'x'); END""",
        """CREATE TRIGGER stored_events_gapless BEFORE INSERT ON stored_events WHEN 0
        BEGIN SELECT RAISE(ABORT, 'another station was first'); END""",
    ],
    ids=["refuses drops", "in place of a guard"],
)
def test_a_trigger_that_refuses_chosen_entries_or_replaces_a_guard_is_named(
    small: Ledger, tampering: Behind, hidden: LiteralString
) -> None:
    [tournament] = small.tournaments()
    name = hidden.split()[2]
    tampering.execute(f"DROP TRIGGER IF EXISTS {name}")
    tampering.execute(hidden)
    assert [str(finding) for finding in verify(small, tournament)] == [
        f"beside the log: the file has trigger {name}, which can change what is recorded: restore a backup"
    ]


@pytest.mark.finding("A-1")
@on_a_file
def test_no_command_opens_its_own_ledger_as_a_plain_file(path: Path, small: Ledger) -> None:
    """A plain open and close of the file would drop the locks that SQLite holds on it."""
    assert small.tournaments()
    for use in (read_file, partial(write_file, data=b"SQLite format 3")):
        with pytest.raises(UsageProblem, match="is the ledger itself: name another file"):
            use(path)


@pytest.mark.finding("A-1")
def test_the_watch_notices_an_opened_ledger_file(
    path: Path, begin: Callable[..., UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all tests, a hook fails when code other than SQLite opens a ledger. This test opens a ledger file to
    check the hook.
    """
    with open_ledger(path, create=True) as ledger:
        begin(ledger)
        path.read_bytes()
        assert [line.partition(" ")[0] for line in watch.seen()] == ["a"]
    path.read_bytes()
    assert watch.seen() == []
    write_file(path.with_name("new"), b"")
    read_file(path.with_name("new"))
    assert watch.seen() == []
    monkeypatch.setattr(files, "may_be_held", lambda _: False)
    read_file(path)
    assert watch.seen() == [f"matchledger/cli/files.py opens {path}"]
