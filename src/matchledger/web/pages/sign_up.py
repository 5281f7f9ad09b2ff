"""The waiting list on a phone: people sign up, see their place, and get their own page."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from matchledger.commands.refusal import Refusal
from matchledger.ledger import Ledger
from matchledger.ledger.beside import SideFile
from matchledger.notation.problems import UsageProblem
from matchledger.service.player_links import code_of
from matchledger.service.sign_up import LONGEST, free_places, is_open, questions, seen, sign_up
from matchledger.service.sign_up import withdraw as take_off
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import (
    ONLY_READS,
    ATournament,
    NoSuchPage,
    TheHalls,
    TheOffice,
    TheSide,
    address_of,
    need_tls,
    only_reads,
)
from matchledger.web.pages.own import remember, welcome
from matchledger.web.public.hall import Halls
from matchledger.web.public.links import ServerLinks
from matchledger.web.public.pages import Face
from matchledger.web.rendering import language_links, language_of
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.phones import places, undone

router = APIRouter(prefix="/t/{tournament}/sign-up", include_in_schema=False)

COOKIE = "matchledger-waiting"
# How many sign-ups one address may send, in how many seconds. All phones of a hall may share one address.
RATES = ((20, 60.0), (60, 600.0))
MOST = 6  # how many people one phone may sign up, such as a family
Text = Annotated[str, Form(max_length=LONGEST)]
Which = Annotated[int, Form(ge=0, lt=MOST)]
OFTEN = sentence("too many people have signed up from this network: wait, or go to the desk")


@router.get("")
async def look(
    request: Request, tournament: ATournament, office: TheOffice, halls: TheHalls, side: TheSide
) -> Response:
    """Show the people who signed up on this phone, and the form for a further person."""
    return await office.show(lambda ledger: _page(request, tournament, ledger, halls, side))


@router.post("")
async def wait(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    halls: TheHalls,
    side: TheSide,
    name: Text = "",
    born: Text = "",
    division: Text = "",
    contact: Text = "",
    membership: Text = "",
) -> Response:
    """Put a person on the waiting list, and show the person's place in it."""
    limits: tuple[Limit, ...] = request.app.state.sign_ups
    given = {"name": name, "born": born, "division": division, "contact": contact, "membership": membership}

    def carry(ledger: Ledger) -> Response:
        if only_reads(request, ledger.record(tournament)):
            return _page(request, tournament, ledger, halls, side, ONLY_READS, given, 403)
        codes = _codes(request)
        if len(codes) == MOST or not all(limit.allows(address_of(request)) for limit in limits):
            return _page(request, tournament, ledger, halls, side, OFTEN, given, 429)
        try:
            code = sign_up(side, ledger, tournament, given, codes)
        except (Refusal, UsageProblem) as problem:
            return _page(request, tournament, ledger, halls, side, problem.args[0], given, 409)
        return _kept(request, tournament, [*codes, code])

    return await office.show(carry)


@router.post("/withdraw")
async def withdraw(
    request: Request, tournament: ATournament, office: TheOffice, side: TheSide, which: Which
) -> Response:
    """Take a person of this phone off the waiting list, or, after the desk has decided, off the phone."""

    def carry(ledger: Ledger) -> Response:
        need_tls(request, ledger.record(tournament))
        codes = _codes(request)
        take_off(side, ledger, tournament, _one(codes, which))
        return _kept(request, tournament, codes[:which] + codes[which + 1 :])

    return await office.show(carry)


@router.post("/mine")
async def mine(
    request: Request, tournament: ATournament, office: TheOffice, side: TheSide, which: Which
) -> Response:
    """Open the player's own page for a person whom the desk has accepted."""

    def carry(ledger: Ledger) -> Response:
        found = seen(side, ledger, tournament, _one(_codes(request), which))
        code = None if found.player is None else code_of(ledger, tournament, found.player)
        if code is None:
            return RedirectResponse(f"/t/{tournament}/sign-up", status_code=303)
        return welcome(request, tournament, code)

    return await office.show(carry)


def _codes(request: Request) -> list[str]:
    return request.cookies.get(COOKIE, "").split(".")[:MOST] if request.cookies.get(COOKIE) else []


def _one(codes: list[str], which: int) -> str:
    if which >= len(codes):
        raise NoSuchPage(sentence("nobody on this phone has signed up"))
    return codes[which]


def _kept(request: Request, tournament: UUID, codes: list[str]) -> Response:
    path = f"/t/{tournament}/sign-up"
    answer = RedirectResponse(path, status_code=303)
    remember(request, answer, COOKIE, ".".join(codes), path)
    return answer


def _page(
    request: Request,
    tournament: UUID,
    ledger: Ledger,
    halls: Halls,
    side: SideFile,
    problem: Sentence | None = None,
    given: dict[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    hall = halls.now(ledger, tournament)
    face = Face(language_of(request), ServerLinks(tournament), language_links(request))
    text = face.show(
        "sign_up.html",
        hall,
        people=[seen(side, ledger, tournament, code) for code in _codes(request)],
        asked_for=questions(hall.whole),
        is_open=is_open(hall.whole),
        only_reads=only_reads(request, hall.whole),
        free=free_places(hall.whole),
        places=places(hall.whole),
        waiting=side.number(tournament, undone(hall.whole)),
        lasts=side.lasts,
        given=given or {},
        problem=problem,
        longest=LONGEST,
        most=MOST,
    )
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})
