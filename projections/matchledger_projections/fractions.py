"""Exact numbers as text: fractions for programs, decimals for readers."""

from __future__ import annotations

import re
from fractions import Fraction


def as_text(value: Fraction) -> str:
    """Return a fraction as "p/q". A whole number is written as "p/1"."""
    return f"{value.numerator}/{value.denominator}"


def as_halves(value: Fraction) -> str:
    """Return a number of whole and half points as people write it: 3, 2½, -½. Any other number is "p/q"."""
    if value.denominator > 2:  # noqa: PLR2004 - halves
        return as_text(value)
    sign, (whole, half) = "-" if value < 0 else "", divmod(abs(value), 1)
    return f"{sign}{whole or ''}½" if half else f"{sign}{whole}"


_HALVES = re.compile(r"(?P<sign>-?)(?P<whole>[0-9]*)½")


def as_number(text: str) -> str:
    """Return the text of `as_halves` as programs write it: 2.5 for 2½. Any other text stays as it is."""
    found = _HALVES.fullmatch(text)
    return text if found is None else f"{found['sign']}{found['whole'] or 0}.5"


def as_decimal(value: Fraction, places: int = 4) -> str:
    """Return a fraction as a decimal, rounded half up for a reader. Rankings never use decimals."""
    scaled = (abs(value) * 10**places * 2 + 1) // 2
    whole, part = divmod(scaled, 10**places)
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
