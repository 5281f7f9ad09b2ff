"""A roster at the desk: what each of its lines would lead to, before anything of it is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from matchledger.commands.registration import Enrolled, RegisterRoster, enrol
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem


@dataclass(frozen=True, slots=True)
class RosterChecked:
    """The lines of a roster, and how many of them register somebody, name who is there already, or are wrong."""

    lines: list[Enrolled]
    new: int
    known: int
    wrong: int


def check_roster(ledger: Ledger, tournament: UUID, command: RegisterRoster) -> RosterChecked | None:
    """What would follow from each line; None for what is no roster at all, which is said of the whole."""
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
