"""The page of corrections: a wrong result, the calls about it, and entries to retract."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from matchledger.commands.repairs import round_to_repair
from matchledger.events import SlipRefused, Stage
from matchledger.ledger import Ledger
from matchledger.notation.outcomes import OutcomeKey, outcome_keys
from matchledger.web.desk.entries import EntryLine, entry_lines
from matchledger.web.desk.state import latest_round
from matchledger_projections.narration import tell, tell_slip
from matchledger_projections.record.desk_calls import Call, open_calls, open_contradictions
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round

STAGES: tuple[Stage, ...] = ("swiss", "elimination")


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match whose result may be wrong, with every entry about it."""

    stage: Stage
    round: int
    table: int
    players: tuple[str, str]
    now: str | None
    entries: list[EntryLine]


@dataclass(frozen=True, slots=True)
class CallLine:
    """A player who disputes a result and waits for an answer."""

    position: int
    stage: Stage
    round: int
    table: int
    by: str
    claim: str


@dataclass(frozen=True, slots=True)
class ContradictionLine:
    """A second station's slip and the recorded one, which contradict each other."""

    position: int
    stage: Stage
    round: int
    table: int
    said: str
    by: str
    recorded: str
    recorded_by: str


@dataclass(frozen=True, slots=True)
class CorrectionsView:
    """The open calls, the rounds, the tables of one, the chosen match, and the latest entries.

    `repair` is the round that needs a decision, because it was paired from a result corrected later.
    """

    calls: list[CallLine]
    contradictions: list[ContradictionLine]
    repair: int | None
    rounds: list[tuple[Stage, int]]
    stage: Stage
    round: int | None
    tables: list[tuple[int, str, str, str | None]]
    match: MatchView | None
    latest: list[EntryLine]
    keys: list[OutcomeKey]


def corrections_view(
    ledger: Ledger, tournament: UUID, stage: str, round_: int | None, table: int | None
) -> CorrectionsView:
    """Everything that can be corrected. Without a round, in the last one."""
    record = ledger.record(tournament)
    kind: Stage = "elimination" if stage == "elimination" else "swiss"
    where = latest_round(record) if round_ is None else record.round(round_, kind)
    every = [(one.stage, one.number) for name in STAGES for one in record.rounds(name)]
    return CorrectionsView(
        [_call(record, call) for call in open_calls(record)],
        [_contradiction(ledger, tournament, record, *each) for each in open_contradictions(record)],
        round_to_repair(record),
        every,
        kind if where is None else where.stage,
        None if where is None else where.number,
        [] if where is None else _results(record, where),
        _match(ledger, tournament, record, where, table),
        entry_lines(ledger, tournament, record, range(record.position, max(0, record.position - 20), -1)),
        outcome_keys(record.rulebook),
    )


def _call(record: Record, call: Call) -> CallLine:
    fact = call.fact
    name = record.players[fact.by].name
    return CallLine(call.position, fact.stage, fact.round, fact.table, name, fact.claim)


def _contradiction(
    ledger: Ledger, tournament: UUID, record: Record, position: int, fact: SlipRefused
) -> ContradictionLine:
    second, first = ledger.entry(tournament, position), ledger.entry(tournament, fact.contradicts)
    return ContradictionLine(
        position,
        fact.stage,
        fact.round,
        fact.table,
        tell_slip(record, fact.players, fact.slip),
        f"{second.actor}, {second.station}",
        tell(record, first.fact),
        f"{first.actor}, {first.station}",
    )


def _results(record: Record, where: Round) -> list[tuple[int, str, str, str | None]]:
    name = {number: player.name for number, player in record.players.items()}
    return [
        (
            table,
            name[players[0]],
            name[players[1]],
            None if report is None else tell_slip(record, players, report.slip),
        )
        for table, players, report in where.results()
    ]


def _match(
    ledger: Ledger, tournament: UUID, record: Record, where: Round | None, table: int | None
) -> MatchView | None:
    players = None if where is None or table is None else where.tables.get(table)
    if where is None or table is None or players is None:
        return None
    report = where.report(table, players)
    first, second = (record.players[player].name for player in players)
    return MatchView(
        where.stage,
        where.number,
        table,
        (first, second),
        None if report is None else tell_slip(record, players, report.slip),
        entry_lines(ledger, tournament, record, [one.position for one in where.reports(table)]),
    )
