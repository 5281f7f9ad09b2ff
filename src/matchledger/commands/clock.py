"""Commands about the clock of a round."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from matchledger.commands.command import Command, Minutes, Number, Text, known
from matchledger.events import AnyFact
from matchledger.ledger import Decision, Ledger
from matchledger.tournament import clock
from matchledger_projections.record import Record


class StartRound(Command):
    """Play in the latest round begins; `minutes` where the round lasts another time than the rulebook says."""

    kind: Literal["start-round"] = "start-round"
    minutes: Minutes | None = None

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: clock.start_round(record, minutes=self.minutes)


class ExtendTime(Command):
    """A table is given more time."""

    kind: Literal["extend-time"] = "extend-time"
    table: Number
    minutes: Minutes

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: clock.extend(record, table=self.table, minutes=self.minutes)


class PauseClock(Command):
    """The clock of the round stops for everybody."""

    kind: Literal["pause-clock"] = "pause-clock"

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return clock.pause


class ResumeClock(Command):
    """The clock of the round goes on."""

    kind: Literal["resume-clock"] = "resume-clock"

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return clock.resume


class SetFirstPlayer(Command):
    """Who goes first at the player's table, and who decided so: the one who won the draw, maybe the other."""

    kind: Literal["set-first-player"] = "set-first-player"
    player: Number
    decider: Number | None = None

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
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

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        def call(record: Record) -> list[AnyFact]:
            known(record, *(() if self.turn is None else (self.turn,)))
            return clock.call_mark(record, mark=self.mark, table=self.table, turn=self.turn)

        return call
