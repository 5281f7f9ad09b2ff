"""The numbers behind charts: a player's ranks, the points of the field, the pace of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from msgspec import Struct

from matchledger.events import Stage
from matchledger_projections.document import Player
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.sight import Asked, Headed, Sight, answers, heading, title
from matchledger_projections.views.tables import OfStage, standings_of

Number = Annotated[int, Asked("", least=1, most=10**6)]
PlayerNumber = Annotated[int, Asked("The number of a player.", least=1, most=10**6)]


class CourseRound(Struct, frozen=True):
    """A player's rank and points after a round. `of` gives the number of ranked players."""

    round: int
    rank: int | None
    of: int
    points: int
    tied: bool


class CoursePage(Struct, frozen=True):
    """A player's rank after each round, as `matchledger draw rank --json` prints it."""

    head: Headed
    player: Player
    rounds: tuple[CourseRound, ...]


@answers("course/{player}")
def course(sight: Sight, *, player: PlayerNumber) -> CoursePage:
    """A player's rank after each round."""
    return course_of(sight.record, sight.need_player(player), through=sight.round)


def course_of(record: Record, player: int, *, through: int | None = None) -> CoursePage:
    """Return a player's rank after each finished round up to a given round, without the rounds before a late
    arrival.
    """
    rounds = []
    for number in _rounds(record, through):
        table = standings_of(record, player, number)
        row = next((row for row in table.rows if row.player == player), None)
        if row is not None:
            rounds.append(CourseRound(number, row.rank, len(table.order), row.points, row.tied))
    return CoursePage(heading(record), player, tuple(rounds))


def _rounds(record: Record, through: int | None) -> range:
    last = record.finished_rounds
    return range(1, (last if through is None else min(last, through)) + 1)


class FieldBar(Struct, frozen=True):
    """A number of points, and the number of players with these points."""

    points: int
    players: int


class FieldRound(Struct, frozen=True):
    """The numbers of players at each number of points after a round."""

    round: int
    players: int
    field: tuple[FieldBar, ...]


class FieldPage(Struct, frozen=True):
    """The points of the field after each round, as `matchledger draw field --json` prints them."""

    head: Headed
    unit: str
    rounds: tuple[FieldRound, ...]


@answers("field")
def field(sight: Sight) -> FieldPage:
    """The number of players at each number of points, after each round."""
    return field_of(sight.record, through=sight.round)


def field_of(record: Record, *, through: int | None = None) -> FieldPage:
    """Return the number of players at each number of points, after each finished round up to a given round.

    Dropped players count too.
    """
    rounds = []
    for number in _rounds(record, through):
        counts = Counter(row.points for row in standings(record, number).rows)
        bars = tuple(FieldBar(points, players) for points, players in sorted(counts.items()))
        rounds.append(FieldRound(number, counts.total(), bars))
    return FieldPage(heading(record), record.rulebook.unit, tuple(rounds))


class SlipTime(Struct, frozen=True):
    """The time at which a slip came in, in seconds."""

    table: int
    entry: int
    seconds: int


class PacePage(Struct, frozen=True):
    """The times at which the slips of a round came in, as `matchledger draw pace --json` prints them.

    `minutes` is the length of the round, or null without a time limit.
    """

    tournament: str
    position: int
    stage: Stage
    round: int
    from_: Literal["paired", "started"]
    began_at: datetime
    minutes: int | None
    tables: int
    slips: tuple[SlipTime, ...]


@answers("pace")
def pace(sight: Sight, *, stage: OfStage = None) -> PacePage:
    """The times at which the slips of a round came in, on the round's clock."""
    round_ = sight.need_round(stage)
    recorded_at = {entry.position: entry.recorded_at for entry in sight.log(after=round_.position - 1)}
    return pace_of(sight.record, round_, recorded_at=recorded_at)


def pace_of(record: Record, round_: Round, *, recorded_at: Mapping[int, datetime]) -> PacePage:
    """Return the time at which each table's slip came in, counted from the start of the clock, or else from the
    pairing.

    The time of a table's slip is the time of the first counting result of the table's players.
    """
    clock = record.clock(round_)
    paired_at = recorded_at[round_.position]
    slips = []
    for table, players in round_.tables.items():
        counting = (
            report.position
            for report in round_.reports(table)
            if report.players == players and not record.is_dead(report.position)
        )
        if (first := next(counting, None)) is not None:
            shown = clock.elapsed(recorded_at[first])
            seconds = int((recorded_at[first] - paired_at).total_seconds()) if shown is None else shown
            slips.append(SlipTime(table, first, seconds))
    return PacePage(
        title(record),
        record.position,
        round_.stage,
        round_.number,
        "paired" if clock.origin is None else "started",
        clock.origin or paired_at,
        None if clock.seconds is None else clock.seconds // MINUTE,
        len(round_.tables),
        tuple(slips),
    )
