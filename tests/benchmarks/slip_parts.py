"""Where the time of a slip goes: each step of recording it, and of reading it at another station."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.benchmarks.measuring import markdown
from tests.benchmarks.stations import Event, paired_event

from matchledger.commands import results as slips
from matchledger.ledger import Clerk, Ledger, open_ledger
from matchledger.ledger.files import DurableConnection
from matchledger.notation.slip import Written
from matchledger.proof.station_token import StationToken

Took = defaultdict[str, list[float]]


def parts(folder: Path, tables: int) -> Iterator[str]:
    """Measure the steps of a slip at one station, and of the same slip at a station that reads it."""
    own, read = {}, {}
    for signed in (False, True):
        file = folder / f"parts{signed}.ledger"
        event = paired_event(file, tables, signed=signed)
        # Another process records, because a process does not check its own signatures.
        with multiprocessing.get_context("fork").Pool(1) as apart, open_ledger(file) as ledger:
            ledger.record(event.tournament)
            own[signed] = apart.apply(_recorded, (file, event, tables, signed))
            read[signed] = _read(ledger, event.tournament, tables)
    yield (
        f"One station records {tables:,} slips in an SQLite file, and then another station reads them. The table\n"
        "shows processor time: a quarter of the slips took less. The wait for the disk comes on top.\n\n"
    )
    yield markdown(["a slip of the own station", "unsigned", "signed"], _rows(own))
    yield "\n"
    yield markdown(["a slip of another station", "unsigned", "signed"], _rows(read))


def _rows(figures: dict[bool, dict[str, float]]) -> list[list[str]]:
    return [
        [name, *(f"{each[name] * 1e6:.0f} µs" if name in each else "" for each in figures.values())]
        for name in figures[True]
    ]


def _recorded(file: Path, event: Event, tables: int, signed: bool) -> dict[str, float]:
    """Record a slip of each table, and return the processor seconds of each step."""
    took: Took = defaultdict(list)
    with open_ledger(file) as ledger, ExitStack() as stack:
        clerk = ledger.admit(event.tournament, event.tokens[0]) if signed else Clerk()
        for owner, name in (
            (ledger.recorder, "insert_events"),
            (DurableConnection, "commit"),
            (ledger.mapper, "to_stored_event"),
            (StationToken, "signature"),
            (ledger._records, "take"),  # noqa: SLF001 - a step of the ledger
        ):
            stack.enter_context(_watched(took, owner, name))
        decide = _clocked(took["decide"], ledger.decide)
        for table in range(1, tables + 1):
            decision = partial(slips.report, table=table, written=Written(winner=0))
            decide(event.tournament, _clocked(took["decision"], decision), clerk=clerk)
    low = {name: _lower_quartile(each) for name, each in took.items() if each}
    signature = low.get("signature", 0.0)
    steps = {
        "the decision": low["decision"],
        "the bytes of the entry": low["to_stored_event"] - signature,
        "the signature": signature,
        "the rows and their hashes": low["insert_events"] - low["commit"],
        "the commit": low["commit"],
        "the record with the new slip": low["take"],
    }
    rest = low["decide"] - sum(steps.values())
    return {**steps, "the turn, the permission and the entry": rest, "the whole slip": low["decide"]}


def _read(ledger: Ledger, tournament: UUID, slips_: int) -> dict[str, float]:
    """Read the slips of another station, and return the processor seconds of each step for one slip."""
    took: Took = defaultdict(list)
    with _watched(took, StationToken, "verifies"):
        begin = time.thread_time()
        ledger.record(tournament)
        whole = (time.thread_time() - begin) / slips_
    signatures = sum(took["verifies"]) / slips_
    return {
        "the check of the signature": signatures,
        "the row, the chain, the author and the record": whole - signatures,
        "the whole slip": whole,
    }


def _lower_quartile(figures: list[float]) -> float:
    return statistics.quantiles(figures, n=4)[0]


@contextmanager
def _watched(took: Took, owner: Any, name: str) -> Iterator[None]:
    """Note the processor time of each call of a method inside the block."""
    method = getattr(owner, name)
    setattr(owner, name, _clocked(took[name], method))
    try:
        yield
    finally:
        setattr(owner, name, method)


def _clocked(took: list[float], method: Callable[..., Any]) -> Callable[..., Any]:
    def clocked(*args: Any, **kwargs: Any) -> Any:
        begin = time.thread_time()
        try:
            return method(*args, **kwargs)
        finally:
            took.append(time.thread_time() - begin)

    return clocked
