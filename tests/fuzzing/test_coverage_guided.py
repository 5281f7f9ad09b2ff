"""Coverage-guided fuzzing of every target, for a few seconds each; `python -m tests.fuzzing` does it for longer."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from tests.budgets import FUZZING, at_length
from tests.fuzzing.targets import TARGETS

STARTING = 10  # seconds that a target needs to start and end on a busy machine


@pytest.mark.fuzzing
@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="there is no atheris for this machine")
def test_a_few_seconds_of_fuzzing_find_nothing(tmp_path: Path) -> None:
    seconds = at_length(FUZZING)
    done = subprocess.run(  # noqa: S603 - our own Python
        [sys.executable, "-m", "tests.fuzzing", str(seconds), str(tmp_path)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=(seconds + STARTING) * len(TARGETS),
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-3000:]
