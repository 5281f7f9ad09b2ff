"""Repairs of a round that was paired before a correction."""

from __future__ import annotations

from typing import Literal

from matchledger.commands.command import Command, Context, Number
from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal, need_open
from matchledger.commands.swiss import amend_pairing, derive_round, meeting
from matchledger.events import AnyFact, EntryRetracted, RepairChoice, RepairChosen, RoundPaired
from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.pairing.repair import (
    Clock,
    RepairPlan,
    Reseated,
    chosen_repair,
    is_leaving_recommended,
    late_corrections,
    repair_plan,
)
from matchledger_projections.record.desk_calls import round_said
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE
from matchledger_projections.stages.bracket import in_elimination, strays
from matchledger_projections.stages.departures import outdated_cuts_said, strayed

RepairAdvised = Literal["leave", "change", "stray"]


def plan_repair(record: Record, *, clock: Clock, number: int | None = None) -> RepairPlan:
    """Return the options for a round that was paired from a wrong result, with their costs.

    Refuse if there is nothing to choose: no round, a round before the last, or no correction of an earlier result.
    """
    return _plan(record, clock, number)[1]


def round_to_repair(record: Record) -> int | None:
    """Return the number of the latest round if an earlier result was corrected after its pairing, else None. If the
    round has all its results, it can no longer be repaired.
    """
    latest = record.latest_round()
    if latest is None or not latest.outstanding or record.closing is not None or record.cut is not None:
        return None
    return latest.number if late_corrections(record, latest) else None


def repair_advised(record: Record) -> RepairAdvised | None:
    """Return the advice about the latest round: "leave" or "change" it, or "stray" if a round of the elimination
    does not follow from the round before. Return None if nothing needs a repair.
    """
    if record.closing is not None:
        return None
    if any(strays(record)):
        return "stray"
    latest = record.latest_round()
    if latest is None or round_to_repair(record) is None:
        return None
    return "leave" if is_leaving_recommended(record, latest) else "change"


def _plan(record: Record, clock: Clock, number: int | None) -> tuple[Round, RepairPlan]:
    need_open(record)
    if in_elimination(record):
        raise Refusal(_in_elimination(record))
    latest = record.latest_round()
    if latest is None:
        raise Refusal(sentence("no round is paired: there is nothing to repair"))
    if number is not None and record.round(number) is None:
        raise Refusal(
            sentence(
                "round %(number)s is not paired: the last one is round %(round)s",
                number=number,
                round=latest.number,
            )
        )
    if number not in (None, latest.number):
        raise Refusal(
            sentence(
                "round %(number)s is over: only round %(round)s can be repaired",
                number=number,
                round=latest.number,
            )
        )
    plan = repair_plan(record, latest, clock)
    if not plan.corrections:
        if chosen := chosen_repair(record, latest):
            raise Refusal(
                sentence(
                    (
                        "entry %(entry)s chose already what happens to round %(round)s, and no earlier result has "
                        "changed since: to choose again, retract that entry"
                    ),
                    entry=chosen,
                    round=latest.number,
                )
            )
        raise Refusal(
            sentence(
                "no result before round %(round)s has changed since it was paired: there is nothing to repair",
                round=latest.number,
            )
        )
    return latest, plan


def _in_elimination(record: Record) -> Sentence:
    """Return advice about a correction after the Swiss rounds: which elimination round or cut to retract."""
    latest = record.latest_round("elimination")
    if wrong := list(strayed(record)):
        return joined(wrong, "; ")
    if latest is None and (outdated := list(outdated_cuts_said(record))):
        return joined(outdated, "; ")
    if latest is None:
        return sentence("the cut matches the standings: there is nothing to repair")
    return sentence(
        "%(round)s follows from the results before it: there is nothing to repair",
        round=round_said(latest.stage, latest.number),
    )


def _amended(record: Record, reseated: Reseated) -> list[AnyFact]:
    games = [seating.players for seating in reseated.added]
    # Under POL-L5R-NOSHOW, an absent player has not met the opponent.
    rematches = [two for two in games if meeting(record, *two)]
    return amend_pairing(record, games=games, byes=reseated.byes_added, rematches=rematches)


def _drawn_anew(record: Record, round_: Round, secret: bytes) -> list[AnyFact]:
    """Return the facts that retract a round and draw the round again from the corrected results."""
    return [EntryRetracted(retracts=round_.position), *derive_round(record, round_.number, secret=secret)]


def _moved(round_: Round, facts: list[AnyFact]) -> tuple[int, ...]:
    """Return the tables whose players differ between the old round and the new round in `facts`."""
    drawn = next(fact for fact in facts if isinstance(fact, RoundPaired))
    before = {table: set(players) for table, players in round_.tables.items()}
    after = {seating.table: set(seating.players) for seating in drawn.tables}
    return tuple(sorted(table for table in before | after if before.get(table) != after.get(table)))


def repair_clock(record: Record) -> Clock:
    """Return the present time, and the start and minutes of the latest round if these are recorded."""
    latest = record.latest_round()
    if latest is None:
        return Clock(now())
    told = record.clock(latest)
    return Clock(now(), told.origin, None if told.seconds is None else told.seconds // MINUTE)


class ChooseRepair(Command):
    """Choose the repair of a round that was paired from a wrong slip. The choice needs a reason."""

    choice: RepairChoice
    round: Number | None = None

    def draws(self, _: Record) -> bool:
        return self.choice == "all"

    def needs_reason(self) -> Sentence:
        return sentence("a repair needs its reason in the log: give one")

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        """Record the choice, and change the pairings at once.

        A minimal repair depends only on the corrected records, and a new draw only on the secret. Therefore no
        option lets a person choose opponents.
        """
        round_, plan = _plan(record, repair_clock(record), self.round)
        option = plan.option(self.choice)
        if not option.allowed:
            raise Refusal(
                sentence(
                    "round %(round)s cannot be repaired in this way: %(because)s",
                    round=plan.round,
                    because=option.because,
                ),
                option.rule,
            )
        seatings: list[AnyFact] = []
        tables: tuple[int, ...] = ()
        if option.reseated is not None:
            seatings, tables = _amended(record, option.reseated), option.reseated.tables
        elif self.choice == "all":
            seatings = _drawn_anew(record, round_, context.secret())
            tables = _moved(round_, seatings)
        chosen = RepairChosen(round=plan.round, choice=self.choice, correction=plan.corrections[-1], tables=tables)
        return [chosen, *seatings]
