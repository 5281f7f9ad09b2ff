"""Commands about players: who enters, alone or on a roster, who leaves, who comes back."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

from pydantic import Field

from matchledger.commands import roster
from matchledger.commands.command import Command, Number, Text, known
from matchledger.commands.context import Context
from matchledger.commands.draft import Decision
from matchledger.commands.registration import registration
from matchledger.events import AnyFact
from matchledger.formats.problem import FormatError
from matchledger.formats.roster_file import RosterLine, read_pasted
from matchledger.notation.player_lookup import person_named
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record

# Of a roster that is sent: while it is checked no slip is taken. Larger ones are read from a file.
LONGEST_ROSTER = 100_000  # characters
MOST_ON_ROSTER = 5_000  # players


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

    def decision(self, context: Context) -> Decision:
        person = person_named(self.name, born=self.born)

        def enter(record: Record) -> list[AnyFact]:
            if not roster.comes_late(record):
                return roster.register(record, person=person, division=self.division, deviating=self.deviating)
            return roster.arrive_late(
                record,
                person=person,
                division=self.division,
                rounds_started=self.rounds_started,
                deviating=self.deviating,
                secret=context.secret,
            )

        return enter


class RegisterRoster(Command):
    """Everybody on a roster enters before round 1, or nobody does.

    The roster has one name a line; or it is a table whose first line names the columns: `name`, and `born`,
    `division`, `contact` or others. With `skip_registered` it leaves out whoever is registered under the same name;
    `deviating` enters players in the division of their line, where the year of birth gives another.
    """

    kind: Literal["register-roster"] = "register-roster"
    roster: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_ROSTER, description="one name a line, or a table with names"),
    ]
    skip_registered: bool = False
    deviating: bool = False

    def lines(self) -> list[RosterLine]:
        """The roster as it is written. Raises UsageProblem for what is none."""
        try:
            lines = list(islice(read_pasted(self.roster), MOST_ON_ROSTER + 1))
        except FormatError as problem:
            said = sentence("%(problem)s; nobody was registered", problem=problem.said)
            if problem.line is not None:
                said = sentence("line %(line)s: %(problem)s", line=problem.line, problem=said)
            raise UsageProblem(said) from None
        if len(lines) > MOST_ON_ROSTER:
            raise UsageProblem(
                sentence(
                    "there are more than %(most)s players: send them in parts, or register them from a file",
                    most=MOST_ON_ROSTER,
                )
            )
        return lines

    def decision(self, context: Context) -> Decision:
        return registration(context, self.lines(), skip_registered=self.skip_registered, deviating=self.deviating)


class DropPlayer(Command):
    """A player leaves; `during` only in an elimination match that is lost by it."""

    kind: Literal["drop-player"] = "drop-player"
    player: Number
    cause: Text = "request"
    during: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: roster.drop(
            record, player=known(record, self.player)[0], cause=self.cause, during=self.during
        )


class RejoinPlayer(Command):
    """A player who had dropped is back."""

    kind: Literal["rejoin-player"] = "rejoin-player"
    player: Number

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: roster.rejoin(record, player=known(record, self.player)[0])


class DisqualifyPlayer(Command):
    """A player is removed for good."""

    kind: Literal["disqualify-player"] = "disqualify-player"
    player: Number
    recommended_by: Text | None = None
    during: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: roster.disqualify(
            record,
            player=known(record, self.player)[0],
            recommended_by=self.recommended_by,
            during=self.during,
        )
