"""Departures: a step against a rule, for which a command needs a reason. Double losses and extra time can be such
steps.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from matchledger.events import Slip
from matchledger_projections.message import Sentence, sentence, word
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE, clock_face


class Departure(NamedTuple):
    """A rule, and how something departs from it."""

    rule: str
    text: Sentence


def of_more_time(record: Record, where: Round, table: int, at: datetime) -> list[Departure]:
    """The departures of more time for a table: its last call or its end of play is over (L5R-IV.3a-70,
    L5R-IV.3a-75).

    Slips that are late already would count as in time.
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


def of_late_search(record: Record, where: Round, at: datetime) -> list[Departure]:
    """The departure of time to look for a lost card: such time is for the beginning of a round (L5R-II.2d-LOST)."""
    conduct = record.rulebook.conduct
    shown = record.clock(where).elapsed(at)
    if conduct.lost_card is None or shown is None or shown <= conduct.lost_card_minutes * MINUTE:
        return []
    said = sentence(
        "round %(round)s began %(time)s ago, and time to look for a card is for the beginning: record that the "
        "card was lost during the game",
        round=where.number,
        time=clock_face(shown),
    )
    return [Departure(conduct.lost_card, said)]


def of_double_loss(record: Record, where: Round, players: tuple[int, int], slip: Slip) -> list[Departure]:
    """The departure of a double loss while one of its players is still in: no one advances or is dropped.

    An elimination match has a winner. In a Swiss round of L5R both players lose only if neither appears, and
    both are then dropped (L5R-IV.2-NOSHOW).
    """
    still_in = any(record.status(each) == "active" for each in players)
    if slip.kind != "double-loss" or not record.is_live or not still_in:
        return []
    law = record.rulebook
    if where.stage == "elimination":
        return [Departure(law.elimination.rule("advance"), sentence("an elimination match has a winner"))]
    if law.drops_absent and law.results[slip.kind].rule == law.no_show.rule:
        said = sentence("both players lose only if neither appears, and both are dropped: record a no-show")
        return [Departure(law.no_show.rule, said)]
    return []
