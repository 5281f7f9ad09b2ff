"""The page of corrections: a wrong result, the calls about it, and entries to retract."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple
from uuid import UUID

from matchledger.commands.draft import now
from matchledger.commands.repairs import round_to_repair
from matchledger.commands.retraction import who_may_retract
from matchledger.events import Entry, Role, Stage
from matchledger.ledger import Ledger
from matchledger.notation.outcomes import outcome_keys
from matchledger.web.desk.questions import Question, questions
from matchledger.web.desk.state import latest_round
from matchledger.web.rendering import Values
from matchledger_projections.conduct.permissions import who_may
from matchledger_projections.narration import in_plain_words, tell, tell_slip
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import bracket_of, brackets

Mark = Literal["open", "corrected"]


class EntryLine(NamedTuple):
    """An entry in words. `taken_back_by` are the roles that may take the entry back now."""

    entry: Entry
    said: str
    counts: bool
    taken_back_by: tuple[Role, ...]


def entry_lines(ledger: Ledger, tournament: UUID, record: Record, positions: Iterable[int]) -> list[EntryLine]:
    """Return lines for the entries at the given positions, in the given order."""
    return [
        EntryLine(
            entry,
            in_plain_words(record, tell(record, entry.fact)),
            not record.is_dead(entry.position),
            who_may_retract(record, entry.position, entry.fact),
        )
        for entry in (ledger.entry(tournament, position) for position in positions)
    ]


LATEST = 10  # how many entries the page offers to take back. The page of the log has the earlier entries
STAGES: tuple[Stage, ...] = ("swiss", "elimination")


def corrections_view(ledger: Ledger, tournament: UUID, stage: str, round_: int | None, table: int | None) -> Values:
    """Return everything that can be corrected in a round, by default the last one."""
    record = ledger.record(tournament)
    kind: Stage = "elimination" if stage == "elimination" else "swiss"
    where = latest_round(record) if round_ is None else record.round(round_, kind)
    every = [(one.stage, one.number) for name in STAGES for one in record.rounds(name)]
    asked = questions(ledger, tournament, record)
    return {
        "questions": asked,
        "now": now(),
        "repair": round_to_repair(record),
        "repaired_by": who_may(record.rulebook, "re-pair").everybody,
        "rounds": every,
        "stage": kind if where is None else where.stage,
        "round": None if where is None else where.number,
        "bracket": None if where is None else _of_one_bracket(record, where),
        "tables": [] if where is None else list(where.results()),
        "marks": {} if where is None else _marks(where, asked),
        "people": record.players,
        "say": lambda players, report: tell_slip(record, players, report.slip),
        "match": _match(ledger, tournament, record, where, table),
        "latest": entry_lines(
            ledger, tournament, record, range(record.position, max(0, record.position - LATEST), -1)
        ),
        "outcomes": [] if where is None else outcome_keys(record.rulebook, where.stage),
    }


def _of_one_bracket(record: Record, where: Round) -> int | None:
    """Return a player of a round whose matches all belong to one bracket. Return None if they do not."""
    drawn = brackets(record)
    first = [players[0] for players in where.tables.values()]
    return first[0] if len({bracket_of(drawn, player) for player in first}) == 1 else None


def _marks(where: Round, asked: Iterable[Question]) -> dict[int, Mark]:
    """Return the tables of a round with an open question about the result, or with a corrected result."""
    corrected: dict[int, Mark] = {
        table: "corrected"
        for table, _, report in where.results()
        if report is not None and where.reports(table)[0].position != report.position
    }
    here = (where.stage, where.number)
    return corrected | {one.table: "open" for one in asked if (one.stage, one.round) == here}


def _outcome(record: Record, stage: Stage, players: tuple[int, int], report: Report) -> str | None:
    """Return the outcome of the key that gives the recorded result, or None if no key gives it."""
    side = None if report.winner is None else "ab"[players.index(report.winner)]
    score = "-".join(map(str, report.score or ()))
    fits = [
        key.outcome
        for key in outcome_keys(record.rulebook, stage)
        if key.side == side and (key.outcome == score if score else key.kind == report.kind)
    ]
    return fits[0] if len(fits) == 1 else None


def _match(
    ledger: Ledger, tournament: UUID, record: Record, where: Round | None, table: int | None
) -> Values | None:
    players = None if where is None or table is None else where.tables.get(table)
    if where is None or table is None or players is None:
        return None
    report = where.report(table, players)
    first, second = (record.players[player].name for player in players)
    return {
        "stage": where.stage,
        "round": where.number,
        "table": table,
        "first": players[0],
        "players": (first, second),
        "now": None if report is None else tell_slip(record, players, report.slip),
        "recorded": None if report is None else _outcome(record, where.stage, players, report),
        "entries": entry_lines(ledger, tournament, record, [one.position for one in where.reports(table)]),
    }
