"""The problem with a foreign file: one line, with its place, and without control characters."""

from __future__ import annotations

from matchledger_projections.message import one_line, sentence


class FormatError(ValueError):
    """A file that cannot be read.

    The message is one line, with the place if there is one.

    Text of the file in the message cannot break the line or steer a terminal. `said` is the message without its
    place. Both texts are sentences if a page accepts such files.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        self.said = said = one_line(message)
        super().__init__(said if line is None else sentence("line %(line)s: %(problem)s", line=line, problem=said))
        self.line = line
