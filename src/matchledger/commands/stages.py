"""Commands about stages: what is announced, flights, the cut, who takes whose place, and the end."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from matchledger.commands import cuts, divisions, eliminations, paper, replacements, structures
from matchledger.commands import tournaments as opening
from matchledger.commands.cards import CardText, pool_of
from matchledger.commands.command import Command, Count, Number, Sizes, Text, known
from matchledger.commands.context import Context
from matchledger.commands.draft import Decision, now
from matchledger.events import AnyFact, DivisionMode, Style, TimeTiebreak
from matchledger.notation.player_lookup import format_named
from matchledger_projections.record.record import Record

Signed = Annotated[int, Field(ge=-999_999, le=999_999)]


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

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
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

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: divisions.decide_divisions(record, mode=self.mode, deviating=self.deviating)


class DrawFlights(Command):
    """A division is drawn into flights before round 1; what the restrictions do not allow is `deviating`."""

    kind: Literal["draw-flights"] = "draw-flights"
    division: Text
    flights: Annotated[int, Field(ge=2, le=9999)]
    deviating: bool = False

    def decision(self, context: Context) -> Decision:
        return lambda record: divisions.assign_flights(
            record,
            division=self.division,
            flights=self.flights,
            secret=context.secret(),
            deviating=self.deviating,
        )


class MakeCut(Command):
    """The best players go on to the elimination stage: `size` of all, `division_sizes` of each, or as announced.

    Another cut than announced has to be meant as `deviating`.
    """

    kind: Literal["make-cut"] = "make-cut"
    size: Annotated[int, Field(ge=2, le=9999)] | None = None
    division_sizes: Sizes = Field(default={})
    deviating: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: cuts.make_cut(
            record, size=self.size, division_sizes=self.division_sizes, deviating=self.deviating
        )


class ReplaceQualifier(Command):
    """The place of a qualifier who leaves goes to the next in line who does not decline."""

    kind: Literal["replace-qualifier"] = "replace-qualifier"
    player: Number
    declined: tuple[Number, ...] = Field(default=(), max_length=1000)

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        def replace(record: Record) -> list[AnyFact]:
            known(record, self.player, *self.declined)
            return replacements.replace(record, player=self.player, declined=self.declined)

        return replace


class EndAtTime(Command):
    """Time ended an elimination game, which is decided by what its players counted, each in table order.

    `flips` are the numbers of the cards that both discarded together, null for a player without one. Where nobody
    counted the cards of the BOSS's faction, `cards` is the card data by which the registered lists are counted.
    """

    kind: Literal["end-at-time"] = "end-at-time"
    table: Number
    matches: tuple[Count, Count]
    power: tuple[Signed, Signed] | None = None
    faction: tuple[Count, Count] | None = None
    discard: tuple[Count, Count] | None = None
    flips: tuple[tuple[Count | None, Count | None], ...] = Field(default=(), max_length=1000)
    rock_paper_scissors: Literal["a", "b"] | None = None
    cards: CardText | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        written = TimeTiebreak(
            matches=self.matches,
            power=self.power,
            faction=self.faction,
            discard=self.discard,
            flips=self.flips,
            rock_paper_scissors=None if self.rock_paper_scissors is None else _SIDES[self.rock_paper_scissors],
        )
        pool = pool_of(self.cards)
        return lambda record: eliminations.end_at_time(record, table=self.table, written=written, pool=pool)


_SIDES: dict[Literal["a", "b"], Literal[0, 1]] = {"a": 0, "b": 1}


class FileOverview(Command):
    """The overview was sent in, today or on the day `sent`, with everybody's score card or so many `cards`."""

    kind: Literal["file-overview"] = "file-overview"
    sent: date | None = None
    cards: Count | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        sent = self.sent or now().astimezone().date()
        return lambda record: paper.file_overview(record, sent=sent, cards=self.cards)


class CloseTournament(Command):
    """The tournament ends, and the secret behind its draws is revealed; `ended` is its last day, else today."""

    kind: Literal["close-tournament"] = "close-tournament"
    ended: date | None = None

    def decision(self, context: Context) -> Decision:
        return lambda record: opening.close(
            record, secret=context.secret(), ended=self.ended or now().astimezone().date()
        )
