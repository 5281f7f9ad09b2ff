"""Departures: a step against a rule, for which a command needs a reason. A double loss can be such a step."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import Slip
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


class Departure(NamedTuple):
    """A rule, and how something departs from it."""

    rule: str
    text: Sentence


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
