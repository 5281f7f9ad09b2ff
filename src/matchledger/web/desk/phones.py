"""The page of phones: players' permitted actions by phone, their requests, and the check-in."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from matchledger.commands.draft import now
from matchledger.commands.phones import of_reporting
from matchledger.commands.round_clock import round_in_play
from matchledger.ledger import Ledger
from matchledger.web.desk.players import names_to_type
from matchledger.web.desk.questions import questions
from matchledger.web.desk.state import latest_round
from matchledger.web.rendering import Values
from matchledger_projections.conduct.access import plain_http_allowed
from matchledger_projections.conduct.penalties import penalties, rulings
from matchledger_projections.decks.registered import registered
from matchledger_projections.narration.matches import USES
from matchledger_projections.record.phones import checked_in, link_users, phones_may, places
from matchledger_projections.record.record import Record
from matchledger_projections.views.desk import RequestLine, request_lines


class Asking(NamedTuple):
    """A player's request by phone, the entry's time, and the opponent at the table, if any."""

    line: RequestLine
    since: datetime
    opponent: int | None


def phones_view(ledger: Ledger, tournament: UUID) -> Values:
    """Return the permitted actions, and everything that waits for an answer.

    `missing` is the number of players who have not checked in, or 0 after round 1 is paired. `lists` are the
    numbers of deck lists that are in, and of all lists.
    """
    record = ledger.record(tournament)
    latest, here = latest_round(record), checked_in(record)
    active = record.active_players()
    return {
        "uses": USES,
        "may": phones_may(record),
        "people": record.players,
        "now": now(),
        "asking": [_asking(ledger, tournament, record, line) for line in request_lines(record)],
        "questions": questions(ledger, tournament, record),
        "names": names_to_type(record),
        "missing": sum(player.number not in here for player in active) if latest is None else 0,
        "here": sum(player.number in here for player in active),
        "lists": (sum(registered(record, player.number) is not None for player in active), len(active)),
        "penalties": len(penalties(record)),
        "rulings": len(rulings(record)),
        "in_play": round_in_play(record) is not None,
        "is_departure": bool(of_reporting(record)),
        "places": places(record) if "sign-up" in phones_may(record) else None,
        "linked": len(link_users(record)),
        "plain_http": plain_http_allowed(record),
    }


def _asking(ledger: Ledger, tournament: UUID, record: Record, line: RequestLine) -> Asking:
    round_ = None if line.round is None or line.stage is None else record.round(line.round, line.stage)
    players = () if round_ is None or line.table is None else round_.tables.get(line.table, ())
    opponent = next((player for player in players if player != line.by), None) if line.by in players else None
    return Asking(line, ledger.entry(tournament, line.position).recorded_at, opponent)
