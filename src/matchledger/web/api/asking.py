"""What every question to the API comes with, who may ask it, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, TypeAdapter

from matchledger.ledger import Ledger
from matchledger.service.moments import moment_of
from matchledger.service.redaction import Discretion
from matchledger.service.window import Window, open_window
from matchledger.web.cache import Rendered
from matchledger.web.pages.asking import (
    ATournament,
    MaybeVisitor,
    TheCache,
    TheOffice,
    TheSettings,
    address_of,
)
from matchledger.web.worker import Rank

READS, SECONDS = 120, 60.0  # of one visitor without a key, in so many seconds
OF_TOURNAMENT = "/tournaments/{tournament}/"


class OtherEntry(BaseModel):
    """The entry of the station that was first."""

    model_config = ConfigDict(extra="forbid")

    entry: int
    actor: str
    station: str
    recorded_at: datetime
    said: str


class Problem(BaseModel):
    """What is wrong with a request, as RFC 9457 lays it down, with the rule that refuses it.

    `other` is the entry of the station that was first, `refused` the position of the entry that keeps a slip which
    says otherwise.
    """

    model_config = ConfigDict(extra="forbid")

    type: str
    title: Literal[
        "not-let-in",
        "token-refused",
        "not-found",
        "not-understood",
        "refused-by-the-rules",
        "moved",
        "table-taken",
        "conflict",
        "ledger",
        "http",
    ]
    status: int
    detail: str
    rule: str | None = None
    other: OtherEntry | None = None
    refused: int | None = None


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text, "content": {"application/problem+json": {}}}
    for status, text in (
        (400, "It cannot be understood."),
        (401, "It needs the key of a station."),
        (403, "The key does not let you, or another site sent this."),
        (404, "There is nothing here."),
        (409, "Somebody else was first; `other` is the entry that stands."),
        (429, "You ask too often."),
        (422, "The rules refuse it (`rule` says which), or a value is not of its kind."),
    )
}

# It says in the description how a key is shown; whether it opens is asked of the doors.
A_KEY = Depends(HTTPBearer(auto_error=False, scheme_name="station", description="The key of a station."))

_JSON: TypeAdapter[Any] = TypeAdapter(Any)
_MEDIA_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class When:
    """The moment that is asked about, as the command line takes it; now, if nothing is said."""

    round: Annotated[int | None, Query(ge=0, le=999_999, description="Look at this round.")] = None
    as_of: Annotated[str | None, Query(max_length=40, description="The log up to a position, or a time.")] = None
    as_known: Annotated[
        bool | None, Query(description="True: as known in that round. False: with all later corrections.")
    ] = None


NOW = When()
AtMoment = Annotated[When, Depends()]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a tournament, and whoever asks it."""

    request: Request
    tournament: ATournament
    office: TheOffice
    cache: TheCache
    visitor: MaybeVisitor
    settings: TheSettings

    @property
    def discretion(self) -> Discretion | None:
        """What is kept from whoever asks: nothing from the staff; a player's token is for the player alone."""
        is_staff = self.visitor is not None and self.visitor.role != "player"
        return None if is_staff else Discretion.about(self.settings.initials)

    def window(self, ledger: Ledger, when: When = NOW) -> Window:
        """The tournament as whoever asks may see it at a moment. Raises UsageProblem for one that there was not."""
        moment = moment_of(ledger, self.tournament, when.round, when.as_of, as_known=when.as_known)
        return open_window(ledger, self.tournament, moment, self.discretion)

    async def answer(self, read: Callable[[Window], object], when: When = NOW, *about: Hashable) -> Response:
        """A document: made once per change for strangers, and now for whoever has a key.

        `about` is what it depends on besides the path and the moment.
        """
        if self.visitor is not None:
            return await self.answer_now(read, when)
        page = await self.cache.page(
            self.tournament,
            ("api", self.request.url.path, when, *about),
            lambda ledger: as_json(read(self.window(ledger, when))).decode(),
            media_type=_MEDIA_TYPE,
            rank=Rank.COSTLY,
            address=address_of(self.request),
        )
        return page.answer(self.request)

    async def answer_now(self, read: Callable[[Window], object], when: When = NOW) -> Response:
        """A document that is another at another time, or that is for whoever asks alone."""
        rank = Rank.COSTLY if self.visitor is None else Rank.STAFF
        address = address_of(self.request)
        text = await self.office.show(lambda ledger: as_json(read(self.window(ledger, when))), rank, address)
        return kept_by_nobody(self.request, text)

    async def answer_apart(self, read: Callable[[Window], object], when: When = NOW) -> Response:
        """A document that takes long: it is made beside the other threads, so that slips go on."""
        text = await self.office.ask_apart(
            lambda ledger: as_json(read(self.window(ledger, when))),
            staff=self.visitor is not None,
            address=address_of(self.request),
        )
        return kept_by_nobody(self.request, text)


Asking = Annotated[Asked, Depends()]


def as_json(document: object) -> bytes:
    """A document as it is sent."""
    return _JSON.dump_json(document)


def kept_by_nobody(request: Request, text: bytes) -> Response:
    """A document that is kept by nobody but whoever asked: 304 where that is what they have."""
    answer = Rendered(text, _MEDIA_TYPE).answer(request)
    answer.headers["cache-control"] = "private, no-cache"
    return answer
