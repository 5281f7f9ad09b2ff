"""The page of rounds: the current round, the next round, and a possible repair."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal
from matchledger.commands.repairs import plan_repair, repair_clock
from matchledger.events import Stage
from matchledger.ledger import Ledger
from matchledger.service.next_round import people_waiting, prepare_round
from matchledger.text.labels import objection_line
from matchledger.web.desk.players import names_to_type
from matchledger.web.desk.sheets import STAGES
from matchledger.web.desk.state import latest_round
from matchledger.web.rendering import Values
from matchledger_projections.divisions.grouping import division_of, divisions_apart
from matchledger_projections.document import Document, document
from matchledger_projections.record.phones import checked_in
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import clock_face
from matchledger_projections.stages.bracket import brackets, round_title, stage_now
from matchledger_projections.stages.departures import games_to_seat, strayed


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
        "allow_rematch": allow_rematch,
        "repair": _repair(record),
        "strayed": [] if record.closing is not None else list(strayed(record)),
        "to_seat": [record.players[one].name for game in games_to_seat(record) for one in game],
        "absent": latest is None and 0 < len(checked_in(record)) < len(record.active_players()),
        "history": [] if record.closing is None else _history(record),
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


def _seats(record: Record, round_: Round) -> list[tuple[int | None, str, str, str | None]]:
    """Return each table with its division, which is "" while the divisions do not play apart, and its players. A
    player with a bye follows the tables of the division, without a table and an opponent.
    """
    apart = divisions_apart(record, round_.players)
    name = {number: player.name for number, player in record.players.items()}
    found: list[tuple[int | None, str, str, str | None]] = [
        (table, division_of(record, first) if len(apart) > 1 else "", name[first], name[second])
        for table, (first, second) in round_.tables.items()
    ]
    for bye in round_.byes:
        division = division_of(record, bye.player) if len(apart) > 1 else ""
        own = [at for at, line in enumerate(found, 1) if line[1] == division]
        found.insert(own[-1] if own else len(found), (None, division, name[bye.player], None))
    return found


class Bout(NamedTuple):
    """The games of an elimination round in one bracket: the division, and the name of the round. A final also has
    its players, the winner first.
    """

    division: str
    name: str
    finalists: tuple[str, ...]


class Held(Struct, frozen=True):
    """A played round: its tables and byes, the number of corrected tables, and the games of each bracket."""

    stage: Stage
    number: int
    paired_at: datetime
    tables: int
    byes: int
    corrected: int
    bouts: list[Bout]


def _history(record: Record) -> list[Held]:
    """Return every round of the event, the last one first."""
    return [
        Held(
            round_.stage,
            round_.number,
            round_.paired_at,
            len(round_.tables),
            len(round_.byes),
            sum(_is_corrected(record, round_, table) for table in round_.tables),
            [] if round_.stage == "swiss" else list(_bouts(record, round_.number)),
        )
        for stage in STAGES
        for round_ in reversed(record.rounds(stage))
    ]


def _is_corrected(record: Record, round_: Round, table: int) -> bool:
    return sum(not record.is_dead(report.position) for report in round_.reports(table)) > 1


def _bouts(record: Record, number: int) -> Iterator[Bout]:
    for drawn in brackets(record):
        if number > len(drawn.rounds):
            continue
        games = drawn.rounds[number - 1]
        final = games[0] if len(games) == 1 else None
        sides = [] if final is None else sorted(final.players, key=lambda player: player != final.winner)
        yield Bout(drawn.division or "", round_title(len(games)), tuple(record.players[one].name for one in sides))


def _repair(record: Record) -> Document | None:
    try:
        made: Document = document(plan_repair(record, clock=repair_clock(record)), record)
    except Refusal:  # the round needs no repair
        return None
    return made
