"""Exit codes: the result of a command, for scripts."""

from __future__ import annotations

DONE, FAILED, BAD_INPUT, REFUSED, CONFLICT, INTERRUPTED = 0, 1, 2, 3, 4, 130


class CheckFailed(Exception):
    """A check found a problem, and the command has already printed the problem."""
