"""Entering: a link with a key is exchanged for a cookie that scripts cannot read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from matchledger.service.player_links import is_link, linked
from matchledger.web.doors import COOKIE, LinkReplaced, LinkRevoked, NotLetIn
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import TheDoors, TheOffice, address_of, key_of
from matchledger.web.pages.own import welcome
from matchledger.web.rendering import private_page
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.views.sight import title

router = APIRouter(include_in_schema=False)

ENTRANCES, SECONDS = 20, 60.0  # how often a visitor may try to enter, in how many seconds
DAY = 24 * 60 * 60  # seconds for which the cookie with the key lasts, even if the token in it ends earlier


@router.get("/enter")
async def door(request: Request, office: TheOffice, doors: TheDoors) -> Response:
    """Show the page whose script sends the key after the # in its address."""
    return await _gate(request, office, LinkRevoked().args[0] if doors.is_revoked(key_of(request)) else None)


@router.post("/enter")
async def come_in(
    request: Request, office: TheOffice, doors: TheDoors, key: Annotated[str, Form(max_length=5000)] = ""
) -> Response:
    """Admit a visitor, or answer with the reason for the refusal.

    Only wrong keys count against an address, because a whole hall may share one address. A valid key always works.
    """
    limit: Limit = request.app.state.entrances
    try:
        if is_link(key.strip()):
            return await _player_comes(request, office, key.strip())
        if doors.is_revoked(key.strip()):
            raise LinkRevoked
        await office.show(lambda ledger: doors.look_around(ledger, key.strip()))
        shown, tournament = await office.tell(lambda ledger: doors.enter(ledger, key.strip()))
    except NotLetIn as problem:
        if limit.allows(address_of(request)):
            return await _gate(request, office, problem.args[0], 403)
        return await _gate(request, office, sentence("too many keys in a minute: wait, then try again"), 429)
    known = office.tournaments
    if tournament is None and len(known) == 1:
        tournament = known[0]
    first = "/new" if not known and doors.may_open(shown) else "/"
    answer = RedirectResponse(f"/t/{tournament}/desk" if tournament else first, status_code=303)
    is_tls = request.url.scheme == "https"
    answer.set_cookie(COOKIE, shown, max_age=DAY, httponly=True, samesite="strict", path="/", secure=is_tls)
    return answer


async def _gate(
    request: Request, office: TheOffice, problem: Sentence | None = None, status: int = 200
) -> Response:
    """Show the field for a key, with the name of the event if the server has only one."""
    known = office.tournaments
    event = known[0] if len(known) == 1 else None
    name = None if event is None else await office.show(lambda ledger: title(ledger.record(event)))
    return private_page(request, "enter.html", status=status, problem=problem, event=event, name=name)


async def _player_comes(request: Request, office: TheOffice, link: str) -> Response:
    """Admit a player to the player's own page."""
    found = await office.show(lambda ledger: linked(ledger, office.tournaments, link))
    if found is None:
        raise LinkReplaced
    return welcome(request, *found)


@router.post("/leave")
async def leave(request: Request, doors: TheDoors) -> Response:
    """Log the visitor out, and end the session of a single-use token."""
    doors.leave(key_of(request))
    answer = RedirectResponse("/", status_code=303)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict", path="/")
    return answer
