"""The standings in plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matchledger.cli.tables import columns
from matchledger.text.labels import HEADINGS, shown_tiebreaks, value_text
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import Row, Standings


def standings_table(
    record: Record, table: Standings, rulebook: Rulebook, lines: Sequence[Row] | None = None
) -> Iterator[str]:
    """The standings as lines: rank, player, points and the tiebreakers that the rulebook compares.

    `lines` are those of one division, where it alone is shown.
    """
    shown = shown_tiebreaks(rulebook, table)
    heads = ["", "Player", rulebook.unit, *(HEADINGS[name] for name in shown), ""]
    rows = [
        [
            "-" if row.rank is None else f"{row.rank}{'=' if row.tied else ''}",
            record.players[row.player].name,
            str(row.points),
            *(value_text(name, row.tiebreaks.get(name)) for name in shown),
            "" if row.status == "active" else row.status,
        ]
        for row in (table.rows if lines is None else lines)
    ]
    yield from columns(heads, rows, right=[0, *range(2, 3 + len(shown))])
