"""Slip codes: the text in a paper slip's QR code, by which the desk identifies the slip.

A code has only capitals, digits and colons, so that it stays small and survives a scanner that types like a
keyboard. A code includes the tournament, so that the desk recognizes a slip of another event.
"""

from __future__ import annotations

import re
from uuid import UUID

from msgspec import Struct

from matchledger.events import Stage
from matchledger_projections.message import demanding, sentence
from matchledger_projections.record.record import Record

_MARK = "MLSLIP1"
_STAGES: dict[str, Stage] = {"S": "swiss", "E": "elimination"}
# A scanner types like an American keyboard. If the computer expects a German keyboard, the scanner's colon becomes
# an Ö.
_COLON = "[^0-9A-Z]"
_FORM = re.compile(rf"{_MARK}{_COLON}([0-9A-F]{{32}}){_COLON}([SE])([1-9][0-9]{{0,5}}){_COLON}([1-9][0-9]{{0,5}})")


class SlipCodeError(ValueError):
    """The scanned text is not a slip code, or is the code of a slip from another round or event. The message is one
    line.
    """


class SlipCode(Struct, frozen=True):
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
        """Return the slip code in a text, in capitals or small letters. Raises SlipCodeError for a text that is
        not a slip code.
        """
        found = _FORM.fullmatch(text.strip().upper())
        if found is None:
            raise SlipCodeError(sentence("this is not the code of a slip: type the table number instead"))
        return cls(UUID(hex=found[1]), _STAGES[found[2]], int(found[3]), int(found[4]))


def is_slip_code(text: str) -> bool:
    """Return whether a text begins like a slip code, well-formed or not."""
    return text.strip().upper().startswith(_MARK)


def table_of_slip(record: Record, text: str) -> int:
    """Return the table of a scanned slip. Raises SlipCodeError for a slip of another round."""
    code = SlipCode.parse(text)
    latest = record.current_round
    if code.tournament != record.tournament:
        raise SlipCodeError(sentence("this slip belongs to another tournament: nothing was recorded"))
    if latest is None or (code.stage, code.round) != (latest.stage, latest.number):
        where = (
            sentence("elimination round %(round)s", round=code.round)
            if code.stage == "elimination"
            else sentence("round %(round)s", round=code.round)
        )
        raise SlipCodeError(
            demanding(
                sentence(
                    "this slip belongs to %(round)s: correct its result if it is wrong",
                    round=where,
                ),
                "a correction",
            )
        )
    return code.table
