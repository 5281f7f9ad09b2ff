"""Commands about stages: what is announced, the cut, who takes whose place, and the end."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from matchledger.commands.command import Command, Number, Sizes, Text, known
from matchledger.events import AnyFact, DivisionMode, Style
from matchledger.ledger import Decision, Ledger
from matchledger.ledger.draft import now
from matchledger.naming import format_named
from matchledger.tournament import cuts, divisions, opening, replacements, structures
from matchledger_projections.record import Record


class AnnounceStructure(Command):
    """The structure that everybody is told: the rulebook's own for this attendance, unless told otherwise.

    A cut of 0 is none. `division_cuts` and `division_rounds` are those of divisions with their own; `format` is how
    the decks come about. After round 1 it has to be meant as `deviating`.
    """

    kind: Literal["announce-structure"] = "announce-structure"
    style: Style | None = None
    structure: Text | None = None
    rounds: Annotated[int, Field(ge=1, le=999)] | None = None
    cut: Annotated[int, Field(ge=0, le=9999)] | None = None
    division_cuts: Sizes = Field(default={})
    division_rounds: Sizes = Field(default={})
    playoff: bool = False
    untimed_final: bool = False
    prizes: Annotated[int, Field(ge=0, le=999_999)] | None = None
    format: Text | None = None
    deviating: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        format_ = None if self.format is None else format_named(self.format)
        return lambda record: structures.announce(
            record,
            style=self.style,
            structure=self.structure,
            rounds=self.rounds,
            cut=self.cut,
            division_cuts=self.division_cuts,
            division_rounds=self.division_rounds,
            playoff=self.playoff,
            untimed_final=self.untimed_final,
            prizes=self.prizes,
            format_=format_,
            deviating=self.deviating,
        )


class DecideDivisions(Command):
    """How the divisions are paired: as their sizes ask for, or in another `mode`."""

    kind: Literal["decide-divisions"] = "decide-divisions"
    mode: DivisionMode | None = None
    deviating: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: divisions.decide_divisions(record, mode=self.mode, deviating=self.deviating)


class MakeCut(Command):
    """The best players go on to the elimination stage: `size` of all, `division_sizes` of each, or as announced.

    Another cut than announced has to be meant as `deviating`.
    """

    kind: Literal["make-cut"] = "make-cut"
    size: Annotated[int, Field(ge=2, le=9999)] | None = None
    division_sizes: Sizes = Field(default={})
    deviating: bool = False

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        return lambda record: cuts.make_cut(
            record, size=self.size, division_sizes=self.division_sizes, deviating=self.deviating
        )


class ReplaceQualifier(Command):
    """The place of a qualifier who leaves goes to the next in line who does not decline."""

    kind: Literal["replace-qualifier"] = "replace-qualifier"
    player: Number
    declined: tuple[Number, ...] = Field(default=(), max_length=1000)

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:  # noqa: ARG002
        def replace(record: Record) -> list[AnyFact]:
            known(record, self.player, *self.declined)
            return replacements.replace(record, player=self.player, declined=self.declined)

        return replace


class CloseTournament(Command):
    """The tournament ends, and the secret behind its draws is revealed; `ended` is its last day, else today."""

    kind: Literal["close-tournament"] = "close-tournament"
    ended: date | None = None

    def decision(self, ledger: Ledger, tournament: UUID) -> Decision:
        return lambda record: opening.close(
            record, secret=ledger.secret(tournament), ended=self.ended or now().astimezone().date()
        )
