"""The logo of an event: the log has the picture's digest, and a file next to the ledger has the bytes."""

from __future__ import annotations

from uuid import UUID

from matchledger.commands.tournaments import DescribeEvent
from matchledger.formats.picture import picture_name
from matchledger.formats.text import FormatError
from matchledger.ledger import Clerk, Ledger
from matchledger.ledger.beside import SideFile
from matchledger.notation.problems import UsageProblem
from matchledger.service.execute import Done, Request, execute
from matchledger_projections.record.erasures import description


def choose_logo(side: SideFile, ledger: Ledger, tournament: UUID, data: bytes, clerk: Clerk) -> Done:
    """Make a picture the event's logo. Without bytes, remove the logo.

    Raises UsageProblem for a file that is no picture, and the errors of `execute`.
    """
    try:
        name = picture_name(data) if data else ""
    except FormatError as problem:
        raise UsageProblem(problem.said) from None
    if name:
        side.keep_logo(tournament, name, data)
    return execute(ledger, tournament, Request(DescribeEvent(logo=name), clerk))


def printed_logo(ledger: Ledger, tournament: UUID) -> tuple[str, bytes] | None:
    """Return the kind and the bytes of the logo, for printed sheets or published pages. Return None if the event
    has no logo, or if this machine lacks the bytes.
    """
    name = description(ledger.record(tournament)).logo
    if name is None:
        return None
    side = SideFile(ledger.ring)
    data = side.logo(tournament, name)
    side.close()
    return None if data is None else (name.partition(".")[2], data)
