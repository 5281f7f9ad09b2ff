"""Two desks work separately, and then each merges the other's copy. Afterwards the copies agree."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.ledger.laptops import TABLES, Laptop, copied, holds, one_slip, prepare

from matchledger.commands.refusal import Refusal
from matchledger.events import CopyMerged, ResultReported
from matchledger_projections.standings.standings import standings

pytestmark = pytest.mark.usefixtures("own_keys")

Row = tuple[str, str]  # a stored entry: its topic and its state


# -- random actions of both

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["report", "correct", "drop", "late", "retract"]), st.integers(0, 7), st.integers(0, 1)
    ),
    max_size=6,
)


def _act(laptop: Laptop, names: Iterator[str], action: str, which: int, side: int) -> None:
    """Let a desk do one thing. A refused action is skipped."""
    try:
        match action:
            case "report":
                laptop.report(which % 4 + 1, side)
            case "correct":
                laptop.correct(which % 4 + 1, side)
            case "drop":
                laptop.drop(which + 1)
            case "late":
                laptop.late(next(names))
            case _:
                slips_ = [entry.position for entry in laptop.entries if isinstance(entry.fact, ResultReported)]
                laptop.retract(slips_[which % len(slips_)])
    except (Refusal, LookupError, IndexError, ZeroDivisionError):
        pass


def _table(laptop: Laptop) -> list[tuple[object, ...]]:
    """Return the standings by name, because late players may have different numbers."""
    record = laptop.record
    rows = standings(record).rows
    return sorted((record.players[row.player].name, row.points, row.status) for row in rows)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, UUID]:
    """The event on two laptops, before they act separately."""
    with pytest.MonkeyPatch.context() as station:
        station.delenv("MATCHLEDGER_KEYS", raising=False)
        folder = tmp_path_factory.mktemp("prepared")
        return folder, prepare(folder, before=one_slip)


# North's merge records south's slip for table 3 at the same position as south's copy.
@settings(max_examples=15)
@example(ours=[("drop", 7, 0)], theirs=[("report", 2, 0), ("retract", 1, 0), ("report", 3, 0)])
@given(ours=ACTIONS, theirs=ACTIONS)
def test_two_copies_agree_after_each_was_merged_into_the_other(
    ours: list[tuple[str, int, int]], theirs: list[tuple[str, int, int]], prepared: tuple[Path, UUID]
) -> None:
    with TemporaryDirectory() as folder, copied(*prepared, Path(folder)) as (here, there):
        for laptop, actions, prefix in ((here, ours, "N"), (there, theirs, "S")):
            names = (f"{prefix}{number}" for number in itertools.count())
            for action in actions:
                _act(laptop, names, *action)
        before = {laptop.station: _rows(laptop) for laptop in (here, there)}
        if here.plan(there, renumber=True).questions or there.plan(here, renumber=True).questions:
            return
        here.merge(there, renumber=True)
        there.merge(here, renumber=True)
        for laptop in (here, there):
            assert holds(laptop)
            assert laptop.plan(here, renumber=True).is_empty
            assert laptop.plan(there, renumber=True).is_empty
            _every_entry_is_found_once(laptop, before)
        contradicted = {fact.table for laptop in (here, there) for _, fact in laptop.record.slips_refused}
        for table in set(TABLES) - contradicted:
            assert here.winner(table) == there.winner(table)
        if not contradicted:
            assert _table(here) == _table(there)


def _rows(laptop: Laptop) -> list[Row]:
    return [(row.topic, row.state.decode()) for row in laptop.ledger.recorder.entry_rows(laptop.tournament)]


def _every_entry_is_found_once(laptop: Laptop, before: dict[str, list[Row]]) -> None:
    """Assert that the log begins with the laptop's own entries, and that its merge contains the other copy's bytes.

    The merge repeats each counting entry of the other copy once, sometimes at the position that the entry has
    there.
    """
    log = _rows(laptop)
    merged = [entry.fact for entry in laptop.entries if isinstance(entry.fact, CopyMerged)]
    for station, acknowledged in before.items():
        kept = log
        if merged and station != laptop.station:
            [merge] = merged
            kept = log[: merge.fork] + [(copied.topic, copied.state) for copied in merge.entries]
        assert kept[: len(acknowledged)] == acknowledged, station
    recorded = [(entry.command, entry.fact.kind) for entry in laptop.entries if entry.actor == "Sue"]
    assert len(set(recorded)) == len(recorded)
