"""The logo of an event: the organizer uploads a picture, and every page shows it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, UploadFile
from fastapi.responses import RedirectResponse, Response

from matchledger.commands.refusal import Refusal
from matchledger.formats.picture import LARGEST
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.execute import Done
from matchledger.service.logo import choose_logo
from matchledger.web.desk.forms import Filled
from matchledger.web.entrance import Staffed
from matchledger.web.pages.answering import ask_again
from matchledger.web.pages.asking import ATournament, AVisitor, NoSuchPage, TheOffice, TheSide
from matchledger_projections.message import sentence

router = APIRouter(prefix="/t/{tournament}/desk/logo", include_in_schema=False, route_class=Staffed)
public = APIRouter(prefix="/t/{tournament}/logo", include_in_schema=False)

TYPES = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}
# The address contains the digest of the picture. No script in the picture may run, even if a browser opens the
# picture alone.
HEADERS = {
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
}


@public.get("/{digest}.{kind}")
async def picture(
    tournament: ATournament,
    office: TheOffice,
    side: TheSide,
    digest: Annotated[str, Path(pattern="^[0-9a-f]{64}$")],
    kind: Annotated[str, Path(pattern="^(png|jpg|webp)$")],
) -> Response:
    """The picture itself."""
    data = await office.show(lambda _: side.logo(tournament, f"{digest}.{kind}"))
    if data is None:
        raise NoSuchPage(sentence("this event has no such logo"))
    return Response(data, media_type=TYPES[kind], headers=HEADERS)


@router.post("")
async def choose(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    side: TheSide,
    visitor: AVisitor,
    logo: UploadFile | None = None,
) -> Response:
    """Take the uploaded picture as the logo. Without a picture, remove the logo."""
    data = b"" if logo is None else await logo.read(LARGEST + 1)

    def carry(ledger: Ledger) -> Done:
        return choose_logo(side, ledger, tournament, data, visitor.writing)

    try:
        done = await office.tell(carry)
    except (Refusal, UsageProblem) as problem:
        form = Filled({"kind": "logo"}, "", "", "", "", False, "event", "", "logo")
        return await ask_again(request, tournament, office, visitor, form, problem)
    return RedirectResponse(f"/t/{tournament}/desk/event?done={done.entries[0].position}", status_code=303)
