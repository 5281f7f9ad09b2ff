"""Exact numbers as text: fractions for machines, decimals for readers."""

from __future__ import annotations

from fractions import Fraction


def as_text(value: Fraction) -> str:
    """A fraction as "p/q". Whole numbers too have this form."""
    return f"{value.numerator}/{value.denominator}"


def as_decimal(value: Fraction, places: int = 4) -> str:
    """A fraction rounded half up for a reader. Ranking never uses it."""
    scaled = (abs(value) * 10**places * 2 + 1) // 2
    whole, part = divmod(scaled, 10**places)
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
