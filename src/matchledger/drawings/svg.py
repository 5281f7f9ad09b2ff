"""SVG for the drawings: lines, boxes, text and axes on a sheet of fixed size."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from xml.etree import ElementTree as ET

Say = Callable[[str], str]
"""Translates an English message for the reader. Messages have named places, as in gettext."""

TEXT = 14  # the size of the text, in the sheet's units
SMALL = 12
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW = frozenset("iljtfrI.,:;'|!()[] -1")
_WIDE = frozenset("mwMWOQ@%")
# Widths of letters relative to the text size, taken from the widest common font.
_NARROW_LETTER, _LETTER, _CAPITAL, _WIDE_LETTER, _SQUARE = 0.45, 0.65, 0.8, 1.0, 1.05
_BOLD = 1.1  # the width of bold letters relative to plain letters


def english(message: str) -> str:
    """Return a message in English, the language that messages are written in."""
    return message


def width(text: str, size: float = TEXT, *, bold: bool = False) -> float:
    """Return the width of a text, with a margin because the font is unknown."""
    return size * (_BOLD if bold else 1) * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return _SQUARE
    if letter in _NARROW:
        return _NARROW_LETTER
    if letter in _WIDE or (not letter.isascii() and not letter.isalpha()):
        return _WIDE_LETTER
    return _CAPITAL if letter.isupper() else _LETTER


def fitted(text: str, room: float, size: float = TEXT, *, bold: bool = False) -> str:
    """Return a text that is cut to a width, with an ellipsis."""
    if width(text, size, bold=bold) <= room:
        return text
    kept = text
    while kept and width(f"{kept}…", size, bold=bold) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def number(value: float) -> str:
    """Return a coordinate to a tenth of a unit."""
    return f"{round(value, 1) + 0:g}"


class Sheet:
    """A drawing in progress. The point (0, 0) is the upper left corner."""

    def __init__(self, wide: float, high: float, *, title: str, description: str) -> None:
        # Ids come from the content, so that two drawings on a page have different ids, and a drawing always has the
        # same bytes.
        mark = hashlib.sha256(f"{title}\n{description}".encode(errors="replace")).hexdigest()[:12]
        self._root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {number(wide)} {number(high)}",
                "width": number(wide),
                "height": number(high),
                "role": "img",
                "aria-labelledby": f"title-{mark}",
                "aria-describedby": f"about-{mark}",
                "font-family": "system-ui, sans-serif",
                "font-size": number(TEXT),
                "fill": "currentColor",
            },
        )
        ET.SubElement(self._root, "title", {"id": f"title-{mark}"}).text = _clean(title)
        ET.SubElement(self._root, "desc", {"id": f"about-{mark}"}).text = _clean(description)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        anchor: str = "start",
        size: float = TEXT,
        bold: bool = False,
        faint: bool = False,
        whole: str | None = None,
    ) -> None:
        """Draw text on a baseline. If the text is cut, `whole` is the full text."""
        attributes = {"x": number(x), "y": number(y)}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if size != TEXT:
            attributes["font-size"] = number(size)
        if bold:
            attributes["font-weight"] = "bold"
        if faint:
            attributes["fill-opacity"] = "0.75"
        element = ET.SubElement(self._root, "text", attributes)
        element.text = _clean(text)
        if whole is not None and whole != text:
            ET.SubElement(element, "title").text = _clean(whole)

    def box(self, x: float, y: float, wide: float, high: float, *, opacity: str = "1", about: str = "") -> None:
        """A filled box."""
        element = ET.SubElement(
            self._root,
            "rect",
            {
                "x": number(x),
                "y": number(y),
                "width": number(wide),
                "height": number(high),
                "fill-opacity": opacity,
            },
        )
        if about:
            ET.SubElement(element, "title").text = _clean(about)

    def frame(self, x: float, y: float, wide: float, high: float) -> None:
        """Draw the outline of a box."""
        ET.SubElement(
            self._root,
            "rect",
            {
                "x": number(x),
                "y": number(y),
                "width": number(wide),
                "height": number(high),
                "rx": "3",
                "fill": "none",
                "stroke": "currentColor",
            },
        )

    def line(self, points: Iterable[tuple[float, float]], *, thick: float = 1, faint: bool = False) -> None:
        """Draw straight lines from point to point."""
        attributes = {
            "points": " ".join(f"{number(x)},{number(y)}" for x, y in points),
            "fill": "none",
            "stroke": "currentColor",
        }
        if thick != 1:
            attributes["stroke-width"] = number(thick)
        if faint:
            attributes["stroke-opacity"] = "0.3"
        ET.SubElement(self._root, "polyline", attributes)

    def dot(self, x: float, y: float, *, about: str = "") -> None:
        element = ET.SubElement(self._root, "circle", {"cx": number(x), "cy": number(y), "r": "4"})
        if about:
            ET.SubElement(element, "title").text = _clean(about)

    def __str__(self) -> str:
        ET.indent(self._root, " ")
        return f"{ET.tostring(self._root, encoding='unicode')}\n"


def _clean(text: str) -> str:
    """Return a text without the characters that XML forbids."""
    return _NOT_IN_XML.sub("�", text)


_STEPS = (1, 2, 5)


def ticks(first: int, last: int, most: int) -> list[int]:
    """Return evenly spaced whole numbers from `first` to `last` for an axis, at most `most`. `first` is always
    among the returned numbers.
    """
    span = max(last - first, 1)
    step = next(step for step in _round_numbers() if span // step < most)
    found = [value for value in range(-(-first // step) * step, last + 1, step) if value > first]
    return [first, *found]


def _round_numbers() -> Iterator[int]:
    power = 1
    while True:
        yield from (step * power for step in _STEPS)
        power *= 10


def placed(value: float, first: float, last: float, start: float, end: float) -> float:
    """Return the position between `start` and `end` of a value between `first` and `last`."""
    if last == first:
        return (start + end) / 2
    return start + (value - first) / (last - first) * (end - start)
