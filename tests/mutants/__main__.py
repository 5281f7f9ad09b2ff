"""Runs the mutants: `python -m tests.mutants [RULE ...]` prints rule, mutant and the test that caught it.

`--share N` runs every Nth mutant only. The exit code is 1 where a mutant was not caught.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import sys
import time

from tests.mutants import trial
from tests.mutants.declared import MUTANTS, cited
from tests.mutants.mutant import Mutant

PROCESSES = 2
# What every trial needs and no mutant changes: imported once, here, so that each trial starts with it.
_WARM = [
    "pytest",
    "hypothesis",
    "freezegun",
    "pydantic.mypy",
    "typer.testing",
    "rich.console",
    "msgspec",
    "rustworkx",
    "babel.support",
    "eventsourcing.application",
    "eventsourcing.sqlite",
    "cryptography.hazmat.primitives.ciphers.aead",
]


def main() -> int:
    given = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    given.add_argument("rules", nargs="*", metavar="RULE", help="rules or beginnings of their ids; all, if none")
    given.add_argument("--share", type=int, default=1, metavar="N", help="run every Nth mutant")
    options = given.parse_args()
    wanted = [mutant for mutant in MUTANTS if not options.rules or mutant.rule.startswith(tuple(options.rules))]
    wanted = wanted[:: options.share]
    for name in _WARM:
        importlib.import_module(name)
    began = time.monotonic()
    survived = 0
    print("| Rule | Mutant | Caught by |\n|---|---|---|")
    with multiprocessing.get_context("fork").Pool(PROCESSES, maxtasksperchild=1) as pool:
        for done in pool.imap(_try, wanted, chunksize=1):
            survived += done.caught_by is None
            print(f"| {done.rule} | {done.says} | {done.caught_by or f'NOT CAUGHT: {done.because}'} |", flush=True)
    share = 100 * (len(wanted) - survived) / max(len(wanted), 1)
    print(f"\n{len(wanted)} mutants, {share:.0f} % caught, {time.monotonic() - began:.0f} seconds", flush=True)
    return 1 if survived else 0


def _try(mutant: Mutant) -> trial.Trial:
    return trial.run(mutant, mutant.rule, cited(mutant.rule))


if __name__ == "__main__":
    sys.exit(main())
