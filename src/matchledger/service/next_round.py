"""The next round before it is posted, and the objections that a player could raise against its pairings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated
from uuid import UUID

from msgspec import Struct

from matchledger.commands.chance import on_basis
from matchledger.commands.eliminations import pair_elimination
from matchledger.commands.staff import let_stand
from matchledger.commands.swiss import derive_round, number_to_come, pair_by_hand, refusals_ahead
from matchledger.events import AnyFact, Bye, RoundPaired, Seating, Stage
from matchledger.ledger import Clerk, Draft, Ledger
from matchledger.service.execute import context_of
from matchledger.service.waiting_list import number_waiting
from matchledger.service.window import Window
from matchledger.text.labels import objection_line
from matchledger_projections.message import Sentence, numbered
from matchledger_projections.pairing.check import Objection, objections, waiting, without_leader
from matchledger_projections.pairing.explanation import bye_notes
from matchledger_projections.record.phones import checked_in, places
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import stage_now
from matchledger_projections.views.sight import Asked, answers
from matchledger_projections.views.supposition import NextRoundPage, next_round_page

ByHand = tuple[Sequence[Seating], Sequence[Bye]]


class Prepared(Struct, frozen=True):
    """A round that is not recorded.

    `round` is None if the round cannot be drawn yet.

    `record` is the record that includes the round. `notes` explain surprising effects of a rule, such as a player
    who was passed over for the bye.
    """

    number: int
    record: Record
    round: Round | None
    objections: Sequence[Objection]
    notes: Sequence[Sentence] = ()
    stage: Stage = "swiss"


def prepare_round(
    ledger: Ledger,
    tournament: UUID,
    *,
    by_hand: ByHand | None = None,
    allow_rematch: bool = False,
    deviating: bool = False,
) -> Prepared:
    """Return the next round without recording it: as drawn, as the bracket gives it, or as paired by hand. Raises
    Refusal. Records nothing.
    """
    record = ledger.record(tournament)
    if stage_now(record) == "elimination":
        return _of_elimination(ledger, tournament, record, by_hand, deviating=deviating)
    number = number_to_come(record)
    latest = record.latest_round()
    if by_hand is not None:
        games, byes = by_hand
        paired: RoundPaired | None = RoundPaired(round=number, tables=tuple(games), byes=tuple(byes))
    elif latest is not None and latest.outstanding:
        paired = None  # a missing result may change the pairings, so there are no pairings yet
    else:
        context = context_of(ledger, tournament, Clerk(role="organizer"))
        founded, _ = on_basis(record, context)
        drawn = derive_round(founded, number, secret=context.secret(), allow_rematch=allow_rematch)
        paired = _pairing_of(drawn)
    notes = [] if paired is None or by_hand is not None else [*bye_notes(founded, paired)]
    draft = Draft(tournament, ledger.record_as_of(tournament, record.position))
    if paired is not None:
        facts = let_stand(record, [paired], deviating=deviating, preview=True)
        paired = _pairing_of(facts)
        draft.decide(lambda _: facts)
    round_ = None if paired is None else draft.record.latest_round()
    refused = [Objection("refused", said=each.said) for each in refusals_ahead(record, number, deviating=deviating)]
    found = [*objections(record, number, paired), *(() if paired is None else waiting(record, paired)), *refused]
    return Prepared(number, draft.record, round_, found, [*notes, *people_waiting(ledger, tournament)])


def _of_elimination(
    ledger: Ledger, tournament: UUID, record: Record, by_hand: ByHand | None, *, deviating: bool
) -> Prepared:
    """Return the next elimination round. Raises Refusal if the round cannot be paired yet."""
    if by_hand is not None:
        games, byes = by_hand
        facts = pair_by_hand(record, games=games, byes=byes, stage="elimination", deviating=deviating)
    else:
        context = context_of(ledger, tournament, Clerk(role="organizer"))
        founded, basis = on_basis(record, context)
        facts = [*basis, *pair_elimination(founded, secret=context.secret(), deviating=deviating)]
    draft = Draft(tournament, ledger.record_as_of(tournament, record.position))
    draft.decide(lambda _: facts)
    round_ = draft.record.latest_round("elimination")
    assert round_ is not None  # noqa: S101 - the facts pair it
    return Prepared(round_.number, draft.record, round_, objections_to(record, facts), stage="elimination")


def next_round_view(prepared: Prepared) -> NextRoundPage:
    """Return the view of the next round, and the objections that a player could raise."""
    said = [objection_line(prepared.record, objection) for objection in prepared.objections]
    return next_round_page(
        prepared.stage, prepared.number, prepared.round, prepared.objections, said, prepared.notes
    )


@answers("next-round", "recorder", timeless=True, fresh=True)
def round_to_come(
    window: Window,
    *,
    allow_rematch: Annotated[bool, Asked("Allow rematches, but as few as possible.")] = False,
    deviating: Annotated[bool, Asked("Beyond the announced rounds.")] = False,
) -> NextRoundPage:
    """Return the next round and the objections to posting it, for people who may record. Nothing is recorded."""
    return next_round_view(
        prepare_round(window.ledger, window.tournament, allow_rematch=allow_rematch, deviating=deviating)
    )


def objections_to(record: Record, facts: Sequence[AnyFact]) -> Sequence[Objection]:
    """Return the objections to the round that some facts pair. Return none if the facts pair no round."""
    paired = _pairing_of(facts)
    if paired is None:
        return ()
    found = objections(record, paired.round, paired) if paired.stage == "swiss" else without_leader(record, paired)
    return [*found, *waiting(record, paired)]


def people_waiting(ledger: Ledger, tournament: UUID) -> Iterator[Sentence]:
    """Yield notes before a pairing: about players who have not checked in while others have, before round 1, and
    about people who signed up by phone and have a place, but are not registered.
    """
    record = ledger.record(tournament)
    here, active = checked_in(record), record.active_players()
    if here and record.latest_round() is None and (missing := sum(one.number not in here for one in active)):
        yield numbered(
            "%(count)s player has not checked in, and would be paired",
            "%(count)s players have not checked in, and would be paired",
            missing,
        )
    if stage_now(record) == "elimination":
        return
    count, limit = number_waiting(ledger, tournament), places(record)
    if limit is not None:
        count = min(count, max(0, limit - len(active)))
    if count:
        yield numbered(
            "%(count)s person on the waiting list has a place: accept or decline the person before you pair",
            "%(count)s people on the waiting list have a place: accept or decline them before you pair",
            count,
        )


def _pairing_of(facts: Sequence[AnyFact]) -> RoundPaired | None:
    return next((fact for fact in facts if isinstance(fact, RoundPaired)), None)
