"""Coverage-guided fuzzing for any length of time: `python -m tests.fuzzing SECONDS FOLDER [TARGET ...]`.

SECONDS is the time for each target. Findings are written into FOLDER, and the exit code is then 1. Shorten the
file of a finding, name the file after its effect, and put it into `tests/fuzzing/findings/TARGET`. Fuzzing needs
atheris. The extra `test` includes atheris on machines for which it exists.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import atheris

MEMORY = 2**32  # the most bytes of address space
RESIDENT = 1024  # megabytes
SLOWEST = 10  # the most seconds for one input
LONGEST = 8192  # the most bytes of one input

with atheris.instrument_imports(include=["matchledger", "matchledger_projections"]):
    from tests.fuzzing.seeds import seeds
    from tests.fuzzing.targets import TARGETS


def fuzz(name: str, seconds: int, folder: Path) -> None:
    """Fuzz one target, and end the process after the search."""
    corpus = Path(tempfile.mkdtemp(prefix="corpus-"))
    for number, seed in enumerate(seeds(name)):
        (corpus / str(number)).write_bytes(seed)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    options = {
        "max_total_time": seconds,
        "timeout": SLOWEST,
        "rss_limit_mb": RESIDENT,
        "max_len": LONGEST,
        "artifact_prefix": f"{folder}/{name}-",
        "print_final_stats": 1,
        "verbosity": 0,
    }
    atheris.Setup(["fuzzing", *(f"-{name}={value}" for name, value in options.items()), str(corpus)], TARGETS[name])
    atheris.Fuzz()


def main(arguments: Sequence[str]) -> int:
    """Fuzz one target after the other, each in its own process."""
    seconds, folder, *names = arguments
    Path(folder).mkdir(parents=True, exist_ok=True)
    broken = []
    for name in names or TARGETS:
        print(f"== {name}", flush=True)
        child = os.fork()
        if child == 0:
            tempfile.tempdir = folder  # the process ends without removing its files, so they go into this folder
            fuzz(name, int(seconds), Path(folder))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status != 0:
            broken.append(name)
    print(f"{len(names or TARGETS)} targets, {len(broken)} broken: {', '.join(broken) or 'none'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
