"""Folders where the locks of a ledger do not work."""

from __future__ import annotations

from pathlib import Path

import pytest

from matchledger.ledger.location import unsafe_place


@pytest.mark.parametrize(
    ("folder", "kind", "said"),
    [
        ("disk", "ext4", None),
        ("disk", "nfs4", "is a network drive (nfs4)"),
        ("disk", "cifs", "is a network drive (cifs)"),
        ("OneDrive - Club", "ext4", "OneDrive - Club is synchronized with other machines"),
    ],
)
def test_a_ledger_on_a_network_drive_or_in_a_synchronized_folder_is_recognized(
    tmp_path: Path, folder: str, kind: str, said: str | None
) -> None:
    place = tmp_path / folder / "events"
    place.mkdir(parents=True)
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nserver:/home {tmp_path}/disk {kind} rw 0 0\n", "utf-8")
    found = unsafe_place(place / "friday.ledger", mounts)
    assert found is None if said is None else said in (found or "")


def test_a_synchronized_folder_is_recognized_by_its_files(tmp_path: Path) -> None:
    (tmp_path / ".stfolder").mkdir()
    assert "synchronized" in (unsafe_place(tmp_path / "friday.ledger") or "")
    assert unsafe_place("postgresql://desk@hall/event") is None


def test_a_network_drive_is_recognized_under_a_space_an_automount_or_a_link(tmp_path: Path) -> None:
    place = tmp_path / "our share"
    place.mkdir()
    escaped = str(place).replace(" ", "\\040")
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda1 / ext4 rw 0 0\nauto {escaped} autofs rw 0 0\nhall:/e {escaped} nfs4 rw 0 0\n", "utf-8"
    )
    (place / "friday.ledger").touch()
    link = tmp_path / "friday.ledger"
    link.symlink_to(place / "friday.ledger")
    for ledger in (place / "friday.ledger", link):
        assert unsafe_place(ledger, mounts) == f"{place} is a network drive (nfs4)"
