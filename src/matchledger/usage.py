"""Usage: something was asked for in a way that cannot be understood, whichever face it was asked at."""

from __future__ import annotations

from matchledger_projections.lines import one_line

_LONGEST = 2000  # characters: what can be understood may be a long list


class UsageProblem(Exception):
    """Something was asked for in a way that cannot be understood; one line that says what can."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message, _LONGEST))
