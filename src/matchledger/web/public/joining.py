"""Joining: the code on the wall that opens the pages on a phone."""

from __future__ import annotations

from functools import cache

import segno
from markupsafe import Markup


@cache
def join_code(address: str) -> Markup:
    """Return a QR code of an address, as inline SVG that takes its size and colour from the page."""
    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=4, dark="#000000", light="#ffffff", title=address))  # noqa: S704 - segno wrote it, and escaped the title
