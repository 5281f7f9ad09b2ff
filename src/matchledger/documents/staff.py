"""The document of the staff. As in `documents`: keys are stable, new ones may be added."""

from __future__ import annotations

from collections.abc import Iterable

from matchledger.documents.document import Document, title
from matchledger.events import Two
from matchledger_projections.conduct.staff import Leader, assignments, chief_marshals, responsible_leader
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


def staff_document(record: Record, round_: Round | None, games: Iterable[tuple[int, Two]]) -> Document:
    """Who leads the event, and who rules in the games in which a leader plays (null: nobody)."""
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "tier": record.rulebook.tier,
        "staff": [_leader(record, leader) for leader in assignments(record)],
        "final_rulings": [leader.name for leader in chief_marshals(record)],
        "games": [
            {
                "stage": round_.stage,
                "round": round_.number,
                "table": table,
                "players": [record.players[player].name for player in players],
                "ruled_by": getattr(responsible_leader(record, players), "name", None),
            }
            for table, players in games
            if round_ is not None
        ],
    }


def _leader(record: Record, leader: Leader) -> Document:
    return {
        "entry": leader.position,
        "name": leader.name,
        "role": leader.role,
        "rule": None if record.rulebook.staff is None else record.rulebook.staff.rule_of(leader.role),
        "announced": leader.announced,
        "duty": leader.duty,
        "player": None if leader.player is None else record.players[leader.player].name,
        "plays": leader.plays,
    }
