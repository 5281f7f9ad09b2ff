"""Lines: what is said in one, whatever stands in it."""

from __future__ import annotations

LONGEST = 500  # characters
JOINERS = "\u200c\u200d"  # zero-width: they shape letters in Persian, Hindi, Malayalam and others, and emoji


def one_line(message: str, longest: int = LONGEST) -> str:
    """A message that cannot break its line, steer a terminal, or fill a screen."""
    shown = plain(message)
    return shown if len(shown) <= longest else f"{shown[:longest]}..."


def plain(text: str) -> str:
    """Text with a line break or what else steers a terminal written out, so that it cannot imitate our lines."""
    return text if text.isprintable() else "".join(map(_printable, text))


def is_printable(text: str) -> bool:
    """Whether a text can be printed. A joiner belongs beside letters that are not of ASCII, and between letters."""
    return all(
        (letter in JOINERS and 0 < at < len(text) - 1 and not (text[at - 1] + text[at + 1]).isascii())
        or letter.isprintable()
        for at, letter in enumerate(text)
    ) and not any(f"{a}{b}" in text for a in JOINERS for b in JOINERS)


def _printable(character: str) -> str:
    return character if character.isprintable() or character in JOINERS else ascii(character)[1:-1]
