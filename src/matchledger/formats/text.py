"""Text from foreign bytes: size, encoding and names are checked before anything is parsed."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable

from matchledger_projections.message import Sentence, is_printable, joined, one_line, sentence

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_NAME_LENGTH = 200
MAX_LINES = 1_000_000
YEARS = range(1900, 2101)

# Above this number of names, a search for the most similar name takes too long.
_MOST_COMPARED = 20_000

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def refuse_oversized(data: bytes) -> None:
    """Refuse a file that is too large for any event. Raises FormatError."""
    if len(data) > MAX_FILE_BYTES:
        megabytes = MAX_FILE_BYTES // (1024 * 1024)
        raise FormatError(
            sentence("the file has more than %(count)s MB; is it really the record of one event?", count=megabytes)
        )


def decode(data: bytes, encoding: str = "utf-8") -> str:
    """Return the text of a file, without its byte order mark.

    Raises FormatError, with the byte and the line, for a wrong encoding or a NUL byte.
    """
    refuse_oversized(data)
    if (wide := _WIDE_BOMS.get(data[:2])) is not None:
        raise FormatError(sentence("the file is %(encoding)s; save it as UTF-8", encoding=wide))
    data = data.removeprefix(_BOM)
    if (nul := data.find(b"\0")) >= 0:
        raise FormatError(
            sentence("byte %(byte)s of the file is NUL, so it is not a text file", byte=nul + 1),
            _line_of(data, nul),
        )
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        wrong = sentence(
            "byte %(byte)s of the file (0x%(value)s) is not %(encoding)s; save the file as UTF-8",
            byte=error.start + 1,
            value=f"{data[error.start]:02x}",
            encoding=encoding.upper(),
        )
        raise FormatError(wrong, _line_of(data, error.start)) from None


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a text file. Raises FormatError for the reasons in `decode`, and if there are more lines
    than any event has.
    """
    text = decode(data)
    if (count := text.count("\n") + text.count("\r")) > 2 * MAX_LINES:
        raise FormatError(
            sentence("the file has %(count)s lines; at most %(most)s are read", count=count, most=MAX_LINES)
        )
    return text.splitlines()


def _line_of(data: bytes, index: int) -> int:
    return data.count(b"\n", 0, index) + 1


def not_csv(error: csv.Error) -> Sentence:
    """Return a sentence about an error in the cells of a CSV file. Rare messages of Python's CSV library are not
    translated.
    """
    return sentence("this is not CSV: %(error)s", error=_CELLS.get(str(error), str(error)))


_CELLS = {
    "unexpected end of data": sentence("unexpected end of data"),
    "',' expected after '\"'": sentence("',' expected after '\"'"),
}


def problem_with_name(name: str) -> Sentence | None:
    """Return why a text cannot be the name of a player or an event, or None."""
    if not name.strip():
        return sentence("the name is empty")
    if len(name) > MAX_NAME_LENGTH:
        return sentence(
            "the name %(name)r... has %(count)s characters; %(most)s are allowed",
            name=name[:20],
            count=len(name),
            most=MAX_NAME_LENGTH,
        )
    if not is_printable(name):
        return sentence("the name %(name)r has a character that cannot be printed; remove it", name=name)
    return None


def did_you_mean(name: str, known: Collection[str]) -> Sentence:
    """Return a hint at the most similar known name: "; did you mean 'Ann Lee'?", or ""."""
    if len(known) > _MOST_COMPARED:
        return joined(())
    by_folded = {other.casefold(): other for other in known}
    import difflib  # noqa: PLC0415 - only an unknown name needs it

    close = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    return sentence("; did you mean %(name)r?", name=by_folded[close[0]]) if close else joined(())


def listed(names: Iterable[object]) -> str:
    return ", ".join(str(name) for name in names)


class FormatError(ValueError):
    """A file that cannot be read.

    The message is one line, and names the place in the file if the place is known.

    Text from the file cannot break the message's line or control a terminal. `said` is the message without its
    place. If a web page accepts the kind of file, the message and `said` can be translated.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        self.said = said = one_line(message)
        super().__init__(said if line is None else sentence("line %(line)s: %(problem)s", line=line, problem=said))
        self.line = line
