"""A player's own page, for the holder of a personal link: the actions that the organizer allows by phone."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from matchledger.commands.calls import call_desk
from matchledger.commands.command import Command, Moved
from matchledger.commands.decklists import SubmitDeck
from matchledger.commands.phones import AskDrop, CallJudge, CheckIn, ClaimResult, ConfirmClaim
from matchledger.commands.refusal import Refusal
from matchledger.events import PhoneUse, Stage
from matchledger.events.phones import Claim
from matchledger.ledger import Conflict, Ledger
from matchledger.ledger.beside import SideFile
from matchledger.notation.problems import UsageProblem
from matchledger.proof.station_token import TokenRefused
from matchledger.service.player_links import by_phone, dispute_by_phone, player_of
from matchledger.service.push import public_key
from matchledger.web.doors import LinkReplaced, NotLetIn
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import ONLY_READS, ATournament, TheDoors, TheHalls, TheOffice, only_reads
from matchledger.web.problems import MOVED
from matchledger.web.public.hall import Halls
from matchledger.web.public.links import ServerLinks
from matchledger.web.public.own import Typed, own_page, with_blood
from matchledger.web.public.pages import Face
from matchledger.web.rendering import language_links, language_of
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.phones import phones_may

router = APIRouter(prefix="/t/{tournament}/me", include_in_schema=False)

COOKIE = "matchledger-player"
LASTING = 4 * 24 * 60 * 60  # seconds for which a player's phone stays logged in: a long weekend
ACTS, SECONDS = 12, 600.0  # how many commands a player may send, in how many seconds
LONGEST = 40  # the most characters of an outcome
LONGEST_DECK = 8000
LARGEST = 10**9  # the largest number in a form
_Command = Literal["claim", "confirm", "judge", "deck", "drop", "here"]
Act = _Command | Literal["call"]
OFTEN = sentence("this phone has sent too much: wait, or go to the desk")
_USES: dict[_Command, PhoneUse] = {
    "claim": "report",
    "confirm": "report",
    "judge": "judge",
    "deck": "deck",
    "drop": "drop",
    "here": "check-in",
}


@router.get("")
async def me(request: Request, tournament: ATournament, office: TheOffice, halls: TheHalls) -> Response:
    """Show the player's table and the allowed actions."""
    return await office.show(lambda ledger: _page(request, tournament, ledger, halls, None))


@router.post("")
async def act(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    halls: TheHalls,
    doors: TheDoors,
    act: Annotated[Act, Form()],
    outcome: Annotated[str, Form(max_length=LONGEST)] = "",
    blood: Annotated[str, Form(max_length=6, pattern="^[0-9]*$")] = "",
    claim: Annotated[int, Form(ge=1, le=LARGEST)] = 1,
    pairing: Annotated[int | None, Form(ge=1, le=LARGEST)] = None,
    deck: Annotated[str, Form(max_length=LONGEST_DECK)] = "",
    says: Annotated[Claim, Form()] = "other",
    stage: Annotated[Stage, Form()] = "swiss",
    round_: Annotated[int, Form(alias="round", ge=1, le=LARGEST)] = 1,
    disputes: Annotated[str, Form(max_length=10, pattern="^[0-9]*$")] = "",
) -> Response:
    """Execute the player's request, and show the page again."""
    limit: Limit = request.app.state.acts

    def carry(ledger: Ledger) -> Response:
        player = whose(request, ledger, tournament)

        def refused(problem: Sentence, status: int) -> Response:
            return _page(request, tournament, ledger, halls, problem, status, Typed(outcome, deck, blood))

        if only_reads(request, ledger.record(tournament)):
            return refused(ONLY_READS, 403)
        if not limit.allows(f"{tournament} {player}"):
            return refused(OFTEN, 429)
        try:
            if act == "call":
                disputed = int(disputes) if disputes else None
                call = partial(call_desk, player=player, round_=round_, stage=stage, claim=says, disputes=disputed)
                dispute_by_phone(ledger, tournament, player, call)
            else:
                text = deck if act == "deck" else with_blood(outcome, blood)
                wanted = _command(act, player, text, claim)
                by_phone(ledger, tournament, player, wanted, _USES[act], doors.lent(tournament), pairing)
        except TokenRefused:
            return refused(sentence("the desk has not lent its token to the phones: go to the desk"), 403)
        except Moved:
            return refused(MOVED, 409)
        except (Refusal, UsageProblem, Conflict) as problem:
            return refused(problem.args[0], 409)
        return RedirectResponse(f"/t/{tournament}/me", status_code=303)

    return await office.tell(carry)


def welcome(request: Request, tournament: UUID, code: str) -> RedirectResponse:
    """Log in the phone of the player with this code, and open the player's own page."""
    answer = RedirectResponse(f"/t/{tournament}/me", status_code=303)
    remember(request, answer, COOKIE, code, f"/t/{tournament}/me")
    return answer


def remember(request: Request, answer: Response, cookie: str, value: str, path: str) -> None:
    """Store a player's code in a cookie on the phone, for one page only."""
    is_tls = request.url.scheme == "https"
    answer.set_cookie(cookie, value, max_age=LASTING, httponly=True, samesite="strict", path=path, secure=is_tls)


def _command(act: _Command, player: int, text: str, claim: int) -> Command:
    match act:
        case "claim":
            return ClaimResult(player=player, outcome=text.strip() or "?")
        case "confirm":
            return ConfirmClaim(player=player, claim=claim)
        case "judge":
            return CallJudge(player=player)
        case "deck":
            return SubmitDeck(player=player, deck=text, again=True)
        case "drop":
            return AskDrop(player=player)
        case "here":
            return CheckIn(players=(player,))


def whose(request: Request, ledger: Ledger, tournament: UUID) -> int:
    """Return the number of the player whose code is in the phone's cookie. Raises NotLetIn."""
    code = request.cookies.get(COOKIE, "")
    player = player_of(ledger, tournament, code)
    if player is None and code:
        raise LinkReplaced
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
    typed: Typed | None = None,
) -> HTMLResponse:
    player = whose(request, ledger, tournament)
    face = Face(language_of(request), ServerLinks(tournament), language_links(request))
    hall = halls.now(ledger, tournament)
    side: SideFile = request.app.state.side
    key = public_key(side, tournament) if "push" in phones_may(hall.whole) else None
    text = own_page(face, hall, player, problem, key, typed, only_reads=only_reads(request, hall.whole))
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})
