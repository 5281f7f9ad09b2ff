"""Requests to the API: their common parameters, who may ask, and how they are answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from fastapi.security import HTTPBearer
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, TypeAdapter

from matchledger.ledger import Ledger
from matchledger.service.redaction import Discretion
from matchledger.service.window import Window, moment_of, open_window
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

READS, SECONDS = 120, 60.0  # how many questions a visitor without a key may ask, in how many seconds
OF_TOURNAMENT = "/tournaments/{tournament}/"


class OtherEntry(BaseModel):
    """The entry that another station recorded first."""

    model_config = ConfigDict(extra="forbid")

    entry: int
    actor: str
    station: str
    recorded_at: datetime
    said: str


class Problem(BaseModel):
    """The problem with a request in the form of RFC 9457, and the rule behind a refusal.

    `demands` lists the ways past a refusal, such as `a reason`; one of them is enough. `other` is the entry that
    another station recorded first. `refused` is the position of the entry that keeps the contradicting slip.
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
    demands: list[str] = []
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

# This parameter only describes, in the API's description, how to send a key. The server checks the key before it
# reads the request's body.
A_KEY = Depends(HTTPBearer(auto_error=False, scheme_name="station", description="The key of a station."))

_JSON: TypeAdapter[Any] = TypeAdapter(Any)
_MEDIA_TYPE = "application/json"


class When(Struct, frozen=True):
    """The moment that a question is about, with the options of the command line. Without options, the moment is
    now.
    """

    round: Annotated[int | None, Query(ge=0, le=999_999, description="Look at this round.")] = None
    as_of: Annotated[str | None, Query(max_length=40, description="The log up to a position, or a time.")] = None
    as_known: Annotated[
        bool | None, Query(description="True: as known in that round. False: with all later corrections.")
    ] = None


NOW = When()
AtMoment = Annotated[When, Depends()]


class Asked(Struct, frozen=True):
    """A question about a tournament, with its sender."""

    request: Request
    tournament: ATournament
    office: TheOffice
    cache: TheCache
    visitor: MaybeVisitor
    settings: TheSettings

    @property
    def discretion(self) -> Discretion | None:
        """Return the discretion for the sender, which hides private data, or None for the staff. A player's token
        shows only that player's own data.
        """
        is_staff = self.visitor is not None and self.visitor.role != "player"
        return None if is_staff else Discretion.about(self.settings.initials)

    def window(self, ledger: Ledger, when: When = NOW) -> Window:
        """Return the part of the tournament at a moment that the sender may see.

        Raises UsageProblem if the moment does not exist.
        """
        moment = moment_of(ledger, self.tournament, when.round, when.as_of, as_known=when.as_known)
        return open_window(ledger, self.tournament, moment, self.discretion)

    async def answer(self, read: Callable[[Window], object], when: When = NOW, *about: Hashable) -> Response:
        """Answer a question with a document. Strangers share one document, which is made once per change. For a
        sender with a key, the document is made for this request.

        `about` has all values on which the document depends, besides the path and the moment.
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
        """Answer with a document that changes with the time of day, or that is only for the sender."""
        rank = Rank.COSTLY if self.visitor is None else Rank.STAFF
        address = address_of(self.request)
        text = await self.office.show(lambda ledger: as_json(read(self.window(ledger, when))), rank, address)
        return kept_by_nobody(self.request, text)

    async def answer_apart(self, read: Callable[[Window], object], when: When = NOW) -> Response:
        """Answer with a slow document, made on a separate thread so that slips are not delayed."""
        text = await self.office.ask_apart(
            lambda ledger: as_json(read(self.window(ledger, when))),
            staff=self.visitor is not None,
            address=address_of(self.request),
        )
        return kept_by_nobody(self.request, text)


Asking = Annotated[Asked, Depends()]


def as_json(document: object) -> bytes:
    """Return a document as the bytes of the response."""
    return _JSON.dump_json(document)


def kept_by_nobody(request: Request, text: bytes) -> Response:
    """Return a document that only the sender may store, and no shared cache. If the sender already has the
    document, the answer is 304.
    """
    answer = Rendered(text, _MEDIA_TYPE).answer(request)
    answer.headers["cache-control"] = "private, no-cache"
    return answer
