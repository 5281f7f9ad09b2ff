"""Web Push on a phone: turn the news of new rounds on and off, and serve the script that shows the news."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import Response

from matchledger.ledger import Ledger
from matchledger.service.push import LONGEST, Subscription, subscribe
from matchledger.web.limit import Limit
from matchledger.web.news import News
from matchledger.web.pages.asking import ATournament, TheOffice, TheSide, need_tls
from matchledger.web.pages.own import COOKIE, OFTEN, whose
from matchledger.web.rendering import STATIC, language_of

router = APIRouter(prefix="/t/{tournament}/me", include_in_schema=False)

KEY_LENGTH = 100  # the most characters of a key
Key = Annotated[str, Form(max_length=KEY_LENGTH)]


@router.get("/worker.js")
async def worker(tournament: ATournament) -> Response:
    """Return the service worker: the script that shows messages and loads nothing else."""
    headers = {
        "cache-control": "no-cache",
        "content-security-policy": "default-src 'none'",
        "service-worker-allowed": f"/t/{tournament}/me",
    }
    return Response((STATIC / "worker.js").read_bytes(), media_type="text/javascript", headers=headers)


@router.post("/push")
async def push(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    side: TheSide,
    act: Annotated[Literal["on", "off"], Form()],
    endpoint: Annotated[str, Form(max_length=LONGEST)],
    p256dh: Key = "",
    auth: Key = "",
) -> Response:
    """Turn the news for this phone on or off."""
    news: News = request.app.state.news
    limit: Limit = request.app.state.subscribing
    contact = f"https://{request.url.netloc}"

    def carry(ledger: Ledger) -> None:
        player = whose(request, ledger, tournament)
        need_tls(request, ledger.record(tournament))
        if not limit.allows(f"{tournament} {player}"):
            raise HTTPException(429, OFTEN)
        if act == "off":
            side.forget_push(tournament, endpoint)
            return
        code = request.cookies[COOKIE]
        phone = Subscription(endpoint, p256dh, auth, code, contact, language_of(request))
        subscribe(side, ledger, tournament, player, phone)
        news.follow(ledger, tournament)

    await office.show(carry)
    return Response(status_code=204)
