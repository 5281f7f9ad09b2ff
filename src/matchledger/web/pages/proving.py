"""Proofs and papers from the desk: a verified log, checkpoints, dispute files, and sheets."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from matchledger.commands.draft import Clerk
from matchledger.commands.refusal import Refusal
from matchledger.events import Entry, Stage
from matchledger.evidence.dispute_release import Bundle, find_match, hand_bundle_out
from matchledger.ledger import Ledger, sign_checkpoint
from matchledger.notation.problems import UsageProblem
from matchledger.proof.station_token import TokenRefused
from matchledger.proof.witness import RolledBack
from matchledger.service.execute import Request as Carried
from matchledger.service.execute import execute
from matchledger.service.witness_server import cosigned_by
from matchledger.web.desk.asked import Asked
from matchledger.web.desk.forms import Filled
from matchledger.web.desk.landing import FAILED, FOUND
from matchledger.web.desk.pages import page_values
from matchledger.web.desk.sheets import SheetAsked, sheet, typeset
from matchledger.web.desk.verification import verified
from matchledger.web.doors import Visitor
from matchledger.web.entrance import Staffed
from matchledger.web.pages.answering import address_after, ask_again, desk_page
from matchledger.web.pages.asking import ATournament, AVisitor, OneOfTheStaff, TheOffice, TheSettings
from matchledger.web.problems import problem_of
from matchledger.web.rendering import language_of
from matchledger_projections.message import sentence

router = APIRouter(prefix="/t/{tournament}/desk", include_in_schema=False, route_class=Staffed)


@router.post("/verify")
async def verify(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,
    head: Annotated[str, Form(max_length=200)] = "",
    draws: Annotated[bool, Form()] = False,
) -> Response:
    """Check the whole log against its hashes, its signatures and, on request, its own draws."""
    values = await office.ask(lambda ledger: page_values(ledger, tournament, visitor, "verify", Asked()))
    values |= {"head": head.strip(), "draws": draws}
    try:
        found = await office.ask_apart(
            lambda ledger: verified(ledger, tournament, head=head.strip() or None, draws=draws)
        )
    except UsageProblem as problem:
        status, said = problem_of(problem)
        return desk_page(request, "desk/verify.html", status=status, **values | {"problem": said, "lands": FAILED})
    return desk_page(request, "desk/verify.html", **values | {"found": found, "lands": FOUND})


@router.post("/checkpoint")
async def checkpoint(
    request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor, settings: TheSettings
) -> Response:
    """Sign the current log with the server's key, because no key comes through a browser."""
    form = Filled.of(await request.form())

    def sign(ledger: Ledger) -> Entry:
        if settings.signing_key is None:
            raise UsageProblem(sentence("this server has no key to sign with: start it with serve --key"))
        return sign_checkpoint(
            ledger, tournament, settings.signing_key, clerk=visitor.writing, command=form.id[:200] or None
        )

    try:
        signed = await office.tell(sign)
    except (UsageProblem, Refusal, TokenRefused) as problem:
        return await ask_again(request, tournament, office, visitor, form, problem)
    return RedirectResponse(address_after(tournament, "verify", signed.position, form), status_code=303)


@router.post("/witnessed")
async def witnessed(request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor) -> Response:
    """Ask the server of a witness to cosign the last checkpoint, and keep the cosignature."""
    form = Filled.of(await request.form())
    server, key = (str(form.fields.get(name, "")).strip() for name in ("server", "key"))
    try:
        clerk = _who_may_ask(visitor)
        command = await office.ask_apart(lambda ledger: cosigned_by(server, key, ledger, tournament))
        asked = Carried(command, clerk, form.id[:200] or None)
        done = await office.tell(lambda ledger: execute(ledger, tournament, asked))
    except RolledBack as found:
        said = sentence("ROLLED BACK OR REWRITTEN: %(problem)s. The witness did not cosign", problem=found.args[0])
        return await ask_again(request, tournament, office, visitor, form, Refusal(said))
    except (UsageProblem, Refusal, TokenRefused) as problem:
        return await ask_again(request, tournament, office, visitor, form, problem)
    return RedirectResponse(address_after(tournament, "verify", done.entries[-1].position, form), status_code=303)


def _who_may_ask(visitor: Visitor) -> Clerk:
    """Return the visitor, who must be an organizer, because the server will send a request to an address from the
    form.
    """
    if visitor.writing.role != "organizer":
        raise Refusal(sentence("only an organizer may ask the server of a witness"))
    return visitor.writing


@router.post("/bundle")
async def bundle(
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,
    settings: TheSettings,
    round_: Annotated[int, Form(alias="round", ge=1, le=999_999)],
    table: Annotated[int, Form(ge=1, le=999_999)],
    stage: Annotated[Stage, Form()] = "swiss",
    numbers_only: Annotated[bool, Form()] = False,
) -> Response:
    """Return the bundle of a match, as a file to give out. If the file has names, the log records that the file was
    given out.
    """

    def make(ledger: Ledger) -> tuple[str, Bundle]:
        record = ledger.record(tournament)
        match = find_match(record, round_, table, stage)
        name = f"bundle-{'elimination-' if stage == 'elimination' else ''}{round_}-{table}.json"
        made = hand_bundle_out(
            ledger,
            tournament,
            match,
            to=name,
            names=not numbers_only,
            clerk=visitor.writing,
            key=settings.signing_key,
        )
        return name, made

    name, made = await office.tell(make)
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(made.text, media_type="application/json", headers=headers)


@router.get("/print/{name}.pdf")
async def print_(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001 - naming the visitor keeps strangers out
    settings: TheSettings,
    name: str,
    round_: Annotated[int | None, Query(alias="round", ge=1, le=999_999)] = None,
    stage: Stage | None = None,
    division: Annotated[str | None, Query(max_length=200)] = None,
    player: Annotated[int | None, Query(ge=1, le=999_999)] = None,
) -> Response:
    """Return a sheet of the event as PDF."""
    asked = SheetAsked(name, round_, stage, division, player, settings.initials, language_of(request))
    made = await office.ask(lambda ledger: sheet(ledger, tournament, asked))
    pdf = await asyncio.to_thread(typeset, made)
    headers = {"content-disposition": f'inline; filename="{made.name}.pdf"', "cache-control": "no-store"}
    return Response(pdf, media_type="application/pdf", headers=headers)
