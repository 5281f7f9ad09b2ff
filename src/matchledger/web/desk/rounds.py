"""The page of rounds: the current round, the next round, and a possible repair."""

from __future__ import annotations

from uuid import UUID

from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal
from matchledger.commands.repairs import plan_repair, repair_clock
from matchledger.ledger import Ledger
from matchledger.service.next_round import people_waiting, prepare_round
from matchledger.text.labels import objection_line
from matchledger.web.desk.players import names_to_type
from matchledger.web.desk.state import latest_round
from matchledger.web.rendering import Values
from matchledger_projections.divisions.grouping import division_of, divisions_apart
from matchledger_projections.document import Document, document
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import clock_face
from matchledger_projections.stages.bracket import stage_now
from matchledger_projections.stages.departures import strayed


def rounds_view(ledger: Ledger, tournament: UUID, *, allow_rematch: bool) -> Values:
    """Return the contents of the page. The next round on the page is a preview of the draw, and is not recorded."""
    record = ledger.record(tournament)
    latest = latest_round(record)
    in_bracket = stage_now(record) == "elimination"
    prepared, refused = None, None
    if not in_bracket:
        try:
            prepared = prepare_round(ledger, tournament, allow_rematch=allow_rematch)
        except Refusal as problem:
            refused = problem.args[0]
    outstanding = [] if latest is None else list(latest.outstanding)
    waiting = [] if prepared is None else list(people_waiting(ledger, tournament))
    return {
        "latest": latest,
        "outstanding": outstanding,
        "clock": None if latest is None else _clock(record, latest),
        "face": None if latest is None else _face(record, latest),
        "apart": () if latest is None else divisions_apart(record, latest.players),
        "marks": [] if latest is None else _marks(record, latest),
        "names": names_to_type(record),
        "ends_at_time": latest is not None
        and latest.stage == "elimination"
        and record.rulebook.elimination.time_tiebreaks,
        "is_elimination": in_bracket,
        "prepared": prepared,
        "refused": refused,
        "objections": []
        if prepared is None
        else [
            *(objection_line(prepared.record, one) for one in prepared.objections),
            *waiting,
        ],
        "waiting": bool(waiting),
        "tables": [] if prepared is None or prepared.round is None else _seats(prepared.record, prepared.round),
        "byes": []
        if prepared is None or prepared.round is None
        else [record.players[bye.player].name for bye in prepared.round.byes],
        "allow_rematch": allow_rematch,
        "repair": _repair(record),
        "strayed": [] if record.closing is not None else list(strayed(record)),
        "can_post": record.closing is None and record.finished_rounds > 0,
    }


def _clock(record: Record, latest: Round) -> str | None:
    """Return "running" or "stopped" for the clock of a round, or None before play has begun."""
    clock = record.clock(latest)
    if clock.origin is None:
        return None
    return "running" if clock.paused_since is None else "stopped"


def _face(record: Record, latest: Round) -> str | None:
    """Return the time left on the clock, such as "49:10", or the time since the end, such as "+1:05". Return None
    without a time limit.
    """
    left = record.clock(latest).remaining(now())
    if left is None:
        return None
    return f"+{clock_face(-left)}" if left < 0 else clock_face(left)


def _marks(record: Record, latest: Round) -> list[str]:
    """Return the names of the marks that are announced to the hall, or an empty list before the round starts."""
    clock = record.clock(latest)
    return [] if clock.origin is None else [mark.name for mark in clock.marks]


def _seats(record: Record, round_: Round) -> list[tuple[int, str, str, str]]:
    """Return each table with its division, which is "" while the divisions do not play apart, and its players."""
    apart = len(divisions_apart(record, round_.players)) > 1
    name = {number: player.name for number, player in record.players.items()}
    return [
        (table, division_of(record, first) if apart else "", name[first], name[second])
        for table, (first, second) in round_.tables.items()
    ]


def _repair(record: Record) -> Document | None:
    try:
        made: Document = document(plan_repair(record, clock=repair_clock(record)), record)
    except Refusal:  # the round needs no repair
        return None
    return made
