"""Commands about players: who enters, who leaves, who comes back."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from matchledger.commands.command import Command, Number, Text, known
from matchledger.events import AnyFact
from matchledger.ledger import Decision, Ledger
from matchledger.naming import person_named
from matchledger.tournament import roster
from matchledger_projections.record import Record


class RegisterPlayer(Command):
    """A player enters: before round 1, and before flights are drawn, as on time; after that as a late arrival.

    `rounds_started` are the rounds to charge, where the organizer decides about a late arrival; `deviating` enters
    somebody in another division than the year of birth gives.
    """

    kind: Literal["register-player"] = "register-player"
    name: Text
    born: Annotated[int, Field(ge=1900, le=2100)] | None = None
    division: Text | None = None
    rounds_started: Annotated[int, Field(ge=0, le=999)] | None = None
    deviating: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        person = person_named(self.name, born=self.born)

        def enter(record: Record) -> list[AnyFact]:
            if record.latest_round() is None and record.bracket_drawn is None and not record.flights_drawn:
                return roster.register(record, person=person, division=self.division, deviating=self.deviating)
            return roster.arrive_late(
                record,
                person=person,
                division=self.division,
                rounds_started=self.rounds_started,
                deviating=self.deviating,
                secret=lambda: ledger.secret(tournament),
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
            record, player=known(record, self.player)[0], cause=self.cause, during=self.during
        )


class RejoinPlayer(Command):
    """A player who had dropped is back."""

    kind: Literal["rejoin-player"] = "rejoin-player"
    player: Number

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: roster.rejoin(record, player=known(record, self.player)[0])


class DisqualifyPlayer(Command):
    """A player is removed for good."""

    kind: Literal["disqualify-player"] = "disqualify-player"
    player: Number
    recommended_by: Text | None = None
    during: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: roster.disqualify(
            record,
            player=known(record, self.player)[0],
            recommended_by=self.recommended_by,
            during=self.during,
        )
