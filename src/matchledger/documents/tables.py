"""The tables of an event as documents: standings, pairings, entries of the log, the integrity report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from matchledger.documents.document import PRIVATE, Document, title
from matchledger.events import Entry, PostedRow
from matchledger_projections.divisions.tables import DivisionTable
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.fractions import as_text
from matchledger_projections.standings.standings import Row, Standings
from matchledger_projections.views.integrity import Item


def players_document(record: Record) -> list[Document]:
    """Who is in, and who was."""
    return [
        {
            "number": player.number,
            "name": player.name,
            "division": player.division,
            "status": record.status(player.number),
        }
        for player in record.entered()
    ]


def standings_document(
    record: Record,
    table: Standings,
    *,
    clock: Clock,
    rulebook: Rulebook,
    hypothetical: bool = False,
    divisions: Sequence[DivisionTable] = (),
) -> Document:
    """The standings after a round; `outstanding` are the tables of that round without a result.

    With `divisions`, the standings are those of the divisions one after the other, the places counted in each, and
    `divisions` says after which round each stands.
    """
    round_ = record.round(table.round)
    rows = [row for found in divisions for row in found.rows] if divisions else table.rows
    apart = {"divisions": [{"division": found.division, "round": found.round} for found in divisions]}
    return {
        **(apart if divisions else {}),
        "tournament": title(record),
        "rulebook": rulebook.id,
        "hypothetical": hypothetical,
        "round": table.round,
        "clock": clock,
        "position": record.position,
        "outstanding": [] if round_ is None else list(round_.outstanding),
        "standings": [standings_row_document(record, row) for row in rows],
    }


def standings_row_document(record: Record, row: Row | PostedRow) -> Document:
    """A player's line of standings, as they are or as they were posted; tiebreaks are exact, "p/q"."""
    player = record.players[row.player]
    return {
        "rank": row.rank,
        "player": player.name,
        "number": row.player,
        "division": player.division,
        "points": row.points,
        "status": row.status,
        "tied": row.tied,
        "tiebreaks": {name: as_text(Fraction(value)) for name, value in row.tiebreaks.items()},
    }


def pairings_document(record: Record, round_: Round, *, clock: Clock) -> Document:
    """The tables of a round, with what came in from each."""
    name = {number: player.name for number, player in record.players.items()}
    return {
        "tournament": title(record),
        "stage": round_.stage,
        "round": round_.number,
        "clock": clock,
        "position": record.position,
        "seed": round_.seed,
        "pairings": [
            {
                "table": table,
                "players": [name[players[0]], name[players[1]]],
                "result": None
                if report is None
                else {
                    "kind": report.slip.kind,
                    "winner": None if report.slip.winner is None else name[report.slip.winner],
                    "scores": report.slip.scores,
                    "blood_points": report.slip.blood_points,
                    "entry": report.position,
                    "games": report.games,
                },
            }
            for table, players, report in round_.results()
        ],
        "byes": [name[bye.player] for bye in round_.byes],
    }


def entry_document(entry: Entry) -> Document:
    """One entry of the log as it is stored, as JSON; of a deck list, its hash alone."""
    document: Document = entry.model_dump(mode="json", exclude=PRIVATE)
    return document


def integrity_document(record: Record, items: Iterable[Item]) -> Document:
    """The integrity report; `counts` is false for an entry that was taken back since."""
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "items": [{"kind": item.kind, "counts": item.counts, **entry_document(item.entry)} for item in items],
    }
