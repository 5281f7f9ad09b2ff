"""Pictures: the kinds and sizes that a logo may have. Only the kind and the size are read, from the beginning of
the file. The picture is not decoded.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

from matchledger.formats.text import FormatError
from matchledger_projections.message import sentence

LARGEST = 100_000  # bytes
WIDEST = 2000  # the most pixels of the longer side
Kind = Literal["png", "jpg", "webp"]
_MARKER, _SCAN = 0xFF, 0xDA  # the first byte of each JPEG marker, and the marker before the picture data
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # JPEG markers of a frame, which has the picture's size


def picture_name(data: bytes) -> str:
    """Return the name of a picture: its SHA-256 and its kind. Raises FormatError if the file is not a usable
    picture.
    """
    if len(data) > LARGEST:
        raise FormatError(sentence("a logo has at most %(most)s kB", most=LARGEST // 1000))
    kind, size = _measured(data)
    if not 1 <= max(size) <= WIDEST or min(size) < 1:
        raise FormatError(sentence("a logo has at most %(most)s pixels on each side", most=WIDEST))
    return f"{sha256(data).hexdigest()}.{kind}"


def _measured(data: bytes) -> tuple[Kind, tuple[int, int]]:
    """Return the kind of a picture, its width and its height."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            return "png", (_big(data[16:20]), _big(data[20:24]))
        if data.startswith(b"\xff\xd8\xff"):
            return "jpg", _of_jpeg(data)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return "webp", _of_webp(data)
    except IndexError:  # the file ends before the picture's size
        pass
    raise FormatError(sentence("a logo is a picture in PNG, JPEG or WebP"))


def _of_jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while data[at + 1] not in _FRAMES:
        # The picture data begin here, and no frame came before the data.
        if data[at] != _MARKER or data[at + 1] == _SCAN:
            raise IndexError
        at += 2 + _big(data[at + 2 : at + 4])
    return _big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7])


def _of_webp(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            return _little(data[24:27]) + 1, _little(data[27:30]) + 1
        case b"VP8L":
            both = _little(data[21:25])
            return (both & 0x3FFF) + 1, (both >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF
    raise IndexError


def _big(part: bytes) -> int:
    return int.from_bytes(part, "big")


def _little(part: bytes) -> int:
    return int.from_bytes(part, "little")
