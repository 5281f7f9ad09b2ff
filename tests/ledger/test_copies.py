"""Copies of a ledger: to another store and back, and to a second disk at the end of each round."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent
from tests.desk import RunCli
from tests.ledger.behind import Behind, on_a_file

from matchledger.cli import run
from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.events import Person, Seating
from matchledger.evidence.migration import copy_ledger, sound_heads
from matchledger.ledger import Clerk, Conflict, Ledger, LedgerError, open_ledger, verify
from matchledger.notation.slip import Written

CLERK = Clerk()


def test_a_ledger_survives_a_copy_into_a_database_and_back(
    path: Path, database: str, play_everything: Callable[[Ledger], UUID], begin: Callable[..., UUID]
) -> None:
    back = path.with_name("back.ledger")
    with open_ledger(path, create=True) as file:
        tournaments = [play_everything(file), begin(file, "A", "B", name="Second")]
        heads = [file.head(tournament) for tournament in tournaments]
        rows = [list(file.recorder.entry_rows(tournament)) for tournament in tournaments]
        with open_ledger(database, create=True) as middle, open_ledger(back, create=True) as again:
            assert [copied.head for copied in copy_ledger(file, middle)] == heads
            assert [copied.head for copied in copy_ledger(middle, again)] == heads
            assert again.tournaments() == tournaments
            assert [list(again.recorder.entry_rows(tournament)) for tournament in tournaments] == rows
            assert [again.secret(one) for one in tournaments] == [file.secret(one) for one in tournaments]
            assert [verify(again, one, known=head) for one, head in zip(tournaments, heads, strict=True)] == [
                [],
                [],
            ]


def test_copying_again_changes_nothing(path: Path, small: Ledger) -> None:
    with open_ledger(path.with_name("copy.ledger"), create=True) as copy:
        assert [copied.found_there for copied in copy_ledger(small, copy)] == [False]
        assert [copied.found_there for copied in copy_ledger(small, copy)] == [True]


def test_a_longer_log_is_not_replaced(path: Path, small: Ledger) -> None:
    [tournament] = small.tournaments()
    with open_ledger(path.with_name("copy.ledger"), create=True) as copy:
        list(copy_ledger(small, copy))
        copy.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
        with pytest.raises(Conflict, match="is in both ledgers, with different logs: merge them with merge-copy"):
            list(copy_ledger(small, copy))


def test_an_altered_log_is_not_copied(path: Path, small: Ledger, tampering: Behind) -> None:
    tampering.set_state(5, b"{")
    with (
        open_ledger(path.with_name("copy.ledger"), create=True) as copy,
        pytest.raises(LedgerError, match="the log was altered"),
    ):
        list(copy_ledger(small, copy))


# -- a refusal leaves nothing behind


@pytest.fixture
def league(small: Ledger, begin: Callable[..., UUID]) -> tuple[UUID, UUID]:
    """Two tournaments in one file."""
    [first] = small.tournaments()
    return first, begin(small, "Cy", rules="house", name="Second")


def _refused(run_cli: RunCli, source: Path) -> str:
    """Return the reason why a file is not copied. No other file appears."""
    before = sorted(source.parent.iterdir())
    said = run_cli("migrate", str(source), str(source.with_name("copy.ledger")), code=2)
    assert sorted(source.parent.iterdir()) == before
    return said.problem


@on_a_file
def test_an_altered_log_leaves_no_target_file(
    path: Path, league: tuple[UUID, UUID], raw: Behind, run_cli: RunCli
) -> None:
    """The tournament before the altered one is intact."""
    raw.disarm()
    raw.execute(
        "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = 2", b"{", league[1]
    )
    problem = "the log was altered, so it proves nothing: run verify"
    assert f"nothing is copied, because of tournament {league[1]}: {problem}" in _refused(run_cli, path)


@on_a_file
def test_an_unreadable_log_leaves_no_target_file(
    path: Path, league: tuple[UUID, UUID], small: Ledger, run_cli: RunCli
) -> None:
    small.recorder.insert_events([StoredEvent(league[1], 3, "result-reported", b"{}")])
    assert f"nothing is copied, because of tournament {league[1]}: entry 3: " in _refused(run_cli, path)


def test_a_ledger_without_a_readable_tournament_leaves_no_target_file(path: Path, run_cli: RunCli) -> None:
    with open_ledger(path, create=True) as ledger:
        ledger.recorder.insert_events([StoredEvent(UUID(int=7), 1, "tournament-opened", b"{}")])
    assert "no tournament of this ledger can be read, so nothing is copied" in _refused(run_cli, path)


def test_after_a_conflict_no_other_tournament_is_copied(
    path: Path, league: tuple[UUID, UUID], small: Ledger
) -> None:
    _, second = league
    with open_ledger(path.with_name("copy.ledger"), create=True) as copy:
        rows = list(small.recorder.entry_rows(second))
        copy.restore(second, rows)
        small.decide(second, partial(roster.register, person=Person(name="Di")), clerk=CLERK)
        with pytest.raises(Conflict, match=f"tournament {second} is in both ledgers"):
            list(copy_ledger(small, copy))
        assert copy.tournaments() == [second]


def test_the_next_copy_takes_a_slip_that_came_during_the_copy(path: Path, small: Ledger) -> None:
    """The copy checks the tree heads first; a slip that comes afterwards waits for the next copy."""
    [tournament] = small.tournaments()
    heads = sound_heads(small)
    small.decide(tournament, partial(roster.drop, player=1), clerk=CLERK)
    with open_ledger(path.with_name("copy.ledger"), create=True) as copy:
        [copied] = copy_ledger(small, copy, heads)
        assert copied.head == heads[tournament] == copy.head(tournament)


def test_copy_says_what_it_copied(
    place: str, path: Path, small: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    [tournament] = small.tournaments()
    copy = path.with_name("copy.ledger")
    assert run(["migrate", place, str(copy)]) == 0
    root = small.head(tournament).root.hex()
    assert capsys.readouterr().out == f"T: copied, tree head 7:{root}\n1 tournament, every tree head unchanged.\n"
    assert run(["migrate", place, str(copy)]) == 0
    assert "T: was there already" in capsys.readouterr().out
    assert run(["migrate", place, place]) == 2
    assert run(["migrate", str(path.with_name("none")), str(copy)]) == 2
    assert "there is no ledger" in capsys.readouterr().err


# -- the keys to its names


@pytest.fixture
def friday(path: Path) -> str:
    """A ledger file with two players, and its key file next to it."""
    with pytest.MonkeyPatch.context() as station:
        station.delenv("MATCHLEDGER_KEYS", raising=False)
        for line in ('open "Friday" --rulebook l5r-2018', "register Ann", "register Bo"):
            assert run([*shlex.split(line), "--ledger", str(path)]) == 0
    assert Path(f"{path}.keys").exists()
    return str(path)


def names(place: str) -> list[str]:
    with open_ledger(place) as ledger:
        [tournament] = ledger.tournaments()
        return [player.name for player in ledger.record(tournament).entered()]


def test_keys_beside_a_file_go_into_the_key_file_of_the_league(
    database: str, friday: str, tmp_path: Path, run_cli: RunCli
) -> None:
    assert names(friday) == ["Player 1", "Player 2"]  # MATCHLEDGER_KEYS now names the keys of the league
    assert run_cli("migrate", friday, database).err == ""
    assert names(database) == ["Ann", "Bo"]
    back = str(tmp_path / "back.ledger")
    assert run(["migrate", database, back]) == 0
    assert names(back) == ["Ann", "Bo"]


def test_without_a_place_for_its_keys_nothing_is_copied(
    database: str, friday: str, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.delenv("MATCHLEDGER_KEYS")
    assert run_cli("migrate", friday, database, code=2).err == (
        "matchledger: names in a database are sealed with keys that are kept elsewhere: set "
        "MATCHLEDGER_KEYS to a file for them, the same for every station\n"
    )
    with pytest.raises(LedgerError, match="holds no ledger"):
        open_ledger(database)


@pytest.mark.parametrize(("keys", "problem"), [("notes.txt", "is not a key ring"), ("none/keys", "cannot be kept")])
def test_a_wrong_place_for_keys_leaves_no_target_file(
    friday: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, keys: str, problem: str
) -> None:
    (tmp_path / "notes.txt").write_text("lunch\n", "utf-8")
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / keys))
    assert problem in _refused(run_cli, Path(friday))


def test_missing_keys_are_reported_and_the_next_copy_adds_them(
    database: str, friday: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ring, stick = Path(f"{friday}.keys"), Path(f"{friday}.stick")
    ring.rename(stick)
    assert run(["migrate", friday, database]) == 0
    league = os.environ["MATCHLEDGER_KEYS"]
    assert capsys.readouterr().err == (
        f"note: the keys to 2 names are not in {league}: numbers stand for them; "
        "copy that file from the machine that has it, or set MATCHLEDGER_KEYS to the file with the keys\n"
    )
    assert names(database) == ["Player 1", "Player 2"]
    stick.rename(ring)
    assert run(["migrate", friday, database]) == 0
    said = capsys.readouterr()
    assert "Friday: was there already" in said.out
    assert said.err == ""
    assert names(database) == ["Ann", "Bo"]


def test_an_erased_name_is_not_reported_as_missing_and_does_not_return(
    database: str, friday: str, run_cli: RunCli
) -> None:
    assert run(["migrate", friday, database]) == 0
    certificate = f"{friday}.certificate"
    assert (
        run(
            [
                "erase",
                "Bo",
                "--yes",
                "--role",
                "organizer",
                "--reason",
                "asked for",
                "--ledger",
                database,
                "--out",
                certificate,
            ]
        )
        == 0
    )
    with pytest.raises(Conflict), open_ledger(friday, own_keys=True) as file, open_ledger(database) as league:
        list(copy_ledger(file, league))
    assert names(database) == ["Ann", "Player 2"]
    copy = f"{friday}.copy"
    assert run_cli("migrate", database, copy).err == ""
    assert names(copy) == ["Ann", "Player 2"]


# -- the mirror


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    folder = tmp_path / "second"
    folder.mkdir()
    return folder


def test_the_mirror_has_the_ledger_as_of_the_end_of_the_last_round(
    path: Path, disk: Path, begin: Callable[..., UUID]
) -> None:
    with open_ledger(path, create=True, mirror=disk) as ledger:
        tournament = begin(ledger, "A", "B", "C", "D")
        registered = ledger.head(tournament)
        games = [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
        ledger.decide(tournament, partial(rounds.pair_by_hand, games=games), clerk=CLERK)
        ledger.decide(tournament, partial(slips.report, table=1, written=Written(winner=0)), clerk=CLERK)
        with open_ledger(disk / path.name) as copy:
            assert copy.head(tournament) == registered
        ledger.decide(tournament, partial(slips.report, table=2, written=Written(winner=0)), clerk=CLERK)
        finished = ledger.head(tournament)
    assert sorted(file.name for file in disk.iterdir()) == [path.name, f"{path.name}.keys"]
    assert (disk / f"{path.name}.keys").read_bytes() == Path(f"{path}.keys").read_bytes()
    with open_ledger(disk / path.name) as copy:
        assert copy.head(tournament) == finished
        assert verify(copy, tournament) == []
        copy.decide(tournament, partial(rounds.pair_round, secret=copy.secret(tournament)), clerk=CLERK)


LACKING = (
    "is there already and has entries that this ledger lacks: merge it with merge-copy, or name another folder"
)


def test_a_mirror_that_somebody_used_is_not_replaced(path: Path, disk: Path, begin: Callable[..., UUID]) -> None:
    """Before the fix, the first laptop came back and overwrote two rounds that were played on the mirror."""
    with open_ledger(path, create=True, mirror=disk) as ledger:
        tournament = begin(ledger, "A", "B")
        with open_ledger(disk / path.name) as second:
            second.decide(tournament, partial(roster.register, person=Person(name="Zed")), clerk=CLERK)
            head = second.head(tournament)
        ledger.decide(tournament, partial(roster.register, person=Person(name="C")), clerk=CLERK)
        assert ledger.mirror is not None
        assert LACKING in str(ledger.mirror.problem)
    with open_ledger(disk / path.name) as second:
        assert second.head(tournament) == head
        assert [player.name for player in second.record(tournament).entered()] == ["A", "B", "Zed"]


def test_a_mirror_of_another_event_is_not_replaced_and_keeps_its_keys(
    path: Path, disk: Path, begin: Callable[..., UUID], run_cli: RunCli
) -> None:
    with open_ledger(disk / path.name, create=True) as other:
        begin(other, "X")
    keys = (disk / f"{path.name}.keys").read_bytes()
    with open_ledger(path, create=True, mirror=disk) as ledger:
        begin(ledger, "A")
        assert ledger.mirror is not None
        assert str(ledger.mirror.problem) == (
            f"the copy in {disk} could not be made: the {path.name} in it belongs to another event: name another "
            "folder; the ledger itself is safe"
        )
    (disk / path.name).unlink()
    said = run_cli("register", "B", "--ledger", str(path), "--mirror", str(disk)).err
    assert "is there already without its ledger: name another folder" in said
    assert (disk / f"{path.name}.keys").read_bytes() == keys


def test_a_missing_second_disk_is_reported_and_loses_no_slip(
    path: Path, disk: Path, begin: Callable[..., UUID], run_cli: RunCli
) -> None:
    with open_ledger(path, create=True) as ledger:
        tournament = begin(ledger, "A")
    (disk / f".{path.name}.part").mkdir()
    said = run_cli("register", "B", "--ledger", str(path), "--mirror", str(disk)).err
    assert said.startswith(f"note: the copy in {disk} could not be made: ")
    assert said.endswith("; the ledger itself is safe\n")
    with open_ledger(path) as ledger:
        assert [player.name for player in ledger.record(tournament).entered()] == ["A", "B"]


def test_a_second_disk_that_was_pulled_out_blocks_no_command(
    path: Path, disk: Path, begin: Callable[..., UUID], run_cli: RunCli
) -> None:
    """Before the fix, each command was refused, and a slip could not be recorded."""
    with open_ledger(path, create=True) as ledger:
        begin(ledger, "A", "B")
    disk.rmdir()
    at = ("--ledger", str(path), "--mirror", str(disk))
    assert f"there is no folder {disk} to copy the ledger into" in run_cli("pair", *at).err
    said = run_cli("report", "1", "a", *at)
    assert "Table 1: " in said.out
    assert "the ledger itself is safe" in said.err
    disk.mkdir()
    assert "folder" not in run_cli("late", "C", *at).err
    assert (disk / path.name).exists()


def test_a_mirror_must_be_another_folder(path: Path, begin: Callable[..., UUID], database: str) -> None:
    with pytest.raises(LedgerError, match=r"there is no folder .* to copy the ledger into"):
        open_ledger(path, create=True, mirror=path.with_name("none"))
    with pytest.raises(LedgerError, match="a mirror is for a file"):
        open_ledger(database, create=True, mirror=path.parent)
    with open_ledger(path, create=True, mirror=path.parent) as ledger:
        tournament = begin(ledger, "A")
        ledger.decide(tournament, partial(roster.register, person=Person(name="B")), clerk=CLERK)
        assert ledger.mirror is not None
        assert ledger.mirror.problem is not None
        assert "it is the ledger itself: name another folder" in ledger.mirror.problem
