"""The state of the desk: everything on the page except the slip that is being typed. The page asks for this state
after every change.
"""

from __future__ import annotations

from uuid import UUID
from zlib import crc32

from pydantic import BaseModel

from matchledger.commands.draft import now
from matchledger.events import Entry, Stage
from matchledger.ledger import Ledger
from matchledger.notation.outcomes import OutcomeKey, is_score, outcome_keys
from matchledger.text.translation import SOURCE, told
from matchledger.web.desk.floor import asking
from matchledger.web.log_lines import parts_weighed, topic_of
from matchledger_projections.message import word
from matchledger_projections.narration import in_plain_words, tell
from matchledger_projections.record.desk_calls import contested_tables, open_calls, open_contradictions
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE
from matchledger_projections.record.surnames import parts_of
from matchledger_projections.views.clocks import extended_tables
from matchledger_projections.views.sheets import name_of_round

RECENT = 8  # entries


class Recent(BaseModel):
    """An entry of the log in the desk's list. `parts` is its sentence, with the tags of its names: `b` for the
    winner, `i` for the loser, "" for all other words.
    """

    position: int
    at: str
    actor: str
    station: str
    parts: list[tuple[str, str]]
    topic: str
    kind: str
    counts: bool


class Key(BaseModel):
    """A key of the numeric pad and the outcome that it types. `name` is the name of the kind of result, or of a
    result without a winner.
    """

    key: str
    outcome: str
    kind: str
    name: str
    side: str | None


class DeskClock(BaseModel):
    """The clock of the round: the seconds left (None without a limit), and the tables with more time."""

    remaining: int | None
    running: bool
    tables: dict[int, int]


class DeskState(BaseModel):
    """The state of the event that the desk's script shows. `name` is the name of the round, such as "Final".

    `seating` has the names of players a and b at each table, `surnames` has the bold parts of the names, and
    `players` has their numbers. `seating`, `surnames` and `players` are None if the desk already has this
    `seating_version`. `contested` are the entries of refused slips that are not settled. `asking` has the tables
    that wait for an answer: a "call" or a "conflict". `missing` counts the tables of earlier rounds without a
    result, and `contested_tables` the tables whose recorded result is contested.
    """

    position: int
    round: int | None
    stage: Stage
    tables: int
    outstanding: list[int]
    seating_version: str
    seating: list[tuple[int, str, str]] | None
    keys: list[Key]
    recent: list[Recent]
    calls: int
    contradictions: int
    clock: DeskClock | None
    name: str
    players: list[tuple[int, int, int]] | None
    surnames: list[tuple[int, str, str]] | None
    contested: list[int]
    asking: dict[int, str]
    missing: int
    contested_tables: int


def desk_state(ledger: Ledger, tournament: UUID, known: str | None = None, language: str = SOURCE) -> DeskState:
    """Return the current state, with its texts in a language. `known` is the version of the seating that the desk
    has.
    """
    record = ledger.record(tournament)
    latest = latest_round(record)
    version = _version(record, latest)
    fresh = None if version == known else latest
    contested = [] if record.closing is not None else [position for position, _ in open_contradictions(record)]
    return DeskState(
        position=record.position,
        round=None if latest is None else latest.number,
        stage=record.current_stage,
        tables=0 if latest is None else len(latest.tables),
        outstanding=[] if latest is None else list(latest.outstanding),
        seating_version=version,
        seating=None if fresh is None else _seating(record, fresh),
        keys=[_key(key, language) for key in outcome_keys(record.rulebook, record.current_stage)],
        recent=_recent(ledger, tournament, record, language),
        calls=len(open_calls(record)) if record.closing is None else 0,
        contradictions=len(contested),
        clock=None if latest is None else _clock(record, latest),
        name="" if latest is None else told(name_of_round(record, latest), language),
        players=None if fresh is None else [(table, *players) for table, players in fresh.tables.items()],
        surnames=None if fresh is None else _surnames(record, fresh),
        contested=contested,
        asking={} if latest is None else {table: state for table, (state, _) in asking(record, latest).items()},
        missing=sum(len(round_.outstanding) for round_ in record.earlier_open_rounds),
        contested_tables=len(contested_tables(record)),
    )


def latest_round(record: Record) -> Round | None:
    """Return the round whose slips are coming in, or None before round 1."""
    return record.current_round


def _clock(record: Record, latest: Round) -> DeskClock | None:
    clock, moment = record.clock(latest), now()
    if clock.origin is None:
        return None
    return DeskClock(
        remaining=clock.remaining(moment),
        running=clock.paused_since is None,
        tables={table: clock.more(table) // MINUTE for table in extended_tables(latest, clock)},
    )


def _version(record: Record, latest: Round | None) -> str:
    if latest is None:
        return "none"
    amended = [position for position, _ in latest.amendments]
    tables = crc32(repr(latest.tables).encode())
    return f"{latest.stage}-{latest.position}-{max(amended, default=0)}-{tables:x}-{len(erased(record))}"


def _seating(record: Record, latest: Round) -> list[tuple[int, str, str]]:
    name = {number: player.name for number, player in record.players.items()}
    return [(table, name[first], name[second]) for table, (first, second) in latest.tables.items()]


def _surnames(record: Record, latest: Round) -> list[tuple[int, str, str]]:
    def bold(number: int) -> str:
        player = record.players[number]
        return parts_of(player.name, player.person).surname

    return [(table, bold(first), bold(second)) for table, (first, second) in latest.tables.items()]


def _key(key: OutcomeKey, language: str) -> Key:
    score = key.kind.replace("-", "\N{EN DASH}")
    name = score if is_score(key.kind) else told(word(key.kind.replace("-", " ")), language)
    if key.side is None:
        name = f"{told(word('draw'), language)} {name}".capitalize() if is_score(key.kind) else name.capitalize()
    return Key(key=key.key, outcome=key.outcome, kind=key.kind, name=name, side=key.side)


def _recent(ledger: Ledger, tournament: UUID, record: Record, language: str) -> list[Recent]:
    after = max(0, record.position - RECENT)
    return [_line(record, entry, language) for entry in reversed(list(ledger.entries(tournament, after=after)))]


def _line(record: Record, entry: Entry, language: str) -> Recent:
    return Recent(
        position=entry.position,
        at=entry.recorded_at.astimezone().strftime("%H:%M:%S"),
        actor=entry.actor,
        station=entry.station,
        parts=parts_weighed(in_plain_words(record, tell(record, entry.fact)), language),
        topic=topic_of(entry),
        kind=entry.fact.kind,
        counts=not record.is_dead(entry.position),
    )
