"""A player's own page, for whoever shows a personal link: what the organizer lets players do with their phones."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from matchledger.commands.command import Command
from matchledger.commands.phones import AskDrop, CallJudge, CheckIn, ClaimResult, ConfirmClaim
from matchledger.commands.refusal import Refusal
from matchledger.ledger import Conflict, Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.player_links import by_phone, player_of
from matchledger.web.doors import NotLetIn
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import ATournament, TheHalls, TheOffice, need_tls
from matchledger.web.public.hall import Halls
from matchledger.web.public.links import ServerLinks
from matchledger.web.public.own import own_page
from matchledger.web.public.pages import Face
from matchledger.web.rendering import language_of
from matchledger_projections.message import Sentence, sentence

router = APIRouter(prefix="/t/{tournament}/me", include_in_schema=False)

COOKIE = "matchledger-player"
ACTS, SECONDS = 12, 600.0  # of one player
LONGEST = 40  # characters of an outcome
Act = Literal["claim", "confirm", "judge", "drop", "here"]


@router.get("")
async def me(request: Request, tournament: ATournament, office: TheOffice, halls: TheHalls) -> Response:
    """The player's table, and what the player may do."""
    return await office.show(lambda ledger: _page(request, tournament, ledger, halls, None))


@router.post("")
async def act(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    halls: TheHalls,
    act: Annotated[Act, Form()],
    outcome: Annotated[str, Form(max_length=LONGEST)] = "",
    claim: Annotated[int, Form(ge=1, le=10**9)] = 1,
) -> Response:
    """Carry out what the player asks for, and show the page again."""
    limit: Limit = request.app.state.acts

    def carry(ledger: Ledger) -> Response:
        player = _whose(request, ledger, tournament)
        need_tls(request, ledger.record(tournament))
        if not limit.allows(f"{tournament} {player}"):
            often = sentence("this phone has sent very much: wait, or go to the desk")
            return _page(request, tournament, ledger, halls, often, 429)
        try:
            by_phone(ledger, tournament, player, _command(act, player, outcome, claim))
        except (Refusal, UsageProblem, Conflict) as problem:
            return _page(request, tournament, ledger, halls, problem.args[0], 409)
        return RedirectResponse(f"/t/{tournament}/me", status_code=303)

    return await office.tell(carry)


def _command(act: Act, player: int, outcome: str, claim: int) -> Command:
    match act:
        case "claim":
            return ClaimResult(player=player, outcome=outcome.strip() or "?")
        case "confirm":
            return ConfirmClaim(player=player, claim=claim)
        case "judge":
            return CallJudge(player=player)
        case "drop":
            return AskDrop(player=player)
        case "here":
            return CheckIn(players=(player,))


def _whose(request: Request, ledger: Ledger, tournament: UUID) -> int:
    player = player_of(ledger, tournament, request.cookies.get(COOKIE, ""))
    if player is None:
        raise NotLetIn(sentence("this page is for players with a personal link: ask at the desk for yours"))
    return player


def _page(
    request: Request,
    tournament: UUID,
    ledger: Ledger,
    halls: Halls,
    problem: Sentence | None,
    status: int = 200,
) -> HTMLResponse:
    player = _whose(request, ledger, tournament)
    face = Face(language_of(request), ServerLinks(tournament), {"asked": []})
    text = own_page(face, halls.now(ledger, tournament), player, problem)
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})
