"""Exact numbers as text: fractions for programs, decimals for readers."""

from __future__ import annotations

from fractions import Fraction


def as_text(value: Fraction) -> str:
    """Return a fraction as "p/q". A whole number is written as "p/1"."""
    return f"{value.numerator}/{value.denominator}"


def as_decimal(value: Fraction, places: int = 4) -> str:
    """Return a fraction as a decimal, rounded half up for a reader. Rankings never use decimals."""
    scaled = (abs(value) * 10**places * 2 + 1) // 2
    whole, part = divmod(scaled, 10**places)
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
