"""Common inputs of all pages: the office, the cache, the settings, and an existing tournament."""

from __future__ import annotations

from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, HTTPException, Request

from matchledger.ledger.beside import SideFile
from matchledger.proof.station_token import TokenRefused, is_token
from matchledger.web.cache import PageCache
from matchledger.web.doors import COOKIE, Doors, LinkRevoked, NotLetIn, Visitor
from matchledger.web.limit import Limit
from matchledger.web.office import Office
from matchledger.web.public.hall import Halls
from matchledger.web.public.links import ServerLinks
from matchledger.web.settings import Settings
from matchledger.web.worker import Rank
from matchledger_projections.conduct.access import plain_http_allowed
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.record import Record

FAILURES, SECONDS = 600, 60.0  # how many invalid keys one address may send, in how many seconds


# A browser's cookie with a key of an earlier start of the server, or a revoked link.
FORGOTTEN = sentence(
    "you are logged out: the server started again, or your link was revoked. Nothing was recorded. Log in with the "
    "link that the server prints, or with a link from Stations and screens"
)


class NoSuchPage(Exception):
    """No page has this address. The message names the page to visit instead."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)


# The function is async, because the library would call a plain function on a separate thread for each request.
async def _office(request: Request) -> Office:
    return cast(Office, request.app.state.office)


async def _cache(request: Request) -> PageCache:
    return cast(PageCache, request.app.state.cache)


async def _halls(request: Request) -> Halls:
    return cast(Halls, request.app.state.halls)


async def _side(request: Request) -> SideFile:
    return cast(SideFile, request.app.state.side)


async def _settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)


async def _doors(request: Request) -> Doors:
    return cast(Doors, request.app.state.doors)


TheOffice = Annotated[Office, Depends(_office)]
TheCache = Annotated[PageCache, Depends(_cache)]
TheHalls = Annotated[Halls, Depends(_halls)]
TheSettings = Annotated[Settings, Depends(_settings)]
TheSide = Annotated[SideFile, Depends(_side)]
TheDoors = Annotated[Doors, Depends(_doors)]


async def a_tournament(office: Office, tournament: UUID) -> UUID:
    """Return a tournament in the ledger. Raises NoSuchPage."""
    if office.position(tournament) is None:
        await office.look(Rank.HALL)  # the tournament may be new: read again
    if office.position(tournament) is None:
        raise NoSuchPage(sentence("this ledger has no tournament %(tournament)s", tournament=tournament))
    return tournament


# The inputs below take the request alone, and not each other: for each request, the library resolves every input of
# an input anew.
async def _with_links(request: Request, tournament: UUID) -> UUID:
    """Return a tournament in the ledger. A page about a later problem then links to the tournament's pages.
    Raises NoSuchPage.
    """
    request.state.home = ServerLinks(await a_tournament(request.app.state.office, tournament))
    request.state.tournament = tournament
    return tournament


# The tournament whose id is in the path of the address. An unknown tournament gives the status 404.
ATournament = Annotated[UUID, Depends(_with_links)]


async def let_in(request: Request, tournament: UUID, office: Office, doors: Doors) -> Visitor:
    """Return the visitor with the key in a request.

    Raises NotLetIn.

    An unknown key is checked on the thread of the hall, so that strangers with false keys do not delay the desk.
    """
    key = key_of(request)
    if not key:
        raise NotLetIn(sentence("the desk needs a station link: ask the organizer for yours"))
    if (familiar := doors.familiar(tournament, key)) is not None:
        return familiar
    if doors.is_revoked(key):
        raise LinkRevoked
    if doors.knows(tournament, key):
        return await office.tell(lambda ledger: doors.visitor(ledger, tournament, key), Rank.STAFF, quick=True)
    try:
        await office.show(lambda ledger: doors.look_at(ledger, tournament, key))
    except NotLetIn:
        failures: Limit = request.app.state.failures
        if failures.allows(address_of(request)):
            if is_token(key) or "authorization" in request.headers:
                raise
            raise NotLetIn(FORGOTTEN) from None
        raise HTTPException(
            429, sentence("too many keys in a minute: wait, then try again"), {"retry-after": "60"}
        ) from None
    return await office.tell(lambda ledger: doors.visitor(ledger, tournament, key))


def over_plain_http(request: Request) -> bool:
    """Return whether other people in the network can read and change a request."""
    settings: Settings = request.app.state.settings
    return (settings.proxied or settings.address is not None) and request.url.scheme == "http"


def only_reads(request: Request, record: Record) -> bool:
    """Return whether a player can only read, because the request came over plain HTTP, and the organizer does not
    allow plain HTTP (A-8).
    """
    return over_plain_http(request) and plain_http_allowed(record) is None


ONLY_READS = sentence(
    "phones may write only over TLS here: ask at the desk; the organizer can serve with TLS, or allow plain HTTP"
)


def need_tls(request: Request, record: Record) -> None:
    """Refuse a player's write over plain HTTP, unless the organizer allows it (A-8)."""
    if only_reads(request, record):
        raise HTTPException(403, ONLY_READS)


async def visitor_at(request: Request, tournament: UUID) -> Visitor:
    """Return the visitor at an existing tournament. Raises NoSuchPage, and NotLetIn without a valid key."""
    await _with_links(request, tournament)
    visitor: Visitor | None = getattr(request.state, "visitor", None)
    return visitor or await let_in(request, tournament, request.app.state.office, request.app.state.doors)


async def _maybe_visitor(request: Request, tournament: UUID) -> Visitor | None:
    return await visitor_at(request, tournament) if key_of(request) else None


def address_of(request: Request) -> str:
    """Return the sender's address of a request. A whole hall may share one address."""
    return request.client.host if request.client is not None else ""


def key_of(request: Request) -> str | None:
    """Return the key in a request, from a program's header or a browser's cookie, or None."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE)


# The visitor at the desk. A request without a valid key raises NotLetIn.
AVisitor = Annotated[Visitor, Depends(visitor_at)]


async def one_of_the_staff(request: Request, tournament: UUID) -> Visitor:
    visitor = await visitor_at(request, tournament)
    if visitor.role == "player":
        raise TokenRefused(sentence("only the staff may read this: a player's token does not show it"))
    return visitor


# The visitor at the desk, except a player, who raises TokenRefused. Only the staff sees reasons, years of birth and
# contacts.
OneOfTheStaff = Annotated[Visitor, Depends(one_of_the_staff)]
# The visitor at the desk. The visitor is None without a key.
MaybeVisitor = Annotated[Visitor | None, Depends(_maybe_visitor)]
