"""The cache next to a ledger gives the same record as the log, or is ignored."""

from __future__ import annotations

import hmac
import os
import shutil
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec.structs import replace
from tests.ledger.conftest import CLERK
from tests.ledger.states import state

from matchledger.commands import privacy, roster
from matchledger.commands import results as slips
from matchledger.commands.swiss import pair_by_hand
from matchledger.events import Person, Seating
from matchledger.ledger import Ledger, cache, open_ledger, verify
from matchledger.ledger.cache import RecordCache
from matchledger.ledger.files import own_folder
from matchledger.notation.slip import Written
from matchledger_projections.record import snapshot
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.snapshot import Snapshot, restored


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a cache for every log, even a short one."""
    monkeypatch.setattr("matchledger.ledger.records.LONG", 1)


@pytest.fixture
def file(path: Path) -> Path:
    return path.with_name("event.ledger.cache")


@pytest.fixture
def tournament(path: Path, file: Path, begin: Callable[..., UUID]) -> UUID:
    """Four players in a closed ledger, with its cache next to it."""
    with open_ledger(path, create=True) as ledger:
        tournament = begin(ledger, "Ann", "Bo", "Cy", "Di")
    file.unlink()
    with open_ledger(path) as ledger:
        ledger.record(tournament)
    assert file.exists()
    return tournament


class Folding:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folded = 0
        apply = Record.apply

        def counted(record: Record, entry: Any) -> None:
            self.folded += 1
            apply(record, entry)

        monkeypatch.setattr(Record, "apply", counted)


@pytest.fixture
def folding(monkeypatch: pytest.MonkeyPatch) -> Folding:
    return Folding(monkeypatch)


def recorded(path: Path, tournament: UUID) -> Any:
    with open_ledger(path) as ledger:
        return state(ledger.record(tournament))


def replayed(path: Path, tournament: UUID) -> Any:
    with open_ledger(path) as ledger:
        return state(fold(ledger.entries(tournament)))


# -- its contents


def test_a_snapshot_restores_the_record_at_every_position(play_everything: Callable[[Ledger], UUID]) -> None:
    with open_ledger(":memory:") as ledger:
        entries = list(ledger.entries(play_everything(ledger)))
    whole = state(fold(entries))
    for position in range(len(entries) + 1):
        record = fold(entries[:position])
        text = snapshot.snapshot(record).model_dump_json()
        again = restored(Snapshot.model_validate_json(text))
        assert state(again) == state(record)
        assert list(again.commands) == list(record.commands)
        assert list(again.players) == list(record.players)
        for entry in entries[position:]:
            again.apply(entry)
        assert state(again) == whole


def test_a_long_log_is_opened_from_its_cache(path: Path, tournament: UUID, folding: Folding) -> None:
    found = recorded(path, tournament)
    assert folding.folded == 0
    assert found == replayed(path, tournament)


def test_a_cached_record_takes_the_entries_that_came_later(path: Path, tournament: UUID, folding: Folding) -> None:
    with open_ledger(path) as ledger:
        ledger.decide(tournament, partial(roster.register, person=Person(name="Ed")), clerk=CLERK)
    folding.folded = 0
    found = recorded(path, tournament)
    assert folding.folded == 1
    assert found == replayed(path, tournament)


def test_a_short_log_has_no_cache(
    path: Path, file: Path, tournament: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.unlink()
    monkeypatch.setattr("matchledger.ledger.records.LONG", 1000)
    recorded(path, tournament)
    assert not file.exists()


def test_a_station_writes_a_cache_after_long_reading_and_not_while_it_records(
    path: Path, file: Path, tournament: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matchledger.ledger.records.LONG", 3)
    with open_ledger(path) as ledger:
        ledger.record(tournament)
        file.unlink()
        for name in ("Ed", "Flo", "Gus", "Hal"):
            ledger.decide(tournament, partial(roster.register, person=Person(name=name)), clerk=CLERK)
            ledger.record(tournament)
        assert not file.exists()
    recorded(path, tournament)
    assert file.exists()


def test_a_ledger_in_memory_has_no_cache(begin: Callable[..., UUID], tmp_path: Path) -> None:
    with open_ledger(":memory:") as ledger:
        ledger.record(begin(ledger, "Ann"))
    assert not list(tmp_path.iterdir())


def test_the_same_names_find_players_at_every_moment(path: Path, begin: Callable[..., UUID]) -> None:
    """A player is called "player 2", as the program later calls an erased player."""
    with open_ledger(path, create=True) as ledger:
        tournament = begin(ledger, "player 2", "Ann", "Bo", "Player 3")
        assert ledger.record(tournament).named("bo")
        for player in (2, 3):
            erased = partial(privacy.erase, player=player, reason="asked for it")
            ledger.decide(tournament, erased, clerk=replace(CLERK, role="organizer"))
        end = ledger.record(tournament).position
        names = {"player 1": [], "player 2": [1, 2], "player 3": [3, 4], "ann": [], "bo": []}
        for record in (
            ledger.record(tournament),
            fold(ledger.entries(tournament)),
            ledger.record(tournament).as_of(end),
            restored(snapshot.snapshot(ledger.record(tournament))),
        ):
            assert {name: record.names.get(name, []) for name in names} == names


# -- what is not trusted


def _emptied(file: Path) -> None:
    file.write_bytes(b"")


def _cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def _lengthened(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b" ")


def _garbled(file: Path) -> None:
    file.write_bytes(os.urandom(4096))


def _encrypted_by_somebody_without_the_keys(file: Path) -> None:
    head = file.read_bytes()[: cache._HEAD.size]  # noqa: SLF001 -- a forger knows the layout
    for key in (bytes(range(32)), bytes(32)):
        file.write_bytes(head + AESGCM(key).encrypt(head[-12:], b"{}", head))


def _a_folder_in_its_place(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _a_pipe_in_its_place(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _a_link_to_itself_in_its_place(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


@pytest.mark.parametrize(
    "tamper",
    [
        _emptied,
        _cut_short,
        _lengthened,
        _garbled,
        _encrypted_by_somebody_without_the_keys,
        _a_folder_in_its_place,
        _a_pipe_in_its_place,
        _a_link_to_itself_in_its_place,
    ],
)
def test_an_altered_cache_is_ignored(
    path: Path, file: Path, tournament: UUID, folding: Folding, tamper: Callable[[Path], None]
) -> None:
    tamper(file)
    assert recorded(path, tournament) == replayed(path, tournament)
    assert folding.folded > 0


def test_a_cache_with_any_changed_byte_is_ignored(path: Path, file: Path, tournament: UUID) -> None:
    data = file.read_bytes()
    expected = replayed(path, tournament)
    with open_ledger(path) as ledger:
        root_of = partial(_root, ledger, tournament)
        kept = RecordCache(path)
        key_of = partial(ledger._records.cache_key, tournament)  # noqa: SLF001 -- the key that it was written with
        whole = kept.load(tournament, root_of, key_of)
        assert state(whole) == expected
        for place in range(len(data)):
            file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            assert kept.load(tournament, root_of, key_of) is None, place


def test_a_cache_shows_no_names_and_ends_with_an_erasure(path: Path, file: Path, tournament: UUID) -> None:
    assert b"Ann" not in file.read_bytes()
    with open_ledger(path) as ledger:
        root_of, key_of = partial(_root, ledger, tournament), partial(ledger._records.cache_key, tournament)  # noqa: SLF001 -- as above
        assert RecordCache(path).load(tournament, root_of, key_of) is not None
        ledger.ring.destroy(tournament, 1)
        assert RecordCache(path).load(tournament, root_of, key_of) is None


def _root(ledger: Ledger, tournament: UUID, position: int) -> bytes | None:
    row = ledger.recorder.tree_row(tournament, position)
    return None if row is None else row.root


def test_a_cache_from_other_code_is_ignored(
    path: Path, tournament: UUID, folding: Folding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_code", lambda: bytes(32))
    recorded(path, tournament)
    assert folding.folded > 0


def test_a_cache_of_a_diverged_log_is_ignored(
    path: Path, file: Path, tournament: UUID, folding: Folding, tmp_path: Path
) -> None:
    """Two copies of a ledger continued differently. The hash of the last entry tells the two logs apart."""
    other = tmp_path / "other.ledger"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    shutil.copy(path, other)
    shutil.copy(f"{path}.keys", f"{other}.keys")
    for ledger_path, name in ((path, "Ed"), (other, "Flo")):
        file.unlink(missing_ok=True)
        with open_ledger(ledger_path) as ledger:
            ledger.decide(tournament, partial(roster.register, person=Person(name=name)), clerk=CLERK)
            ledger.record(tournament)
    shutil.copy(other.with_name("other.ledger.cache"), file)
    folding.folded = 0
    found = recorded(path, tournament)
    assert folding.folded > 0
    assert found == replayed(path, tournament)


def test_a_cache_longer_than_the_log_is_ignored(path: Path, file: Path, tournament: UUID, tmp_path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    early = tmp_path / "early.ledger"
    shutil.copy(path, early)
    file.unlink()
    with open_ledger(path) as ledger:
        ledger.decide(tournament, partial(roster.register, person=Person(name="Ed")), clerk=CLERK)
        ledger.record(tournament)
    shutil.copy(file, early.with_name("early.ledger.cache"))
    assert recorded(early, tournament) == replayed(early, tournament)


def test_a_cache_of_another_tournament_is_ignored(path: Path, tournament: UUID, begin: Callable[..., UUID]) -> None:
    with open_ledger(path) as ledger:
        another = begin(ledger, "Gil")
    assert recorded(path, another) == replayed(path, another)
    assert recorded(path, tournament) == replayed(path, tournament)


def _forged(path: Path, file: Path, tournament: UUID, key: bytes) -> None:
    """Write a cache in which Ann is called Eve, encrypted with the keys next to the ledger and with `key`."""
    with open_ledger(path) as ledger:
        record, data = ledger.record(tournament), file.read_bytes()
        size = cache._HEAD.size  # noqa: SLF001 - a forger knows the layout
        head, keys = data[:size], ledger._records.cache_key(tournament, 4)  # noqa: SLF001 - as above
        text = snapshot.snapshot(record).model_dump_json().replace('"Ann"', '"Eve"')
        secret = hmac.digest(key, keys, "sha256") if key else keys
        file.write_bytes(head + AESGCM(secret).encrypt(head[-12:], text.encode(), head))


@pytest.mark.finding("A-9")
@pytest.mark.parametrize("key", [b"", bytes(32)])
def test_the_ledger_and_the_key_file_are_not_enough_to_forge_a_cache(
    path: Path, file: Path, tournament: UUID, key: bytes
) -> None:
    """Forging a cache also needs a key from the user's own folder."""
    _forged(path, file, tournament, key)
    with open_ledger(path) as ledger:
        assert [player.name for player in ledger.record(tournament).entered()] == ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.finding("A-9")
def test_verify_reads_the_log_and_keeps_a_false_cache_as_evidence(path: Path, file: Path, tournament: UUID) -> None:
    """The user's own key decrypts the cache, but the cache contradicts the log."""
    with open_ledger(path) as ledger:
        assert not verify(ledger, tournament)
    assert file.exists()
    _forged(path, file, tournament, cache._user_key(own_folder() / "cache.key"))  # noqa: SLF001 - a program of the user's has it
    forged = file.read_bytes()
    with open_ledger(path) as ledger:
        [found] = verify(ledger, tournament)
        assert next(player.name for player in ledger.record(tournament).entered()) == "Ann"
    kept = file.with_name("event.ledger.cache.false")
    assert found.what == f"the cache held another record than the log: it is kept as {kept}"
    assert kept.read_bytes() == forged


# -- failed writes


@pytest.mark.parametrize("problem", ["mkstemp", "disk_usage", "replace"])
def test_an_unwritable_cache_causes_no_error(
    path: Path, file: Path, tournament: UUID, monkeypatch: pytest.MonkeyPatch, problem: str
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    file.unlink()
    where = {
        "mkstemp": "tempfile.NamedTemporaryFile",
        "disk_usage": "shutil.disk_usage",
        "replace": "os.replace",
    }
    monkeypatch.setattr(where[problem], fails)
    assert recorded(path, tournament) == replayed(path, tournament)
    assert not list(path.parent.glob("*.cache*"))


def test_a_score_too_large_for_a_column_is_not_cached(
    path: Path, file: Path, begin: Callable[..., UUID], folding: Folding
) -> None:
    with open_ledger(path, create=True) as ledger:
        tournament = begin(ledger, "Ann", "Bo", rules="netrunner-2023")
        ledger.decide(tournament, partial(pair_by_hand, games=[Seating(table=1, players=(1, 2))]), clerk=CLERK)
        written = Written(kind="score", scores=(2**31, 0))
        ledger.decide(tournament, partial(slips.report, table=1, written=written), clerk=CLERK)
    file.unlink(missing_ok=True)
    folding.folded = 0
    assert recorded(path, tournament) == replayed(path, tournament)
    assert not list(path.parent.glob("*.cache*"))
    assert folding.folded > 0


def test_no_cache_is_written_on_a_full_disk(
    path: Path, file: Path, tournament: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.unlink()
    monkeypatch.setattr(cache, "ENTRY_BYTES", 1 << 60)
    recorded(path, tournament)
    assert not file.exists()


def test_a_cache_has_the_permissions_of_its_ledger(path: Path, file: Path, tournament: UUID) -> None:
    file.unlink()
    path.chmod(0o640)
    recorded(path, tournament)
    assert file.stat().st_mode & 0o777 == 0o640
