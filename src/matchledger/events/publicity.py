"""Publicity: what the event's own page says of it, and the news that hang there."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from matchledger.events.fact import Fact

Accent = Literal["indigo", "teal", "plum", "forest", "brick"]


class EventDescribed(Fact):
    """The organizer said what the event's page shows; it takes the place of what was said before."""

    action = "announce"
    paired_on = False
    kind: Literal["event-described"] = "event-described"
    day: date | None = None
    venue: str | None = Field(default=None, max_length=1000)
    schedule: str | None = Field(default=None, max_length=1000)
    prizes: str | None = Field(default=None, max_length=1000)
    staff: str | None = Field(default=None, max_length=1000)
    accent: Accent = "indigo"


class NewsPosted(Fact):
    """The staff told everybody something."""

    action = "announce"
    paired_on = False
    kind: Literal["news-posted"] = "news-posted"
    text: str = Field(min_length=1, max_length=1000)


PublicityFact = EventDescribed | NewsPosted
