"""What every page asks of a request: the office, the cache, the settings, and a tournament that exists."""

from __future__ import annotations

from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Request

from matchledger.proof.station_token import TokenRefused
from matchledger.web.cache import PageCache
from matchledger.web.doors import COOKIE, Doors, Visitor
from matchledger.web.office import Office
from matchledger.web.public.hall import Halls
from matchledger.web.settings import Settings
from matchledger_projections.message import Sentence, sentence


class NoSuchPage(Exception):
    """There is nothing at an address; one line that says what there is."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)


def _office(request: Request) -> Office:
    return cast(Office, request.app.state.office)


def _cache(request: Request) -> PageCache:
    return cast(PageCache, request.app.state.cache)


def _halls(request: Request) -> Halls:
    return cast(Halls, request.app.state.halls)


def _settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)


def _doors(request: Request) -> Doors:
    return cast(Doors, request.app.state.doors)


TheOffice = Annotated[Office, Depends(_office)]
TheCache = Annotated[PageCache, Depends(_cache)]
TheHalls = Annotated[Halls, Depends(_halls)]
TheSettings = Annotated[Settings, Depends(_settings)]
TheDoors = Annotated[Doors, Depends(_doors)]


async def _tournament(office: TheOffice, tournament: UUID) -> UUID:
    if office.position(tournament) is None:
        await office.look()  # it may have been opened this very moment
    if office.position(tournament) is None:
        raise NoSuchPage(sentence("this ledger has no tournament %(tournament)s", tournament=tournament))
    return tournament


# The tournament in the path; 404 for one that is not in the ledger.
ATournament = Annotated[UUID, Depends(_tournament)]


async def _visitor(request: Request, tournament: ATournament, office: TheOffice, doors: TheDoors) -> Visitor:
    key = key_of(request)
    return await office.tell(lambda ledger: doors.visitor(ledger, tournament, key))


async def _maybe_visitor(
    request: Request, tournament: ATournament, office: TheOffice, doors: TheDoors
) -> Visitor | None:
    return await _visitor(request, tournament, office, doors) if key_of(request) else None


def address_of(request: Request) -> str:
    """Where a request comes from: a whole hall may share one address."""
    return request.client.host if request.client is not None else ""


def key_of(request: Request) -> str | None:
    """The key that somebody shows, as a program or as a browser does."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    return bearer.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE)


# Whoever is at the desk; NotLetIn for anybody else.
AVisitor = Annotated[Visitor, Depends(_visitor)]


async def one_of_the_staff(visitor: AVisitor) -> Visitor:
    if visitor.role == "player":
        raise TokenRefused(sentence("this is the staff's to read: a player's token does not show it"))
    return visitor


# The same, and no player: who may see reasons, years of birth, and whom the staff has spoken to.
OneOfTheStaff = Annotated[Visitor, Depends(one_of_the_staff)]
# The same, or None for somebody who shows no key.
MaybeVisitor = Annotated[Visitor | None, Depends(_maybe_visitor)]
