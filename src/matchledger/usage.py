"""Usage: something was asked for in a way that cannot be understood, whichever face it was asked at."""

from __future__ import annotations


class UsageProblem(Exception):
    """Something was asked for in a way that cannot be understood; one line that says what can."""
