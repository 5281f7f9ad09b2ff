"""Safe XML: plain elements and the lines where they begin. A DTD, an entity or an external file is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn
from xml.parsers import expat

from msgspec import Struct, field

from matchledger.formats.text import FormatError, decode

_DEEPEST = 32
_MOST_ELEMENTS = 1_000_000
_MOST_ATTRIBUTES = 5_000_000
_LONGEST_TEXT = 10_000

# The encodings that a file may declare, with Python's names for them.
_ENCODINGS = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "us-ascii": "utf-8",
    "iso-8859-1": "iso-8859-1",
    "windows-1252": "windows-1252",
}
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"'>]{0,100})["']""")


class Element(Struct):
    """An XML element. `text` is the trimmed text before the element's first child."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> Iterator[Element]:
        """Return the children with a name."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Element | None:
        """Return the first child with a name, or None."""
        return next(self.all(tag), None)

    def text_of(self, tag: str) -> str:
        """Return the text of the first child with a name, or ""."""
        child = self.one(tag)
        return child.text if child is not None else ""


def parse_xml(data: bytes) -> Element:
    """Return the root element of an XML file. Raises FormatError with the line of the error."""
    text = decode(data, _encoding(data))
    if text.count("=") > _MOST_ATTRIBUTES:
        raise FormatError("the XML is too large for a tournament", 1)
    builder = _Builder()
    try:
        builder.parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise FormatError(f"not valid XML at column {error.offset + 1}: {what}", error.lineno) from None
    if builder.root is None:
        raise FormatError("the XML has no content", 1)
    return builder.root


def _encoding(data: bytes) -> str:
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    name = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    if name not in _ENCODINGS:
        raise FormatError(f"the XML says that its encoding is {name!r}; save it as UTF-8", 1)
    return _ENCODINGS[name]


class _Builder:
    """Builds the tree of elements from the events of expat, Python's XML parser."""

    def __init__(self) -> None:
        # This encoding overrides the file's declared encoding, because the text is decoded already.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.root: Element | None = None
        self._open: list[Element] = []
        self._count = 0

    def _refuse_doctype(self, *_: object) -> NoReturn:
        raise FormatError(
            "the XML has a DOCTYPE; files with document types or entities are not read",
            self.parser.CurrentLineNumber,
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self._count += 1
        if len(self._open) >= _DEEPEST or self._count > _MOST_ELEMENTS:
            problem = "nested too deeply" if len(self._open) >= _DEEPEST else "too large"
            raise FormatError(f"the XML is {problem} for a tournament", line)
        element = Element(tag, line, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        element = self._open.pop()
        element.text = element.text.strip()

    def _characters(self, text: str) -> None:
        element = self._open[-1]
        if element.children:
            return
        element.text += text
        if len(element.text) > _LONGEST_TEXT:
            raise FormatError(f"the text in <{element.tag[:40]}> is too long for a tournament", element.line)
