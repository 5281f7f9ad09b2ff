"""The terminal: output is only text and cannot control it."""

from __future__ import annotations

import re
import sys
from typing import IO, Any

# Control characters except line break and tab, and characters that change the direction of writing.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class PlainStream:
    """A stream that escapes control characters as JSON does, so that JSON keeps its meaning (A-10)."""

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
    """Return standard output as it is, for a screen that this program itself steers."""
    return getattr(sys.stdout, "beneath", sys.stdout)
