"""Views of the desk: what its pages show, read from the record at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from matchledger.documents.document import Document
from matchledger.documents.foresight import repair_document
from matchledger.events import Stage, TournamentClosed
from matchledger.ledger import Ledger
from matchledger.outcomes import OutcomeKey, outcome_keys
from matchledger.playing_time import repair_clock
from matchledger.preposting import Prepared, prepare_round
from matchledger.tournament.refusal import Refusal
from matchledger.tournament.repairs import plan_repair
from matchledger.web.desk.state import latest_round
from matchledger.wording import objection_line
from matchledger_projections.audit.narration import tell, tell_slip
from matchledger_projections.calls import Call, open_calls
from matchledger_projections.record import Record
from matchledger_projections.roster import Player, known_as
from matchledger_projections.round import Round
from matchledger_projections.stages.bracket import stage_now

STAGES: tuple[Stage, ...] = ("swiss", "elimination")
LISTED = 200  # players on one page; more are found by name


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in the list, with the table of the round in progress."""

    number: int
    name: str
    division: str | None
    status: str
    table: int | None


@dataclass(frozen=True, slots=True)
class PlayersView:
    """The players whose name or number was asked for, and the one who was chosen."""

    wanted: str
    lines: list[PlayerLine]
    found: int
    active: int
    begun: bool
    chosen: PlayerLine | None
    divisions: list[str]


def players_view(record: Record, wanted: str, chosen: int | None) -> PlayersView:
    """The players, in order of registration."""
    entered = record.entered()
    needle = known_as(wanted)
    found = [player for player in entered if _fits(player, needle)]
    latest = latest_round(record)
    return PlayersView(
        wanted,
        [_line(record, latest, player) for player in found[:LISTED]],
        len(found),
        len(record.active_players()),
        record.latest_round() is not None or record.bracket_drawn is not None,
        next((_line(record, latest, player) for player in entered if player.number == chosen), None),
        sorted({player.division for player in entered if player.division}),
    )


def _fits(player: Player, needle: str) -> bool:
    return needle.removeprefix("#") == str(player.number) or needle in known_as(player.name)


def _line(record: Record, latest: Round | None, player: Player) -> PlayerLine:
    table = None if latest is None else latest.table_of(player.number)
    return PlayerLine(player.number, player.name, player.division, record.status(player.number), table)


@dataclass(frozen=True, slots=True)
class RoundsView:
    """The round in progress, the one to come, and what may have to be repaired."""

    latest: Round | None
    outstanding: list[int]
    clock: str | None
    is_elimination: bool
    prepared: Prepared | None
    refused: str | None
    objections: list[str]
    tables: list[tuple[int, str, str]]
    byes: list[str]
    allow_rematch: bool
    repair: Document | None
    can_post: bool
    can_close: bool


def rounds_view(ledger: Ledger, tournament: UUID, *, allow_rematch: bool) -> RoundsView:
    """The round to come is drawn as it would be; nothing of it is recorded."""
    record = ledger.record(tournament)
    latest = latest_round(record)
    in_bracket = stage_now(record) == "elimination"
    prepared, refused = None, None
    if not in_bracket:
        try:
            prepared = prepare_round(ledger, tournament, allow_rematch=allow_rematch)
        except Refusal as problem:
            refused = str(problem)
    outstanding = [] if latest is None else list(latest.outstanding)
    return RoundsView(
        latest,
        outstanding,
        None if latest is None else _clock(record, latest),
        in_bracket,
        prepared,
        refused,
        [] if prepared is None else [objection_line(prepared.record, one) for one in prepared.objections],
        [] if prepared is None or prepared.round is None else _seats(prepared.record, prepared.round),
        []
        if prepared is None or prepared.round is None
        else [record.players[bye.player].name for bye in prepared.round.byes],
        allow_rematch,
        _repair(record),
        record.closing is None and record.finished_rounds > 0,
        record.closing is None and latest is not None and not outstanding,
    )


def _clock(record: Record, latest: Round) -> str | None:
    """Whether the clock runs or stands; None before play has begun."""
    clock = record.clock(latest)
    if clock.origin is None:
        return None
    return "running" if clock.paused_since is None else "stopped"


def _seats(record: Record, round_: Round) -> list[tuple[int, str, str]]:
    name = {number: player.name for number, player in record.players.items()}
    return [(table, name[first], name[second]) for table, (first, second) in round_.tables.items()]


def _repair(record: Record) -> Document | None:
    try:
        return repair_document(record, plan_repair(record, clock=repair_clock(record)))
    except Refusal:  # there is nothing to repair
        return None


@dataclass(frozen=True, slots=True)
class ReportLine:
    """An entry about a match."""

    position: int
    said: str
    at: str
    actor: str
    station: str
    reason: str | None
    counts: bool
    closes: bool


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match whose result may be wrong, with every entry about it."""

    stage: Stage
    round: int
    table: int
    players: tuple[str, str]
    now: str | None
    entries: list[ReportLine]


@dataclass(frozen=True, slots=True)
class CallLine:
    """A player who says that a result is wrong, and waits for an answer."""

    position: int
    stage: Stage
    round: int
    table: int
    by: str
    claim: str


@dataclass(frozen=True, slots=True)
class CorrectionsView:
    """The calls that wait, the rounds, the tables of one, the match that was chosen, and the latest entries."""

    calls: list[CallLine]

    rounds: list[tuple[Stage, int]]
    stage: Stage
    round: int | None
    tables: list[tuple[int, str, str, str | None]]
    match: MatchView | None
    latest: list[ReportLine]
    keys: list[OutcomeKey]


def corrections_view(
    ledger: Ledger, tournament: UUID, stage: str, round_: int | None, table: int | None
) -> CorrectionsView:
    """What can be put right; without a round, the last one."""
    record = ledger.record(tournament)
    kind: Stage = "elimination" if stage == "elimination" else "swiss"
    where = latest_round(record) if round_ is None else record.round(round_, kind)
    every = [(one.stage, one.number) for name in STAGES for one in record.rounds(name)]
    return CorrectionsView(
        [_call(record, call) for call in open_calls(record)],
        every,
        kind if where is None else where.stage,
        None if where is None else where.number,
        [] if where is None else _results(record, where),
        _match(ledger, tournament, record, where, table),
        _entries(ledger, tournament, record, range(record.position, max(0, record.position - 20), -1)),
        outcome_keys(record.rulebook),
    )


def _call(record: Record, call: Call) -> CallLine:
    fact = call.fact
    name = record.players[fact.by].name
    return CallLine(call.position, fact.stage, fact.round, fact.table, name, fact.claim)


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
        _entries(ledger, tournament, record, [one.position for one in where.reports(table)]),
    )


def _entries(ledger: Ledger, tournament: UUID, record: Record, positions: range | list[int]) -> list[ReportLine]:
    return [
        ReportLine(
            entry.position,
            tell(record, entry.fact),
            entry.recorded_at.astimezone().strftime("%H:%M:%S"),
            entry.actor,
            entry.station,
            entry.reason,
            not record.is_dead(entry.position),
            isinstance(entry.fact, TournamentClosed),
        )
        for entry in (ledger.entry(tournament, position) for position in positions)
    ]
