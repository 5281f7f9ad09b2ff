"""The clock: more time for a table, stops, marks, and the first player of a game."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Annotated, ClassVar

from pydantic import Field

from matchledger.commands.command import (
    Command,
    Context,
    Minutes,
    Number,
    Player,
    Text,
    argument,
    known,
    option,
)
from matchledger.commands.draft import now
from matchledger.commands.postings import need_pairings_posted
from matchledger.commands.refusal import (
    Refusal,
    departing,
    name_of,
    need_late_players_seated,
    need_open,
    players_at,
)
from matchledger.events import (
    AnyFact,
    ClockPaused,
    ClockResumed,
    FirstPlayerSet,
    MarkCalled,
    RoundStarted,
    Stage,
    TimeExtended,
)
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import RoundClock
from matchledger_projections.stages.departure import of_early_start, of_more_time

_HALF_A_DAY = timedelta(hours=12)
AHEAD = timedelta(hours=1)  # a start may be this far in the future, because a round may be about to start


def start_round(
    record: Record,
    *,
    stage: Stage | None = None,
    minutes: int | None = None,
    at: datetime | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """Record that play in the latest round began, now or `at` a moment. `minutes` replaces the rulebook's length.

    A start before the round's entry needs `deviating`: the round was paired on paper and entered later.
    """
    round_ = _latest(record, stage)
    if record.clock(round_).origin is not None or not round_.outstanding:
        raise Refusal(sentence("round %(round)s has started already", round=round_.number))
    if round_.stage == "swiss":
        need_late_players_seated(record)
    need_pairings_posted(record, round_)
    if at is not None:
        departing(of_early_start(record, round_, at), deviating=deviating)
    return [RoundStarted(stage=round_.stage, round=round_.number, minutes=minutes, at=at)]


def extend(
    record: Record,
    *,
    table: int,
    minutes: int,
    reason: str | None = None,
    stage: Stage | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """Give a table more time. All marks of the clock come later for the table.

    After the table's last call, or after play stopped at the table, more time needs `deviating`, and the fact names
    the rule.
    """
    round_ = _latest(record, stage)
    players = players_at(round_, table)
    if (known := round_.report(table, players)) is not None:
        raise Refusal(
            sentence(
                "table %(table)s has a result already (entry %(entry)s): it needs no more time",
                table=table,
                entry=known.position,
            )
        )
    return [
        TimeExtended(
            stage=round_.stage,
            round=round_.number,
            table=table,
            players=players,
            minutes=minutes,
            reason=reason,
            deviations=departing(of_more_time(record, round_, table, now()), deviating=deviating),
        )
    ]


def round_in_play(record: Record, stage: Stage | None = None) -> Round | None:
    """Return the last round of a stage. Without a stage, prefer the elimination round if one is paired."""
    if stage is None:
        return record.current_round
    return record.latest_round(stage)


def _latest(record: Record, stage: Stage | None = None) -> Round:
    need_open(record)
    round_ = round_in_play(record, stage)
    if round_ is None:
        raise Refusal(sentence("no round is paired: pair one first"))
    return round_


def need_running(record: Record, round_: Round) -> RoundClock:
    """Return the clock of a round. Refuse a clock that was never started."""
    clock = record.clock(round_)
    if clock.origin is None:
        raise Refusal(sentence("the clock of round %(round)s was not started: start it first", round=round_.number))
    return clock


def time_near(written: str, paired_at: datetime) -> datetime:
    """Return a moment of a round, as read from a watch: the last moment with a typed time of day, or with a typed
    date and time.

    A round may begin within the next hour. Raises UsageProblem for an invalid time, for a later one, and for a time
    of day long before the round was paired.
    """
    text = f"0{written.strip()}" if written.strip()[1:2] == ":" else written.strip()
    present = now().astimezone()
    try:
        if len(text) > len("14:05:30"):
            days = [datetime.fromisoformat(text).astimezone()]
        else:
            clock = time.fromisoformat(text)
            dates = (present.date() + timedelta(days=days) for days in (1, 0, -1))
            days = [datetime.combine(day, clock).astimezone() for day in dates]
    except (ValueError, OverflowError):
        raise UsageProblem(
            sentence(
                "%(text)r is not a time of day: write 14:05, 14:05:30 or 2026-05-03T14:05",
                text=written,
            )
        ) from None
    moment = next((moment for moment in days if moment <= present + AHEAD), None)
    yesterday = moment is not None and moment == days[-1] and len(days) > 1
    if moment is None or (yesterday and moment < paired_at - _HALF_A_DAY):
        raise UsageProblem(
            sentence("%(time)s is in the future: it is %(now)s now", time=text, now=present.strftime("%H:%M:%S"))
        )
    return moment


TimeOfDay = Annotated[
    str,
    Field(min_length=1, max_length=30, description="a time of day: 14:05, 14:05:30 or 2026-05-03T14:05"),
    option("--at", "The time, such as 14:05, 14:05:30 or 2026-05-03T14:05; by default now.", "TIME"),
]


class StartRound(Command):
    """Start the clock: play in the round has begun.

    `minutes` replaces the rulebook's length of the round. `at` is an earlier start: the last 14:05 or 14:05:30 by
    the server's clock, or a time with its date. A start before the round was paired needs a --reason.
    """

    in_play: ClassVar = True
    minutes: Annotated[Minutes | None, option("--minutes", "Minutes of the round; by default the rulebook's.")] = (
        None
    )
    at: TimeOfDay | None = None

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        return start_round(
            record, minutes=self.minutes, at=_moment(record, self.at), deviating=context.reason is not None
        )


class ExtendTime(Command):
    """Give a table more time; --reason explains why. After a table's last call, more time needs a --reason.

    Without a reason, and without a ruling, a penalty, a lost card or a deck check at the table, `integrity` lists
    the extra time.
    """

    in_play: ClassVar = True
    table: Annotated[Number, argument("The table.")]
    minutes: Annotated[Minutes, argument("How many minutes more.")]

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        deviating = context.reason is not None
        return extend(record, table=self.table, minutes=self.minutes, reason=context.reason, deviating=deviating)


class PauseClock(Command):
    """Stop the clock for everybody."""

    in_play: ClassVar = True
    at: TimeOfDay | None = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        at = _moment(record, self.at)
        round_ = _latest(record)
        clock = need_running(record, round_)
        if clock.paused_since is not None:
            raise Refusal(
                sentence(
                    "the clock of round %(round)s is stopped already: resume it when play continues",
                    round=round_.number,
                )
            )
        running_since = clock.running_since
        if at is not None and running_since is not None and at < running_since:
            raise Refusal(
                sentence(
                    "the clock of round %(round)s cannot have stopped before it ran: give the time when it stopped",
                    round=round_.number,
                )
            )
        return [ClockPaused(stage=round_.stage, round=round_.number, at=at)]


class ResumeClock(Command):
    """Continue the clock."""

    in_play: ClassVar = True
    at: TimeOfDay | None = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        at = _moment(record, self.at)
        round_ = _latest(record)
        clock = need_running(record, round_)
        if clock.paused_since is None:
            raise Refusal(sentence("the clock of round %(round)s is running", round=round_.number))
        if at is not None and at < clock.paused_since:
            raise Refusal(
                sentence(
                    "the clock of round %(round)s cannot resume before it stopped: give the time when it resumed",
                    round=round_.number,
                )
            )
        return [ClockResumed(stage=round_.stage, round=round_.number, at=at)]


class SetFirstPlayer(Command):
    """Record the first player of a game, and who decided."""

    in_play: ClassVar = True
    player: Annotated[Player, argument("Who goes first: name, or #number.")]
    decider: Annotated[
        Player | None,
        option("--decided-by", "Who won the draw and chose the first player, perhaps the opponent."),
    ] = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Record the first player of a game, and who decided it. The opponent of the first player may have decided
        (L5R-III.2-FIRSTPLAYER).
        """
        known(record, self.player, self.decider)
        round_ = _latest(record)
        table = round_.table_of(self.player)
        if table is None:
            raise Refusal(
                sentence(
                    "%(player)s has no table in round %(round)s",
                    player=name_of(record, self.player),
                    round=round_.number,
                )
            )
        players = players_at(round_, table)
        if self.decider is not None and self.decider not in players:
            raise Refusal(
                sentence(
                    "%(player)s does not sit at table %(table)s", player=name_of(record, self.decider), table=table
                )
            )
        return [
            FirstPlayerSet(
                stage=round_.stage,
                round=round_.number,
                table=table,
                players=players,
                first_player=self.player,
                decider=self.decider,
            )
        ]


class CallMark(Command):
    """Record that a time mark was announced."""

    in_play: ClassVar = True
    mark: Annotated[Text, argument("The name of the mark, for example 'time'.", "name")]
    table: Annotated[
        Number | None, option("--table", "The table, if the mark was announced at one table only.")
    ] = None
    turn: Annotated[Player | None, option("--turn", "The player whose turn it was at that table.")] = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Record that a time mark was announced to everybody or at one table. At a table, some marks need the
        player whose turn it is.
        """
        known(record, self.turn)
        if self.turn is not None and self.table is None:
            raise UsageProblem(sentence("a turn belongs to a table: name the table"))
        round_ = _latest(record)
        clock = need_running(record, round_)
        names = [each.name for each in clock.marks]
        if self.mark not in names:
            raise Refusal(
                sentence(
                    "round %(round)s has no mark %(mark)r: it has %(known)s",
                    round=round_.number,
                    mark=self.mark,
                    known=", ".join(names),
                ),
                clock.rule,
            )
        if self.table is not None:
            players = players_at(round_, self.table)
            if self.turn is not None and self.turn not in players:
                raise Refusal(
                    sentence(
                        "%(player)s does not sit at table %(table)s",
                        player=name_of(record, self.turn),
                        table=self.table,
                    )
                )
        return [
            MarkCalled(stage=round_.stage, round=round_.number, mark=self.mark, table=self.table, turn=self.turn)
        ]


def _moment(record: Record, at: str | None) -> datetime | None:
    """Return the moment to record, or None if no time was given. A time of day is read when the command is decided,
    and never again.
    """
    return None if at is None else time_near(at, _latest(record).paired_at)
