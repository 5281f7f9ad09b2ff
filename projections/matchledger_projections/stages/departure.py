"""Departures: a step against a rule, for which a command needs a reason, such as a result or extra time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from matchledger.events import (
    CardIncident,
    DeckChecked,
    JudgeCalled,
    PenaltyGiven,
    RoundStarted,
    RulingGiven,
    Slip,
    TimeExtended,
)
from matchledger_projections.message import Sentence, sentence, word
from matchledger_projections.record.desk_calls import round_said
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE, clock_face
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.stages.bracket import strays


class Departure(NamedTuple):
    """A rule, and a sentence about what departs from that rule."""

    rule: str
    text: Sentence


def of_more_time(record: Record, where: Round, table: int, at: datetime) -> list[Departure]:
    """Return the rules against more time for a table whose last call or end of play is over (L5R-IV.3a-70,
    L5R-IV.3a-75).

    With more time, late slips would count as in time.
    """
    clock = record.clock(where)
    shown = clock.elapsed(at)
    return [
        Departure(
            due.mark.rule,
            sentence(
                "%(mark)s of table %(table)s was at %(time)s, before the extra time",
                mark=word(due.mark.title.lower()),
                table=table,
                time=clock_face(due.at),
            ),
        )
        for due in clock.due(table)
        if (due.mark.late_slip or due.mark.unfinished) and shown is not None and shown > due.at
    ]


def of_time_without_cause(record: Record, given: TimeExtended) -> list[Departure]:
    """Return the rule about the length of a round, against more time for one table without a known cause
    (L5R-IV.1-CLOCK, SWR-TIME, ASH-CLOCK).

    A cause is a reason, or an entry about the table's players in this round: a penalty, a ruling, a card, a deck
    check, a call for a judge, or a seat that changed after the start. The cause may be recorded later than the
    extra time.
    """
    where, clock = record.round(given.round, given.stage), record.rulebook.clock
    if given.reason or where is None or record.clock(where).seconds is None:
        return []
    limit = clock.minutes("final" if record.is_final(where) else where.stage)
    if limit is None or any(_causes(record, where, frozenset(given.players))):
        return []
    said = sentence(
        "no cause for the extra time of table %(table)s is recorded: record the ruling or the penalty, or take the "
        "extra time back and give it with a reason",
        table=given.table,
    )
    return [Departure(clock.rule, said)]


def _causes(record: Record, where: Round, players: frozenset[int]) -> Iterator[bool]:
    """Yield whether each entry of a round about players or their table explains extra time for two players."""
    here = (where.stage, where.number)
    for _, ruling in record.counting(RulingGiven):
        yield (ruling.stage, ruling.round) == here and set(ruling.players or ()) == players
    for _, call in record.counting(JudgeCalled):
        yield (call.stage, call.round) == here and set(call.players) == players
    for _, penalty in record.counting(PenaltyGiven):
        yield (penalty.stage, penalty.round) == here and penalty.player in players
    for _, card in record.counting(CardIncident):
        yield (card.stage, card.round) == here and card.player in players
    for _, check in record.counting(DeckChecked):
        yield ("swiss", check.round) == here and check.player in players
    started = [note.position for note in where.clock_notes if isinstance(note.fact, RoundStarted)]
    for position, amended in where.amendments:
        if started and position > started[-1] and not record.is_dead(position):
            yield any(set(seating.players) == players for seating in amended.added)


def of_early_start(
    record: Record, where: Round, at: datetime, paired_at: datetime | None = None
) -> list[Departure]:
    """Return the departure of a start that is earlier than the pairing of the round, because players wait for the
    start (L5R-III.2-START).

    A minute too early is no departure, because a typed time of day may lack its seconds. `paired_at` is the time of
    the pairing in the copy that started the round.
    """
    clock = record.rulebook.clock
    if at + timedelta(seconds=MINUTE) > (paired_at or where.paired_at):
        return []
    said = sentence(
        "%(round)s was paired at %(time)s: it cannot have started before",
        round=round_said(where.stage, where.number),
        time=where.paired_at.astimezone().strftime("%H:%M:%S"),
    )
    return [Departure(clock.start or clock.rule or UNWRITTEN, said)]


def of_late_search(record: Record, where: Round, at: datetime) -> list[Departure]:
    """Return the rule against time to look for a lost card after the beginning of a round (L5R-II.2d-LOST)."""
    conduct = record.rulebook.conduct
    shown = record.clock(where).elapsed(at)
    if conduct.lost_card is None or shown is None or shown <= conduct.lost_card_minutes * MINUTE:
        return []
    said = sentence(
        "round %(round)s began %(time)s ago, too long ago for time to look for a card: record that the card was "
        "lost during the game",
        round=where.number,
        time=clock_face(shown),
    )
    return [Departure(conduct.lost_card, said)]


def of_result(
    record: Record, where: Round, players: tuple[int, int], slip: Slip, *, absent: bool = False
) -> list[Departure]:
    """Return the rules against a result, such as a double loss, or an elimination match between the wrong
    players.

    `absent` means that the result is a no-show.
    """
    if not record.is_live:
        return []
    return [*_of_double_loss(record, where, players, slip, absent=absent), *_of_strangers(record, where, players)]


def _of_double_loss(
    record: Record, where: Round, players: tuple[int, int], slip: Slip, *, absent: bool
) -> Iterator[Departure]:
    """Yield the rules against a double loss while one of its players is still in the event. A double loss lets
    nobody advance, and drops nobody.

    An elimination match has a winner. In a Swiss round of L5R both players lose only if neither appears, and
    both are then dropped (L5R-IV.2-NOSHOW).
    """
    if slip.kind != "double-loss" or not any(record.status(each) == "active" for each in players):
        return
    law = record.rulebook
    if where.stage == "elimination":
        yield Departure(law.elimination.rule("advance"), sentence("an elimination match has a winner"))
    elif not absent and law.drops_absent and law.results[slip.kind].rule == law.no_show.rule:
        said = sentence("both players lose only if neither appears, and both are dropped: record a no-show")
        yield Departure(law.no_show.rule, said)


def _of_strangers(record: Record, where: Round, players: tuple[int, int]) -> Iterator[Departure]:
    """Yield the rules against an elimination match if a correction means that one of its players never reached
    it.
    """
    for stray in strays(record) if where.stage == "elimination" else ():
        out = stray.strangers if stray.round == where.number else frozenset()
        for player in sorted(out.intersection(players)):
            said = sentence(
                "%(player)s no longer reaches elimination round %(round)s (seat the right player, or take the "
                "whole round back)",
                player=record.players[player].name,
                round=where.number,
            )
            yield Departure(record.rulebook.elimination.rule("advance"), said)
