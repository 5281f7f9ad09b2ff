"""A roster at the desk: the result of each line, before anything is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from matchledger.commands.registration import Enrolled, RegisterRoster, enrol
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem


@dataclass(frozen=True, slots=True)
class RosterChecked:
    """The lines of a roster: how many register a player, name a registered one, or are wrong."""

    lines: list[Enrolled]
    new: int
    known: int
    wrong: int


def check_roster(ledger: Ledger, tournament: UUID, command: RegisterRoster) -> RosterChecked | None:
    """The result of each line. None for a text that is no roster: its problem is shown once."""
    try:
        lines = command.lines()
    except UsageProblem:
        return None
    position = ledger.record(tournament).position
    found, _ = enrol(
        ledger.record_as_of(tournament, position),
        lines,
        skip_registered=command.skip_registered,
        deviating=command.deviating,
    )
    return RosterChecked(
        found,
        sum(line.number is not None for line in found),
        sum(line.known is not None for line in found),
        sum(line.problem is not None for line in found),
    )
