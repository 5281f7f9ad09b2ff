"""Axes of the charts: the position of a value on a sheet, and the numbers along the edges."""

from __future__ import annotations

from collections.abc import Iterator

_STEPS = (1, 2, 5)


def ticks(first: int, last: int, most: int) -> list[int]:
    """Round numbers from `first` to `last`, up to a maximum count; `first` is always there."""
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
    """The position between `start` and `end` of a value between `first` and `last`."""
    if last == first:
        return (start + end) / 2
    return start + (value - first) / (last - first) * (end - start)
