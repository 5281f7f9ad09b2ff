"""Snapshots: a record as plain data, from which the same record is restored much faster than by folding its log.

Most data are slips and players, so they are stored in columns. A column of numbers is stored in one piece. Facts
are stored as in the log. A restored record equals the record that the log gives. In both, the first search builds
the index of players' names.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Annotated, Any, TypeVar
from uuid import UUID

from pydantic import AwareDatetime, Field

from matchledger.events import (
    KINDS,
    AnyFact,
    Bye,
    ClockFact,
    DeckAmended,
    DeckSubmitted,
    EmperorsJudgment,
    Fact,
    Games,
    PairingAmended,
    Person,
    RoundStarted,
    Stage,
    TimeTiebreak,
    TournamentOpened,
    When,
)
from matchledger_projections.record.columns import Columns, Numbers, SparseNumbers
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Movement, Player
from matchledger_projections.record.round import ClockNote, Round

SomeFact = TypeVar("SomeFact", bound=Fact)
Value = TypeVar("Value")

ByKind = Field(discriminator="kind")


# `tuple.__new__` makes the named tuple without a call of the Python function `_make`.
_player: Callable[[tuple[Any, ...]], Player] = partial(tuple.__new__, Player)
_report: Callable[[tuple[Any, ...]], Report] = partial(tuple.__new__, Report)


class PlayerColumns(Columns):
    """The players in order of registration."""

    numbers: Numbers
    people: list[Person]
    divisions: list[str | None]
    attributes: list[dict[str, str]]
    positions: Numbers
    losses: list[tuple[int, ...] | None]
    since: Numbers


class ReportColumns(Columns):
    """Entries about matches with their tables. If all values of a column are missing, the column is empty."""

    tables: Numbers
    positions: Numbers
    first: Numbers
    second: Numbers
    kinds: Numbers
    winners: SparseNumbers
    scores: tuple[SparseNumbers, SparseNumbers]
    blood_points: SparseNumbers
    tiebreaks: list[TimeTiebreak | None]
    ended: list[When | None]
    received: list[When | None]
    judgments: list[EmperorsJudgment | None]
    games: tuple[SparseNumbers, SparseNumbers, SparseNumbers]


class RoundSnapshot(Columns):
    """A round as one entry paired it: its tables in columns, and all entries about them."""

    stage: Stage
    number: int
    position: int
    paired_at: AwareDatetime
    seed: str | None
    byes: tuple[Bye, ...]
    tables: Numbers
    first: Numbers
    second: Numbers
    amendments: list[tuple[int, PairingAmended]]
    clock: list[tuple[int, Annotated[RoundStarted | ClockFact, ByKind], AwareDatetime]]
    latest: ReportColumns
    replaced: ReportColumns


class Snapshot(Columns):
    """A whole record as data. `words` are the kinds of results, which reports name by number."""

    tournament: UUID | None
    position: int
    opening: TournamentOpened | None
    words: list[str]
    commands: list[str]
    commanded: Numbers
    kinds: dict[str, Numbers]
    players: PlayerColumns
    entered_as: list[tuple[int, Person, str | None]]
    movements: list[tuple[int, Annotated[Movement, ByKind]]]
    moved_after: dict[int, int]
    retractors: dict[int, list[int]]
    roots: dict[int, int]
    rounds: list[RoundSnapshot]
    decks: list[tuple[int, Annotated[DeckSubmitted | DeckAmended, ByKind]]]
    kept: list[tuple[int, Annotated[AnyFact, ByKind]]]


def snapshot(record: Record) -> Snapshot:
    """Return a record as data that shares no mutable object with the record."""
    rounds = [*chain.from_iterable(record._rounds.values())]
    words = sorted({report.kind for round_ in rounds for report in round_.every_report()})
    players = record.players.values()
    # All values were validated when their entries were recorded.
    return Snapshot.model_construct(
        tournament=record.tournament,
        position=record.position,
        opening=record.opening,
        words=words,
        commands=list(record._commands),
        commanded=list(record._commands.values()),
        kinds=_positions_by_kind(record._kinds),
        players=PlayerColumns.model_construct(
            numbers=[player.number for player in players],
            people=[player.person for player in players],
            divisions=[player.division for player in players],
            attributes=[player.attributes for player in players],
            positions=[player.position for player in players],
            losses=[player.losses for player in players],
            since=[player.since for player in players],
        ),
        entered_as=[(number, was.person, was.division) for number, was in record.entered_as.items()],
        movements=_in_order(record.movements.values()),
        moved_after=record._moved_after,
        retractors=record._retractors,
        roots=record._roots,
        rounds=[_round_snapshot(round_, words) for round_ in rounds],
        decks=_in_order(record.decks.values()),
        kept=_in_order(record._kept.values()),
    )


def _positions_by_kind(kinds: Mapping[int, type[Fact]]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = {}
    for position, kind in kinds.items():
        positions.setdefault(kind.model_fields["kind"].default, []).append(position)
    return positions


def _in_order(noted: Iterable[Sequence[tuple[int, SomeFact]]]) -> list[tuple[int, SomeFact]]:
    return sorted(chain.from_iterable(noted), key=lambda note: note[0])


def _round_snapshot(round_: Round, words: Sequence[str]) -> RoundSnapshot:
    seated = round_._posted
    return RoundSnapshot.model_construct(
        stage=round_.stage,
        number=round_.number,
        position=round_.position,
        paired_at=round_.paired_at,
        seed=round_.seed,
        byes=round_._byes,
        tables=list(seated),
        first=[players[0] for players in seated.values()],
        second=[players[1] for players in seated.values()],
        amendments=round_.amendments,
        clock=[(note.position, note.fact, note.at) for note in round_._clock_notes],
        latest=_columns(round_._latest.items(), words),
        replaced=_columns(
            [(table, report) for table, replaced in round_._replaced.items() for report in replaced], words
        ),
    )


def _columns(reports: Iterable[tuple[int, Report]], words: Sequence[str]) -> ReportColumns:
    tables, said = [table for table, _ in reports], [report for _, report in reports]
    scores = [report.scores or (None, None) for report in said]
    games = [report.games or (None, None, None) for report in said]
    kinds = {word: number for number, word in enumerate(words)}
    return ReportColumns.model_construct(
        tables=tables,
        positions=[report.position for report in said],
        first=[report.players[0] for report in said],
        second=[report.players[1] for report in said],
        kinds=[kinds[report.kind] for report in said],
        winners=SparseNumbers.of([report.winner for report in said]),
        scores=(
            SparseNumbers.of([first for first, _ in scores]),
            SparseNumbers.of([second for _, second in scores]),
        ),
        blood_points=SparseNumbers.of([report.blood_points for report in said]),
        tiebreaks=_unless_empty([report.tiebreak for report in said]),
        ended=_unless_empty([report.ended for report in said]),
        received=_unless_empty([report.received for report in said]),
        judgments=_unless_empty([report.judgment for report in said]),
        games=(
            SparseNumbers.of([won for won, _, _ in games]),
            SparseNumbers.of([lost for _, lost, _ in games]),
            SparseNumbers.of([drawn for _, _, drawn in games]),
        ),
    )


def _unless_empty(column: list[Value]) -> list[Value]:
    return [] if all(value is None for value in column) else column


# -- and back


def restored(data: Snapshot) -> Record:
    """Return the record behind a snapshot."""
    record = Record()
    record.tournament, record.position, record.opening = data.tournament, data.position, data.opening
    record._commands = dict(zip(data.commands, data.commanded, strict=True))
    for kind, positions in data.kinds.items():
        record._kinds |= dict.fromkeys(positions, KINDS[kind])
    players = data.players
    rows = zip(
        players.numbers,
        players.people,
        players.divisions,
        players.attributes,
        players.positions,
        players.losses,
        players.since,
        strict=True,
    )
    record.players = dict(zip(players.numbers, map(_player, rows), strict=True))
    record._unnamed = list(players.numbers)
    for number, person, division in data.entered_as:
        record.entered_as[number] = record.players[number]._replace(person=person, division=division)
    for position, moved in data.movements:
        record.movements.setdefault(moved.player, []).append((position, moved))
    record._moved_after, record._retractors, record._roots = data.moved_after, data.retractors, data.roots
    words = [sys.intern(word) for word in data.words]
    for round_ in data.rounds:
        attempts = record._rounds.setdefault((round_.stage, round_.number), [])
        attempts.append(_restored_round(record, round_, words))
    for position, listed in data.decks:
        record.decks.setdefault(listed.player, []).append((position, listed))
    for position, fact in data.kept:
        record._keep(position, fact)
    return record


def _restored_round(record: Record, data: RoundSnapshot, words: Sequence[str]) -> Round:
    round_ = Round.__new__(Round)
    round_._record = record
    round_.stage, round_.number, round_.position, round_.seed = data.stage, data.number, data.position, data.seed
    round_.paired_at, round_.amendments = data.paired_at, data.amendments
    round_._clock_notes = [ClockNote(*note) for note in data.clock]
    round_._posted = dict(zip(data.tables, zip(data.first, data.second, strict=True), strict=True))
    round_._byes, round_._seats = data.byes, {}
    round_._latest = dict(zip(data.latest.tables, _reports(data.latest, words), strict=True))
    round_._has_times = any(told.ended or told.received or told.judgments for told in (data.latest, data.replaced))
    round_._kept = None
    round_._replaced = {}
    for table, report in zip(data.replaced.tables, _reports(data.replaced, words), strict=True):
        round_._replaced.setdefault(table, []).append(report)
    return round_


def _reports(data: ReportColumns, words: Sequence[str]) -> Iterator[Report]:
    nothing = [None] * len(data.positions)
    rows = zip(
        data.positions,
        zip(data.first, data.second, strict=True),
        map(words.__getitem__, data.kinds),
        data.winners.values() or nothing,
        list(_scores(*data.scores)) or nothing,
        data.blood_points.values() or nothing,
        data.tiebreaks or nothing,
        data.ended or nothing,
        data.received or nothing,
        data.judgments or nothing,
        nothing,  # the verdict is not stored, because it follows from the clock
        list(_games(*data.games)) or nothing,
        strict=True,
    )
    return map(_report, rows)


def _games(won: SparseNumbers, lost: SparseNumbers, drawn: SparseNumbers) -> Iterator[Games | None]:
    for first, second, third in zip(won.values(), lost.values(), drawn.values(), strict=True):
        yield None if first is None or second is None or third is None else (first, second, third)


def _scores(firsts: SparseNumbers, seconds: SparseNumbers) -> Iterator[tuple[int, int] | None]:
    for first, second in zip(firsts.values(), seconds.values(), strict=True):
        yield None if first is None or second is None else (first, second)
