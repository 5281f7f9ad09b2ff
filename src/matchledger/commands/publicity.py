"""Publicity: the event's own page, and news for everybody."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from matchledger.commands.command import Command, Words, argument, option
from matchledger.commands.context import Context
from matchledger.commands.refusal import need_open
from matchledger.events import AnyFact, NewsPosted
from matchledger.events.publicity import LOGO, Accent
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence
from matchledger_projections.record.publicity import description
from matchledger_projections.record.record import Record


class DescribeEvent(Command):
    """Write the event's page; parts that you leave out stay as they were.

    `logo` names a picture that the desk has uploaded; an empty text removes it.
    """

    kind: Literal["describe-event"] = "describe-event"
    day: Annotated[date | None, option("--date", "The first day, 2026-05-02.")] = None
    venue: Annotated[Words | None, option("--venue", "The place of the event.")] = None
    schedule: Annotated[Words | None, option("--schedule", "The schedule, one line for each item.")] = None
    prizes: Annotated[Words | None, option("--prizes", "The prizes, one line for each.")] = None
    staff: Annotated[Words | None, option("--staff", "The organizer, as shown to everybody.")] = None
    accent: Annotated[Accent | None, option("--accent", "The colour of its pages: {known}.")] = None
    logo: Annotated[str, Field(pattern=f"^$|{LOGO}")] | None = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        said = self.model_dump(exclude={"kind"}, exclude_none=True)
        if not said:
            raise UsageProblem(sentence("the page would have nothing new: give a date, a venue, or something else"))
        if not said.get("logo", True):
            said["logo"] = None
        return [description(record).model_copy(update=said)]


class PostNews(Command):
    """Post news on the event's page."""

    kind: Literal["post-news"] = "post-news"
    text: Annotated[Words, argument("The news for everybody.")]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        return [NewsPosted(text=self.text)]
