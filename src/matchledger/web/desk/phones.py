"""The page of phones: players' permitted actions by phone, their requests, and the check-in."""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from matchledger.commands.phones import of_reporting
from matchledger.commands.written import slip_of
from matchledger.events import ResultClaimed
from matchledger.ledger import Ledger
from matchledger.notation.outcomes import outcome_keys, read_outcome
from matchledger.web.desk.players import names_to_type
from matchledger.web.desk.state import latest_round
from matchledger.web.rendering import Values
from matchledger_projections.narration import tell_slip
from matchledger_projections.narration.matches import USES
from matchledger_projections.record.phones import checked_in, contested, phones_may, places, same_result
from matchledger_projections.record.record import Record
from matchledger_projections.views.desk import request_lines


class Claim(Struct, frozen=True):
    """A player's report by phone, in words. `outcome` is the same result as a slip's author types it, or None if no
    key of the pad means it.
    """

    position: int
    fact: ResultClaimed
    said: str
    outcome: str | None


def _claim(record: Record, position: int, fact: ResultClaimed) -> Claim:
    rules = record.rulebook
    keys = (key.outcome for key in outcome_keys(rules))
    meant = (
        outcome
        for outcome in keys
        if same_result(slip_of(rules, fact.players, read_outcome(outcome.split(), rules), fact.stage), fact.slip)
    )
    return Claim(position, fact, tell_slip(record, fact.players, fact.slip), next(meant, None))


def phones_view(ledger: Ledger, tournament: UUID) -> Values:
    """Return the permitted actions, and the players who wait. `missing` is the number of players who have not
    checked in, or 0 after round 1 is paired.
    """
    record = ledger.record(tournament)
    latest, here = latest_round(record), checked_in(record)
    active = record.active_players()
    return {
        "uses": USES,
        "may": phones_may(record),
        "people": record.players,
        "asking": [(line, ledger.entry(tournament, line.position).recorded_at) for line in request_lines(record)],
        "contested": [
            [_claim(record, *claim) for claim in claims]
            for claims in ([] if latest is None else contested(record, latest))
        ],
        "names": names_to_type(record),
        "missing": sum(player.number not in here for player in active) if latest is None else 0,
        "here": sum(player.number in here for player in active),
        "is_departure": bool(of_reporting(record)),
        "places": places(record),
    }
