"""Run the mutants: `python -m tests.mutants [RULE ...]` prints each rule, the mutant, and the test that caught it.

`--share N` runs only every Nth mutant. The exit code is 1 if a mutant was not caught.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

from tests.mutants import trial
from tests.mutants.declared import MUTANTS, cited


def main() -> int:
    given = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    given.add_argument("rules", nargs="*", metavar="RULE", help="rules or beginnings of their ids; all, if none")
    given.add_argument("--share", type=int, default=1, metavar="N", help="run every Nth mutant")
    options = given.parse_args()
    wanted = [mutant for mutant in MUTANTS if not options.rules or mutant.rule.startswith(tuple(options.rules))]
    wanted = wanted[:: options.share]
    began = time.monotonic()
    survived = []
    out = sys.stdout

    def told(done: trial.Trial) -> None:
        if done.caught_by is None:
            survived.append(done.mutant)
        by = done.caught_by or f"NOT CAUGHT: {done.because}"
        print(f"| {done.mutant.rule} | {done.mutant.says} | {by} |", file=out, flush=True)

    print("| Rule | Mutant | Caught by |\n|---|---|---|", flush=True)
    trial.run(wanted, cited, told)
    share = 100 * (len(wanted) - len(survived)) // max(len(wanted), 1)  # 100 % only if no mutant survived
    rules = len({mutant.rule for mutant in wanted})
    print(f"\n{len(wanted)} mutants of {rules} rules, {share} % caught", end=", ")
    print(f"{time.monotonic() - began:.0f} seconds, {sum(os.times()[:4]):.0f} of the processor", flush=True)
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
