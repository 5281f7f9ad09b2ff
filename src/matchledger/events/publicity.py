"""Publicity: the text of the event's own page, and its news."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from matchledger.events.fact import Fact

LOGO = r"^[0-9a-f]{64}\.(png|jpg|webp)$"
Accent = Literal["indigo", "teal", "plum", "forest", "brick"]


class EventDescribed(Fact):
    """The organizer wrote the text of the event's page. It replaces the earlier one."""

    action = "announce"
    public = True
    paired_on = False
    kind: Literal["event-described"] = "event-described"
    day: date | None = None
    venue: str | None = Field(default=None, max_length=1000)
    schedule: str | None = Field(default=None, max_length=1000)
    prizes: str | None = Field(default=None, max_length=1000)
    staff: str | None = Field(default=None, max_length=1000)
    accent: Accent = "indigo"
    logo: str | None = Field(default=None, pattern=LOGO, description="the SHA-256 of the picture, and its kind")


class NewsPosted(Fact):
    """The staff posted news for everybody."""

    action = "announce"
    public = True
    paired_on = False
    kind: Literal["news-posted"] = "news-posted"
    text: str = Field(min_length=1, max_length=1000)


PublicityFact = EventDescribed | NewsPosted
