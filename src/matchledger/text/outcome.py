"""The result of a table, in words."""

from __future__ import annotations

from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.rulebook.games import games_text, turned


def result_text(record: Record, players: tuple[int, int], report: Report | None) -> str:
    """The result of a table, in words."""
    if report is None:
        return ""
    kind = "" if report.kind in ("win", "draw", "score") else f" ({report.kind})"
    blood = "" if report.blood_points is None else f" [{report.blood_points}]"
    if report.scores is not None:
        return f"{report.scores[0]}-{report.scores[1]}{kind}"
    seen = report.games if report.games is None or report.winner != players[1] else turned(report.games)
    games = "" if seen is None else f" {games_text(seen)}"
    if report.winner is None:
        return f"{'draw' if report.kind == 'draw' else report.kind}{games}{blood}"
    name = record.players[report.winner].name
    return f"{'>' if report.winner == players[0] else '<'} {name}{games}{kind}{blood}"
