"""Commands about the clock of a round."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from matchledger.commands import round_clock as clock
from matchledger.commands.command import Command, Minutes, Number, Text, known
from matchledger.commands.context import Context
from matchledger.commands.draft import Decision
from matchledger.commands.round_clock import time_of_today
from matchledger.events import AnyFact
from matchledger_projections.record.record import Record

TimeOfDay = Annotated[str, Field(min_length=1, max_length=30, description="a time of today: 14:05 or 14:05:30")]


class StartRound(Command):
    """Play in the latest round begins; `minutes` where the round lasts another time than the rulebook says.

    `at` is when it was, where that was not now: 14:05 or 14:05:30 of today, where the server stands.
    """

    kind: Literal["start-round"] = "start-round"
    minutes: Minutes | None = None
    at: TimeOfDay | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: clock.start_round(record, minutes=self.minutes, at=_moment(self.at))


class ExtendTime(Command):
    """A table is given more time."""

    kind: Literal["extend-time"] = "extend-time"
    table: Number
    minutes: Minutes

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: clock.extend(record, table=self.table, minutes=self.minutes)


class PauseClock(Command):
    """The clock of the round stops for everybody; `at` a time of today, where that was not now."""

    kind: Literal["pause-clock"] = "pause-clock"
    at: TimeOfDay | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: clock.pause(record, at=_moment(self.at))


class ResumeClock(Command):
    """The clock of the round goes on; `at` a time of today, where that was not now."""

    kind: Literal["resume-clock"] = "resume-clock"
    at: TimeOfDay | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: clock.resume(record, at=_moment(self.at))


class SetFirstPlayer(Command):
    """Who goes first at the player's table, and who decided so: the one who won the draw, maybe the other."""

    kind: Literal["set-first-player"] = "set-first-player"
    player: Number
    decider: Number | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        def note(record: Record) -> list[AnyFact]:
            known(record, self.player, *(() if self.decider is None else (self.decider,)))
            return clock.set_first_player(record, first_player=self.player, decider=self.decider)

        return note


class CallMark(Command):
    """A mark of the round was announced, to everybody or at one table, where it may matter whose turn it was."""

    kind: Literal["call-mark"] = "call-mark"
    mark: Text
    table: Number | None = None
    turn: Number | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        def call(record: Record) -> list[AnyFact]:
            known(record, *(() if self.turn is None else (self.turn,)))
            return clock.call_mark(record, mark=self.mark, table=self.table, turn=self.turn)

        return call


def _moment(at: str | None) -> datetime | None:
    """What somebody noted, worked out where it is decided: sent again tomorrow, it is still of the same day."""
    return None if at is None else time_of_today(at)
