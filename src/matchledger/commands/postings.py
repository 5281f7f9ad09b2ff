"""The order of postings: standings first, then pairings, then the start of the round (PKM-4-POST)."""

from __future__ import annotations

from matchledger.commands.command import Command, Context, Deviating
from matchledger.commands.refusal import Refusal, need_open
from matchledger.commands.structures import need_settled
from matchledger.events import AnyFact, PairingsPosted, Seating
from matchledger_projections.message import sentence
from matchledger_projections.record.desk_calls import round_said
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.postings import is_demanded, pairings_missing, rule, standings_missing


def need_standings_posted(record: Record, number: int) -> None:
    """If a policy demands posted standings, refuse round `number` or the cut before the standings are posted
    (POL-PKM-POST).
    """
    missing = standings_missing(record, number)
    if missing is not None and is_demanded(record):
        raise _out_of_order(record, missing)


def need_pairings_posted(record: Record, round_: Round) -> None:
    """If a policy demands posted pairings, refuse to start a round before the posting (POL-PKM-POST)."""
    if is_demanded(record) and pairings_missing(record, round_.number, round_.stage):
        raise Refusal(
            sentence(
                "the pairings of %(round)s are not posted yet: post them",
                round=round_said(round_.stage, round_.number),
            ),
            rule(record),
        )


def _out_of_order(record: Record, missing: int) -> Refusal:
    return Refusal(
        sentence(
            "the standings after round %(round)s are not posted yet: post them",
            round=missing,
        ),
        rule(record),
    )


class PostPairings(Command):
    """Post the pairings of the latest round. `deviating` posts them despite open questions."""

    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Post the tables of the latest round on the wall. The log keeps the tables exactly as posted.

        Refuse if the rules demand posted standings first, and the standings are not posted.
        """
        need_open(record)
        round_ = record.current_round
        if round_ is None:
            raise Refusal(sentence("no round is paired: there are no pairings to post"))
        missing = standings_missing(record, round_.number) if round_.stage == "swiss" else None
        if missing is not None:
            raise _out_of_order(record, missing)
        need_settled(record, deviating=self.deviating)
        return [
            PairingsPosted(
                stage=round_.stage,
                round=round_.number,
                tables=tuple(Seating(table=table, players=players) for table, players in round_.tables.items()),
                byes=tuple(bye.player for bye in round_.byes),
            )
        ]
