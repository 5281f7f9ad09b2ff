"""Damage: a sample with pieces cut out, doubled, reversed, or replaced by text that breaks formats."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

# Pieces that break a format in the wrong place: endings, escapes, byte orders, writing directions, numbers, deep
# nesting.
PIECES = [
    b'"',
    b"<",
    b">",
    b"&x;",
    b"\0",
    b"\xff",
    b"\n",
    b"\r",
    b"{",
    b"]",
    b"(",
    b" ",
    b"-1",
    b"9" * 30,
    b"9" * 4400,
    b"null",
    b"1e9",
    b"1e400",
    b"1_000",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\\u0000",
    b"\x1b[2J",
    "\u202e".encode(),
    "\u2028".encode(),
    "\u0663".encode(),
    "\u00b2".encode(),
    "\u212b".encode(),
]
_DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda _: b"",
    lambda piece: piece + piece,
    lambda piece: piece[::-1],
    *(lambda _, piece=piece: piece for piece in PIECES),
]


def damaged(data: bytes, choices: st.DataObject) -> bytes:
    """Return a sample in which up to three pieces are cut out, doubled, reversed or replaced."""
    for _ in range(choices.draw(st.integers(1, 3))):
        start = choices.draw(st.integers(0, len(data)))
        end = choices.draw(st.integers(start, min(start + 30, len(data))))
        damage = choices.draw(st.sampled_from(_DAMAGES))
        data = data[:start] + damage(data[start:end]) + data[end:]
    return data
