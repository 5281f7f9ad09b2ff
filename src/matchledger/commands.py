"""Commands: what can be asked of a tournament, as typed data, for faces that are not typed at a prompt.

Each says what is wanted and leads to a decision of `tournament`; none knows who asks, or whether it may be.
Players are named by their numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from matchledger.events import AnyFact, Entry, RepairChoice, Stage
from matchledger.events.calls import Answer
from matchledger.ledger import Decision, Ledger
from matchledger.ledger.draft import now
from matchledger.naming import person_named
from matchledger.outcomes import read_outcome
from matchledger.playing_time import repair_clock
from matchledger.preposting import next_round
from matchledger.tournament import calls, clock, opening, repairs, roster, slips, stages, ties
from matchledger.tournament.slips import Written
from matchledger.usage import UsageProblem
from matchledger_projections.record import Record

Number = Annotated[int, Field(ge=1, le=999_999)]
Text = Annotated[str, Field(min_length=1, max_length=200)]


class Command(BaseModel, ABC):
    """Something that is asked for. It is carried out by `Ledger.decide` with what `decision` returns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @abstractmethod
    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        """What decides on it. Raises UsageProblem for what cannot be understood; the decision raises Refusal."""


class ReportSlip(Command):
    """The slip of a table: `outcome` as at a desk, `a`, `b modified-win`, `draw`, `4-1`, `a:9`."""

    kind: Literal["report-slip"] = "report-slip"
    table: Number
    outcome: Text
    round: Number | None = None

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002 - as all commands
        written = _written(self.outcome)
        return lambda record: slips.report(record, table=self.table, written=written, round_=self.round, now=now())


class CorrectSlip(Command):
    """The recorded result of a match is wrong; this is right."""

    kind: Literal["correct-slip"] = "correct-slip"
    round: Number
    table: Number
    outcome: Text
    stage: Stage = "swiss"
    override: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        written = _written(self.outcome)
        return lambda record: slips.correct(
            record,
            table=self.table,
            round_=self.round,
            written=written,
            stage=self.stage,
            override=self.override,
        )


class RetractEntry(Command):
    """An entry was made by mistake; it stays in the log and no longer counts."""

    kind: Literal["retract-entry"] = "retract-entry"
    position: Number
    override: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        entry = _entry(ledger, tournament, self.position)
        return lambda record: slips.retract(record, entry=entry, override=self.override)


class RecordNoShow(Command):
    """One or both players of a table did not appear; the rulebook may drop them, unless `stays`."""

    kind: Literal["record-no-show"] = "record-no-show"
    players: tuple[Number, ...] = Field(min_length=1, max_length=2)
    stays: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: slips.no_show(record, absent=_known(record, *self.players), stays=self.stays)


class ConcedeMatch(Command):
    """A player concedes the match in progress."""

    kind: Literal["concede-match"] = "concede-match"
    player: Number
    blood_points: Annotated[int, Field(ge=0, le=999_999)] | None = None

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: slips.concede(
            record, by=_known(record, self.player)[0], blood_points=self.blood_points, now=now()
        )


class RegisterPlayer(Command):
    """A player enters: before round 1 as on time, after that as a late arrival.

    `rounds_started` are the rounds to charge, where the organizer decides about a late arrival; `deviating` enters
    somebody in another division than the year of birth gives.
    """

    kind: Literal["register-player"] = "register-player"
    name: Text
    born: Annotated[int, Field(ge=1900, le=2100)] | None = None
    division: Text | None = None
    rounds_started: Annotated[int, Field(ge=0, le=999)] | None = None
    deviating: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        person = person_named(self.name, born=self.born)

        def enter(record: Record) -> list[AnyFact]:
            if record.latest_round() is None and record.bracket_drawn is None:
                return roster.register(record, person=person, division=self.division, deviating=self.deviating)
            return roster.arrive_late(
                record,
                person=person,
                division=self.division,
                rounds_started=self.rounds_started,
                deviating=self.deviating,
            )

        return enter


class DropPlayer(Command):
    """A player leaves; `during` only in an elimination match that is lost by it."""

    kind: Literal["drop-player"] = "drop-player"
    player: Number
    cause: Text = "request"
    during: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: roster.drop(
            record, player=_known(record, self.player)[0], cause=self.cause, during=self.during
        )


class RejoinPlayer(Command):
    """A player who had dropped is back."""

    kind: Literal["rejoin-player"] = "rejoin-player"
    player: Number

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: roster.rejoin(record, player=_known(record, self.player)[0])


class DisqualifyPlayer(Command):
    """A player is removed for good."""

    kind: Literal["disqualify-player"] = "disqualify-player"
    player: Number
    recommended_by: Text | None = None
    during: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: roster.disqualify(
            record,
            player=_known(record, self.player)[0],
            recommended_by=self.recommended_by,
            during=self.during,
        )


class PairRound(Command):
    """The next round is paired, Swiss or elimination; `deviating` beyond the announced rounds."""

    kind: Literal["pair-round"] = "pair-round"
    allow_rematch: bool = False
    deviating: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        return next_round(
            lambda: ledger.secret(tournament), allow_rematch=self.allow_rematch, deviating=self.deviating
        )


class StartRound(Command):
    """Play in the latest round begins; `minutes` where the round lasts another time than the rulebook says."""

    kind: Literal["start-round"] = "start-round"
    minutes: Annotated[int, Field(ge=1, le=999)] | None = None

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: clock.start_round(record, minutes=self.minutes)


class ExtendTime(Command):
    """A table is given more time."""

    kind: Literal["extend-time"] = "extend-time"
    table: Number
    minutes: Annotated[int, Field(ge=1, le=999)]

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


class PostStandings(Command):
    """The standings after the last finished round go on the wall."""

    kind: Literal["post-standings"] = "post-standings"

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return opening.post_standings


class DrawTies(Command):
    """Every tie that the rulebook leaves to chance is drawn."""

    kind: Literal["draw-ties"] = "draw-ties"

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        return lambda record: ties.draw_ties(record, secret=ledger.secret(tournament))


class OrderTie(Command):
    """The order of a tie that was settled at the table, best first."""

    kind: Literal["order-tie"] = "order-tie"
    players: tuple[Number, ...] = Field(min_length=2, max_length=1000)

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: ties.order_tie(record, players=_known(record, *self.players))


class MakeCut(Command):
    """The best players go on to the elimination stage; `deviating` for another size than was announced."""

    kind: Literal["make-cut"] = "make-cut"
    size: Annotated[int, Field(ge=2, le=9999)]
    deviating: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: stages.make_cut(record, size=self.size, deviating=self.deviating)


class ChooseRepair(Command):
    """What is done about a round that was paired before a wrong slip was found; it needs a reason."""

    kind: Literal["choose-repair"] = "choose-repair"
    choice: RepairChoice
    round: Number | None = None

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        return lambda record: repairs.choose_repair(
            record,
            choice=self.choice,
            clock=repair_clock(record),
            secret=lambda: ledger.secret(tournament),
            number=self.round,
        )


class AnswerCall(Command):
    """The desk has looked at a call; a corrected result answers by itself."""

    kind: Literal["answer-call"] = "answer-call"
    position: Number
    answer: Answer = "stands"

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: calls.answer_call(record, position=self.position, answer=self.answer)


class CloseTournament(Command):
    """The tournament ends, and the secret behind its draws is revealed."""

    kind: Literal["close-tournament"] = "close-tournament"

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        return lambda record: opening.close(record, secret=ledger.secret(tournament))


AnyCommand = Annotated[
    ReportSlip
    | CorrectSlip
    | RetractEntry
    | RecordNoShow
    | ConcedeMatch
    | RegisterPlayer
    | DropPlayer
    | RejoinPlayer
    | DisqualifyPlayer
    | PairRound
    | StartRound
    | ExtendTime
    | PauseClock
    | ResumeClock
    | PostStandings
    | DrawTies
    | OrderTie
    | MakeCut
    | ChooseRepair
    | AnswerCall
    | CloseTournament,
    Field(discriminator="kind"),
]

# What cannot be recorded without saying why.
NEEDS_REASON: tuple[type[Command], ...] = (ChooseRepair,)


def need_reason(command: Command, reason: str | None) -> None:
    """Refuses a command without the reason that has to stand in the log."""
    if isinstance(command, NEEDS_REASON) and not (reason or "").strip():
        raise UsageProblem("a repair needs its reason in the log: give one")


def _written(outcome: str) -> Written:
    return read_outcome(outcome.split())


def _known(record: Record, *players: int) -> tuple[int, ...]:
    entered = {player.number for player in record.entered()}
    for player in players:
        if player not in entered:
            raise UsageProblem(f"there is no player #{player}: see the standings for the numbers")
    return players


def _entry(ledger: Ledger, tournament: UUID, position: int) -> Entry:
    size = ledger.head(tournament).size
    if position > size:
        raise UsageProblem(f"there is no entry {position}: the log has {size}")
    return ledger.entry(tournament, position)
