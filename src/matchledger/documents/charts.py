"""Documents behind charts: a player's course, the points of the field, the pace of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from matchledger.documents.document import Document, title
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE
from matchledger_projections.standings.standings import standings


def course_document(record: Record, player: int, *, through: int | None = None) -> Document:
    """A player's rank and points after each finished round, up to one; `of` is the number of players with a place.

    Rounds before a late arrival are left out; the rank of who has no place is null.
    """
    rounds = []
    for number in _rounds(record, through):
        table = standings(record, number)
        row = next((row for row in table.rows if row.player == player), None)
        if row is not None:
            line = {"round": number, "rank": row.rank, "of": len(table.order), "points": row.points}
            rounds.append({**line, "tied": row.tied})
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "player": record.players[player].name,
        "number": player,
        "rounds": rounds,
    }


def _rounds(record: Record, through: int | None) -> range:
    last = record.finished_rounds
    return range(1, (last if through is None else min(last, through)) + 1)


def field_document(record: Record, *, through: int | None = None) -> Document:
    """How many players had how many points after each finished round, up to one; who has dropped is counted too."""
    rounds = []
    for number in _rounds(record, through):
        counts = Counter(row.points for row in standings(record, number).rows)
        bars = [{"points": points, "players": players} for points, players in sorted(counts.items())]
        rounds.append({"round": number, "players": counts.total(), "field": bars})
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "unit": record.rulebook.unit,
        "rounds": rounds,
    }


def pace_document(record: Record, round_: Round, *, recorded_at: Mapping[int, datetime]) -> Document:
    """When the slip of each table came in, in seconds on the round's clock; since the pairing if nobody started it.

    `recorded_at` says when each entry about the round was recorded. A table's slip came in with the first entry
    about its players that counts. `minutes` is how long the round is, null where it has no limit.
    """
    clock = record.clock(round_)
    paired_at = recorded_at[round_.position]
    slips = []
    for table, players in round_.tables.items():
        counting = (
            report.position
            for report in round_.reports(table)
            if report.players == players and not record.is_dead(report.position)
        )
        if (first := next(counting, None)) is not None:
            shown = clock.elapsed(recorded_at[first])
            seconds = int((recorded_at[first] - paired_at).total_seconds()) if shown is None else shown
            slips.append({"table": table, "entry": first, "seconds": seconds})
    return {
        "tournament": title(record),
        "position": record.position,
        "stage": round_.stage,
        "round": round_.number,
        "from": "paired" if clock.origin is None else "started",
        "began_at": (clock.origin or paired_at).isoformat(),
        "minutes": None if clock.seconds is None else clock.seconds // MINUTE,
        "tables": len(round_.tables),
        "slips": slips,
    }
