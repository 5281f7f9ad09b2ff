"""How long a log takes from its file to standings, in how much memory, and how long a moment in its past."""

from __future__ import annotations

import gc
import json
import sqlite3
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.benchmarks.events import SECRET, TOURNAMENT, Played
from tests.benchmarks.measuring import markdown, ratio, seconds, shown

from matchledger.events import RoundPaired
from matchledger.ledger import Draft, open_ledger
from matchledger_projections.standings import standings


def large_log(file: Path, entries: int, rounds: int) -> Played:
    """A ledger of about so many entries: players, and rounds of results."""
    players = round(entries / (1 + rounds / 2) / 2) * 2
    played = Played("l5r-2018", players, keep=True)
    played.play(rounds)
    draft = Draft(TOURNAMENT)
    draft.entries = played.entries
    with open_ledger(file, create=True) as ledger:
        ledger.keep(draft, secret=SECRET)
    return played


def rows_decoded(file: Path) -> int:
    """The same rows read from the same file and decoded as JSON, with nothing else."""
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"
        return sum(1 for (state,) in connection.execute(query, (TOURNAMENT.hex,)) if json.loads(state))


def replayed(file: Path) -> object:
    """From a file that is closed to the standings, by the log alone."""
    with open_ledger(file) as ledger:
        ledger.cache = None
        return standings(ledger.record(TOURNAMENT)).rows


def opened(file: Path, *, again: bool) -> object:
    """From a file that is closed to its record: the first time, leaving a cache, or again, by the cache."""
    with open_ledger(file) as ledger:
        if not again and ledger.cache is not None:
            ledger.cache.drop()
        return ledger.record(TOURNAMENT)


def moments(file: Path, entries: int, rounds: int) -> Iterator[str]:
    """Replay, memory, the past, and opening again."""
    played = large_log(file, entries, rounds)
    count = len(played.entries)
    position = next(
        entry.position for entry in played.entries if isinstance(entry.fact, RoundPaired) and entry.fact.round == 6
    )
    del played
    decoded = seconds(partial(rows_decoded, file))
    replay = seconds(partial(replayed, file))
    first, again = (seconds(partial(opened, file, again=again)) for again in (False, True))
    with open_ledger(file) as ledger:
        ledger.cache = None
        record = ledger.record(TOURNAMENT)
        corrected = seconds(partial(standings, record, 5))
        known = seconds(lambda: standings(ledger.record_as_of(TOURNAMENT, position - 1)).rows)
    rows = [
        ["reading the rows and decoding their JSON", shown(decoded), ratio(decoded, replay)],
        ["replay from the file to standings", shown(replay), "1.0"],
        ["opening for the first time: a replay that leaves a cache", shown(first), f"{first / replay:.3f}"],
        ["opening again, by the cache", shown(again), f"{again / replay:.3f}"],
        ["round 5 as corrected, the ledger being open", shown(corrected), f"{corrected / replay:.3f}"],
        ["round 5 as known, the ledger being open", shown(known), f"{known / replay:.3f}"],
    ]
    yield markdown([f"{count:,} entries", "time", "part of a replay"], rows)
    yield f"\nA replay takes {replay / decoded:.2f} times what it takes to read and decode the same rows.\n"
    record_bytes, peak = _memory(file)
    yield (
        f"The record of this log takes {record_bytes / 2**20:.1f} MiB; the peak while it is made is "
        f"{peak / 2**20:.1f} MiB, {(peak - record_bytes) / 2**20:.1f} MiB above it.\n"
    )


def _memory(file: Path) -> tuple[int, int]:
    """What the record takes, and what there was at most while it was made, in bytes."""
    with open_ledger(file) as ledger:
        ledger.cache = None
        ledger.head(TOURNAMENT)
        gc.collect()
        tracemalloc.start()
        record = ledger.record(TOURNAMENT)
        current, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert record.position
    return current, peak
