"""Problems: the message and the exit code of each error.

The module imports the errors of every layer, and is itself imported only after an error.
"""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from matchledger.cli.codes import BAD_INPUT, CONFLICT, REFUSED
from matchledger.cli.ways import problem_here
from matchledger.commands.refusal import Refusal
from matchledger.formats.text import FormatError
from matchledger.ledger import Conflict, LedgerError
from matchledger.notation.problems import UsageProblem
from matchledger.proof.station_token import TokenRefused
from matchledger_projections.rulebook.rulebook import RulebookError

_CODES: tuple[tuple[tuple[type[BaseException], ...], int], ...] = (
    ((UsageProblem, FormatError, LedgerError, RulebookError), BAD_INPUT),
    ((Refusal, TokenRefused), REFUSED),
    ((Conflict,), CONFLICT),
)


def said_of(problem: Exception) -> tuple[str, int]:
    """Return the message and the exit code of an error."""
    for kinds, code in _CODES:
        if isinstance(problem, kinds):
            return "; ".join([problem_here(problem), *getattr(problem, "__notes__", ())]), code
    if isinstance(problem, OSError):  # the readers report errors of reading, so this is an error of writing
        return f"the output cannot be written: {problem.strerror}; log shows what is recorded", BAD_INPUT
    if os.environ.get("MATCHLEDGER_TRACEBACK"):
        raise problem
    # The message names the place of the error in the program. The message leaves out the value itself, because the
    # value may be a name or a key.
    last = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{type(problem).__name__} in {Path(last.filename).name}, line {last.lineno}"
    return (
        (
            f"this went wrong inside ({where}): log shows what is recorded, verify whether the ledger is sound; "
            "MATCHLEDGER_TRACEBACK=1 shows more, for a report"
        ),
        BAD_INPUT,
    )
