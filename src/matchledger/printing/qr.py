"""QR codes for paper."""

from __future__ import annotations

import io

import segno

QUIET = 4  # modules of white around a code: a scanner needs them


def qr_code(content: str) -> str:
    """A QR code as SVG, at error correction level M: a fold or a coffee stain does no harm."""
    code = segno.make(content, error="m", micro=False, boost_error=False)
    written = io.BytesIO()
    code.save(written, kind="svg", border=QUIET, xmldecl=False, svgns=True, svgclass=None, lineclass=None, nl=False)
    return written.getvalue().decode("utf-8")
