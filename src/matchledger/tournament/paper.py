"""Paper that is sent in when the event is over."""

from __future__ import annotations

from datetime import date

from matchledger.events import AnyFact, OverviewFiled
from matchledger.tournament.refusal import Refusal
from matchledger_projections.paper.rating import rating
from matchledger_projections.record import Record


def file_overview(record: Record, *, sent: date, cards: int | None = None) -> list[AnyFact]:
    """Notes that the overview was sent in, with a score card of every participant unless `cards` says how many.

    A tournament is closed before its overview is sent. Sent late or with too few cards it is noted all the same:
    the rating says what that means (SWR-RATING).
    """
    rule = record.rulebook.rating
    if rule is None:
        raise Refusal(f"{record.rulebook.id} asks for no overview: nothing is to be sent in")
    if record.closing is None:
        raise Refusal("the tournament is not closed: close it, then send the overview", rule.rule)
    if (filed := record.overview_filed) is not None:
        raise Refusal(f"the overview was sent on {filed[1].sent} (entry {filed[0]}): retract that entry first")
    took_part = len(rating(record).participants)
    count = took_part if cards is None else cards
    if not 0 <= count <= took_part:
        raise Refusal(f"{count} score cards cannot go along: {took_part} players took part", rule.rule)
    if record.closing.ended is not None and sent < record.closing.ended:
        raise Refusal(f"the event ended on {record.closing.ended}: nothing was sent on {sent}", rule.rule)
    return [OverviewFiled(sent=sent, cards=count)]
