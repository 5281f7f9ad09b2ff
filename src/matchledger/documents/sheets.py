"""Documents of the sheets that only paper shows: lists of who plays where, slips, postings, blanks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Literal

from matchledger.documents.document import Document, title
from matchledger.documents.tables import standings_row_document
from matchledger.events import Stage, StandingsPosted
from matchledger.notation.slip_code import SlipCode
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.bracket import brackets, round_title
from matchledger_projections.stages.results import kinds_of
from matchledger_projections.standings.crosstable import crosstable

ListOrder = Literal["name", "table"]


def round_name(record: Record, round_: Round) -> str:
    """What a round is called on a sheet: "Round 3", or "Semifinals"."""
    if round_.stage == "swiss":
        return sentence("Round %(number)s", number=round_.number)
    drawn = brackets(record)
    if len(drawn) == 1 and round_.number <= len(drawn[0].rounds):
        return round_title(len(drawn[0].rounds[round_.number - 1]))
    return sentence("Elimination %(number)s", number=round_.number)


def pairing_list_document(record: Record, round_: Round, *, by: ListOrder) -> Document:
    """Who plays where, a line for each player in order of name, or for each table.

    `points` are those before the round, so that a player finds a wrong record while it can be put right; they are
    null in an elimination round. A line without a table is a bye.
    """
    points = crosstable(record, record.rulebook, round_.number - 1).points if round_.stage == "swiss" else None

    def seat(player: int) -> Document:
        known = points is not None and player < len(points)
        return {
            "player": record.players[player].name,
            "number": player,
            "points": points[player] if points is not None and known else None,
        }

    lines: list[Document] = [
        {"table": table, "players": [seat(first), seat(second)]} for table, (first, second) in round_.tables.items()
    ]
    lines += [{"table": None, "players": [seat(bye.player)]} for bye in round_.byes]
    if by == "name":
        turned = [
            {"table": line["table"], "players": line["players"][turn:] + line["players"][:turn]}
            for line in lines
            for turn in range(len(line["players"]))
        ]
        lines = sorted(turned, key=lambda line: str(line["players"][0]["player"]).casefold())
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "stage": round_.stage,
        "round": round_.number,
        "name": round_name(record, round_),
        "unit": record.rulebook.unit,
        "by": by,
        "lines": lines,
    }


def slips_document(record: Record, round_: Round, tables: Collection[int] = ()) -> Document:
    """A slip for each table of a round, or for some; `code` is what its QR code says, `form` what is asked for."""
    assert record.tournament is not None  # noqa: S101 - a round belongs to a tournament
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "stage": round_.stage,
        "round": round_.number,
        "name": round_name(record, round_),
        "form": slip_form_document(record.rulebook, round_.stage),
        "slips": [
            {
                "table": table,
                "players": [record.players[player].name for player in players],
                "numbers": list(players),
                "code": str(SlipCode(record.tournament, round_.stage, round_.number, table)),
            }
            for table, players in round_.tables.items()
            if not tables or table in tables
        ],
    }


def slip_form_document(rulebook: Rulebook, stage: Stage = "swiss") -> Document:
    """What a slip of a stage asks for: of each player, and which results there are besides a plain win."""
    results = ((kind, rulebook.results[kind]) for kind in kinds_of(rulebook, stage))
    return {
        "unit": rulebook.unit,
        "each": list(_asked_of_each(rulebook)),
        "results": [
            {"kind": kind, "worth": [worth.winner, worth.loser] if worth.each is None else [worth.each, worth.each]}
            for kind, worth in results
            if not worth.as_written
        ],
        "judgment": "judgment" in rulebook.results,
    }


def _asked_of_each(rulebook: Rulebook) -> Iterator[str]:
    if any(worth.as_written for worth in rulebook.results.values()):
        yield "points"
    if rulebook.blood_points is not None:
        yield "blood points"
    if "judgment" in rulebook.results:  # L5R-IV.3b-EJ
        yield from ("provinces broken", "honor", "favor", "decided first player")


def note_of_posting(record: Record, position: int) -> str | None:
    """The first checkpoint that was signed for a posting; its text names the entry."""
    marked = f"\nstandings {position} "
    return next((fact.note for _, fact in record.checkpoints if marked in fact.note), None)


def posting_document(
    record: Record,
    position: int,
    posted: StandingsPosted,
    *,
    posted_at: datetime,
    tree_head: str,
    note: str | None,
) -> Document:
    """Standings exactly as they were posted in an entry; `note` is the checkpoint signed for them, if any."""
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "unit": record.rulebook.unit,
        "round": posted.round,
        "position": position,
        "posted_at": posted_at.isoformat(),
        "tree_head": tree_head,
        "checkpoint": note,
        "standings": [standings_row_document(record, row) for row in posted.rows],
    }


def blank_document(record: Record, *, tables: int) -> Document:
    """What an event needs to go on without a computer, for so many tables."""
    rulebook = record.rulebook
    return {
        "tournament": title(record),
        "rulebook": rulebook.id,
        "position": record.position,
        "tables": tables,
        "players": len(record.active_players()),
        "form": slip_form_document(rulebook),
        "bye": {"points": rulebook.bye.points, "rule": rulebook.bye.rule},
        "worth": {
            kind: [worth.winner, worth.loser] if worth.each is None else [worth.each, worth.each]
            for kind, worth in rulebook.results.items()
            if not worth.as_written
        },
    }
