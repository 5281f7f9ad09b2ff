"""Commands about conduct and staff: penalties, rulings, cards, and who leads the event."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from matchledger.commands import penalties as conduct
from matchledger.commands import rulings, staff
from matchledger.commands.command import Command, Minutes, Number, Text, Words, known
from matchledger.commands.context import Context
from matchledger.commands.draft import Decision, now
from matchledger.events import AnyFact, Duty, Office
from matchledger.events.conduct import Offence, Penalty
from matchledger.notation.player_lookup import find_leader, person_named
from matchledger_projections.record.record import Record

CardStep = Literal["lost", "lost-during-game", "not-found", "still-missing", "found", "damaged", "proxy"]


class GivePenalty(Command):
    """A player is penalised; a game loss decides the match where it is open.

    `override` gives one without the warning that a rule wants first.
    """

    kind: Literal["give-penalty"] = "give-penalty"
    player: Number
    penalty: Penalty
    offence: Offence
    table: Number | None = None
    note: Words | None = None
    override: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: conduct.penalise(
            record,
            player=known(record, self.player)[0],
            penalty=self.penalty,
            offence=self.offence,
            table=self.table,
            note=self.note,
            override=self.override,
            now=now(),
        )


class GiveRuling(Command):
    """A leader answered a question, about a table of the round in play or about none; `final`, a marshal did."""

    kind: Literal["give-ruling"] = "give-ruling"
    question: Words
    outcome: Words
    judge: Text
    table: Number | None = None
    source: Text | None = None
    final: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: rulings.rule(
            record,
            question=self.question,
            outcome=self.outcome,
            judge=self.judge,
            table=self.table,
            source=self.source,
            final=self.final,
        )


class ReviewRuling(Command):
    """A marshal decides again, and for good, about the ruling of an entry."""

    kind: Literal["review-ruling"] = "review-ruling"
    position: Number
    outcome: Words
    judge: Text
    source: Text | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: rulings.review(
            record, position=self.position, outcome=self.outcome, judge=self.judge, source=self.source
        )


class NoteCard(Command):
    """Something happened to a player's card; `minutes` to look for one that is lost, where not as usual."""

    kind: Literal["note-card"] = "note-card"
    player: Number
    card: Text
    what: CardStep
    leader: Text
    minutes: Minutes | None = None
    note: Words | None = Field(default=None, description="what can no longer be read on it")

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        def decide(record: Record) -> list[AnyFact]:
            player, card, leader = known(record, self.player)[0], self.card, self.leader
            match self.what:
                case "found":
                    return conduct.find_card(record, player=player, card=card, leader=leader)
                case "not-found":
                    return conduct.miss_in_time(record, player=player, card=card, leader=leader, now=now())
                case "still-missing":
                    return conduct.miss_still(record, player=player, card=card, leader=leader)
                case "damaged":
                    return conduct.damage_card(record, player=player, card=card, leader=leader, note=self.note)
                case "proxy":
                    made = now().astimezone().date()
                    return conduct.make_proxy(
                        record, player=player, card=card, leader=leader, made=made, note=self.note
                    )
            during_game = self.what == "lost-during-game"
            return conduct.lose_card(
                record,
                player=player,
                card=card,
                leader=leader,
                during_game=during_game,
                now=now(),
                minutes=None if during_game else self.minutes,
            )

        return decide


class AssignStaff(Command):
    """Somebody becomes a leader of the event; `player`, where registered under another name."""

    kind: Literal["assign-staff"] = "assign-staff"
    name: Text
    role: Office
    player: Number | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        name = person_named(self.name).name

        def assign(record: Record) -> list[AnyFact]:
            known(record, *(() if self.player is None else (self.player,)))
            return staff.assign(record, name=name, role=self.role, player=self.player)

        return assign


class ChangeDuty(Command):
    """A leader goes off duty and watches, comes back, or leaves the staff."""

    kind: Literal["change-duty"] = "change-duty"
    name: Text
    duty: Duty

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: staff.change_duty(record, leader=find_leader(record, self.name), duty=self.duty)
