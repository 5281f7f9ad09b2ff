"""Exact numbers as text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from matchledger_projections.fractions import as_decimal, as_text


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(49, 9), "49/9"), (Fraction(10), "10/1"), (Fraction(0), "0/1"), (Fraction(-3, 6), "-1/2")],
)
def test_in_json_every_value_is_a_fraction(value: Fraction, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(49, 9), 4, "5.4444"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(1, 32), 4, "0.0313"),  # half up: a float would round 0.03125 to the even 0.0312
        (Fraction(-1, 32), 4, "-0.0313"),
        (Fraction(-1, 10**6), 4, "0.0000"),  # zero has no minus sign
        (Fraction(999_999, 100_000), 4, "10.0000"),
        (Fraction(5, 2), 0, "3"),
        (Fraction(2, 3) * 100, 2, "66.67"),
    ],
)
def test_a_printed_decimal_is_rounded_half_up(value: Fraction, places: int, text: str) -> None:
    assert as_decimal(value, places) == text


def test_a_decimal_has_no_limit_of_digits() -> None:
    assert as_decimal(Fraction(10**30) + Fraction(1, 3), 2) == f"{10**30}.33"
