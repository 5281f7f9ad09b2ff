"""Key rings: a key is made once, kept in one line, and destroyed in place."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path
from uuid import UUID

import pytest

from matchledger.ledger.keyring import KeyRing, KeyRingError
from matchledger.ledger.mirror import _copy_in_place

HERE, THERE = UUID(int=1), UUID(int=2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "event.ledger.keys"


def test_a_key_is_made_once_and_found_again(file: Path) -> None:
    ring = KeyRing(file)
    ring.ensure(HERE, [1, 2])
    ring.ensure(HERE, [2, 3])
    keys = [ring.key(HERE, player) for player in (1, 2, 3)]
    assert len(set(keys)) == 3
    assert [KeyRing(file).key(HERE, player) for player in (1, 2, 3)] == keys
    assert KeyRing(file).key(THERE, 1) is None


@pytest.mark.finding("A-12")
def test_no_key_goes_into_a_file_that_another_user_made_and_reads(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("matchledger-keys/1\n")
    file.chmod(0o666)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    monkeypatch.setattr(Path, "chmod", lambda *_: (_ for _ in ()).throw(PermissionError))
    with pytest.raises(KeyRingError, match="it belongs to another user, and others can read it"):
        KeyRing(file).ensure(HERE, [1])
    assert file.read_text() == "matchledger-keys/1\n"
    copy, target = tmp_path / "copy", tmp_path / "target"
    copy.symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        _copy_in_place(file, copy)
    target.touch()
    with pytest.raises(PermissionError):
        _copy_in_place(target, file)


def test_a_destroyed_key_is_overwritten_and_never_made_again(file: Path) -> None:
    ring = KeyRing(file)
    ring.ensure(HERE, [1, 2])
    gone, stays = ring.key(HERE, 1), ring.key(HERE, 2)
    assert gone is not None
    assert stays is not None
    size = file.stat().st_size
    assert ring.destroy(HERE, 1)
    assert not ring.destroy(HERE, 1)
    assert file.stat().st_size == size
    assert gone.hex() not in file.read_text()
    assert (ring.key(HERE, 1), ring.key(HERE, 2)) == (None, stays)
    for again in (ring, KeyRing(file)):
        with pytest.raises(KeyRingError, match="the personal data of player 1 was erased"):
            again.ensure(HERE, [1])
        again.put(HERE, {1: bytes(32)})
        assert again.key(HERE, 1) is None


def test_restoring_an_older_file_does_not_restore_a_destroyed_key(file: Path) -> None:
    """The program is still running, and reads the file again before the next player enters."""
    ring = KeyRing(file)
    ring.ensure(HERE, [1, 2])
    backup = file.read_bytes()
    gone = ring.key(HERE, 1)
    assert gone is not None
    ring.destroy(HERE, 1)
    file.write_bytes(backup)
    ring.ensure(HERE, [3])
    assert ring.key(HERE, 1) is None
    assert gone.hex() not in file.read_text()
    assert None not in (ring.key(HERE, 2), ring.key(HERE, 3))
    assert KeyRing(file).key(HERE, 1) is None


def test_a_station_forgets_a_key_that_another_station_destroyed(file: Path) -> None:
    north, south = KeyRing(file), KeyRing(file)
    north.ensure(HERE, [1])
    assert south.key(HERE, 1) is not None
    north.destroy(HERE, 1)
    assert south.destroy(HERE, 1) is False
    assert south.key(HERE, 1) is None


def test_the_first_of_two_keys_for_a_player_counts_and_both_can_be_destroyed(file: Path) -> None:
    KeyRing(file).ensure(HERE, [1])
    first = KeyRing(file).key(HERE, 1)
    with file.open("a") as stream:
        stream.write(f"\n{HERE.hex} {1:010} {'ab' * 32}\n")
    ring = KeyRing(file)
    assert ring.key(HERE, 1) == first
    ring.destroy(HERE, 1)
    assert "ab" * 32 not in file.read_text()
    assert KeyRing(file).key(HERE, 1) is None


@pytest.mark.parametrize("cut", range(1, 110, 7))
def test_a_line_cut_by_a_power_failure_spoils_no_other_line(file: Path, cut: int) -> None:
    ring = KeyRing(file)
    ring.ensure(HERE, [1])
    kept = ring.key(HERE, 1)
    ring.ensure(HERE, [2])
    file.write_bytes(file.read_bytes()[:-cut])
    again = KeyRing(file)
    again.ensure(HERE, [2, 3])
    assert again.key(HERE, 1) == kept
    assert None not in (again.key(HERE, 2), again.key(HERE, 3))
    assert KeyRing(file).key(HERE, 2) == again.key(HERE, 2)


def _add(file: Path, start: int) -> None:
    ring = KeyRing(file)
    for player in range(start, start + 40):
        ring.ensure(HERE, [player])


def test_stations_that_add_at_the_same_moment_lose_no_key(file: Path) -> None:
    context = multiprocessing.get_context("spawn")
    stations = [context.Process(target=_add, args=(file, start)) for start in (1, 21, 41)]
    for station in stations:
        station.start()
    for station in stations:
        station.join()
    ring = KeyRing(file)
    assert None not in [ring.key(HERE, player) for player in range(1, 81)]


def test_keys_written_before_the_header_are_read(file: Path) -> None:
    """One station made the key file. Before that station wrote the header, another station wrote its keys."""
    file.touch()
    KeyRing(file).ensure(HERE, [1])
    written = file.read_bytes()
    assert written.startswith(b"\n")
    other = file.with_name("other.keys")
    KeyRing(other).ensure(HERE, [2])
    file.write_bytes(written + other.read_bytes())
    ring = KeyRing(file)
    assert None not in (ring.key(HERE, 1), ring.key(HERE, 2))


def test_a_readable_key_file_becomes_private(file: Path) -> None:
    KeyRing(file).ensure(HERE, [1])
    file.chmod(0o644)
    KeyRing(file).key(HERE, 1)
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_of_another_kind_is_refused_as_a_key_file_and_not_changed(file: Path) -> None:
    file.write_text("shopping list\n")
    with pytest.raises(KeyRingError, match="is not a key ring of matchledger: name another with MATCHLEDGER_KEYS"):
        KeyRing(file).ensure(HERE, [1])
    assert file.read_text() == "shopping list\n"


@pytest.mark.finding("A-12")
def test_a_partly_written_key_is_completed_or_reported(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:7]))
    ring = KeyRing(file)
    ring.ensure(HERE, [1, 2])
    assert KeyRing(file).key(HERE, 2) == ring.key(HERE, 2) is not None
    monkeypatch.setattr(os, "write", lambda _, data: len(data))
    with pytest.raises(KeyRingError, match="does not keep the keys that are written to it; nothing was recorded"):
        ring.ensure(HERE, [3])


def test_a_printed_key_ring_shows_no_key() -> None:
    ring = KeyRing()
    ring.ensure(HERE, [1])
    key = ring.key(HERE, 1)
    assert key is not None
    assert key.hex() not in repr(ring)
    assert repr(key) not in repr(ring)


@pytest.mark.skipif(os.name != "posix", reason="only POSIX files have modes")
def test_a_readable_file_of_another_owner_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the owner can change the permissions of a file. Before the fix, the refused change hid every name."""
    KeyRing(file).ensure(HERE, [1])
    file.chmod(0o644)

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    ring = KeyRing(file)
    assert ring.key(HERE, 1) is not None
    assert ring.problems() == []
