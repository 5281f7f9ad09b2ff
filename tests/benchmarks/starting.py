"""The processor time of a whole command, compared with that of importing its libraries."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measuring import markdown
from tests.benchmarks.serving import event

LIBRARIES = """
import typer, cryptography.hazmat.primitives.ciphers.aead, eventsourcing.application, eventsourcing.sqlite
import msgspec, pydantic
pydantic.create_model("One", number=(int, ...))
"""
MODELS = """
import gc
gc.set_threshold(100_000)
import matchledger.events, matchledger_projections.rulebook.rulebook
"""
LINES = ("standings", "pairings", "players", "report {table} a", "--version")


def commands(players: int, folder: Path, runs: int) -> Iterator[str]:
    """Run commands as a person types them, each in its own process."""
    ledger = event(players, folder)
    lines = {f"matchledger {line.format(table=1)}": ["-m", "matchledger", *line.split()] for line in LINES}
    measured = {
        "python, which does nothing": ["-c", ""],
        "python, which imports the libraries and makes one model": ["-c", LIBRARIES],
        "python, which also makes the models of facts and rulebooks": ["-c", MODELS + LIBRARIES],
    } | lines
    best = dict.fromkeys(measured, float("inf"))
    for table in range(1, runs + 1):  # alternate, so that all commands meet the same machine
        for name, words in measured.items():
            taken = _processor_seconds([word.format(table=table) for word in words], ledger)
            best[name] = min(best[name], taken)
    base = best["python, which imports the libraries and makes one model"]
    yield (
        f"A ledger of {players} players in round 3. Processor time of the command and of the system for it: the "
        f"best of {runs} runs, made in turns.\n\n"
    )
    yield markdown(
        ["", "processor time", "ratio to the libraries"],
        [[name, f"{seconds * 1000:.0f} ms", f"{seconds / base:.2f}"] for name, seconds in best.items()],
    )


def _processor_seconds(words: list[str], ledger: Path) -> float:
    """Return the processor time of a process whose modules are compiled already."""
    environment = {**os.environ, "MATCHLEDGER_LEDGER": str(ledger), "PYTHONDONTWRITEBYTECODE": ""}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
