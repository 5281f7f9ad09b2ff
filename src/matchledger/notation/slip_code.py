"""Slip codes: which slip a paper is, as the QR code on it says and the desk reads it.

Only capitals, digits and colons, so that a code stays small and passes a scanner that types like a keyboard. It
names the tournament too: a slip of another event is told from this one's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

from matchledger.events import Stage
from matchledger_projections.hint import demanding
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record

_MARK = "MLSLIP1"
_STAGES: dict[str, Stage] = {"S": "swiss", "E": "elimination"}
# A scanner types as if on an American keyboard: on a German one, its colon comes out as an Ö.
_COLON = "[^0-9A-Z]"
_FORM = re.compile(rf"{_MARK}{_COLON}([0-9A-F]{{32}}){_COLON}([SE])([1-9][0-9]{{0,5}}){_COLON}([1-9][0-9]{{0,5}})")


class SlipCodeError(ValueError):
    """What was scanned is not the code of a slip, or of another slip than is asked for; the message is one line."""


@dataclass(frozen=True, slots=True)
class SlipCode:
    """The slip of one table in one round of one tournament."""

    tournament: UUID
    stage: Stage
    round: int
    table: int

    def __str__(self) -> str:
        letter = next(letter for letter, stage in _STAGES.items() if stage == self.stage)
        return f"{_MARK}:{self.tournament.hex.upper()}:{letter}{self.round}:{self.table}"

    @classmethod
    def parse(cls, text: str) -> SlipCode:
        """Reads what `str` wrote, in capitals or not. Raises SlipCodeError for anything else."""
        found = _FORM.fullmatch(text.strip().upper())
        if found is None:
            raise SlipCodeError(sentence("this is not the code of a slip: type the table number instead"))
        return cls(UUID(hex=found[1]), _STAGES[found[2]], int(found[3]), int(found[4]))


def is_slip_code(text: str) -> bool:
    """Whether a text means to be the code of a slip, well-formed or not."""
    return text.strip().upper().startswith(_MARK)


def table_of_slip(record: Record, text: str) -> int:
    """The table of a scanned slip. Raises SlipCodeError for a slip that is not of the round being played."""
    code = SlipCode.parse(text)
    latest = record.latest_round("elimination") or record.latest_round()
    if code.tournament != record.tournament:
        raise SlipCodeError(sentence("this slip is of another tournament: nothing is recorded"))
    if latest is None or (code.stage, code.round) != (latest.stage, latest.number):
        where = (
            sentence("elimination round %(round)s", round=code.round)
            if code.stage == "elimination"
            else sentence("round %(round)s", round=code.round)
        )
        raise SlipCodeError(
            demanding(
                sentence(
                    "this slip is of %(round)s: correct its result if it is wrong",
                    round=where,
                ),
                "a correction",
            )
        )
    return code.table
