"""Documents of what would follow: the consequences of an entry, and the choices about a round.

As in `documents`: keys are stable, new ones may be added, exact numbers are "p/q". Players stand by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from matchledger.documents.document import Document
from matchledger.events import AnyFact, Seating
from matchledger_projections.pairing.repair import RepairOption, RepairPlan, Reseated
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.standings.fractions import as_text
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.changes import CutChange, MatchChange, PairingChange, PlaceChange
from matchledger_projections.views.consequences import Consequences


def consequences_document(
    record: Record, found: Consequences, *, facts: Sequence[AnyFact], posted_at: Mapping[int, datetime]
) -> Document:
    """What would follow from `facts`; `record` knows every player, `posted_at` when each posting was recorded."""
    names = _Names(record)
    return {
        "facts": [fact.model_dump(mode="json") for fact in facts],
        "reaches_further": found.reaches_further,
        "round": found.round,
        "finished_rounds": list(found.finished),
        "active_players": list(found.active),
        "matches": [names.match(match) for match in found.matches],
        "statuses": [
            {"player": names.of(status.player), "before": status.before, "after": status.after}
            for status in found.statuses
        ],
        "places": [names.place(place) for place in found.places],
        "cut": names.cut(found.cuts[0]) if found.cuts else None,
        "cuts": [names.cut(cut) for cut in found.cuts],
        "postings": [
            {
                "entry": posting.position,
                "posted_at": posted_at[posting.position].isoformat(),
                "round": posting.round,
                "lines": [names.place(line) for line in posting.lines],
            }
            for posting in found.postings
        ],
        "seatings": [
            {
                "stage": seating.stage,
                "round": seating.round,
                "table": seating.table,
                "before": names.all(seating.before),
                "after": names.all(seating.after),
            }
            for seating in found.seatings
        ],
        "pairings": [names.pairing(pairing) for pairing in found.pairings],
        "byes": [
            {"round": bye.round, "player": names.of(bye.player), "candidates": names.all(bye.candidates)}
            for bye in found.byes
        ],
        "bracket": [
            {"round": change.round, "out": names.of(change.out), "instead": names.of(change.instead)}
            for change in found.bracket
        ],
        "to_tell": [
            {
                "player": names.of(told.player),
                "line": None if told.line is None else names.place(told.line),
                "reseated": told.reseated,
            }
            for told in found.to_tell
        ],
    }


def repair_document(record: Record, plan: RepairPlan) -> Document:
    """The choices about a round; `clock_run` is in whole seconds, None where nobody said that play began."""
    names = _Names(record)
    run = plan.clock.run
    return {
        "round": plan.round,
        "corrections": list(plan.corrections),
        "sound": plan.sound,
        "started": plan.started,
        "reported": plan.reported,
        "clock_run": None if run is None else int(run.total_seconds()),
        "minutes": plan.clock.minutes,
        "options": [names.option(option) for option in plan.options],
    }


class _Names:
    """The parts of these documents, with names for numbers."""

    def __init__(self, record: Record) -> None:
        self._names = {number: player.name for number, player in record.players.items()}

    def of(self, player: int) -> str:
        return self._names[player]

    def all(self, players: Sequence[int]) -> list[str]:
        return [self._names[player] for player in players]

    def match(self, match: MatchChange) -> Document:
        return {
            "stage": match.stage,
            "round": match.round,
            "table": match.table,
            "players": self.all(match.players),
            "before": self._report(match.before),
            "after": self._report(match.after),
        }

    def _report(self, report: Report | None) -> Document | None:
        if report is None:
            return None
        return {
            "kind": report.kind,
            "winner": None if report.winner is None else self.of(report.winner),
            "scores": report.scores,
            "blood_points": report.blood_points,
            "entry": report.position,
            "games": report.games,
        }

    def place(self, place: PlaceChange) -> Document:
        return {"player": self.of(place.player), "before": _row(place.before), "after": _row(place.after)}

    def cut(self, cut: CutChange) -> Document:
        return {
            "division": cut.division,
            "size": cut.size,
            "made": cut.made,
            "before": self.all(cut.before),
            "after": self.all(cut.after),
            "level_before": self.all(sorted(cut.level_before)),
            "level_after": self.all(sorted(cut.level_after)),
        }

    def pairing(self, pairing: PairingChange) -> Document:
        return {
            "round": pairing.round,
            "sound": pairing.sound,
            "started": pairing.started,
            "finished": pairing.finished,
            "reseated": self._reseated(pairing.reseated),
        }

    def option(self, option: RepairOption) -> Document:
        return {
            "choice": option.choice,
            "allowed": option.allowed,
            "recommended": option.recommended,
            "because": option.because,
            "rule": option.rule,
            "tables": option.tables,
            "players": option.players,
            "reseated": self._reseated(option.reseated),
        }

    def _reseated(self, reseated: Reseated | None) -> Document | None:
        if reseated is None:
            return None
        return {
            "removed": self._seatings(reseated.removed),
            "added": self._seatings(reseated.added),
            "byes_removed": self.all(reseated.byes_removed),
            "byes_added": self.all(reseated.byes_added),
            "moved": self.all(sorted(reseated.moved)),
            "at_least": reseated.at_least,
            "proven": reseated.is_proven,
        }

    def _seatings(self, seatings: Sequence[Seating]) -> list[dict[str, Any]]:
        return [{"table": seating.table, "players": self.all(seating.players)} for seating in seatings]


def _row(row: Row | None) -> Document | None:
    if row is None:
        return None
    return {
        "rank": row.rank,
        "points": row.points,
        "status": row.status,
        "tied": row.tied,
        "tiebreaks": {name: as_text(value) for name, value in row.tiebreaks.items()},
    }
