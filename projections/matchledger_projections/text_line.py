"""Lines: texts that stay on one line, whatever they contain."""

from __future__ import annotations

from itertools import pairwise

LONGEST = 500  # characters
JOINERS = "\u200c\u200d"  # zero-width: they shape letters in Persian, Hindi, Malayalam and others, and emoji


def one_line(message: str, longest: int = LONGEST) -> str:
    """A message that cannot break its line, steer a terminal, or fill a screen."""
    shown = plain(message)
    return shown if len(shown) <= longest else f"{shown[:longest]}..."


def plain(text: str) -> str:
    """Text with line breaks and control characters written out, so that it cannot imitate our lines."""
    return text if text.isprintable() else "".join(map(_printable, text))


def is_printable(text: str) -> bool:
    """Whether a text can be printed. A joiner is allowed only behind a letter outside ASCII."""
    return all(
        letter.isprintable() or (letter in JOINERS and before.isprintable() and not before.isascii())
        for before, letter in pairwise(f" {text}")
    )


def _printable(character: str) -> str:
    return character if character.isprintable() or character in JOINERS else ascii(character)[1:-1]
