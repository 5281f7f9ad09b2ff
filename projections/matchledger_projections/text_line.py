"""Lines: what is said in one, whatever stands in it."""

from __future__ import annotations

LONGEST = 500  # characters


def one_line(message: str, longest: int = LONGEST) -> str:
    """A message that cannot break its line, steer a terminal, or fill a screen."""
    shown = message if message.isprintable() else "".join(map(_printable, message))
    return shown if len(shown) <= longest else f"{shown[:longest]}..."


def _printable(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]
