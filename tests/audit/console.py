"""Pages whose console blocks are run: what a page shows is what is printed, to the letter."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

from freezegun import freeze_time

Runner = Callable[[list[str]], str]

_PART = re.compile(
    r"<!-- file: (?P<file>\S+) -->\n```\w*\n(?P<content>.*?)^```$"
    r"|<!-- clock: (?P<clock>[^>]+) -->"
    r"|^```console\n(?P<session>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_HASH = re.compile(r"\b[0-9a-f]{64}\b")


def played(page: str, folder: Path, runner: Runner) -> str:
    """The page with what its commands print now; files are written to `folder`, the clock is the page's own.

    `runner` carries out one command and gives what it printed. Hashes, which no reader can foresee, become an
    ellipsis.
    """
    clock = "2026-05-02 09:00"
    parts: list[str] = []
    end = 0
    for part in _PART.finditer(page):
        parts.append(page[end : part.start()])
        end = part.end()
        shown = part[0]
        if part["file"]:
            (folder / part["file"]).write_text(part["content"], "utf-8")
        elif part["clock"]:
            clock = part["clock"]
        else:
            with freeze_time(clock):
                shown = f"```console\n{_session(part['session'], runner)}```"
        parts.append(shown)
    return "".join([*parts, page[end:]])


def _session(session: str, runner: Runner) -> str:
    lines: list[str] = []
    for line in session.splitlines():
        if not line.startswith("$ "):
            continue
        lines.append(line)
        words = shlex.split(line.removeprefix("$ "))
        if words[0] == "matchledger":
            lines += [text.rstrip() for text in _HASH.sub("…", runner(words[1:])).splitlines()]
    return "".join(f"{line}\n" for line in lines)
