"""Rulings: a leader answers a question, and a marshal reviews the answer on request."""

from __future__ import annotations

from matchledger.commands.command import Command, Context, Deviating, Number, Text, Words
from matchledger.commands.refusal import Refusal, need_open, players_at
from matchledger.commands.staff import need_responsible
from matchledger.events import AnyFact, RulingGiven, Stage, Two
from matchledger_projections.conduct.penalties import Ruling, ruling_at
from matchledger_projections.conduct.staff import chief_marshals, leader_called
from matchledger_projections.message import demanding, sentence, word
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


def _rules_for_good(record: Record, judge: str) -> bool:
    """Return whether the named leader gives final rulings now (L5R-I.1-ORG, L5R-I.2-MARSHAL)."""
    return any(leader.is_called(judge) for leader in chief_marshals(record))


def _need_reviewable(record: Record, position: int) -> Ruling:
    ruling = ruling_at(record, position)
    final = record.rulebook.conduct.final_ruling
    if ruling is None:
        raise Refusal(
            demanding(sentence("entry %(entry)s is not a ruling in force", entry=position), "the rulings")
        )
    if ruling.fact.final:
        raise Refusal(
            sentence("the ruling of entry %(entry)s is final and cannot be reviewed", entry=position), final
        )
    if ruling.reviewed_by is not None:
        raise Refusal(
            sentence(
                "the ruling of entry %(entry)s was reviewed in entry %(other)s, and a review is final",
                entry=position,
                other=ruling.reviewed_by,
            ),
            final,
        )
    return ruling


def _match(round_: Round | None, table: int | None) -> tuple[Stage, int | None, Two | None]:
    """Return the match of a table in a round. Return None for a ruling about the whole tournament."""
    if table is None:
        return ("swiss", None, None) if round_ is None else (round_.stage, round_.number, None)
    if round_ is None:
        raise Refusal(sentence("no round is paired: leave the table out of the ruling"))
    return round_.stage, round_.number, players_at(round_, table)


def need_retractable_ruling(record: Record, position: int) -> None:
    """Refuse to retract a ruling while its review still counts."""
    ruling = ruling_at(record, position)
    if ruling is not None and ruling.reviewed_by is not None:
        raise Refusal(
            sentence("the ruling has been reviewed since: retract entry %(other)s first", other=ruling.reviewed_by)
        )


def need_room_for_ruling(record: Record, back: int) -> None:
    """Refuse to restore a review if its ruling does not count, or was reviewed again."""
    fact = dict(record.every(RulingGiven)).get(back)
    if fact is None or fact.reviews is None or not record.is_dead(back):
        return
    reviewed = ruling_at(record, fact.reviews)
    if reviewed is None:
        raise Refusal(sentence("the ruling of entry %(entry)s has been taken back since", entry=fact.reviews))
    if reviewed.reviewed_by is not None:
        raise Refusal(
            sentence(
                "the ruling has been reviewed again since: retract entry %(other)s first",
                other=reviewed.reviewed_by,
            )
        )


class GiveRuling(Command):
    """Record a ruling about a table of the current round, or about no table.

    `judge` gave it. By default, the person who records the ruling also gave the ruling. `final` says that a marshal
    gave the ruling, and that nobody can review the ruling.
    """

    question: Words
    outcome: Words
    judge: Text | None = None
    table: Number | None = None
    source: Text | None = None
    final: bool = False
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        """Record a ruling about a match of the round on the clerk's page, or about no match (L5R-I.3-JUDGE,
        L5R-I.7-CONDUCT).

        A `final` ruling needs a marshal on duty, or a person outside the staff list whom the clerk calls a marshal
        (L5R-I.2-MARSHAL). `source` says who raised the question: for example a spectator (L5R-I.5-SPECTATOR), or an
        opponent who objects to a token (L5R-II.2e-TOKEN).
        """
        judge = self.judge or context.clerk.actor
        need_open(record)
        stage, round_, players = _match(context.round_shown(record), self.table)
        rules = need_responsible(record, judge, players, deviating=self.deviating)
        return [
            RulingGiven(
                question=self.question,
                outcome=self.outcome,
                judge=judge,
                source=self.source,
                stage=stage,
                round=round_,
                table=self.table,
                players=players,
                final=self._is_final(record, judge, context),
                deviations=rules,
            )
        ]

    def _is_final(self, record: Record, judge: str, context: Context) -> bool:
        """Return whether the ruling is final, as the staff list says about the leader. For a person outside the
        staff list, the caller decides.
        """
        known = leader_called(record, judge)
        if known is None:
            return self.final or context.clerk.role == "marshal"
        if self.final and not _rules_for_good(record, judge):
            raise Refusal(
                sentence(
                    "%(player)s cannot give a final ruling: only a marshal on duty can, or the organizer if no "
                    "marshal is on duty",
                    player=known.name,
                ),
                record.rulebook.conduct.final_ruling,
            )
        return _rules_for_good(record, judge)


class ReviewRuling(Command):
    """Record a marshal's final review of a judge's ruling. `entry` is the position of the judge's ruling."""

    position: Number
    outcome: Words
    judge: Text | None = None
    source: Text | None = None
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        judge = self.judge or context.clerk.actor
        need_open(record)
        reviewed = _need_reviewable(record, self.position).fact
        rules = need_responsible(record, judge, reviewed.players, deviating=self.deviating)
        known = leader_called(record, judge)
        if known is not None and not _rules_for_good(record, judge):
            raise Refusal(
                sentence(
                    "%(player)s is a %(role)s and cannot review a ruling: only a marshal can, or the organizer if "
                    "there is no marshal",
                    player=known.name,
                    role=word(known.role),
                ),
                record.rulebook.conduct.final_ruling,
            )
        return [
            RulingGiven(
                question=reviewed.question,
                outcome=self.outcome,
                judge=judge,
                source=self.source,
                stage=reviewed.stage,
                round=reviewed.round,
                table=reviewed.table,
                players=reviewed.players,
                reviews=self.position,
                final=True,
                deviations=rules,
            )
        ]
