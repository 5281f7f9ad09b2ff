"""The only public form: a player disputes a result."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from matchledger.commands.calls import call_desk
from matchledger.commands.refusal import Refusal
from matchledger.events import Stage
from matchledger.events.phones import Claim
from matchledger.ledger import Clerk, Conflict
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import ATournament, NoSuchPage, TheHalls, TheOffice, address_of, need_tls
from matchledger.web.public.links import ServerLinks
from matchledger.web.rendering import private_page
from matchledger_projections.message import sentence

router = APIRouter(prefix="/t/{tournament}", include_in_schema=False)

STRANGER = Clerk("a player's phone", "player", "public pages")
CALLS, SECONDS = 6, 600.0
LARGEST = 10**9


@router.post("/call")
async def call(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    halls: TheHalls,
    player: Annotated[int, Form(ge=1, le=LARGEST)],
    stage: Annotated[Stage, Form()],
    round_: Annotated[int, Form(alias="round", ge=1, le=LARGEST)],
    claim: Annotated[Claim, Form()],
    disputes: Annotated[str, Form(max_length=10, pattern="^[0-9]*$")] = "",
) -> Response:
    """Call the desk, and show the player's page again."""
    limit: Limit = request.app.state.calls
    # Count by address and player, because a whole hall may share one address.
    if not limit.allows(f"{address_of(request)} {player}"):
        return private_page(
            request,
            "called.html",
            status=429,
            why="often",
            problem="",
            again=ServerLinks(tournament).player(player),
        )
    record = (await office.show(lambda ledger: halls.now(ledger, tournament))).whole
    need_tls(request, record)
    if player not in record.players:
        raise NoSuchPage(sentence("there is no such player in this tournament"))
    decision = partial(
        call_desk,
        player=player,
        round_=round_,
        stage=stage,
        claim=claim,
        disputes=int(disputes) if disputes else None,
    )
    again = ServerLinks(tournament).player(player)
    try:
        await office.tell(lambda ledger: ledger.decide(tournament, decision, clerk=STRANGER, anybody=True))
    except (Refusal, Conflict) as problem:
        return private_page(request, "called.html", status=409, why="refused", problem=problem.args[0], again=again)
    return RedirectResponse(again, status_code=303)
