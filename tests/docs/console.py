"""Run the console blocks of a page: the page must show exactly what its commands print."""

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
# The docs cannot show in advance the hashes, tokens and keys of this run.
_UNFORESEEN = re.compile(
    r"\b[0-9a-f]{64}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?:(?<=Token )|(?<=revoke ))[0-9a-f]{12}"
    r"|(?<=mlt2\.)\S+|(?<=\+)[0-9a-f]{8}\+\S{40,}|(?<=/enter#)\S{20,}"
)


def played(page: str, folder: Path, runner: Runner) -> str:
    """Return the page with the output that its commands print now.

    `runner` runs the words of one line and returns the output. The files of the page are written to `folder`, and
    the page can set the clock.
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
        command, _, shown = line.removeprefix("$ ").partition(" | head -")
        printed = _UNFORESEEN.sub("…", runner(shlex.split(command)))
        lines += [text.rstrip() for text in printed.splitlines()[: int(shown) if shown else None]]
    return "".join(f"{line}\n" for line in lines)
