"""Measuring: the best of a few runs. Foreign code that might hang runs in a separate process."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def seconds(action: Callable[[], object], *, runs: int = 3) -> float:
    """Return the shortest of a few runs in processor seconds, without garbage collection."""
    best = float("inf")
    for _ in range(runs):
        gc.collect()
        gc.disable()
        try:
            start = time.process_time()
            action()
            best = min(best, time.process_time() - start)
        finally:
            gc.enable()
    return best


def seconds_in_turns(*actions: Callable[[], object], runs: int = 7) -> list[float]:
    """Return the shortest run of each function. The functions alternate, so that all meet the same load."""
    best = [float("inf")] * len(actions)
    for _ in range(runs):
        best = [min(known, seconds(action, runs=1)) for known, action in zip(best, actions, strict=True)]
    return best


def seconds_apart(module: str, name: str, data: Mapping[str, Any], folder: Path, *, limit: float) -> float | str:
    """Return the seconds that `python -m module name FILE` prints. If the process took too long, died or lacks a
    module, return a text for the table instead.
    """
    file = folder / f"{name}.json"
    file.write_text(json.dumps(data), "utf-8")
    command = [sys.executable, "-m", module, name, str(file)]
    # The process gets a session of its own, so that we can end everything that it started.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            out, problem = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"> {limit:.0f} s"
        finally:
            file.unlink()
    if process.returncode:
        return "not installed" if "ModuleNotFoundError" in problem else "died"
    return float(out.split()[-1])


def shown(value: float | str) -> str:
    """Write a duration in the format of the tables."""
    if isinstance(value, str):
        return value
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def ratio(value: float | str, base: float) -> str:
    return "-" if isinstance(value, str) else f"{value / base:.1f}"


def markdown(headings: list[str], rows: list[list[str]]) -> str:
    """Write a table in Markdown with aligned columns."""
    cells = [headings, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines) + "\n"
