"""The terminal: output cannot control it, typed lines end at Enter or Escape, and questions are asked."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import typer

ESCAPE = "\x1b"

# Control characters except line break and tab, and characters that reverse the direction of writing.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class PlainStream:
    """A stream that escapes control characters in JSON's way, so that JSON output keeps its meaning (A-10)."""

    def __init__(self, beneath: IO[str]) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        self.beneath.write(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def steered() -> IO[str]:
    """Return standard output unchanged, for a screen that this program itself controls."""
    return getattr(sys.stdout, "beneath", sys.stdout)


@contextmanager
def typed_lines() -> Iterator[Iterator[str]]:
    """Give the lines from the keyboard or a pipe. The Escape key deletes the text typed before it and gives an
    empty line.

    An arrow key acts like Escape.

    On a POSIX terminal, the line comes as soon as Escape is pressed. At the end the terminal gets its earlier
    settings back.
    """
    if os.name != "posix" or not sys.stdin.isatty():
        yield _split_at_escape(iter(sys.stdin.readline, ""))
        return
    import termios  # noqa: PLC0415 - Windows lacks it

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    changed = termios.tcgetattr(keyboard)
    changed[6][termios.VEOL] = ESCAPE.encode()
    termios.tcsetattr(keyboard, termios.TCSADRAIN, changed)
    try:
        # readline waits for Enter. A single `os.read` returns a whole line
        yield _split_at_escape(iter(lambda: os.read(keyboard, _LONGEST).decode(errors="backslashreplace"), ""))
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


_LONGEST = 4096  # the most bytes of a line typed at a terminal


_AFTER_ESCAPE = re.compile(r"\A\[[0-9;]*[A-Za-z~]")  # the remaining bytes of an arrow key or another special key


def _split_at_escape(lines: Iterator[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        first, *others = line.split(ESCAPE)
        first = _AFTER_ESCAPE.sub("", first) if before.endswith(ESCAPE) else first
        *dropped, kept = (first, *(_AFTER_ESCAPE.sub("", other) for other in others))
        before = line
        yield from ("" for _ in dropped)
        if kept:
            yield kept


_ANSWERS = {"": False, "n": False, "no": False, "nein": False, "y": True, "yes": True, "j": True, "ja": True}


def agreed(question: str) -> bool:
    """Return whether the answer is yes, in English or in German. Enter means no.

    If the answer is not yes, print that nothing was recorded.

    Ctrl-C and Ctrl-D end the question's line and abort the command.
    """
    try:
        if typer.prompt(f"{question} [y/N]", default="", show_default=False, value_proc=_read):
            return True
    except typer.Abort:
        typer.echo()
        raise
    typer.echo("Nothing was recorded.")
    return False


def _read(answer: str) -> bool:
    try:
        return _ANSWERS[answer.strip().casefold()]
    except KeyError:
        raise typer.BadParameter("type y for yes, or n for no") from None
