"""Power failure: frame by frame, the parts of the write-ahead log that had not reached the disk are lost."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
from tests.faults.station import CLERK, event
from tests.watch import copy_apart

from matchledger.commands import results as slips
from matchledger.ledger import open_ledger, verify
from matchledger.notation.slip import Written

WAL_HEADER, FRAME_HEADER, PAGE = 32, 24, 4096
TABLES = 12


@pytest.fixture
def cut_off(path: Path) -> tuple[UUID, list[int]]:
    """Return a file and its write-ahead log while slips come in, and the length of the log after each slip."""
    tournament = event(str(path), TABLES)
    with open_ledger(path) as ledger:
        ledger.record(tournament)
        wal, lengths = path.with_name(path.name + "-wal"), []
        for table in range(1, TABLES + 1):
            ledger.decide(tournament, partial(slips.report, table=table, written=Written(winner=0)), clerk=CLERK)
            lengths.append(wal.stat().st_size)
        copy_apart(path, path.with_name("kept"))
        copy_apart(wal, path.with_name("kept-wal"))
    return tournament, lengths


@pytest.mark.faults
def test_after_a_power_failure_the_log_ends_with_a_whole_slip_and_lacks_none(
    path: Path, cut_off: tuple[UUID, list[int]]
) -> None:
    tournament, lengths = cut_off
    whole = path.with_name("kept-wal").read_bytes()
    frames = (len(whole) - WAL_HEADER) // (FRAME_HEADER + PAGE)
    assert frames > TABLES
    with open_ledger(path) as ledger:
        rows = list(ledger.recorder.entry_rows(tournament))
    before = len(rows) - TABLES
    for frame in range(frames + 1):
        for torn in (0, FRAME_HEADER // 2, FRAME_HEADER + PAGE // 3):
            length = min(WAL_HEADER + frame * (FRAME_HEADER + PAGE) + torn, len(whole))
            on_disk = sum(reached <= length for reached in lengths)
            copy = path.with_name(f"copy-{frame}-{torn}")
            shutil.copy(path.with_name("kept"), copy)
            copy.with_name(copy.name + "-wal").write_bytes(whole[:length])
            with open_ledger(copy) as ledger:
                kept = list(ledger.recorder.entry_rows(tournament))
                assert kept == rows[: len(kept)], "what is there is a beginning of what was recorded"
                assert len(kept) == before + on_disk, "and holds every slip that was on the disk"
                assert verify(ledger, tournament) == []
