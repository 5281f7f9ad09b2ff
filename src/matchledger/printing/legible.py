"""Legible: find letters that no font can show, so that no empty boxes are printed.

A name is printed without the letters that no font has, followed by the player's number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from matchledger.printing.press import Press, Unprintable
from matchledger_projections.document import Document

_WIDE = "WF"


class Legible(Struct, frozen=True):
    """A document that can be printed, the press that prints it, and the missing letters by the player's name."""

    document: Document
    press: Press
    missing: dict[str, str] = field(default_factory=dict)


def legible(
    document: Document, players: Mapping[str, int], fonts: Iterable[Path] = (), *, machine_fonts: bool = True
) -> Legible:
    """Make a document printable.

    `players` are the players' numbers by name.

    The machine's fonts are searched only if typst's fonts are not enough.
    """
    folders = list(fonts)
    press = Press(folders)
    written = sorted({word for text in _texts(document) for word in _words(text)})
    lacking = _lacking(press, written)
    if lacking and machine_fonts:
        press = Press(folders, system_fonts=True)
        lacking = _lacking(press, written)
    if not lacking:
        return Legible(document, press)
    cleaning = _Cleaning(players, lacking)
    return Legible(cleaning.clean(document), press, cleaning.missing)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a document, without keys."""
    match value:
        case str():
            yield value
        case dict():
            for part in value.values():
                yield from _texts(part)
        case list() | tuple():
            for part in value:
                yield from _texts(part)
        case _:
            pass


def _words(text: str) -> Iterator[str]:
    """Yield the units to test: words, or single letters in a script without spaces. Plain text is left out,
    because it needs no test.
    """
    for word in text.split():
        if word.isascii() and word.isprintable():
            continue
        wide = [letter for letter in word if unicodedata.east_asian_width(letter) in _WIDE]
        yield from wide
        rest = "".join(letter for letter in word if unicodedata.east_asian_width(letter) not in _WIDE)
        if rest:
            yield rest


def _lacking(press: Press, words: list[str]) -> set[str]:
    """Return the letters that no font of the press has.

    The marks on a missing letter are dropped with the letter. Without their letter, the marks would join the
    letter before, or could not be printed.
    """
    lacking: set[str] = set()
    left = words
    while left:
        try:
            press.tries(" ".join(left))
        except Unprintable as problem:
            letters = {letter for letter in problem.text if not letter.isascii()}
            if not any(letter in word for letter in letters for word in left):
                break  # the error has another cause, and the caller reports the whole text
            letters |= {mark for word in left for mark in _marks_on(letters, word)}
            lacking |= letters
            left = [kept for word in left if (kept := _without(word, letters))]
        else:
            break
    return lacking


def _marks_on(letters: Container[str], word: str) -> Iterator[str]:
    """Yield the combining marks in a word that belong to one of the given letters."""
    carried = False
    for letter in word:
        if not unicodedata.category(letter).startswith("M"):
            carried = letter in letters
        elif carried:
            yield letter


def _without(text: str, letters: Iterable[str]) -> str:
    return text.translate(dict.fromkeys(map(ord, letters)))


class _Cleaning(Struct):
    """A document without the missing letters, and the names that contained them."""

    players: Mapping[str, int]
    lacking: set[str]
    missing: dict[str, str] = field(default_factory=dict)

    def clean(self, value: Any) -> Any:
        match value:
            case str():
                return self._text(value)
            case dict():
                return {key: self.clean(part) for key, part in value.items()}
            case list() | tuple():
                return [self.clean(part) for part in value]
            case _:
                return value

    def _text(self, text: str) -> str:
        found = self.lacking.intersection(text)
        if not found:
            return text
        kept = " ".join(_without(text, found).split())
        if text not in self.players:
            return kept or "?"
        self.missing[text] = " ".join(sorted(found))
        return f"{kept} #{self.players[text]}".strip()
