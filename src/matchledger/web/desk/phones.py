"""The page of phones: players' permitted actions by phone, their requests, and the check-in."""

from __future__ import annotations

from uuid import UUID

from matchledger.commands.phones import of_reporting
from matchledger.ledger import Ledger
from matchledger.web.desk.state import latest_round
from matchledger.web.rendering import Values
from matchledger_projections.narration import tell_slip
from matchledger_projections.narration.matches import USES
from matchledger_projections.record.phones import checked_in, contested, phones_may, places
from matchledger_projections.views.desk import request_lines


def phones_view(ledger: Ledger, tournament: UUID) -> Values:
    """Return the permitted actions, the players who wait, and the players who have not checked in. `missing` are
    the players who have not checked in, or None after round 1 is paired.
    """
    record = ledger.record(tournament)
    latest, here = latest_round(record), checked_in(record)
    active = sorted(record.active_players(), key=lambda player: player.name.casefold())
    return {
        "uses": USES,
        "may": phones_may(record),
        "people": record.players,
        "asking": [(line, ledger.entry(tournament, line.position).recorded_at) for line in request_lines(record)],
        "contested": [] if latest is None else contested(record, latest),
        "say": lambda fact: tell_slip(record, fact.players, fact.slip),
        "missing": [player for player in active if player.number not in here] if latest is None else None,
        "here": sum(player.number in here for player in active),
        "is_departure": bool(of_reporting(record)),
        "places": places(record),
    }
