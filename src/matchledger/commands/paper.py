"""Papers that the organizer sends when the event is over."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from matchledger.commands.command import Command, Count, option
from matchledger.commands.context import Context
from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, OverviewFiled
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.views.rating import rating


class FileOverview(Command):
    """Record that you sent the overview and the score cards."""

    kind: Literal["file-overview"] = "file-overview"
    sent: Annotated[date | None, option("--sent", "The day, 2026-05-09; by default today.")] = None
    cards: Annotated[Count | None, option("--cards", "The number of score cards sent; by default all.")] = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Record a late overview too, or too few cards: the rating says what that means (SWR-RATING)."""
        sent = self.sent or now().astimezone().date()
        rule = record.rulebook.rating
        if rule is None:
            raise Refusal(
                sentence("%(rulebook)s asks for no overview: there is nothing to send", rulebook=record.rulebook.id)
            )
        if record.closing is None:
            raise Refusal(sentence("the tournament is not closed: close it, then send the overview"), rule.rule)
        if (filed := record.overview_filed) is not None:
            raise Refusal(
                sentence(
                    "the overview was sent on %(sent)s (entry %(entry)s): retract that entry first",
                    sent=filed[1].sent,
                    entry=filed[0],
                )
            )
        took_part = len(rating(record).participants)
        count = took_part if self.cards is None else self.cards
        if not 0 <= count <= took_part:
            raise Refusal(
                sentence(
                    "%(count)s score cards are too many: %(took_part)s players took part",
                    count=count,
                    took_part=took_part,
                ),
                rule.rule,
            )
        if record.closing.ended is not None and sent < record.closing.ended:
            raise Refusal(
                sentence(
                    "the event ended on %(ended)s, so the overview cannot have been sent on %(sent)s",
                    ended=record.closing.ended,
                    sent=sent,
                ),
                rule.rule,
            )
        return [OverviewFiled(sent=sent, cards=count)]
